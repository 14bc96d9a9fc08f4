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
  let settings: Inputs<Settings>
  private let commands: [CommandDeclaration<Action>]
  private let builtIn: [CommandDeclaration<Request<Action>>]

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
    let declared = BuiltInCommands(program: name, exitStatuses: exitStatuses)
    builtIn = [declared.help(), declared.completion()]
    commands = entries.flatMap { $0.declarations }
    self.settings = settings
    description = ProgramDescription(
      name: name, version: version, summary: summary, discussion: discussion,
      options: settings.options + [.help, .version], rules: rules,
      entries: entries.map { $0.description } + builtIn.map { .command($0.description) },
      environment: environment, exitStatuses: exitStatuses, topics: topics)
  }
}

extension ProgramDeclaration {
  /// Makes the request of a command that was found on the line.
  func inputs(of command: CommandDescription) -> Inputs<Request<Action>> {
    if let declaration = commands.first(where: { $0.description.path == command.path }) {
      return declaration.inputs.map { .run($0) }
    }
    guard let declaration = builtIn.first(where: { $0.description.path == command.path }) else {
      preconditionFailure("\(command.name) is described but not declared")
    }
    return declaration.inputs
  }

  /// The settings of a line that says nothing of them.
  var defaults: Settings {
    do {
      return try settings.make(Given(nearest: { _, _ in nil }))
    } catch {
      preconditionFailure("an option that stands everywhere must not be required")
    }
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
