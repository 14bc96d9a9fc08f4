extension ProgramDeclaration {
  /// Parses the arguments after the program's name.
  ///
  /// - Parameters:
  ///   - words: The arguments of the process, without the program's name.
  ///   - nearest: A closure that takes a misspelled name and a list of names. It returns the name
  ///     in the list that the user most likely meant, or nil if none is similar.
  ///   - undeclared: The names of commands that other programs provide, which are suggested too.
  package func parse(
    _ words: [String], nearest: @escaping @Sendable (String, [String]) -> String?,
    undeclared: @escaping @Sendable () -> [String] = { [] }
  ) -> ParsedLine<Settings, Action> where Settings: BoundInputs {
    if let line = CompletionLine(arguments: words) {
      return ParsedLine(
        settings: Settings(), request: .success(.candidates(line)), isDeclared: true)
    }
    let interpreter = interpreter(of: words, nearest: nearest, undeclared: undeclared)
    let (settings, problems) = interpreter.settings()
    do throws(UsageError) {
      let request = try interpreter.request(settingsProblems: problems)
      return ParsedLine(
        settings: settings, request: .success(request), isDeclared: interpreter.isDeclared)
    } catch {
      return ParsedLine(
        settings: settings, request: .failure(error), isDeclared: interpreter.isDeclared)
    }
  }

  /// Returns the command in a valid line, with its inputs. Returns nil if the line runs no command.
  package func givenInputs(of words: [String]) -> GivenInputs? {
    interpreter(of: words, nearest: { _, _ in nil }).givenInputs()
  }

  private func interpreter(
    of words: [String], nearest: @escaping @Sendable (String, [String]) -> String?,
    undeclared: @escaping @Sendable () -> [String] = { [] }
  ) -> LineInterpreter<Settings, Action> {
    let declared = needed(for: words)
    var described: [ProgramDescription.Entry] = []
    for entry in declared { described.append(entry.description) }
    let description = describe(described, topics: declared.count > 1 ? topics() : [])
    let tokens = Lexer(description).line(words).tokens
    return LineInterpreter(
      settingsInputs: settings, declared: declared, description: description,
      nearest: { word, names in word.utf8.count > 60 ? nil : nearest(word, names) },
      undeclared: undeclared,
      options: tokens.compactMap { if case .option(let option) = $0 { option } else { nil } },
      operands: tokens.compactMap { if case .operand(let word) = $0 { word } else { nil } })
  }

  /// Returns the declarations that are needed to parse a line: usually only that of the command or
  /// group in the line. All declarations are needed if the line contains `help` or an unknown name,
  /// or if the name comes after an option that is not global.
  private func needed(for words: [String]) -> [EntryDeclaration] {
    for token in Lexer(describe([], topics: [])).line(words).tokens {
      switch token {
      case .option(let option):
        if option.option == nil { return entries.map { $0.declared() } }
      case .operand(let word):
        if word == "help" { return entries.map { $0.declared() } }
        for entry in entries where entry.name == word { return [entry.declared()] }
        return entries.map { $0.declared() }
      }
    }
    return []
  }
}
