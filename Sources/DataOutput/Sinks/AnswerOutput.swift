package import DataModel
import JSONText

/// A destination for bytes, such as an output stream or the body of a response.
package protocol ByteSink: Sendable {
  /// Calls a closure that appends bytes to the sink's buffer.
  func append(_ body: (inout [UInt8]) -> Void) throws(DataError)

  /// Writes the buffered bytes to the destination.
  func flush() throws(DataError)

  /// Discards all bytes appended so far, and returns true. If some of them have already been
  /// written to the destination, does nothing and returns false.
  func discardBuffer() -> Bool
}

extension ByteSink {
  package func write(_ text: String) throws(DataError) {
    try append { $0.append(contentsOf: text.utf8) }
  }

  package func write(_ bytes: Span<UInt8>) throws(DataError) {
    try append { $0.append(copying: bytes) }
  }
}

/// The properties of a terminal that affect the output.
package struct TerminalStyle: Sendable {
  /// The width of the terminal in columns. Longer lines are truncated.
  package let columns: Int
  /// Whether escape codes for colors and bold text may be written.
  package let hasColor: Bool

  package init(columns: Int, hasColor: Bool) {
    self.columns = columns
    self.hasColor = hasColor
  }

  /// Returns the text in a color, if the terminal has colors.
  package func colored(_ text: String, _ color: TextColor?) -> String {
    guard hasColor, let color else { return text }
    return "\(color.beginning)\(text)\(TextColor.end)"
  }
}

/// The colors of text on a terminal. The raw values are the codes of ECMA-48.
package enum TextColor: Int, CaseIterable, Sendable {
  /// Errors, and what is deleted or missing in the compared files.
  case red = 31
  /// What is created or added.
  case green = 32
  /// What is changed.
  case yellow = 33
  /// Ids.
  case cyan = 36

  /// The escape sequence before text of this color.
  package var beginning: String { "\u{1B}[\(rawValue)m" }
  /// The escape sequence after text of any color.
  package static let end = "\u{1B}[39m"
}

/// The destination of the answer to a query, and the closures that are called while the answer is
/// printed.
package struct AnswerOutput: Sendable {
  package let sink: any ByteSink
  /// The terminal that the sink writes to, or nil if it does not write to a terminal.
  package let terminal: TerminalStyle?
  /// A closure that throws an error if printing must stop, for example because the user pressed
  /// Ctrl-C. The closure is called between chunks of output.
  package let checkInterruption: @Sendable () throws(DataError) -> Void
  /// A closure that waits until a slow reader has caught up; nil if the output never waits. A
  /// command has none, because the call would move it from the main thread to a pool of threads.
  private let waitForReader: (@Sendable () async -> Void)?
  /// A closure that receives messages about the answer, such as warnings, one line at a time.
  package let printMessage: @Sendable (String) throws(DataError) -> Void

  package init(
    _ sink: any ByteSink, terminal: TerminalStyle? = nil,
    checkInterruption: @escaping @Sendable () throws(DataError) -> Void = {},
    waitForReader: (@Sendable () async -> Void)? = nil,
    printMessage: @escaping @Sendable (String) throws(DataError) -> Void = { _ in }
  ) {
    self.sink = sink
    self.terminal = terminal
    self.checkInterruption = checkInterruption
    self.waitForReader = waitForReader
    self.printMessage = printMessage
  }

  /// Called between the chunks of an answer. If the output waits for a slow reader and needs too
  /// much space, waits until the reader has caught up. Throws an error if printing must stop.
  package func prepareForChunk() async throws(DataError) {
    if let waitForReader { await waitForReader() }
    try checkInterruption()
  }
}
