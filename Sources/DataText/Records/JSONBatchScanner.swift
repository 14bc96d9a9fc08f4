import DataModel

/// Scans records until the text or the batch is at its end, whatever form they come in.
struct JSONBatchScanner: Sendable {
  /// What may come next.
  enum Form: BitwiseCopyable {
    case undecided
    /// Objects one after the other.
    case sequence
    /// The first element of an array, or its end.
    case arrayStart
    /// An element behind a comma.
    case element
    /// A comma or the array's end.
    case elementEnd
    case behindArray
  }

  private enum Step {
    case record
    /// A value that is no record; the fault says where.
    case misfit(ScanFault)
    /// The text is at its end, and nothing is begun.
    case end
  }

  /// A place to which the scanner can go back.
  struct Mark: BitwiseCopyable, Sendable {
    var place: Int
    var line: Int
    var lineStart: Int
    var form: Form
  }

  var record: JSONRecordScanner
  var form = Form.undecided
  let isLineByLine: Bool
  let schema: Schema
  /// Where the record or the value begins that is being scanned.
  var beginning = Mark(place: 0, line: 1, lineStart: 0, form: .undecided)
  /// Whether there is nothing more to scan.
  var isFinished = false
  /// Whether an error ended the scanning, so that records may be unread.
  var isBroken = false

  init(_ schema: Schema, isLineByLine: Bool) {
    self.schema = schema
    self.isLineByLine = isLineByLine
    record = JSONRecordScanner(schema)
    if isLineByLine { form = .sequence }
  }

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
      let mark = mark
      do throws(ScanFault) {
        switch try step(text) {
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

  private var mark: Mark {
    Mark(
      place: record.json.place, line: record.json.line, lineStart: record.json.lineStart,
      form: form)
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

  /// Goes to the next record and decides the form on the way.
  private mutating func step(_ text: Span<UInt8>) throws(ScanFault) -> Step {
    guard var byte = record.json.passSpace(text) else {
      switch form {
      case .undecided, .sequence, .behindArray: return .end
      case .arrayStart, .element, .elementEnd:
        guard record.json.isLast else { return .end }
        beginning = mark
        throw ScanFault(.endsInside, text.count)
      }
    }
    beginning = mark
    switch form {
    case .undecided:
      form = .sequence
      if byte == UInt8(ascii: "[") {
        record.json.place &+= 1
        form = .arrayStart
        return try step(text)
      }
    case .sequence: break
    case .arrayStart:
      if byte == UInt8(ascii: "]") { return try endArray(text) }
    case .element:
      if byte == UInt8(ascii: "]") { throw ScanFault(.trailingComma, record.json.place) }
    case .elementEnd:
      if byte == UInt8(ascii: "]") { return try endArray(text) }
      guard byte == UInt8(ascii: ",") else {
        throw ScanFault(.expectedCommaOrBracket, record.json.place)
      }
      record.json.place &+= 1
      form = .element
      guard let next = record.json.passSpace(text) else { return try step(text) }
      byte = next
      beginning = mark
      if byte == UInt8(ascii: "]") { throw ScanFault(.trailingComma, record.json.place) }
    case .behindArray: throw ScanFault(.leftOver, record.json.place)
    }
    if form != .sequence { form = .elementEnd }
    guard byte == UInt8(ascii: "{") else {
      let fault = ScanFault(.expectedRecords, record.json.place)
      _ = try record.json.passValue(text)
      return .misfit(fault)
    }
    return .record
  }

  private mutating func endArray(_ text: Span<UInt8>) throws(ScanFault) -> Step {
    record.json.place &+= 1
    form = .behindArray
    return try step(text)
  }
}
