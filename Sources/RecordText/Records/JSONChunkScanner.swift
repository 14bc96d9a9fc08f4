import DataModel
import JSONText

/// Scans records from JSON in any layout, until the text ends or a chunk is full. A chunk is the
/// group of records that a reader returns at once.
struct JSONChunkScanner: Sendable {
  var record: JSONRecordScanner
  var iterator = JSONRecordIterator()
  let isLineByLine: Bool
  let schema: Schema
  /// Whether scanning has ended, at the end of the input or at an error.
  var isFinished = false
  /// Whether scanning ended at an error, so that the remaining records were not read.
  var isBroken = false
  /// The problems that were found when records were converted to JSON, by record number. Scanning a
  /// record removes its problems.
  var sourceProblems: [Int: [Problem]] = [:]
  /// The error that ended the input early, or nil if there was none.
  var sourceFailure: Problem?
  /// What has to arrive before it is useful to scan an incomplete record again.
  private(set) var missingEnd = IncompleteText.End.value
  private var recordCount = 0
  /// Whether the first record seems to enclose the records in an array.
  private var isWrapped = false

  init(_ schema: Schema, _ form: TextForm) {
    self.schema = schema
    isLineByLine = form.format == .ndjson
    record = JSONRecordScanner(schema, form)
    if isLineByLine { iterator.layout = .sequence }
  }

  /// The start of the record or other value that is being scanned.
  var beginning: JSONRecordIterator.Mark { iterator.beginning }
  /// The offset in the text up to which the scanner has read.
  var position: Int { record.json.position }
  var line: Int { record.json.line }

  /// Skips bytes at the start of the text, such as a byte order mark. They are not counted in the
  /// column numbers of problems.
  mutating func skip(_ count: Int) {
    record.json.position += count
    record.json.lineStart += count
  }

  /// Adjusts the offsets of the scanner after the caller has removed the first `count` bytes from
  /// the text.
  mutating func discard(_ count: Int) {
    record.json.position -= count
    record.json.lineStart -= count
  }

  /// Ends scanning because of an error, so that the remaining records are not read.
  mutating func stop() {
    isFinished = true
    isBroken = true
  }

  /// Scans the complete records in the text, until `changes` has `limit` records or `rejected` is
  /// full.
  mutating func scan(
    _ text: Span<UInt8>, isLast: Bool, into changes: inout RowChanges, assign: inout IDAssigner,
    atMost limit: Int, rejected: inout Rejections
  ) {
    record.json.isLast = isLast
    record.beginText()
    var nesting = NoNesting()
    while changes.count < limit && !rejected.isFull && !isFinished {
      do throws(ScanError) {
        switch try iterator.advance(&record.json, text) {
        case .end:
          isFinished = isLast
          if isLast, recordCount > 0 { checkRules(&rejected) }
          if isLast, let sourceFailure {
            rejected.add([sourceFailure], line: sourceFailure.line ?? line, unread: .rest)
            stop()
          }
          return
        case .violation(let error):
          // A source that converts text returns null in place of a malformed record.
          let found = sourceProblems.removeValue(forKey: recordCount + 1)
          if found != nil { recordCount += 1 }
          rejected.add(
            found ?? [problem(error, text)], line: beginning.line, text,
            beginning.position..<record.json.position)
        case .record:
          changes.beginRecord(line: line)
          try record.scan(text, into: &changes, nesting: &nesting)
          finishRecord(text, &changes, &assign, &rejected)
        }
      } catch {
        if record.giveUp() { changes.removeLastRecord() }
        guard recover(from: error, text, &rejected) else { return }
      }
    }
  }

  /// Reports each key that is named in an option, such as `--rename`, but does not occur in any
  /// record.
  private mutating func checkRules(_ rejected: inout Rejections) {
    if isWrapped, recordCount == 1 { return }
    let problems = record.problemsOfUnusedRules(schema)
    guard !problems.isEmpty else { return }
    rejected.add(problems, line: line)
    stop()
  }

  private mutating func finishRecord(
    _ text: Span<UInt8>, _ changes: inout RowChanges, _ assign: inout IDAssigner,
    _ rejected: inout Rejections
  ) {
    assign.assign(to: &changes, reading: text)
    recordCount &+= 1
    let isConverted = sourceProblems[recordCount] != nil
    if isConverted { reportSourceProblems(&changes) }
    let position = beginning.position..<record.json.position
    var problems = changes.endRecord(reading: text, at: position) { problems in
      let located = record.located(problems, in: text, schema: schema)
      return isConverted
        ? located.sorted { $0.column ?? .max < $1.column ?? .max } : located
    }
    if problems.isEmpty { return }
    if let problem = record.wrappingProblem(among: problems) {
      problems = [problem]
      isWrapped = recordCount == 1
    }
    rejected.add(problems, line: beginning.line, text, position)
  }
}

extension JSONChunkScanner {
  /// Reports the problems that were found when the current record was converted to JSON.
  private mutating func reportSourceProblems(_ changes: inout RowChanges) {
    for problem in sourceProblems.removeValue(forKey: recordCount) ?? [] {
      changes.report(
        problem.field.flatMap { schema.slot(named: $0) }, problem.message, hint: problem.hint,
        column: problem.column)
    }
  }
}

/// Recovery after syntax errors.
extension JSONChunkScanner {
  /// Rejects a malformed record, and moves to the next record if its start can be found. Returns
  /// false if the caller must stop scanning, because more text is needed or the start cannot be
  /// found.
  mutating func recover(
    from error: ScanError, _ text: Span<UInt8>, _ rejected: inout Rejections
  ) -> Bool {
    let recovery = iterator.recovery(from: error, record.json, text, isLineByLine: isLineByLine)
    switch recovery {
    case .needsMore:
      iterator.reset(to: iterator.beginning, &record.json)
      // If the error is known, scanning continues after the end of the line.
      missingEnd = error.kind == .needsMore ? .value : .line
      return false
    case .impossible: return giveUp(error, text, &rejected)
    case .endOfLine(let end, let shown):
      rejected.add([problem(shown, text)], line: beginning.line, text, beginning.position..<end)
      iterator.skipToLine(at: end + 1, &record.json, text)
      return true
    }
  }

  /// Creates a problem from a scan error, with the line and column of the error.
  func problem(_ error: ScanError, _ text: Span<UInt8>) -> Problem {
    let location = iterator.location(of: error, text)
    return Problem(
      .syntax, error.kind.message, hint: error.kind.hint, schema: schema.name,
      field: record.openSlot.map { schema.name(of: $0) }, line: location.line,
      column: location.column)
  }

  private mutating func giveUp(
    _ error: ScanError, _ text: Span<UInt8>, _ rejected: inout Rejections
  ) -> Bool {
    // An error at the end of the input concerns the last record.
    let isAtEnd = record.json.isLast && error.position >= text.count
    rejected.add(
      [problem(error, text)], line: beginning.line, text,
      beginning.position..<max(beginning.position, error.position), unread: isAtEnd ? nil : .rest)
    record.json.position = text.count
    isFinished = true
    isBroken = true
    return false
  }
}
