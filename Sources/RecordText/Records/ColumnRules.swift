package import DataModel
import JSONText

/// How columns are read: they can be renamed, skipped or joined to form the id, with the options
/// `--rename`, `--skip` and `--key`. Each such option is a rule for one or more columns. The rules
/// contain the names that the columns have in the input. In JSON, the columns are the keys of
/// objects.
@usableFromInline
package struct ColumnRules: Sendable {
  /// The columns whose texts, joined with colons, are the id of a record. If the schema has a field
  /// for such a column, the text is also the value of this field.
  package let key: [String]
  /// Maps the name of each renamed or skipped column to its index in `targets`.
  private let columns: NameTable
  /// For each renamed or skipped column, the name of the field that gets its values, or nil if the
  /// column is skipped.
  private let targets: [String?]
  /// The columns that are read; nil if all columns are read that no rule skips.
  private let only: Set<[UInt8]>?
  /// The columns whose cells contain several elements, each with the separator of the elements.
  private let separators: [[UInt8]: [UInt8]]
  /// The names of all columns for which there are rules, in the order of the rules.
  @usableFromInline let names: [String]
  /// The names in `names`, as UTF-8.
  private let nameSet: Set<[UInt8]>

  /// Creates an empty list of rules: each column is read into the field with the same name.
  package init() {
    (key, columns, targets, names, nameSet) = ([], NameTable([]), [], [], [])
    (only, separators) = (nil, [:])
  }

  /// An error in a rule that is invalid for any input, such as a column that is renamed twice.
  package struct InvalidRule: Error {
    package let message: String
    package var hint: String?
  }

  /// Creates rules from the values of command-line options.
  ///
  /// - Parameters:
  ///   - key: The comma-separated columns whose texts are joined to form the id, or nil if there is
  ///     no such rule.
  ///   - renames: Texts that contain a column and the name of its field, such as `Title=title`.
  ///   - skips: The columns that are not read.
  ///   - only: The comma-separated columns that are read, besides those of the other rules, or nil
  ///     for all columns.
  ///   - splits: Texts that contain a column and the separator of its elements, such as `tags=;`.
  package init(
    key: String?, renames: [String], skips: [String], only: String? = nil, splits: [String] = []
  ) throws(InvalidRule) {
    self.key =
      key.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
    if self.key.contains("") {
      throw InvalidRule(message: "--key: expected names of columns, separated by commas")
    }
    var keys: Set<[UInt8]> = []
    for name in self.key where !keys.insert(Array(name.utf8)).inserted {
      throw InvalidRule(message: "--key: \(Excerpt.quoted(name)) is named twice")
    }
    var renamed: [(name: String, field: String)] = []
    var renamedNames: Set<[UInt8]> = []
    for rename in renames {
      // The name in the input may contain an equals sign, but the name of a field cannot.
      guard let sign = rename.utf8.lastIndex(of: UInt8(ascii: "=")), sign > rename.startIndex,
        rename.utf8.index(after: sign) < rename.endIndex
      else {
        throw InvalidRule(
          message: "--rename: expected COLUMN=FIELD, found \(Excerpt.quoted(rename))")
      }
      let name = String(rename[..<sign])
      if !renamedNames.insert(Array(name.utf8)).inserted {
        throw InvalidRule(message: "--rename: \(Excerpt.quoted(name)) is renamed twice")
      }
      renamed.append((name, String(rename[rename.utf8.index(after: sign)...])))
    }
    for skip in skips {
      if renamedNames.contains(Array(skip.utf8)) {
        throw InvalidRule(
          message: "--skip: \(Excerpt.quoted(skip)) is also renamed",
          hint: "omit one of the options")
      }
    }
    let read = only.map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
    if read.contains("") {
      throw InvalidRule(message: "--only: expected names of columns, separated by commas")
    }
    let separators = try Self.separators(splits)
    let columns = renamed.map(\.name) + skips
    self.columns = NameTable(columns.enumerated().map { ($1, $0) })
    targets = renamed.map(\.field) + skips.map { _ in nil }
    self.separators = separators
    let splitNames: [String] = separators.keys.map { String(decoding: $0, as: UTF8.self) }
    names = self.key + columns + read.map { String($0) } + splitNames.sorted()
    nameSet = Set(names.map { Array($0.utf8) })
    self.only =
      only == nil ? nil : Set(read.map { Array($0.utf8) }).union(keys).union(renamedNames)
  }

  private static func separators(
    _ splits: [String]
  ) throws(InvalidRule) -> [[UInt8]: [UInt8]] {
    var separators: [[UInt8]: [UInt8]] = [:]
    for split in splits {
      // The name of the column and the separator can be equals signs, too.
      let bytes = Array(split.utf8)
      guard let sign = bytes.dropLast().lastIndex(of: UInt8(ascii: "=")), sign > 0 else {
        throw InvalidRule(
          message: "--split-cells: expected COLUMN=SEPARATOR, found \(Excerpt.quoted(split))")
      }
      let given = Array(bytes[(sign + 1)...])
      let separator = given == Array("\\t".utf8) ? [0x09] : given
      if separators.updateValue(separator, forKey: Array(bytes[..<sign])) != nil {
        throw InvalidRule(
          message: "--split-cells: the column of \(Excerpt.quoted(split)) is named twice")
      }
    }
    return separators
  }

  @inlinable
  package var isEmpty: Bool { names.isEmpty }

  /// The maximum number of column names that are collected to suggest the right name for a
  /// misspelled one.
  private static let maxProposals = 1_000

  /// Adds a column that occurs in the input to `found`, for a later call of `problems(ofUnused:)`.
  package func note(_ name: [UInt8], in found: inout Set<[UInt8]>) {
    if found.count < Self.maxProposals || nameSet.contains(name) {
      found.insert(name)
    }
  }

  /// Returns whether a rule names the column.
  package func hasRule(for name: [UInt8]) -> Bool { nameSet.contains(name) }

  /// Returns whether the column is skipped. A skipped column can still be part of the id.
  package func skips(_ name: [UInt8]) -> Bool {
    if let only, !only.contains(name) { return true }
    return columns[name.span].map { targets[$0] == nil } ?? false
  }

  /// Returns the separator of the elements in the cells of a column, or nil if a cell contains only
  /// one value.
  package func separator(of name: [UInt8]) -> [UInt8]? { separators[name] }

  /// An option for columns that was given and applies only to tables; nil if there is none.
  var tableOption: String? { only != nil ? "--only" : !separators.isEmpty ? "--split-cells" : nil }

  /// Returns the name of the field into which a column is read: the name that a `--rename` option
  /// specifies, or the name of the column.
  package func fieldName(of name: [UInt8]) -> String {
    columns[name.span].flatMap { targets[$0] } ?? String(decoding: name, as: UTF8.self)
  }

  /// Returns whether some column is renamed to the given name.
  package func isTarget(_ name: String) -> Bool {
    targets.contains { $0.map { $0.utf8.elementsEqual(name.utf8) } ?? false }
  }

  /// Returns whether the id is read from a single column, and this column has the given name after
  /// renaming.
  package func isOnlyKey(_ name: [UInt8]) -> Bool {
    key.count == 1 && fieldName(of: Array(key[0].utf8)).utf8.elementsEqual(name)
  }

  /// Returns a problem for each column that is named in a rule but does not occur in the input.
  ///
  /// - Parameters:
  ///   - found: The columns of the input, as collected by `note(_:in:)`.
  ///   - others: Further names that can be suggested for a mistyped name.
  ///   - schema: The name of the schema.
  package func problems(
    ofUnused found: Set<[UInt8]>, others: [String] = [], schema: String, line: Int
  ) -> [Problem] {
    if isEmpty { return [] }
    var reported: Set<[UInt8]> = []
    let columns = (found.map { String(decoding: $0, as: UTF8.self) } + others).sorted()
    return names.compactMap { name in
      guard !found.contains(Array(name.utf8)), reported.insert(Array(name.utf8)).inserted else {
        return nil
      }
      return Problem(
        .unknownField, "the input has no column or key \(Excerpt.quoted(name))",
        // Only the first problems are shown, and a search among many names takes time.
        hint: reported.count > DataError.maxProblems
          ? nil
          : nearest(name, among: columns.filter { $0 != name }).map {
            "did you mean \(Excerpt.quoted($0))?"
          },
        schema: schema, line: line)
    }
  }
}

/// Collects the parts of values that are spread over several columns of a record: an id that is
/// joined from the texts of several columns, and geographic points whose coordinates are in columns
/// such as `place.lat` and `place.lon`.
package struct RecordParts: Sendable {
  /// One of the two coordinates of a geographic point.
  package enum Coordinate: BitwiseCopyable {
    case latitude
    case longitude
  }

  private struct Point {
    var slot: Int
    /// A coordinate: nil if the record has not set it yet, and `.some(nil)` if the record sets it
    /// to null.
    var latitude: Double??
    var longitude: Double??
  }

  /// The columns whose texts are joined to form the id. Empty if the id is read like the other
  /// fields.
  private let key: [String]
  private var keyParts: [[UInt8]?]
  private var points: [Point] = []

  init(_ rules: ColumnRules, of schema: Schema) {
    let isOrdinary =
      rules.key.count == 1 && !rules.skips(Array(rules.key[0].utf8))
      && schema.slot(named: rules.fieldName(of: Array(rules.key[0].utf8))) == schema.keySlot
    key = isOrdinary ? [] : rules.key
    isEmpty = key.isEmpty
    keyParts = Array(repeating: nil, count: key.count)
  }

  /// Whether `finish` has nothing to do for the current record: no values were collected for it,
  /// and no columns are joined to form the id.
  private(set) var isEmpty: Bool

  /// Returns the index of a column among the columns that are joined to form the id, or nil for any
  /// other column.
  func keyPart(_ name: [UInt8]) -> Int? {
    key.firstIndex { $0.utf8.elementsEqual(name) }
  }

  /// Discards the values that were collected for the previous record.
  mutating func removeAll() {
    points.removeAll(keepingCapacity: true)
    isEmpty = key.isEmpty
    for index in keyParts.indices { keyParts[index] = nil }
  }

  /// Returns the field and the coordinate that a name such as `place.lat` refers to, or nil if the
  /// name does not refer to a coordinate.
  package static func coordinate(
    named name: [UInt8], in schema: Schema
  ) -> (slot: Int, coordinate: Coordinate)? {
    guard name.count > 4 else { return nil }
    let coordinate: Coordinate
    switch String(decoding: name.suffix(4), as: UTF8.self) {
    case ".lat": coordinate = .latitude
    case ".lon": coordinate = .longitude
    default: return nil
    }
    let field = String(decoding: name.dropLast(4), as: UTF8.self)
    guard let slot = schema.slot(named: field), schema.type(of: slot) == .geopoint else {
      return nil
    }
    return (slot, coordinate)
  }

  /// Reports that a column of the id contains a value that cannot be part of an id.
  ///
  /// - Parameters:
  ///   - index: The position of the column among the columns that are joined to form the id.
  ///   - kind: The kind of the value, such as `an object`.
  func reportKeyPart(_ index: Int, found kind: String, on changes: inout RowChanges) {
    changes.report(
      changes.schema.keySlot,
      "expected a part of the id in \(Excerpt.quoted(key[index])), found \(kind)")
  }

  /// Sets a part of an id that is joined from several columns (`--key`). Reports a problem if the
  /// text cannot be a part of an id.
  ///
  /// - Parameters:
  ///   - index: The index of the part in the id.
  ///   - text: The text of the column, or nil if the value is null.
  mutating func setKeyPart(
    _ index: Int, _ text: [UInt8]?, on changes: inout RowChanges
  ) {
    guard let text, !text.isEmpty else {
      return reportKeyPart(index, found: text == nil ? "null" : "an empty string", on: &changes)
    }
    if key.count > 1, text.contains(UInt8(ascii: ":")) {
      let name = Excerpt.quoted(key[index])
      return changes.report(
        changes.schema.keySlot,
        "the parts of the id are joined with colons, but \(name) contains a colon: "
          + Excerpt.quoted(text.span))
    }
    keyParts[index] = text
  }

  /// Stores a coordinate of a geographic point until `finish` sets the field.
  ///
  /// - Parameter text: A number in JSON syntax, or nil for null.
  mutating func set(
    _ coordinate: Coordinate, of slot: Int, _ text: Span<UInt8>?, on changes: inout RowChanges
  ) {
    var value: Double?
    if let text {
      guard NumberText.isJSONNumber(text), let number = try? NumberText.double(text) else {
        return changes.report(slot, "expected a number of degrees, found \(Excerpt.quoted(text))")
      }
      value = number
    }
    isEmpty = false
    let index = points.firstIndex { $0.slot == slot } ?? points.count
    if index == points.count { points.append(Point(slot: slot)) }
    let isRepeated: Bool
    switch coordinate {
    case .latitude:
      isRepeated = points[index].latitude != nil
      points[index].latitude = .some(value)
    case .longitude:
      isRepeated = points[index].longitude != nil
      points[index].longitude = .some(value)
    }
    if isRepeated { changes.report(slot, "duplicate coordinate in a record") }
  }

  /// Sets the id and the geographic points of the current record to the collected values.
  mutating func finish(_ changes: inout RowChanges) {
    if !key.isEmpty { setID(on: &changes) }
    for point in points {
      if changes.isSet(point.slot) {
        changes.report(point.slot, "the point is given both as a whole and as coordinates")
        continue
      }
      switch (point.latitude, point.longitude) {
      case (.some(nil), .some(nil)): changes.setNull(point.slot)
      case (.some(let latitude?), .some(let longitude?)):
        changes.set(point.slot, latitude: latitude, longitude: longitude)
      default:
        if !changes.hasProblem(of: point.slot) {
          changes.report(point.slot, "expected both lat and lon")
        }
      }
    }
  }

  private func setID(on changes: inout RowChanges) {
    let slot = changes.schema.keySlot
    if changes.isSet(slot) {
      return changes.report(
        slot, "the id is given in \(changes.schema.key.name) and in \(key.joined(separator: ", "))",
        hint: "omit one of them: --skip \(changes.schema.key.name)")
    }
    var id: [UInt8] = []
    for (index, part) in keyParts.enumerated() {
      guard let part else {
        if !changes.hasProblem(of: slot) {
          changes.report(
            slot, "expected a part of the id in \(Excerpt.quoted(key[index])), found none")
        }
        return
      }
      if index > 0 { id.append(UInt8(ascii: ":")) }
      id += part
    }
    changes.set(slot, text: id.span)
  }
}
