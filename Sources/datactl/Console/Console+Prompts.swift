package import DataModel

/// Questions to whoever sits at the terminal; ask `canAsk` first.
extension Console {
  /// Asks for a line.
  package func ask(_ prompt: String) throws(DataError) -> String {
    try output.flush()
    try errors.write(prompt)
    return try answer()
  }

  /// Asks for a line that the terminal does not show.
  package func askSecretly(_ prompt: String) throws(DataError) -> String {
    try output.flush()
    // The terminal is silent before it is asked, so that a quick answer is not seen either.
    let errors = errors
    return try input.withoutEcho(resuming: { try? errors.write(prompt) }) {
      Result { () throws(DataError) in
        try errors.write(prompt)
        return try answer()
      }
    }.get()
  }

  /// Asks a question that only `y` or `yes` answers with yes.
  package func confirm(_ question: String) throws(DataError) -> Bool {
    let answer = try ask("\(question) [y/N] ").lowercased()
    return answer == "y" || answer == "yes"
  }

  private func answer() throws(DataError) -> String {
    var lines = input.lines(longest: Schema.longestPassword)
    return try lines.next() ?? ""
  }
}
