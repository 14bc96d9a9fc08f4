import DataModel

/// The field names for the keys of records.
///
/// A key that differs from the names that its field has by default is added as a property of the
/// field.
struct InferredNames {
  /// The field name of each key, or nil if no new field is created for the key.
  private(set) var names: [String?] = []
  private(set) var properties: [SchemaDraft.PropertyDraft] = []
  private(set) var notes: [String] = []

  /// Keys that cannot be mapped to a field, each with the name to which the user should rename it.
  private var renames: [(key: String, name: String)] = []
  private var taken: [String: String] = [:]
  private var problems: [Problem] = []
  private let schema: String
  private let file: String

  /// Chooses a field name for each key of the statistics, except for keys that have a field
  /// already.
  ///
  /// - Throws: An error with all keys that must be renamed, and a hint with a command that renames
  ///   them.
  init(
    _ statistics: RecordStatistics, keyIndex: Int?, existing: Schema?, layout: InputLayout,
    file: String
  ) throws(DataError) {
    schema = statistics.name
    self.file = file
    for field in existing?.fields ?? [] { taken[field.name] = field.name }
    if existing == nil { taken[statistics.name + "_id"] = statistics.name + "_id" }
    var kept: [String] = []
    for (index, field) in statistics.fields.enumerated() {
      if index == keyIndex {
        names.append(statistics.name + "_id")
        addProperty(field.key, statistics.name + "_id")
      } else if let system = SystemField.allCases.first(where: { $0.name == field.key }) {
        names.append(nil)
        if existing == nil { checkSystem(system, field, layout.format) }
        kept.append(field.key)
      } else if existing?.slot(named: field.key) != nil || field.type(in: layout.format) == nil {
        names.append(nil)
      } else {
        names.append(name(field.key, index))
      }
    }
    if existing == nil, !kept.isEmpty {
      notes.append(
        kept.joined(separator: ", ")
          + ": set by the store; save reads system fields only with --keep-system-fields")
    }
    if !renames.isEmpty, let hint = layout.renaming(renames, keys: statistics.fields.map(\.key)) {
      problems[problems.count - 1].hint = hint
    }
    if let error = DataError(problems) { throw error }
  }

  private mutating func name(_ key: String, _ index: Int) -> String? {
    guard var name = Names.suggested(for: key) else {
      rejectKey(key, "field_\(index + 1)")
      return nil
    }
    if SystemField.allCases.contains(where: { $0.name == name }) { name = "original_" + name }
    if let other = taken[name] {
      report(
        key, "would get the same field name as \(Excerpt.quoted(other)): \(name)",
        hint: "rename one of these keys")
      return nil
    }
    taken[name] = key
    guard key == name || Names.fieldName(ofProperty: key) != nil else {
      rejectKey(key, name)
      return nil
    }
    addProperty(key, name)
    return name
  }

  private mutating func addProperty(_ key: String, _ name: String) {
    guard key != name, Names.property(for: name) != key else { return }
    properties.append(SchemaDraft.PropertyDraft(key, field: name))
  }

  private mutating func rejectKey(_ key: String, _ name: String) {
    renames.append((key, name))
    report(key, "not usable as a field name: use letters, digits and underscores")
  }

  /// Reports a key that has the name of a system field, if the system field does not accept its
  /// values.
  private mutating func checkSystem(
    _ system: SystemField, _ field: FieldStatistics, _ format: RecordFormat
  ) {
    let values = field.values
    let isAcceptable =
      switch system {
      case .createdAt, .modifiedAt: field.nulls == 0 && values[.datetime] == values.total
      case .createdBy, .modifiedBy:
        format == .csv || values[.text] + values[.datetime] == values.total
      case .revision: field.nulls == 0 && values[.integer] == values.total
      }
    if isAcceptable { return }
    renames.append((field.key, "original_" + field.key))
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
