/// The declaration of a program: its commands, its global options and their documentation.
///
/// `help`, `completion`, `--help` and `--version` are declared automatically.
///
/// ```swift
/// let program = ProgramDeclaration<Settings, any Command>(
///   "datactl", version: "1.0.0", "Store typed records.",
///   settings: [
///     .option("--store", \.store, value: "ADDRESS", kind: .store, "The store to use."),
///     .flag("--quiet", letter: "q", \.isQuiet, "Print only errors."),
///   ],
///   commands: [
///     .command("get", GetCommand.declaration),
///     .group("schema", SchemaGroup.declaration),
///   ],
///   environment: […], exitStatuses: […], topics: […])
///
/// let line = program.parse(words, nearest: nearestName)
/// ```
///
/// The declarations of commands and topics are created only when they are needed, because creating
/// all of them takes longer than many commands run. To parse a command line, usually only the
/// declaration of its command is created. The parser also uses loops instead of `map`, `first` and
/// `+`, because Swift would create generic metadata for these calls at run time. This would take a
/// tenth of the startup time. For the same reason, the settings need not conform to `BoundInputs`
/// here: Swift would search the conformance in all conformances of the program.
package struct ProgramDeclaration<Settings: Sendable, Action: Sendable>: Sendable {
  let name: String
  let version: String
  let summary: String
  let settings: [Input<Settings>]
  /// The global options, including `--help` and `--version`.
  let options: [OptionDescription]
  let rules: [InputRule]
  let entries: [Entry]
  let documentation: @Sendable () -> ProgramDescription.Documentation
  let topics: @Sendable () -> [Topic]
  let answers: @Sendable () -> [String: String]

  package init(
    _ name: String, version: String, _ summary: String,
    discussion: @autoclosure @escaping @Sendable () -> [Block] = [],
    settings: [Input<Settings>] = [], rules: [InputRule] = [],
    commands entries: [Entry],
    environment: @autoclosure @escaping @Sendable () -> [EnvironmentVariable] = [],
    exitStatuses: @autoclosure @escaping @Sendable () -> [ExitStatus],
    topics: @autoclosure @escaping @Sendable () -> [Topic] = [],
    answers: @autoclosure @escaping @Sendable () -> [String: String] = [:]
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.settings = settings
    options = settings.parameters().options + [.help, .version]
    self.rules = rules
    let builtIn = BuiltInCommands(program: name, exitStatuses: exitStatuses)
    var entries = entries
    entries.append(Entry(name: "help") { EntryDeclaration(builtIn.help()) })
    entries.append(Entry(name: "completion") { EntryDeclaration(builtIn.completion()) })
    self.entries = entries
    documentation = {
      ProgramDescription.Documentation(
        discussion: discussion(), environment: environment(), exitStatuses: exitStatuses())
    }
    self.topics = topics
    self.answers = answers
  }
}

extension ProgramDeclaration {
  /// The description of the program with all commands, for help, the manual and completions.
  package var description: ProgramDescription {
    describe(entries.map { $0.declared().description }, topics: topics())
  }

  /// Returns a message for each error in the declarations, such as a name that is declared twice. A
  /// test checks that there are none.
  package func validationErrors() -> [String] {
    let misnamed = entries.compactMap { entry in
      let name = entry.declared().description.name
      return name == entry.name ? nil : "\(entry.name) declares \(name)"
    }
    let misbound = entries.flatMap { entry in
      let declared = entry.declared()
      return zip(declared.description.commands, declared.inputs).flatMap { command, inputs in
        inputs.bindingErrors().map { "\(command.name) \($0)" }
      }
    }
    return misnamed + misbound + settings.bindingErrors(rules).map { "\(name) \($0)" }
      + description.validationErrors()
  }

  func describe(_ entries: [ProgramDescription.Entry], topics: [Topic]) -> ProgramDescription {
    ProgramDescription(
      name: name, version: version, summary: summary,
      options: options, rules: rules, entries: entries,
      topics: topics, documentation: documentation, answers: answers)
  }
}

extension ProgramDeclaration {
  /// The name of a command or of a group, and a closure that creates its declaration when it is
  /// needed. The name is the first word of a command line.
  package struct Entry: Sendable {
    let name: String
    let declared: @Sendable () -> EntryDeclaration

    package static func command(
      _ name: String,
      _ declaration: @autoclosure @escaping @Sendable () -> CommandDeclaration<Action>
    ) -> Entry {
      Entry(name: name) {
        let command = declaration()
        return EntryDeclaration(
          description: .command(command.description), inputs: [command.inputs.map { .run($0) }])
      }
    }

    package static func group(
      _ name: String,
      _ declaration: @autoclosure @escaping @Sendable () -> GroupDeclaration<Action>
    ) -> Entry {
      Entry(name: name) {
        let group = declaration()
        return EntryDeclaration(
          description: .group(group.description),
          inputs: group.commands.map { $0.inputs.map { .run($0) } })
      }
    }
  }

  /// The declaration of a command or of a group of commands: the description, and the inputs of
  /// each command, in the order of the commands.
  struct EntryDeclaration: Sendable {
    let description: ProgramDescription.Entry
    let inputs: [Inputs<Request<Action>>]

    init(description: ProgramDescription.Entry, inputs: [Inputs<Request<Action>>]) {
      self.description = description
      self.inputs = inputs
    }

    init(_ command: CommandDeclaration<Request<Action>>) {
      self.init(description: .command(command.description), inputs: [command.inputs])
    }
  }
}
