import DataModel

/// Detects the format of the records and scans them.
struct RecordTextScanner: Sendable {
  private let schema: Schema
  /// The format, once it is known.
  private var format: RecordFormat?
  private let isGiven: Bool
  private var json: JSONBatchScanner
  private var csv: CSVBatchScanner
  private var isBegun = false

  init(_ schema: Schema, format: RecordFormat?, emptyKeys: [String]) {
    self.schema = schema
    self.format = format
    isGiven = format != nil
    json = JSONBatchScanner(schema, isLineByLine: format == .ndjson)
    csv = CSVBatchScanner(schema, isGiven: isGiven)
    json.record.emptyKeys = Set(emptyKeys.map { Array($0.utf8) })
  }

  var isFinished: Bool { json.isFinished || csv.isFinished }
  var isBroken: Bool { json.isBroken || csv.isBroken }
  /// The number of bytes that have been scanned.
  var place: Int { format == .csv ? csv.rows.place : json.place }
  /// The current line.
  var line: Int { format == .csv ? csv.rows.line : json.line }

  /// Adjusts the offsets after the scanned bytes were removed from the text.
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

  /// Detects the format from the first bytes. Returns false if there are too few of them.
  private mutating func begin(
    _ text: Span<UInt8>, isLast: Bool, _ rejected: inout Rejections
  ) -> Bool {
    if isBegun { return true }
    switch TextBeginning(of: text, isLast: isLast, format: format) {
    case .tooShort: return false
    case .refused(let refusal):
      refuseRest(refusal, rejected: &rejected)
      return false
    case .text(let format, let markLength):
      self.format = format
      isBegun = true
      json.skip(markLength)
      csv.rows.place += markLength
      csv.rows.lineStart += markLength
      return true
    }
  }

  /// The maximum length of the next item, if its format limits it.
  var longestText: Int { isAtHeader ? Schema.longestRecord : .max }

  private var isAtHeader: Bool { format == .csv && !csv.hasHeader }

  /// Stops reading because the next item is longer than `limit`.
  mutating func refuseText(longerThan limit: Int, rejected: inout Rejections) {
    refuseRest(
      isAtHeader
        ? .header(longerThan: limit, isGiven: isGiven) : .record(longerThan: limit),
      rejected: &rejected)
  }

  private mutating func refuseRest(_ refusal: TextRefusal, rejected: inout Rejections) {
    let problem = Problem(
      .syntax, refusal.message, hint: refusal.hint, schema: schema.name, line: line)
    rejected.add([problem], line: line)
    json.stop()
  }
}
