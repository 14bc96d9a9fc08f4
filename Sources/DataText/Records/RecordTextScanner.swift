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
    case .utf16:
      refuseRest(TextBeginning.refusalOfUTF16, rejected: &rejected)
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

  /// Gives the reading up because of something that cannot be read.
  mutating func refuseRest(_ message: String, rejected: inout Rejections) {
    rejected.add(
      [Problem(.syntax, message, schema: schema.name, line: line)], line: line)
    json.stop()
  }
}
