package import DataModel
import JSONText
import RecordText

/// Statistics of the values under each key of the input's records. The keys are in order of first
/// occurrence.
///
/// Only counts and examples are stored, not records. Therefore memory use does not grow with the
/// number of records.
struct RecordStatistics: Sendable {
  /// The name of the schema that is inferred from the records.
  var name: String
  private let splitting: SchemaSplitting
  /// Whether the format of the records represents every scalar as text, as XML does.
  private let hasOnlyText: Bool
  var fields: [FieldStatistics] = []
  /// For each column of a table, the index of its key in `fields`, or -1 if the column is skipped.
  private(set) var columns: [Int] = []
  /// For each column of a table, the separator of the elements in its cells, or nil.
  private var separators: [[UInt8]?] = []
  /// The number of records that have been counted.
  private(set) var count = 0
  private var positions: [[UInt8]: Int] = [:]
  /// For each key with the name of a system field, its index in `fields`. `systemKeyCount` is the
  /// total number of times that these keys have occurred.
  private var systemKeys: [Int] = []
  private var systemKeyCount = 0
  /// The number of records that have the keys of all system fields, like records that `list`
  /// prints.
  private(set) var listedCount = 0
  let rules: ColumnRules
  private let assumesZone: Bool
  private let lenience: Lenience?
  /// The file that is being read.
  private var file: InferenceFile
  /// The keys that have occurred in the file. They are collected only if options such as `--rename`
  /// contain names of keys. A name that does not occur is then reported.
  private var seenKeys: Set<[UInt8]> = []
  /// The names of keys that may contain the ids of the records.
  private let keyNames: [String]

  /// - Parameter field: The field of the outer records, if the records are inside others.
  init(
    _ name: String, _ splitting: SchemaSplitting, in field: String? = nil, file: InferenceFile,
    hasOnlyText: Bool = false, _ form: TextForm = TextForm()
  ) {
    keyNames = ["id", "\(name)_id"] + (field.map(PartKeys.names(ofList:)) ?? [])
    self.file = file
    self.name = name
    self.splitting = splitting
    self.hasOnlyText = hasOnlyText
    rules = form.columns
    assumesZone = form.assumesZone
    lenience = form.lenience
    for field in splitting.declaredFields { _ = position(of: field.name.utf8.span, expected: 0) }
  }

  /// A problem for each key that is named in an option, such as `--rename`, but does not occur in
  /// any record of the file.
  var problemsOfUnusedRules: [Problem] {
    wrappingKey != nil ? [] : rules.problems(ofUnused: seenKeys, schema: name, line: 1)
  }

  /// The only key of the only record, if its value is an array of objects, which seem to be the
  /// records, and it is no name of a field.
  var wrappingKey: String? {
    guard count == 1, fields.count == 1, !hasOnlyText, !isMapped, fields[0].isOneArrayOfObjects,
      Names.suggested(for: fields[0].key) != fields[0].key
    else { return nil }
    return fields[0].key
  }

  /// Renames or skips a key as the options require, and returns the index of the resulting key in
  /// `fields`. Returns -1 if the key is skipped, and nil if the key would exceed the maximum number
  /// of fields in a schema.
  private mutating func position(ruling key: Span<UInt8>, expected: Int) -> Int? {
    if rules.isEmpty { return position(of: key, expected: expected) }
    var bytes: [UInt8] = []
    bytes.append(copying: key)
    rules.note(bytes, in: &seenKeys)
    if rules.skips(bytes) { return -1 }
    return position(of: rules.fieldName(of: bytes).utf8.span, expected: expected)
  }

  /// Whether a map describes the records.
  var isMapped: Bool { splitting.isDeclared }

  /// Counts the empty XML elements of all keys. Call this after the last record.
  mutating func countEmptyElements() {
    for index in fields.indices { fields[index].countEmptyElements() }
  }

  /// Marks all columns of the table if one of them has decimal commas, because a point in a number
  /// may then separate thousands. Call this after the last record.
  mutating func noteDecimalCommas() {
    guard fields.contains(where: \.hasDecimalCommas) else { return }
    for index in fields.indices { fields[index].decimals.isAmongDecimalCommas = true }
  }

  /// Returns whether the inferred schema omits a key, because it is the key of a system field. A
  /// key such as `created_at` is omitted if it occurs only in records that have the keys of all
  /// system fields, like records that `list` prints.
  func isOmitted(_ field: FieldStatistics) -> Bool {
    SystemField(named: field.key) != nil && field.count > 0 && field.count == listedCount
  }

  /// Counts a record. The record must be well-formed, and the scanner must be at its opening brace.
  ///
  /// - Parameter lines: A closure that returns the line of the value under a key. If it is nil, the
  ///   lines are counted in `text`.
  mutating func add(
    _ json: inout JSONScanner, _ text: Span<UInt8>, lines: ((_ key: String) -> Int)? = nil
  ) throws(ScanError) {
    count += 1
    var expected = 0
    var next = try json.skipOpening(text, closing: UInt8(ascii: "}"))
    while next != nil {
      let keyPosition = json.position
      let position: Int?
      if let range = try json.string(text) {
        position = self.position(ruling: text.extracting(range), expected: expected)
      } else {
        let key = json.unescaped
        position = self.position(ruling: key.span, expected: expected)
      }
      guard let position else { throw ScanError(.tooManyKeys, keyPosition) }
      if let lines, position >= 0 { json.line = lines(fields[position].key) }
      let byte = try json.skipColon(text)
      if position >= 0 {
        try fields[position].add(byte, &json, text)
        expected = position + 1
      } else {
        _ = try json.skipValue(text)
      }
      next = try json.skipMemberEnd(text)
    }
    noteSystemKeys()
  }

  /// If the most recent record has the keys of all system fields, counts it in `listedCount`.
  private mutating func noteSystemKeys() {
    guard !systemKeys.isEmpty else { return }
    let count = systemKeys.reduce(0) { $0 + fields[$1].count }
    if count - systemKeyCount == SystemField.allCases.count { listedCount += 1 }
    systemKeyCount = count
  }

  /// Adds a column of a table. Returns an error if the name is a duplicate or there are too many
  /// columns.
  mutating func add(column key: Span<UInt8>) -> ScanError.Kind? {
    guard let found = position(ruling: key, expected: columns.count) else { return .tooManyKeys }
    let isDuplicate = found >= 0 && columns.contains(found)
    columns.append(found)
    var bytes: [UInt8] = []
    bytes.append(copying: key)
    separators.append(rules.separator(of: bytes))
    return isDuplicate ? .duplicateColumn : nil
  }

  /// Sets the file that is being read, and forgets the columns of the previous file.
  mutating func beginFile(_ file: InferenceFile) {
    self.file = file
    columns = []
    separators = []
    seenKeys = []
    for index in fields.indices { fields[index].beginFile(file) }
  }

  /// Counts a record from CSV. Its cells are added with `add(cell:isQuoted:column:line:)`.
  mutating func beginRow() {
    count += 1
    let found = systemKeys.count(where: columns.contains)
    if found == SystemField.allCases.count { listedCount += 1 }
  }

  /// Counts the value of a cell in the current row.
  mutating func add(cell: Span<UInt8>, isQuoted: Bool, column: Int, line: Int) throws(ScanError) {
    guard columns[column] >= 0 else { return }
    if let separator = separators[column] {
      fields[columns[column]].add(
        elementsOf: cell, isQuoted: isQuoted, separatedBy: separator, line: line)
      return
    }
    try fields[columns[column]].add(cell: cell, isQuoted: isQuoted, line: line)
  }

  /// Returns the index of a key in `fields`, and adds the key if it is new. Returns nil if a new
  /// key would exceed the maximum number of fields in a schema.
  ///
  /// - Parameter expected: The index of the key if the record has its keys in the usual order. The
  ///   key at this index is compared first.
  private mutating func position(of key: Span<UInt8>, expected: Int) -> Int? {
    if expected < fields.count, key.isEqual(toBytes: fields[expected].keyBytes) { return expected }
    var bytes: [UInt8] = []
    bytes.append(copying: key)
    if let position = positions[bytes] { return position }
    guard fields.count < Schema.maxFields else { return nil }
    let field = Names.suggested(for: String(decoding: key))
    let declaration = splitting.declaration(of: String(decoding: key))
    let nested = field.flatMap { splitting.nested($0, of: name) }.map { name, inner in
      RecordStatistics(name, inner, in: field, file: file, hasOnlyText: hasOnlyText)
    }
    fields.append(
      FieldStatistics(
        bytes,
        mayBeKey: field.map(keyNames.contains) == true || rules.isOnlyKey(bytes),
        hasOnlyText: hasOnlyText, nested: nested, isMapped: splitting.isDeclared,
        declaration: declaration, assumesZone: assumesZone,
        lenient: lenience.map(LenientTexts.init), file: file))
    positions[bytes] = fields.count - 1
    if SystemField(named: fields[fields.count - 1].key) != nil {
      systemKeys.append(fields.count - 1)
    }
    return fields.count - 1
  }
}

/// Determines which nested objects become separate schemas when schemas are inferred. Fields with
/// other objects have the type `json`.
package indirect enum SchemaSplitting: Sendable {
  case none
  case all
  /// A map declares the fields. Objects become a separate schema only in fields that the map
  /// declares as containing records.
  case declared([DeclaredField])

  /// Whether a map describes the records.
  var isDeclared: Bool {
    switch self {
    case .none, .all: false
    case .declared: true
    }
  }

  /// The fields that a map declares; empty without a map.
  var declaredFields: [DeclaredField] {
    switch self {
    case .none, .all: []
    case .declared(let fields): fields
    }
  }

  /// Returns the declaration of the field with the given name in a map, or nil if there is none.
  func declaration(of field: String) -> DeclaredField? {
    declaredFields.first { $0.name.utf8.elementsEqual(field.utf8) }
  }

  /// Returns the name of the separate schema for the objects in a field, and which objects inside
  /// these objects become separate schemas too. Returns nil if the objects in the field do not
  /// become a separate schema.
  func nested(_ field: String, of schema: String) -> (name: String, inner: SchemaSplitting)? {
    switch self {
    case .none: nil
    case .all: ("\(schema)_\(field)", .all)
    case .declared: declaration(of: field)?.nested
    }
  }
}

/// A field that a map declares, with what the map says about the type of its values.
package struct DeclaredField: Sendable {
  /// The condition under which the declared type is used instead of the type that is inferred from
  /// the values. A field without values always has the declared type.
  package enum Role: Sendable {
    /// The declared type is used if the field has no values. A declared list type is also used if
    /// all values are empty lists.
    case withoutValues
    /// The declared type is always used, because the map specifies a notation that requires it.
    case always
    /// The declared type is used if the type inferred from the values is `json`, because the map
    /// declares that the values are scalars.
    case scalars
  }

  package let name: String
  package let type: FieldType
  package let role: Role
  /// The name of the schema of the nested records, and which objects inside these records become
  /// separate schemas too. Nil if the field contains no nested records.
  package var nested: (name: String, inner: SchemaSplitting)?

  package init(
    name: String, type: FieldType, role: Role,
    nested: (name: String, inner: SchemaSplitting)? = nil
  ) {
    self.name = name
    self.type = type
    self.role = role
    self.nested = nested
  }
}
