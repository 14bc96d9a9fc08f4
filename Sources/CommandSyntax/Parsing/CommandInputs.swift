/// The values of a command's inputs that do not come from a command line, such as the parameters of
/// a request. An option or operand is identified by the name that help shows, such as `--limit` or
/// `ID`, so a value can never be mistaken for an option.
package struct CommandInputs: Sendable {
  private var given: [(name: String, value: String)] = []

  package init() {}

  /// Adds a value for the input with the given name. For a flag, the value is ignored.
  package mutating func add(_ name: String, _ value: String = "") {
    given.append((name, value))
  }

  fileprivate func collect(into collector: inout InputCollector, of command: CommandDescription) {
    let operands = command.operands.map(\.name)
    collector.readOptions(
      given.filter { !operands.contains($0.name) }.map { input in
        let option = command.options.first { $0.name == input.name }
        return TypedOption(
          typed: input.name, option: option,
          value: option?.value == nil ? .none : .given(input.value))
      })
    collector.readOperands(
      operands.map { name in (name, given.filter { $0.name == name }.map(\.value)) }, of: command)
  }
}

/// The command in a command line, and the inputs that the line gives to it.
package struct GivenInputs: Sendable {
  package let command: CommandDescription
  /// The words of the inputs, each with the name of its input as help shows it. For a flag, the
  /// word is empty.
  package private(set) var words: [(name: String, word: String)] = []

  init(of command: CommandDescription, _ given: InputValues) {
    self.command = command
    for name in command.operands.map(\.name) + command.options.map(\.name) {
      words += given[name].map { (name, $0) }
    }
  }

  /// The words that the command line contains for the input with the given name, such as the ids
  /// for `ID`.
  package subscript(name: String) -> [String] {
    words.compactMap { $0.name == name ? $0.word : nil }
  }

  /// Adds a word to the input with the given name, as if it were in the command line.
  package mutating func add(_ name: String, _ word: String) { words.append((name, word)) }

  /// Returns the kind of the values of an input. It is nil for a flag.
  package func kind(of name: String) -> ValueKind? {
    command.operands.first { $0.name == name }?.kind
      ?? command.options.first { $0.name == name }?.value?.kind
  }
}

/// A command that a program can run several times with different inputs.
package struct PreparedCommand<Action: Sendable>: Sendable {
  package let description: CommandDescription
  fileprivate let inputs: Inputs<Request<Action>>
  fileprivate let answers: @Sendable () -> [String: String]

  /// Returns the action that the inputs describe. The thrown error contains all problems.
  package func action(
    for given: CommandInputs, nearest: @escaping @Sendable (String, [String]) -> String?
  ) throws(UsageError) -> Action {
    var collector = InputCollector(
      options: description.options, commandName: description.name, answers: answers,
      given: InputValues(nearest: nearest))
    given.collect(into: &collector, of: description)
    collector.check(description.rules)
    guard case .run(let action) = try inputs.make(collector.given, collector.problems) else {
      throw UsageError("\(description.name) only prints help, so it cannot be run here")
    }
    return action
  }
}

extension ProgramDeclaration {
  /// Returns the command with the given words, such as `schema` and `show`, or nil if there is
  /// none.
  package func command(_ path: [String]) -> PreparedCommand<Action>? {
    guard let entry = entries.first(where: { $0.name == path.first })?.declared() else {
      return nil
    }
    for (index, description) in entry.description.commands.enumerated()
    where description.path == path {
      return PreparedCommand(
        description: description, inputs: entry.inputs[index], answers: answers)
    }
    return nil
  }
}
