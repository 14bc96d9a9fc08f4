import DataModel

/// Scans records from JSON in any layout until the text or the chunk is complete.
struct JSONChunkScanner: Sendable {
  var record: JSONRecordScanner
  var iterator = JSONRecordIterator()
  let isLineByLine: Bool
  let schema: Schema
  /// Whether nothing is left to scan.
  var isFinished = false
  /// Whether scanning stopped at an error, so that records may be left unread.
  var isBroken = false

  init(_ schema: Schema, isLineByLine: Bool) {
    self.schema = schema
    self.isLineByLine = isLineByLine
    record = JSONRecordScanner(schema)
    if isLineByLine { iterator.layout = .sequence }
  }

  /// The start of the record or value that is being scanned.
  var beginning: JSONRecordIterator.Mark { iterator.beginning }
  /// The scanner's offset in the text and its line.
  var position: Int { record.json.position }
  var line: Int { record.json.line }

  /// Skips bytes at the start that do not belong to the text, such as a byte order mark.
  mutating func skip(_ count: Int) {
    record.json.position += count
    record.json.lineStart += count
  }

  /// Adjusts the offsets after the first `count` bytes were removed from the text.
  mutating func discard(_ count: Int) {
    record.json.position -= count
    record.json.lineStart -= count
  }

  /// Stops scanning because of an error.
  mutating func stop() {
    isFinished = true
    isBroken = true
  }

  /// Scans the records that are complete within the text.
  mutating func scan(
    _ text: Span<UInt8>, isLast: Bool, into changes: inout RowChanges, assign: inout IDAssigner,
    atMost limit: Int, rejected: inout Rejections
  ) {
    record.json.isLast = isLast
    record.beginText()
    while changes.count < limit && !isFinished {
      let mark = iterator.mark(of: record.json)
      do throws(ScanError) {
        switch try iterator.advance(&record.json, text) {
        case .end:
          isFinished = isLast
          return
        case .violation(let error):
          rejected.add(
            [problem(error, text)], line: beginning.line, text,
            beginning.position..<record.json.position)
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
    _ text: Span<UInt8>, _ changes: inout RowChanges, _ assign: inout IDAssigner,
    _ rejected: inout Rejections
  ) {
    assign.assign(to: &changes, reading: text)
    let position = beginning.position..<record.json.position
    let problems = changes.endRecord(reading: text, at: position)
    if problems.isEmpty { return }
    rejected.add(
      record.located(problems, in: text, schema: schema), line: beginning.line, text, position)
  }
}
