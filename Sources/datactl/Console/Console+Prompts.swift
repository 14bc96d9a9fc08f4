package import DataModel

/// Prompts on the terminal. Check `canPrompt` before using them.
extension Console {
  /// Prompts for a line of input.
  package func ask(_ prompt: String) throws(DataError) -> String {
    try output.flush()
    try errors.write(prompt)
    return try answer()
  }

  /// Prompts for a line of input without echo.
  package func askWithoutEcho(_ prompt: String) throws(DataError) -> String {
    try output.flush()
    // Switch echo off before prompting, so that a fast answer is not echoed either.
    let errors = errors
    return try input.withoutEcho(resuming: { try? errors.write(prompt) }) {
      Result { () throws(DataError) in
        try errors.write(prompt)
        return try answer()
      }
    }.get()
  }

  /// Prompts for confirmation. Only `y` and `yes` confirm.
  package func confirm(_ question: String) throws(DataError) -> Bool {
    let answer = try ask("\(question) [y/N] ").lowercased()
    return answer == "y" || answer == "yes"
  }

  private func answer() throws(DataError) -> String {
    var lines = input.lines(longest: Schema.maxPasswordLength)
    return try lines.next() ?? ""
  }
}
