import DataModel

/// Statistics of the records of a text, by key, in order of first occurrence.
///
/// It stores counts and examples, not records, so its memory does not grow with the input.
struct RecordStatistics: Sendable {
  /// The name of the inferred schema.
  let name: String
  /// Whether nested objects become schemas of their own.
  let splits: Bool
  private(set) var fields: [FieldStatistics] = []
  /// The number of records.
  private(set) var count = 0
  private var positions: [[UInt8]: Int] = [:]

  init(_ name: String, splits: Bool) {
    self.name = name
    self.splits = splits
  }

  /// Counts a record. It must be well-formed, and its opening brace at the scanner's position.
  mutating func add(_ json: inout JSONScanner, _ text: Span<UInt8>) throws(ScanError) {
    count += 1
    var expected = 0
    var next = try json.skipOpening(text, closing: UInt8(ascii: "}"))
    while next != nil {
      let keyPosition = json.position
      let position: Int?
      if let range = try json.string(text) {
        position = self.position(of: text.extracting(range), expected: expected)
      } else {
        let key = json.unescaped
        position = self.position(of: key.span, expected: expected)
      }
      guard let position else { throw ScanError(.tooManyKeys, keyPosition) }
      let byte = try json.skipColon(text)
      try fields[position].add(byte, &json, text)
      expected = position + 1
      next = try json.skipMemberEnd(text)
    }
  }

  /// Adds the column of a CSV header. Returns an error if it is a duplicate or there are too many.
  mutating func add(column: Int, _ key: Span<UInt8>) -> ScanError.Kind? {
    guard let found = position(of: key, expected: column) else { return .tooManyKeys }
    return found == column ? nil : .duplicateColumn
  }

  /// Counts a CSV row.
  mutating func beginRow() { count += 1 }

  /// Counts a cell of the current row.
  mutating func add(cell: Span<UInt8>, isQuoted: Bool, column: Int, line: Int) throws(ScanError) {
    try fields[column].add(cell: cell, isQuoted: isQuoted, line: line)
  }

  /// Returns the index of a key and adds unknown keys. Returns nil if a schema cannot have more
  /// fields.
  private mutating func position(of key: Span<UInt8>, expected: Int) -> Int? {
    if expected < fields.count, key.isEqual(toBytes: fields[expected].keyBytes) { return expected }
    var bytes: [UInt8] = []
    bytes.append(copying: key)
    if let position = positions[bytes] { return position }
    guard fields.count < Schema.maxFields else { return nil }
    let field = Names.suggested(for: String(decoding: key))
    let nested = splits ? field.map { RecordStatistics("\(name)_\($0)", splits: true) } : nil
    fields.append(
      FieldStatistics(bytes, mayBeKey: field == "id" || field == "\(name)_id", nested: nested))
    positions[bytes] = fields.count - 1
    return fields.count - 1
  }
}
