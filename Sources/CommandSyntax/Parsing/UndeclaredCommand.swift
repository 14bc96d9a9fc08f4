/// A command line whose command is not declared, so that another program may provide it.
package struct UndeclaredCommand: Sendable, Equatable {
  package let name: String
  /// The words after the name, or nil if the line asks for its help.
  package let arguments: [String]?
  /// The first word after the name in a line that begins with `help`.
  package let unexpected: String?
  /// The global options before the name. The value of a flag is empty.
  package let options: [GivenOption]
}

extension ProgramDeclaration {
  /// Returns the command in a line if it is not declared. Returns nil if anything else precedes it
  /// than global options and `help`.
  package func undeclaredCommand(in words: some Collection<String>) -> UndeclaredCommand? {
    let lexer = Lexer(describe([], topics: []))
    var index = words.startIndex
    var tokens: [Token] = []
    while index < words.endIndex, tokens.operands.isEmpty {
      index = words.index(after: index)
      tokens = lexer.line(words[..<index]).tokens
    }
    guard var name = tokens.operands.first else { return nil }
    var arguments: [String]? = Array(words[index...])
    var unexpected: String?
    if name == "help" {
      tokens = lexer.line(words).tokens
      guard tokens.operands.count > 1 else { return nil }
      (name, arguments) = (tokens.operands[1], nil)
      unexpected = tokens.operands.dropFirst(2).first
    }
    var options: [GivenOption] = []
    for case .option(let typed) in tokens {
      if typed.option?.name == "--help", typed.value == .none {
        arguments = nil
        continue
      }
      if typed.option == nil, arguments == nil {
        unexpected = unexpected ?? typed.typed
        continue
      }
      guard let option = typed.option, !typed.isHelpOrVersion else { return nil }
      let value = if case .given(let text) = typed.value { text } else { "" }
      options.append(GivenOption(name: option.name, value: value))
    }
    guard !entries.contains(where: { $0.name == name }),
      arguments != nil || !topics().contains(where: { $0.name == name })
    else { return nil }
    return UndeclaredCommand(
      name: name, arguments: arguments, unexpected: unexpected, options: options)
  }
}
