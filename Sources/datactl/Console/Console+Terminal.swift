/// Properties that depend on whether a stream is a terminal, checked for each stream separately.
extension Console {
  /// Returns the number of columns for text on a stream.
  package func width(of stream: OutputStream) -> Int {
    if let columns = setting("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
    return stream.columns ?? 80
  }

  /// Returns whether escape codes may be written to a stream.
  package func hasColor(_ stream: OutputStream) -> Bool {
    stream.isTerminal && setting("NO_COLOR") == nil && variable("TERM") != "dumb"
  }

  /// Whether prompts are possible: stdin and stderr are terminals, and `CI` is not set.
  package var canPrompt: Bool {
    input.isTerminal && errors.isTerminal && setting("CI") == nil
  }
}
