extension ProgramDeclaration {
  /// Reads the words that stand behind the program's name.
  ///
  /// `nearest` finds the name, among several, that a mistyped one most likely means.
  package func parse(
    _ words: [String], nearest: @escaping @Sendable (String, [String]) -> String?
  ) -> ParsedLine<Settings, Action> {
    if let line = CompletionLine(askedBy: words) {
      return ParsedLine(settings: defaults, request: .success(.candidates(line)))
    }
    let tokens = Lexer(description).line(words).tokens
    let interpreter = LineInterpreter(
      program: self,
      nearest: { word, names in word.utf8.count > 60 ? nil : nearest(word, names) },
      options: tokens.compactMap { if case .option(let option) = $0 { option } else { nil } },
      operands: tokens.compactMap { if case .operand(let word) = $0 { word } else { nil } })
    let (settings, problems) = interpreter.settings()
    do throws(UsageError) {
      let request = try interpreter.request(settingsProblems: problems)
      return ParsedLine(settings: settings, request: .success(request))
    } catch {
      return ParsedLine(settings: settings, request: .failure(error))
    }
  }
}
