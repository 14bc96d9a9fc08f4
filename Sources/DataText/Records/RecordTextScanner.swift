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

  /// Looks at the first bytes; gives false while there are too few to tell.
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

  /// How long what comes next may be, as far as its form sets a limit.
  var longestText: Int { isAtHeader ? Schema.longestRecord : .max }

  private var isAtHeader: Bool { format == .csv && !csv.hasHeader }

  /// Gives the reading up because what comes next is longer than it may be.
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
