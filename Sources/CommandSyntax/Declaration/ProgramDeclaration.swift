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
///     .command("get", GetCommand.declaration),
///     .group("schema", SchemaGroup.declaration),
///   ],
///   environment: […], exitStatuses: […], topics: […])
///
/// let line = program.parse(words, nearest: nearestName)
/// ```
///
/// Commands and topics are made when they are needed: a line that names a command makes no other,
/// because making them all takes longer than many a command runs. For the same reason the way of a
/// line has loops over these generic types: at run time `map`, `first` and `+` would make types of
/// their own out of them, which took a start a tenth of its time.
package struct ProgramDeclaration<Settings: Sendable, Action: Sendable>: Sendable {
  let name: String
  let version: String
  let summary: String
  let discussion: [Block]
  let settings: Inputs<Settings>
  let rules: [InputRule]
  let entries: [Entry]
  let environment: [EnvironmentVariable]
  let exitStatuses: [ExitStatus]
  let topics: @Sendable () -> [Topic]

  package init(
    _ name: String, version: String, _ summary: String, discussion: [Block] = [],
    settings: Inputs<Settings>, rules: [InputRule] = [], commands entries: [Entry],
    environment: [EnvironmentVariable] = [], exitStatuses: [ExitStatus],
    topics: @autoclosure @escaping @Sendable () -> [Topic] = []
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.discussion = discussion
    self.settings = settings
    self.rules = rules
    let builtIn = BuiltInCommands(program: name, exitStatuses: exitStatuses)
    var entries = entries
    entries.append(Entry(name: "help") { Declared(builtIn.help()) })
    entries.append(Entry(name: "completion") { Declared(builtIn.completion()) })
    self.entries = entries
    self.environment = environment
    self.exitStatuses = exitStatuses
    self.topics = topics
  }
}

extension ProgramDeclaration {
  /// Describes the whole program.
  package var description: ProgramDescription {
    describe(entries.map { $0.declared().description }, topics: topics())
  }

  /// Finds what is wrong with the declarations themselves; a test holds the list empty.
  package func mistakes() -> [String] {
    let misnamed = entries.compactMap { entry in
      let name = entry.declared().description.name
      return name == entry.name ? nil : "\(entry.name) declares \(name)"
    }
    return misnamed + description.mistakes()
  }

  func describe(_ entries: [ProgramDescription.Entry], topics: [Topic]) -> ProgramDescription {
    ProgramDescription(
      name: name, version: version, summary: summary, discussion: discussion,
      options: settings.options + [.help, .version], rules: rules, entries: entries,
      environment: environment, exitStatuses: exitStatuses, topics: topics)
  }

  /// The settings of a line that says nothing of them.
  var defaults: Settings {
    do {
      return try settings.make(Given(nearest: { _, _ in nil }))
    } catch {
      preconditionFailure("an option of every command must not be required")
    }
  }
}
