import DataModel

/// Recovery after a syntax error.
extension JSONChunkScanner {
  /// Rejects a malformed record and resumes at a later line, if line breaks show where the next
  /// record starts. Returns false if scanning must stop, because more text is needed or the rest
  /// cannot be parsed.
  mutating func recover(
    from error: ScanError, to mark: JSONRecordIterator.Mark, _ text: Span<UInt8>,
    _ rejected: inout Rejections
  ) -> Bool {
    guard error.kind != .needsMore else {
      rewind(to: mark)
      return false
    }
    guard iterator.layout == .sequence else { return giveUp(error, text, &rejected) }
    let firstEnd = lineEnd(text, from: beginning.position)
    var shown = error
    var end = firstEnd
    if let firstEnd, error.position > firstEnd {
      guard isLineByLine || beginsRecord(error, text) else { return giveUp(error, text, &rejected) }
      // The record was truncated, and the next record starts where its rest was expected.
      if isLineByLine || record.json.line == beginning.line + 1 {
        shown = ScanError(.unexpectedEnd, firstEnd)
      }
      end = isLineByLine ? firstEnd : record.json.lineStart - 1
    }
    guard let end else {
      guard record.json.isLast else {
        rewind(to: mark)
        return false
      }
      return giveUp(error, text, &rejected)
    }
    rejected.add([problem(shown, text)], line: beginning.line, text, beginning.position..<end)
    record.json.line = beginning.line + lineCount(text, from: beginning.position, to: end + 1)
    record.json.position = end + 1
    record.json.lineStart = end + 1
    return true
  }

  /// Creates a problem from a scan error, with line and column.
  func problem(_ error: ScanError, _ text: Span<UInt8>) -> Problem {
    let position = min(error.position, text.count)
    var lineStart = beginning.lineStart
    for index in beginning.position..<max(position, beginning.position) where text[index] == 0x0A {
      lineStart = index + 1
    }
    return Problem(
      .syntax, error.kind.message, schema: schema.name,
      field: record.openSlot.map { schema.name(of: $0) },
      line: beginning.line + lineCount(text, from: beginning.position, to: position),
      column: position - lineStart + 1)
  }

  private mutating func giveUp(
    _ error: ScanError, _ text: Span<UInt8>, _ rejected: inout Rejections
  ) -> Bool {
    rejected.add(
      [problem(error, text)], line: beginning.line, text,
      beginning.position..<max(beginning.position, error.position))
    record.json.position = text.count
    isFinished = true
    isBroken = true
    return false
  }

  private mutating func rewind(to mark: JSONRecordIterator.Mark) {
    iterator.reset(to: mark.layout == .sequence ? beginning : mark, &record.json)
  }

  /// Whether the error is at the opening brace of a record that starts on its own line.
  private func beginsRecord(_ error: ScanError, _ text: Span<UInt8>) -> Bool {
    guard error.position < text.count, text[error.position] == UInt8(ascii: "{"),
      error.kind == .expectedCommaOrBrace || error.kind == .expectedKey
    else { return false }
    for index in record.json.lineStart..<error.position where text[index] > 0x20 { return false }
    return true
  }

  private func lineEnd(_ text: Span<UInt8>, from position: Int) -> Int? {
    for index in position..<text.count where text[index] == 0x0A { return index }
    return nil
  }

  private func lineCount(_ text: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var count = 0
    for index in start..<max(start, end) where text[index] == 0x0A { count += 1 }
    return count
  }
}
