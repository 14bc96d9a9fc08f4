package import JSONText

/// Moves a scanner from one record to the next, in JSON of any layout: a sequence of objects or an
/// array.
package struct JSONRecordIterator: Sendable {
  /// The layout of the text. The cases for an array also specify the expected next token.
  package enum Layout: BitwiseCopyable {
    case undecided
    /// The records are a sequence of objects, not in an array.
    case sequence
    /// The first element of an array, or the end of an empty array, is expected.
    case arrayStart
    /// An element is expected, because the last token was a comma.
    case element
    /// A comma or the end of the array is expected.
    case elementEnd
    case afterArray
  }

  package enum Step {
    case record
    /// A value that is not a record was skipped. The error has the position of the value.
    case violation(ScanError)
    /// The text contains no further record, not even a part of one. More text may follow.
    case end
  }

  /// A position in the text to which the scanner can return.
  package struct Mark: BitwiseCopyable, Sendable {
    package var position: Int
    package var line: Int
    package var lineStart: Int
    package var layout: Layout

    package init(position: Int, line: Int, lineStart: Int, layout: Layout) {
      self.position = position
      self.line = line
      self.lineStart = lineStart
      self.layout = layout
    }
  }

  package var layout = Layout.undecided
  /// The start of the record or other value that is being scanned.
  package private(set) var beginning = Mark(position: 0, line: 1, lineStart: 0, layout: .undecided)

  package init() {}

  /// Creates an iterator over a sequence of objects. Its current record begins at the given mark.
  package init(inSequenceAt beginning: Mark) {
    layout = .sequence
    self.beginning = beginning
  }

  /// Returns the current position of the scanner. `reset` can return the scanner to this position.
  package func mark(of json: JSONScanner) -> Mark {
    Mark(position: json.position, line: json.line, lineStart: json.lineStart, layout: layout)
  }

  /// Moves the scanner back to a position that was marked with `mark(of:)`.
  package mutating func reset(to mark: Mark, _ json: inout JSONScanner) {
    json.position = mark.position
    json.line = mark.line
    json.lineStart = mark.lineStart
    layout = mark.layout
  }

  /// Moves the scanner back to the start of the current record.
  func restartRecord(_ json: inout JSONScanner) {
    json.position = beginning.position
    json.line = beginning.line
    json.lineStart = beginning.lineStart
  }

  /// Moves the scanner to the start of the next record. The first call detects the layout.
  package mutating func advance(
    _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanError) -> Step {
    guard var byte = json.skipWhitespace(text) else {
      switch layout {
      case .undecided, .sequence, .afterArray: return .end
      case .arrayStart, .element, .elementEnd:
        guard json.isLast else { return .end }
        beginning = mark(of: json)
        throw ScanError(.unexpectedEnd, text.count)
      }
    }
    beginning = mark(of: json)
    switch layout {
    case .undecided:
      layout = .sequence
      if byte == UInt8(ascii: "[") {
        json.position &+= 1
        layout = .arrayStart
        return try advance(&json, text)
      }
    case .sequence: break
    case .arrayStart:
      if byte == UInt8(ascii: "]") { return try endArray(&json, text) }
    case .element:
      if byte == UInt8(ascii: "]") { throw ScanError(.trailingComma, json.position) }
    case .elementEnd:
      if byte == UInt8(ascii: "]") { return try endArray(&json, text) }
      guard byte == UInt8(ascii: ",") else {
        throw ScanError(.expectedCommaOrBracket, json.position)
      }
      json.position &+= 1
      layout = .element
      guard let next = json.skipWhitespace(text) else { return try advance(&json, text) }
      byte = next
      beginning = mark(of: json)
      if byte == UInt8(ascii: "]") { throw ScanError(.trailingComma, json.position) }
    case .afterArray: throw ScanError(.trailingContent, json.position)
    }
    if layout != .sequence { layout = .elementEnd }
    guard byte == UInt8(ascii: "{") else {
      let error = ScanError(.expectedRecord, json.position)
      _ = try json.skipValue(text)
      return .violation(error)
    }
    return .record
  }

  /// How scanning can continue after a syntax error in a record.
  package enum Recovery {
    /// More text is needed to determine whether scanning can continue.
    case needsMore
    /// The next record begins after the line break at the given offset. The given error is reported
    /// for the malformed record.
    case endOfLine(Int, ScanError)
    /// Scanning cannot continue, because the start of the next record is unknown.
    case impossible
  }

  /// Returns how to continue after a syntax error in the current record.
  ///
  /// - Parameter isLineByLine: Whether each line of the text is a record.
  package func recovery(
    from error: ScanError, _ json: JSONScanner, _ text: Span<UInt8>, isLineByLine: Bool = false
  ) -> Recovery {
    guard error.kind != .needsMore else { return .needsMore }
    guard layout == .sequence else { return .impossible }
    let firstEnd = Self.lineEnd(text, from: beginning.position)
    var shown = error
    var end = firstEnd
    if let firstEnd, error.position > firstEnd {
      guard isLineByLine || Self.beginsRecord(error, json, text) else { return .impossible }
      // The record is truncated: the next record starts at the position where the rest of this one
      // was expected.
      if isLineByLine || json.line == beginning.line + 1 {
        shown = ScanError(.unexpectedEnd, firstEnd)
      }
      end = isLineByLine ? firstEnd : json.lineStart - 1
    }
    guard let end else { return json.isLast ? .impossible : .needsMore }
    return .endOfLine(end, shown)
  }

  /// Moves the scanner to the start of a line in the current record.
  package func skipToLine(at position: Int, _ json: inout JSONScanner, _ text: Span<UInt8>) {
    json.line = beginning.line + Self.lineCount(text, from: beginning.position, to: position)
    json.position = position
    json.lineStart = position
  }

  /// Returns the line and the column of an error in the current record.
  func location(of error: ScanError, _ text: Span<UInt8>) -> (line: Int, column: Int) {
    let position = min(error.position, text.count)
    var lineStart = beginning.lineStart
    for index in beginning.position..<max(position, beginning.position) where text[index] == 0x0A {
      lineStart = index + 1
    }
    return (
      beginning.line + Self.lineCount(text, from: beginning.position, to: position),
      position - lineStart + 1
    )
  }

  /// Returns whether the error is at an opening brace that begins a line. Such a brace probably
  /// begins the next record.
  private static func beginsRecord(
    _ error: ScanError, _ json: JSONScanner, _ text: Span<UInt8>
  ) -> Bool {
    guard error.position < text.count, text[error.position] == UInt8(ascii: "{"),
      error.kind == .expectedCommaOrBrace || error.kind == .expectedKey
    else { return false }
    for index in json.lineStart..<error.position where text[index] > 0x20 { return false }
    return true
  }

  private static func lineEnd(_ text: Span<UInt8>, from position: Int) -> Int? {
    for index in position..<text.count where text[index] == 0x0A { return index }
    return nil
  }

  private static func lineCount(_ text: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var count = 0
    for index in start..<max(start, end) where text[index] == 0x0A { count += 1 }
    return count
  }

  private mutating func endArray(
    _ json: inout JSONScanner, _ text: Span<UInt8>
  ) throws(ScanError) -> Step {
    json.position &+= 1
    layout = .afterArray
    return try advance(&json, text)
  }
}
