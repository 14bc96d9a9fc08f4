import DataModel

/// Recovery after a syntax error.
extension JSONBatchScanner {
  /// Rejects a malformed record and resumes at a later line, if line breaks show where the next
  /// record starts. Returns false if scanning must stop, because more text is needed or the rest
  /// cannot be parsed.
  mutating func recover(
    from fault: ScanFault, to mark: JSONRecordWalk.Mark, _ text: Span<UInt8>,
    _ rejected: inout Rejections
  ) -> Bool {
    guard fault.kind != .needsMore else {
      goBack(to: mark)
      return false
    }
    guard walk.form == .sequence else { return giveUp(fault, text, &rejected) }
    let firstEnd = lineEnd(text, from: beginning.place)
    var shown = fault
    var end = firstEnd
    if let firstEnd, fault.place > firstEnd {
      guard isLineByLine || beginsRecord(fault, text) else { return giveUp(fault, text, &rejected) }
      // The record was truncated, and the next record starts where its rest was expected.
      if isLineByLine || record.json.line == beginning.line + 1 {
        shown = ScanFault(.endsInside, firstEnd)
      }
      end = isLineByLine ? firstEnd : record.json.lineStart - 1
    }
    guard let end else {
      guard record.json.isLast else {
        goBack(to: mark)
        return false
      }
      return giveUp(fault, text, &rejected)
    }
    rejected.add([problem(shown, text)], line: beginning.line, text, beginning.place..<end)
    record.json.line = beginning.line + lineCount(text, from: beginning.place, to: end + 1)
    record.json.place = end + 1
    record.json.lineStart = end + 1
    return true
  }

  /// Creates a problem from a scan error, with line and column.
  func problem(_ fault: ScanFault, _ text: Span<UInt8>) -> Problem {
    let place = min(fault.place, text.count)
    var lineStart = beginning.lineStart
    for index in beginning.place..<max(place, beginning.place) where text[index] == 0x0A {
      lineStart = index + 1
    }
    return Problem(
      .syntax, fault.kind.message, schema: schema.name,
      field: record.openSlot.map { schema.name(of: $0) },
      line: beginning.line + lineCount(text, from: beginning.place, to: place),
      column: place - lineStart + 1)
  }

  private mutating func giveUp(
    _ fault: ScanFault, _ text: Span<UInt8>, _ rejected: inout Rejections
  ) -> Bool {
    rejected.add(
      [problem(fault, text)], line: beginning.line, text,
      beginning.place..<max(beginning.place, fault.place))
    record.json.place = text.count
    isFinished = true
    isBroken = true
    return false
  }

  private mutating func goBack(to mark: JSONRecordWalk.Mark) {
    walk.go(back: mark.form == .sequence ? beginning : mark, &record.json)
  }

  /// Whether the error is at the opening brace of a record that starts on its own line.
  private func beginsRecord(_ fault: ScanFault, _ text: Span<UInt8>) -> Bool {
    guard fault.place < text.count, text[fault.place] == UInt8(ascii: "{"),
      fault.kind == .expectedCommaOrBrace || fault.kind == .expectedKey
    else { return false }
    for index in record.json.lineStart..<fault.place where text[index] > 0x20 { return false }
    return true
  }

  private func lineEnd(_ text: Span<UInt8>, from place: Int) -> Int? {
    for index in place..<text.count where text[index] == 0x0A { return index }
    return nil
  }

  private func lineCount(_ text: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var count = 0
    for index in start..<max(start, end) where text[index] == 0x0A { count += 1 }
    return count
  }
}
