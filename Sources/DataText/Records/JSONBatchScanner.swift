import DataModel

/// Scans records until the text or the batch is at its end, whatever form they come in.
struct JSONBatchScanner: Sendable {
  var record: JSONRecordScanner
  var walk = JSONRecordWalk()
  let isLineByLine: Bool
  let schema: Schema
  /// Whether there is nothing more to scan.
  var isFinished = false
  /// Whether an error ended the scanning, so that records may be unread.
  var isBroken = false

  init(_ schema: Schema, isLineByLine: Bool) {
    self.schema = schema
    self.isLineByLine = isLineByLine
    record = JSONRecordScanner(schema)
    if isLineByLine { walk.form = .sequence }
  }

  /// Where the record or the value begins that is being scanned.
  var beginning: JSONRecordWalk.Mark { walk.beginning }
  /// Where the scanner stands in the text, and on which line.
  var place: Int { record.json.place }
  var line: Int { record.json.line }

  /// Goes behind bytes at the very beginning that are no part of the text.
  mutating func skip(_ count: Int) {
    record.json.place += count
    record.json.lineStart += count
  }

  /// Follows the text, whose first bytes have been taken away.
  mutating func drop(_ count: Int) {
    record.json.place -= count
    record.json.lineStart -= count
  }

  /// Ends the scanning here.
  mutating func stop() {
    isFinished = true
    isBroken = true
  }

  /// Scans the records that end within the text.
  mutating func scan(
    _ text: Span<UInt8>, isLast: Bool, into changes: inout Changes, assign: inout IDAssigner,
    atMost limit: Int, rejected: inout Rejections
  ) {
    record.json.isLast = isLast
    record.beginText()
    while changes.count < limit && !isFinished {
      let mark = walk.mark(of: record.json)
      do throws(ScanFault) {
        switch try walk.step(&record.json, text) {
        case .end:
          isFinished = isLast
          return
        case .misfit(let fault):
          rejected.add(
            [problem(fault, text)], line: beginning.line, text,
            beginning.place..<record.json.place)
        case .record:
          try record.scan(text, into: &changes)
          finishRecord(text, &changes, &assign, &rejected)
        }
      } catch {
        if record.giveUp() { changes.removeLastRecord() }
        guard recover(from: error, to: mark, text, &rejected) else { return }
      }
    }
  }

  private mutating func finishRecord(
    _ text: Span<UInt8>, _ changes: inout Changes, _ assign: inout IDAssigner,
    _ rejected: inout Rejections
  ) {
    assign.assign(to: &changes, reading: text)
    let place = beginning.place..<record.json.place
    let problems = changes.endRecord(reading: text, at: place)
    if problems.isEmpty { return }
    rejected.add(
      record.placed(problems, in: text, schema: schema), line: beginning.line, text, place)
  }
}
