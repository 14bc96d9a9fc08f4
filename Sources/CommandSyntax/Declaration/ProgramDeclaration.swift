/// Declares a program: its commands, the options that stand everywhere, and all that is to be known.
///
/// `help`, `completion`, `--help` and `--version` are there without being declared.
///
/// ```swift
/// let program = ProgramDeclaration<Settings, any Command>(
///   "datactl", version: "1.0.0", "Keep typed records.",
///   settings: Inputs(
///     .option("--store", value: "ADDRESS", kind: .store, "Where the records live."),
///     .flag("--quiet", letter: "q", "Print nothing but errors.")
///   ) { store, quiet in Settings(store: store, quiet: quiet) },
///   commands: [
///     .command(GetCommand.declaration),
///     .group(GroupDeclaration("schema", "Describe records.", commands: [SchemaCreate.declaration])),
///   ],
///   environment: […], exitStatuses: […], topics: […])
///
/// let line = program.parse(words, nearest: nearestName)
/// ```
package struct ProgramDeclaration<Settings: Sendable, Action: Sendable>: Sendable {
  package let description: ProgramDescription
  let commands: [CommandDeclaration<Request<Action>>]
  let settings: Inputs<Settings>
  /// The settings of a line that says nothing of them.
  let defaults: Settings

  /// A word that may follow the program's name.
  package enum Entry: Sendable {
    case command(CommandDeclaration<Action>)
    case group(GroupDeclaration<Action>)
  }

  package init(
    _ name: String, version: String, _ summary: String, discussion: [Block] = [],
    settings: Inputs<Settings>, rules: [InputRule] = [], commands entries: [Entry],
    environment: [EnvironmentVariable] = [], exitStatuses: [ExitStatus], topics: [Topic] = []
  ) {
    let builtIn = BuiltInCommands(program: name, exitStatuses: exitStatuses)
    let help: CommandDeclaration<Request<Action>> = builtIn.help()
    let completion: CommandDeclaration<Request<Action>> = builtIn.completion()
    commands = entries.flatMap(\.declarations).map(\.requested) + [help, completion]
    self.settings = settings
    do {
      defaults = try settings.make(Given(nearest: { _, _ in nil }))
    } catch {
      preconditionFailure("an option that stands everywhere must not be required")
    }
    description = ProgramDescription(
      name: name, version: version, summary: summary, discussion: discussion,
      options: settings.options + [.help, .version], rules: rules,
      entries: entries.map(\.description) + [help, completion].map { .command($0.description) },
      environment: environment, exitStatuses: exitStatuses, topics: topics)
  }
}

extension ProgramDeclaration.Entry {
  var declarations: [CommandDeclaration<Action>] {
    switch self {
    case .command(let command): [command]
    case .group(let group): group.commands
    }
  }

  var description: ProgramDescription.Entry {
    switch self {
    case .command(let command): .command(command.description)
    case .group(let group): .group(group.description)
    }
  }
}
