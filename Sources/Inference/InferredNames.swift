import DataModel
import RecordText

/// The field names that are chosen for the keys of records.
///
/// A key that is not a valid field name gets a similar field name. The schema then declares the key
/// as the property name of the field, so that records with the key can still be read. No
/// declaration is needed for the default property name, such as `yearBorn` for `year_born`.
struct InferredNames {
  /// The field name of each key, or nil if no new field is created for the key.
  private(set) var names: [String?] = []
  /// The geopoint field of each key that contains only a coordinate: `place` for the keys
  /// `place.lat` and `place.lon`. In the dictionary, each of these keys is represented by its index
  /// in the statistics.
  private(set) var points: [Int: String] = [:]
  private(set) var properties: [SchemaDraft.PropertyDraft] = []
  private(set) var notes: [String] = []

  /// Keys that cannot be mapped to a field, each with the name to which the user should rename it.
  private var renames: [(key: String, name: String)] = []
  /// Keys with the names of system fields, each with the name of the field that stores its values,
  /// such as `original_revision` for `revision`.
  private var originals: [(key: String, name: String)] = []
  private var taken: [String: String] = [:]
  private var problems: [Problem] = []
  private let schema: String
  private let file: String?
  /// Whether the keys are names of columns, which `save` converts to names of fields.
  private let isTable: Bool

  /// Chooses a field name for each key in the statistics, except for keys that already have a
  /// field.
  ///
  /// - Parameters:
  ///   - inverses: The names of the inverses of relations to the existing schema.
  ///   - keepsSystemFields: Whether keys with the names of system fields always refer to the system
  ///     fields. If false, such a key refers to the system field only if all records with the key
  ///     have the keys of all system fields.
  /// - Throws: An error with all keys that must be renamed, and a hint with a command that renames
  ///   them.
  init(
    _ statistics: RecordStatistics, keyIndex: Int?, existing: Schema?, inverses: [String] = [],
    keepsSystemFields: Bool, layout: InputLayout, file: String?
  ) throws(DataError) {
    schema = statistics.name
    self.file = file
    isTable = layout.format.isTable
    for field in existing?.fields ?? [] { taken[field.name] = field.name }
    if existing == nil { taken[statistics.name + "_id"] = statistics.name + "_id" }
    if !statistics.isMapped { points = Self.points(in: statistics, taken: taken) }
    var omitted: [String] = []
    for (index, field) in statistics.fields.enumerated() {
      let system = SystemField(named: field.key)
      let column = columnName(field.key, index).flatMap { existing?.slot(named: $0) }
      if system != nil, statistics.listedCount > 0 { omitted.append(field.key) }
      if index == keyIndex {
        names.append(statistics.name + "_id")
        let property = Names.isProperty(field.key) ? field.key : columnName(field.key, index)
        if let property { addProperty(property, statistics.name + "_id") }
      } else if let system, keepsSystemFields || statistics.isOmitted(field) {
        names.append(nil)
        if existing == nil { checkSystem(system, field, layout.format) }
      } else if existing?.slot(ofForeignKey: field.key) != nil
        || existing.map({ RecordParts.coordinate(named: field.keyBytes, in: $0) != nil }) == true
        || existing != nil && statistics.rules.isOnlyKey(field.keyBytes) || points[index] != nil
        || field.type(in: layout.format) == nil
        || Names.suggested(for: field.key).map(inverses.contains) == true
        || column != nil
      {
        names.append(nil)
      } else {
        names.append(name(field, index, of: statistics))
      }
    }
    if existing == nil, !keepsSystemFields, !omitted.isEmpty {
      let count = statistics.listedCount
      let place =
        count < statistics.count ? " of the \(count.counted("record")) with all these keys" : ""
      notes.append(
        omitted.joined(separator: ", ")
          + ": set by the store; left out\(place), unless save is run with --keep-system-fields")
    }
    if !originals.isEmpty {
      let keys = originals.map { Excerpt.truncated($0.key) }.joined(separator: ", ")
      let names = originals.map(\.name).joined(separator: ", ")
      notes.append(
        "\(keys): save --infer keeps them as \(names), since the store sets the system fields")
    }
    // Two keys that would be the same field have a hint of their own.
    if let last = problems.lastIndex(where: { $0.hint == nil }) {
      problems[last].hint =
        statistics.isMapped ? nil : layout.renaming(renames, statistics.rules)
    }
    if let error = DataError(problems) { throw error }
  }

  /// Returns the field names for pairs of keys such as `place.lat` and `place.lon` whose values are
  /// numbers. In this example, the field name is `place`. A pair is ignored if there already is a
  /// key or a field with this name.
  private static func points(
    in statistics: RecordStatistics, taken: [String: String]
  ) -> [Int: String] {
    var points: [Int: String] = [:]
    for (latitude, field) in statistics.fields.enumerated() where field.key.hasSuffix(".lat") {
      let name = String(field.key.dropLast(4))
      guard Names.suggested(for: name) == name, SystemField(named: name) == nil,
        taken[name] == nil,
        !statistics.fields.contains(where: { Names.suggested(for: $0.key) == name }),
        let longitude = statistics.fields.firstIndex(where: { $0.key == name + ".lon" }),
        [latitude, longitude].allSatisfy({ statistics.fields[$0].values.areNumbers })
      else { continue }
      points[latitude] = name
      points[longitude] = name
    }
    return points
  }

  private mutating func name(
    _ field: FieldStatistics, _ index: Int, of statistics: RecordStatistics
  ) -> String? {
    let key = field.key
    guard var name = Names.suggested(for: key) ?? columnName(key, index) else {
      rejectKey(key, "field_\(index + 1)")
      return nil
    }
    let system = SystemField(named: name)
    if let system { name = system.originalName }
    if let other = taken[name] {
      report(
        key, "would get the same field name as \(Excerpt.quoted(other)): \(name)",
        hint: "rename one of these keys")
      return nil
    }
    taken[name] = key
    guard
      key == name || Names.fieldName(ofProperty: key) != nil
        || isTable && !statistics.rules.isTarget(key)
    else {
      rejectKey(key, name)
      return nil
    }
    if system != nil { originals.append((key, name)) }
    if !field.isListOfParts { addProperty(key, name) }
    return name
  }

  /// Returns the name to which the name of a column is converted, or nil for other keys.
  private func columnName(_ key: String, _ index: Int) -> String? {
    isTable ? Names.field(forColumn: key, number: index + 1) : nil
  }

  private mutating func addProperty(_ key: String, _ name: String) {
    guard key != name, Names.property(for: name) != key, SystemField(named: key) == nil,
      Names.isProperty(key)
    else { return }
    properties.append(SchemaDraft.PropertyDraft(key, field: name))
  }

  private mutating func rejectKey(_ key: String, _ name: String) {
    renames.append((key, name))
    report(key, "not usable as a field name: use letters, digits and underscores")
  }

  /// Reports a key that has the name of a system field if values under the key are not valid for
  /// the system field.
  private mutating func checkSystem(
    _ system: SystemField, _ field: FieldStatistics, _ format: RecordFormat
  ) {
    let values = field.values
    let isAcceptable =
      switch system {
      case .createdAt, .modifiedAt: field.nulls == 0 && values.times == values.total
      case .createdBy, .modifiedBy:
        format.hasOnlyText || values[.text] + values.times == values.total
      case .revision: field.nulls == 0 && values[.integer] == values.total
      }
    if isAcceptable { return }
    renames.append((field.key, system.originalName))
    report(
      field.key,
      "this is a system field, and these values are not valid for it")
  }

  private mutating func report(_ key: String, _ message: String, hint: String? = nil) {
    problems.append(
      Problem(
        .invalid, message, hint: hint, schema: schema,
        field: key.isEmpty ? "\"\"" : Excerpt.truncated(key), file: file))
  }
}
