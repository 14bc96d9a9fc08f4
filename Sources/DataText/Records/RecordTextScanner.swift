import DataModel

/// Finds out what form the records come in, and scans them.
struct RecordTextScanner: Sendable {
  private let schema: Schema
  private var format: RecordFormat?
  private var json: JSONBatchScanner
  private var isBegun = false

  init(_ schema: Schema, format: RecordFormat?) {
    self.schema = schema
    self.format = format
    json = JSONBatchScanner(schema, isLineByLine: format == .ndjson)
  }

  var isFinished: Bool { json.isFinished }
  var isBroken: Bool { json.isBroken }
  var place: Int { json.place }
  var line: Int { json.line }

  /// Follows the text, from whose beginning all that has been scanned was taken away.
  mutating func drop() {
    json.drop(json.place)
  }

  mutating func scan(
    _ text: Span<UInt8>, isLast: Bool, into changes: inout Changes, ids: inout IDGenerator?,
    atMost limit: Int, rejected: inout Rejections
  ) {
    guard begin(text, isLast: isLast) else { return }
    json.scan(
      text, isLast: isLast, into: &changes, ids: &ids, atMost: limit, rejected: &rejected)
  }

  /// Goes behind a byte order mark; gives false while there is too little text to tell.
  private mutating func begin(_ text: Span<UInt8>, isLast: Bool) -> Bool {
    if isBegun { return true }
    guard text.count >= 3 || isLast else { return false }
    isBegun = true
    if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { json.skip(3) }
    return true
  }

  /// Gives the reading up.
  mutating func refuseRest(_ message: String, rejected: inout Rejections) {
    json.refuseRest(message, rejected: &rejected)
  }
}
