package import DataModel

extension DataError {
  /// The error in the terms of the API: with parameters in place of options, and routes in place of
  /// commands.
  var inWordsOfAPI: DataError {
    modifyingProblems { problem in
      problem.message = Self.namingParameters(problem.message)
      problem.hint = problem.hint.flatMap(Self.hint).map(Self.namingParameters)
    }
  }

  /// Returns a hint with a route in place of a command, or nil if the API has no route for the
  /// command.
  private static func hint(_ text: String) -> String? {
    guard text.contains("datactl ") else { return text }
    let schema = "see datactl schema show "
    if text.hasPrefix(schema) { return "see GET /v1/schemas/\(text.dropFirst(schema.count))" }
    if text.contains("datactl login") { return "log in: POST /v1/login" }
    if text.contains("datactl passwd") { return "change it: POST /v1/password" }
    return nil
  }

  /// Returns the text with `any_revision` in place of `--any-revision`, and `output=page` in place
  /// of `-o page`. Quoted text, which comes from requests, stays as it is.
  package static func namingParameters(_ text: String) -> String {
    guard text.contains("-") else { return text }
    // The lines before the last one show a part of a condition, so they are not changed.
    let start = text.lastIndex(of: "\n").map(text.index(after:)) ?? text.startIndex
    let parts = text[start...].split(separator: "\"", omittingEmptySubsequences: false)
    let line = parts.enumerated().map { index, part in
      guard index.isMultiple(of: 2) else { return String(part) }
      return part.split(separator: " ", omittingEmptySubsequences: false).map(parameter)
        .joined(separator: " ").replacing(" -o ", with: " output=")
    }.joined(separator: "\"")
    return text[..<start] + line
  }

  /// If a word begins with an option, replaces the option with the parameter: `--any-revision=`
  /// becomes `any_revision=`.
  private static func parameter(_ word: Substring) -> String {
    let name = word.dropFirst(2).prefix { $0.isLetter || $0 == "-" }
    guard word.hasPrefix("--"), name.first?.isLetter == true else { return String(word) }
    return String(name.replacing("-", with: "_") + word[name.endIndex...])
  }
}
