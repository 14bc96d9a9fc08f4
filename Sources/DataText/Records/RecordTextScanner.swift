import DataModel

/// Finds out what form the records come in, and scans them.
struct RecordTextScanner: Sendable {
  private let schema: Schema
  /// The form, once it is known.
  private var format: RecordFormat?
  private let isGiven: Bool
  private var json: JSONBatchScanner
  private var csv: CSVBatchScanner
  private var isBegun = false

  init(_ schema: Schema, format: RecordFormat?) {
    self.schema = schema
    self.format = format
    isGiven = format != nil
    json = JSONBatchScanner(schema, isLineByLine: format == .ndjson)
    csv = CSVBatchScanner(schema, isGiven: isGiven)
  }

  var isFinished: Bool { json.isFinished || csv.isFinished }
  var isBroken: Bool { json.isBroken || csv.isBroken }
  /// How many bytes of the text have been scanned.
  var place: Int { format == .csv ? csv.rows.place : json.place }
  /// The line at the place.
  var line: Int { format == .csv ? csv.rows.line : json.line }

  /// Follows the text, from whose beginning all that has been scanned was taken away.
  mutating func drop() {
    let count = place
    json.drop(count)
    csv.rows.place -= count
    csv.rows.lineStart -= count
  }

  mutating func scan(
    _ text: Span<UInt8>, isLast: Bool, into changes: inout Changes, assign: inout IDAssigner,
    atMost limit: Int, rejected: inout Rejections
  ) {
    guard begin(text, isLast: isLast, &rejected) else { return }
    if format == .csv {
      csv.scan(
        text, isLast: isLast, into: &changes, assign: &assign, atMost: limit, rejected: &rejected)
    } else {
      json.scan(
        text, isLast: isLast, into: &changes, assign: &assign, atMost: limit, rejected: &rejected)
    }
  }

  /// Goes behind a byte order mark and looks at the first byte; gives false while there is too little
  /// text to tell.
  private mutating func begin(
    _ text: Span<UInt8>, isLast: Bool, _ rejected: inout Rejections
  ) -> Bool {
    if isBegun { return true }
    guard text.count >= 3 || isLast else { return false }
    let hasMark = text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF
    if text.count >= 2, min(text[0], text[1]) == 0xFE, max(text[0], text[1]) == 0xFF {
      refuseRest("the text is UTF-16; records are read as UTF-8", rejected: &rejected)
      return false
    }
    if format == nil {
      var first = hasMark ? 3 : 0
      while first < text.count && isSpace(text[first]) { first += 1 }
      guard first < text.count || isLast else { return false }
      let isJSON =
        first == text.count || text[first] == UInt8(ascii: "{") || text[first] == UInt8(ascii: "[")
      format = isJSON ? .json : .csv
    }
    isBegun = true
    if hasMark {
      json.skip(3)
      csv.rows.place += 3
      csv.rows.lineStart += 3
    }
    return true
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Gives the reading up because of something that cannot be read.
  mutating func refuseRest(_ message: String, rejected: inout Rejections) {
    rejected.add(
      [Problem(.syntax, message, schema: schema.name, line: line)], line: line)
    json.stop()
  }
}
