import DataModel

/// Statistics of the records of a text, by key, in order of first occurrence.
///
/// It stores counts and examples, not records, so its memory does not grow with the input.
struct RecordTally: Sendable {
  /// The name of the inferred schema.
  let name: String
  /// Whether nested objects become schemas of their own.
  let splits: Bool
  private(set) var fields: [FieldTally] = []
  /// The number of records.
  private(set) var count = 0
  private var places: [[UInt8]: Int] = [:]

  init(_ name: String, splits: Bool) {
    self.name = name
    self.splits = splits
  }

  /// Counts a record. It must be well-formed, and its opening brace at the scanner's position.
  mutating func take(_ json: inout JSONScanner, _ text: Span<UInt8>) throws(ScanFault) {
    count += 1
    var expected = 0
    var next = try json.passOpening(text, closing: UInt8(ascii: "}"))
    while next != nil {
      let keyPlace = json.place
      let place: Int?
      if let range = try json.string(text) {
        place = self.place(of: text.extracting(range), expected: expected)
      } else {
        let key = json.unescaped
        place = self.place(of: key.span, expected: expected)
      }
      guard let place else { throw ScanFault(.tooManyKeys, keyPlace) }
      let byte = try json.passColon(text)
      try fields[place].take(byte, &json, text)
      expected = place + 1
      next = try json.passMemberEnd(text)
    }
  }

  /// Adds the column of a CSV header. Returns an error if it is a duplicate or there are too many.
  mutating func take(column: Int, _ key: Span<UInt8>) -> ScanFault.Kind? {
    guard let found = place(of: key, expected: column) else { return .tooManyKeys }
    return found == column ? nil : .repeatedColumn
  }

  /// Counts a CSV row.
  mutating func beginRow() { count += 1 }

  /// Counts a cell of the current row.
  mutating func take(cell: Span<UInt8>, isQuoted: Bool, column: Int, line: Int) throws(ScanFault) {
    try fields[column].take(cell: cell, isQuoted: isQuoted, line: line)
  }

  /// Returns the index of a key and adds unknown keys. Returns nil if a schema cannot have more
  /// fields.
  private mutating func place(of key: Span<UInt8>, expected: Int) -> Int? {
    if expected < fields.count, key.isEqual(toBytes: fields[expected].keyBytes) { return expected }
    var bytes: [UInt8] = []
    bytes.append(copying: key)
    if let place = places[bytes] { return place }
    guard fields.count < Schema.mostFields else { return nil }
    let field = Names.suggested(for: String(decoding: key))
    let nested = splits ? field.map { RecordTally("\(name)_\($0)", splits: true) } : nil
    fields.append(
      FieldTally(bytes, mayBeKey: field == "id" || field == "\(name)_id", nested: nested))
    places[bytes] = fields.count - 1
    return fields.count - 1
  }
}
