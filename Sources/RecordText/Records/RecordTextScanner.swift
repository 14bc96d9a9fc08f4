import DataModel

/// Detects the format of an input and scans its records.
struct RecordTextScanner: Sendable {
  private let schema: Schema
  private let form: TextForm
  /// Whether the records are rows of cells. False until the format is known.
  private var isTable: Bool
  private var json: JSONChunkScanner
  private var csv: CSVChunkScanner
  private var isBegun = false

  init(_ schema: Schema, _ form: TextForm) {
    self.schema = schema
    self.form = form
    isTable = form.format?.isTable == true
    json = JSONChunkScanner(schema, form)
    csv = CSVChunkScanner(schema, form)
  }

  var isFinished: Bool { json.isFinished || csv.isFinished }
  var isBroken: Bool { json.isBroken || csv.isBroken }
  /// The number of bytes of the text that have been scanned.
  var position: Int { isTable ? csv.rows.position : json.position }
  /// What has to arrive before it is useful to scan an incomplete record again.
  var missingEnd: IncompleteText.End { isTable ? .line : json.missingEnd }
  var matchedColumns: [MatchedColumn] { csv.cells.header.matches }
  /// The number of the current line, counted from 1.
  var line: Int { isTable ? csv.rows.line : json.line }

  /// Adds problems of records that have not been scanned yet. They were found when these records
  /// were converted to JSON.
  mutating func note(_ findings: SourceFindings) {
    if !findings.problems.isEmpty { json.sourceProblems.merge(findings.problems) { $0 + $1 } }
    if json.sourceFailure == nil { json.sourceFailure = findings.failure }
  }

  /// Resets the position to the start of the text, because the caller has removed the scanned
  /// bytes.
  mutating func discard() {
    let count = position
    json.discard(count)
    csv.discard(count)
  }

  mutating func scan(
    _ text: Span<UInt8>, isLast: Bool, into changes: inout RowChanges, assign: inout IDAssigner,
    atMost limit: Int, rejected: inout Rejections
  ) {
    guard begin(text, isLast: isLast, &rejected) else { return }
    if isTable {
      csv.scan(
        text, isLast: isLast, into: &changes, assign: &assign, atMost: limit, rejected: &rejected)
    } else {
      json.scan(
        text, isLast: isLast, into: &changes, assign: &assign, atMost: limit, rejected: &rejected)
    }
  }

  /// Detects the format from the first bytes of the input. Returns false if there are too few
  /// bytes, or if the format is not supported.
  private mutating func begin(
    _ text: Span<UInt8>, isLast: Bool, _ rejected: inout Rejections
  ) -> Bool {
    if isBegun { return true }
    switch FormatDetection(of: text, isLast: isLast, form) {
    case .tooShort: return false
    case .unsupported(let limitError):
      reject(.wholeInput, limitError, rejected: &rejected)
      return false
    case .text(let format, let separator, let byteOrderMarkLength):
      isTable = format.isTable
      isBegun = true
      json.skip(byteOrderMarkLength)
      csv.begin(separator: separator, at: byteOrderMarkLength)
      return true
    }
  }

  /// The maximum length of a CSV header, or `Int.max` if the next text is not a header.
  var longestText: Int { isAtHeader ? Schema.maxRecordSize : .max }

  private var isAtHeader: Bool { isTable && !csv.hasHeader }

  /// Ends reading with a problem, because the next header or record is longer than `limit` bytes.
  mutating func rejectText(longerThan limit: Int, rejected: inout Rejections) {
    reject(
      isAtHeader ? .wholeInput : .rest,
      isAtHeader
        ? .header(longerThan: limit, isGiven: form.format != nil) : .record(longerThan: limit),
      rejected: &rejected)
  }

  private mutating func reject(
    _ unread: RejectedRecord.Unread, _ limitError: InputLimitError, rejected: inout Rejections
  ) {
    let problem = Problem(
      .syntax, limitError.message, hint: limitError.hint, schema: schema.name, line: line)
    rejected.add([problem], line: line, unread: unread)
    json.stop()
  }
}
