internal import DataAPI
package import DataModel

extension DataError {
  /// The error in the words of the library: with its parameters in place of the options of the
  /// command and the parameters of the HTTP API.
  package var inWordsOfLibrary: DataError {
    modifyingProblems { problem in
      problem.message = Self.namingArguments(problem.message)
      problem.hint = problem.hint.flatMap { Self.hint($0) }
    }
  }

  /// Phrases of messages and hints for the command, and those of the library.
  private static let phrases: [(command: String, library: String)] = [
    (
      "to save its records, pass --deep, or",
      "to save its records, save a value of a model type that contains them, or"
    ),
    (
      "save both records with --deep, or save the other record first and use its id here",
      "save the other record first and use its id here, or save a value of a model type that "
        + "contains it"
    ),
    ("pass --any-revision", "save it without its revision"),
    ("to print its records, pass --expand ", "to read its records, pass expanding: "),
    ("pass --group-by ", "pass by: "),
    ("out with --where", "out with a condition"),
    ("pass --allow-loss ", "pass allowingLoss: "),
    ("apply with --allow-loss ", "apply with allowingLoss: "),
    (", or pass --lenient to save", ""), (", or pass --assume-zone to save", ""),
    (", or pass --wait SECONDS to wait longer", ""),
    ("log in: datactl login", "log in with logIn(_:password:)"),
    ("log in: POST /v1/login", "log in with logIn(_:password:)"),
    ("change it: datactl passwd", "change it with changePassword(from:to:)"),
    ("change it: POST /v1/password", "change it with changePassword(from:to:)"),
    (
      "create the store with datactl schema create or schema apply",
      "create the store with createSchema or applySchemas"
    ),
    (
      "create a user schema: datactl schema create user --user",
      "create a schema of the kind user with applySchemas"
    ),
  ]

  private static func namingArguments(_ text: String) -> String {
    phrases.reduce(text) { text, phrase in
      [phrase.command, namingParameters(phrase.command)].reduce(text) { text, command in
        text.contains(command) ? text.replacing(command, with: phrase.library) : text
      }
    }
  }

  /// Returns a hint in the words of the library, or nil if it names an option that the library does
  /// not have.
  private static func hint(_ text: String) -> String? {
    // The lines before the last one show a part of a condition.
    guard let end = text.lastIndex(of: "\n") else { return hint(ofOneLine: text) }
    let excerpt = String(text[..<end])
    return hint(ofOneLine: String(text[text.index(after: end)...])).map { "\(excerpt)\n\($0)" }
      ?? excerpt
  }

  private static func hint(ofOneLine text: String) -> String? {
    for command in ["see datactl schema show ", "see GET /v1/schemas/"]
    where text.hasPrefix(command) {
      return "see schema(\"\(text.dropFirst(command.count))\")"
    }
    let parameter = "pass --param "
    for command in [parameter, namingParameters(parameter)] where text.hasPrefix(command) {
      let name = text.dropFirst(command.count).prefix { $0 != "=" && $0 != ":" }
      return "pass parameters: [\"\(name)\": VALUE]"
    }
    let hint = namingArguments(text)
    let hasOption = hint.split(separator: " ").contains { word in
      word.hasPrefix("--") && word.dropFirst(2).first?.isLetter == true
    }
    return hint.isEmpty || hasOption && !hint.contains("datactl ") ? nil : hint
  }
}

extension Client {
  /// Calls a closure that executes a call of the library. Its errors have the words of the library.
  package func inLibraryWords<Result>(
    _ body: () async throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    do throws(DataError) {
      return try await body()
    } catch {
      throw error.inWordsOfLibrary
    }
  }
}
