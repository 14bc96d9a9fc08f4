import DataModel

/// What is known of the records of a text: their keys, in the order in which they came.
///
/// It counts and keeps examples, never records, so that its memory does not grow with the text.
struct RecordTally: Sendable {
  /// The name of the schema that is to come of it.
  let name: String
  /// Whether objects within the records are counted as records of their own.
  let splits: Bool
  private(set) var fields: [FieldTally] = []
  /// How many records there were.
  private(set) var count = 0
  private var places: [[UInt8]: Int] = [:]

  init(_ name: String, splits: Bool) {
    self.name = name
    self.splits = splits
  }

  /// Takes the record whose opening brace is at the place of the scanner, and which is well-formed.
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

  /// Takes the name of the next column.
  mutating func take(column: Int, _ key: Span<UInt8>) -> ScanFault.Kind? {
    guard let found = place(of: key, expected: column) else { return .tooManyKeys }
    return found == column ? nil : .repeatedColumn
  }

  /// Begins a row of cells.
  mutating func beginRow() { count += 1 }

  /// Takes a cell of the row.
  mutating func take(cell: Span<UInt8>, isQuoted: Bool, column: Int, line: Int) throws(ScanFault) {
    try fields[column].take(cell: cell, isQuoted: isQuoted, line: line)
  }

  /// Finds the tally of a key, or makes one, unless there are more keys than any schema has fields.
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
