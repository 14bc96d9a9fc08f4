/// What depends on whether a terminal is there; each stream is asked for itself.
extension Console {
  /// How wide text may be on a stream.
  package func width(of stream: OutputStream) -> Int {
    if let columns = setting("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
    return stream.columns ?? 80
  }

  /// Whether escape codes may be sent to a stream.
  package func hasColor(_ stream: OutputStream) -> Bool {
    stream.isTerminal && setting("NO_COLOR") == nil && variable("TERM") != "dumb"
  }

  /// Whether somebody is there to answer.
  package var canAsk: Bool {
    input.isTerminal && errors.isTerminal && setting("CI") == nil
  }
}
