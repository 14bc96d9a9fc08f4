/// Converts the options and operands of a command line into a request.
struct LineInterpreter<Settings: Sendable, Action: Sendable> {
  typealias Program = ProgramDeclaration<Settings, Action>

  let settingsInputs: [Input<Settings>]
  let declared: [Program.EntryDeclaration]
  let description: ProgramDescription
  let nearest: @Sendable (String, [String]) -> String?
  /// The names of commands that other programs provide.
  let undeclared: @Sendable () -> [String]
  let options: [TypedOption]
  let operands: [String]

  /// Whether the first operand is the name of a command. False for a line that begins with `help`,
  /// because it may name an undeclared command.
  var isDeclared: Bool {
    guard declared.count > 1, let word = operands.first else { return true }
    return word != "help" && description.entry(word) != nil
  }

  private var helpLine: String { "\(description.name) help" }

  /// Returns the settings that result from the valid global options, and the problems of the
  /// invalid ones.
  func settings() -> (Settings, [UsageError.Problem]) where Settings: BoundInputs {
    var collector = collector(description.options, commandName: description.name)
    collector.readOptions(options.filter(isGlobal))
    collector.check(description.rules)
    var problems = collector.problems
    var settings = Settings()
    settingsInputs.read(collector.given, into: &settings, &problems)
    return (settings, problems)
  }

  func request(settingsProblems: [UsageError.Problem]) throws(UsageError) -> Request<Action> {
    if let option = options.first(where: { $0.isHelpOrVersion }) {
      return option.option?.name == "--version" ? .version : .help(subject(of: operands[...]))
    }
    if operands.first == "help" {
      let subject = try namedSubject(operands.dropFirst())
      return options.contains { $0.option?.name == "--json" } ? .helpJSON(subject) : .help(subject)
    }
    return try commandRequest(settingsProblems)
  }

  /// Returns the subject of `--help`: the command or group that the words name, or the whole
  /// program. Ignores unknown words, because the line may contain errors.
  private func subject(of words: ArraySlice<String>) -> HelpSubject {
    if words.first == "help", words.count > 1 {
      return subject(of: words.dropFirst())
    }
    switch description.lookup(words) {
    case .command(let command): return .command(command.path)
    case .group(let group): return .group(group.name)
    case .nothing: return .program
    case .unknown(let unknown): return unknown.group.map { .group($0.name) } ?? .program
    }
  }

  /// Returns the subject that the words after `help` identify. Throws an error if no command, group
  /// or topic has that name.
  private func namedSubject(_ words: ArraySlice<String>) throws(UsageError) -> HelpSubject {
    switch description.lookup(words) {
    case .nothing: return .program
    case .group(let group): return .group(group.name)
    case .command(let command):
      try rejectOperands(
        words.dropFirst(command.path.count),
        "help expects no operand after the command \(command.name)")
      return .command(command.path)
    case .unknown(let unknown):
      if let word = words.first, let topic = description.topic(word) {
        guard let name = words.dropFirst().first, !topic.parts.isEmpty else {
          try rejectOperands(words.dropFirst(), "the topic \(topic.name) has no parts")
          return .topic(topic.name)
        }
        try rejectOperands(words.dropFirst(2), "help expects no operand after the part of a topic")
        let names = topic.parts.map(\.name)
        guard names.contains(name) else {
          throw error(
            [
              UsageError.Problem(
                "the topic \(topic.name) has no part \(EscapedWord(name))",
                hint: nearest(name, names).map { "did you mean \($0)?" }
                  ?? "the parts are \(names.joined(separator: ", "))")
            ], see: "\(helpLine) \(topic.name)")
        }
        return .topicPart(topic: topic.name, name: name)
      }
      let problem = unknown.problem(
        nearest, undeclared: undeclared(), topics: description.topics.map(\.name))
      throw error([problem], see: unknown.see(helpLine))
    }
  }

  /// Throws an error with the given hint if there are words after the subject of `help`.
  private func rejectOperands(
    _ words: ArraySlice<String>, _ hint: String
  ) throws(UsageError) {
    guard let word = words.first else { return }
    throw error(
      [UsageError.Problem("unexpected operand \(EscapedWord(word)) for help", hint: hint)],
      see: "\(helpLine) help")
  }

  private func commandRequest(
    _ settingsProblems: [UsageError.Problem]
  ) throws(UsageError) -> Request<Action> {
    switch description.lookup(operands[...]) {
    case .command(let found):
      return try request(of: found, settingsProblems)
    case .group(let group):
      try rejectUnknownOptions(of: group.name, settingsProblems, see: "\(helpLine) \(group.name)")
      return .help(.group(group.name))
    case .nothing:
      try rejectUnknownOptions(of: description.name, settingsProblems, see: helpLine)
      return .help(.overview)
    case .unknown(let unknown):
      let hasUnknownOption = options.contains { $0.option == nil }
      let problems =
        hasUnknownOption
        ? unknownOptions(of: description.name)
        : [unknown.problem(nearest, undeclared: undeclared())]
      throw error(settingsProblems + problems, see: unknown.see(helpLine))
    }
  }

  private func request(
    of found: CommandDescription, _ settingsProblems: [UsageError.Problem]
  ) throws(UsageError) -> Request<Action> {
    let inputs = inputs(of: found)
    let see = "\(helpLine) \(found.name)"
    var collector = collected(of: found)
    collector.check(found.rules)

    do throws(UsageError) {
      return try inputs.make(collector.given, settingsProblems + collector.problems)
    } catch {
      throw error.withReference(see)
    }
  }

  /// Assigns the words of the line to the inputs of a command.
  private func collected(of command: CommandDescription) -> InputCollector {
    var collector = collector(command.options + description.options, commandName: command.name)
    collector.readOptions(options.filter { !isGlobal($0) })
    collector.readOperands(Array(operands.dropFirst(command.path.count)), of: command)
    return collector
  }

  /// Returns the command in the line, with its inputs. Returns nil if the line runs no command.
  func givenInputs() -> GivenInputs? {
    guard case .command(let command) = description.lookup(operands[...]) else { return nil }
    return GivenInputs(of: command, collected(of: command).given)
  }

  private func inputs(of command: CommandDescription) -> Inputs<Request<Action>> {
    for entry in declared {
      for (index, described) in entry.description.commands.enumerated()
      where described.path == command.path {
        return entry.inputs[index]
      }
    }
    preconditionFailure("\(command.name) is described but not declared")
  }

  private func rejectUnknownOptions(
    of commandName: String, _ settingsProblems: [UsageError.Problem], see: String
  ) throws(UsageError) {
    let problems = settingsProblems + unknownOptions(of: commandName)
    guard problems.isEmpty else { throw error(problems, see: see) }
  }

  /// Returns a problem for each option that is not global. A line without a command can contain
  /// only global options.
  private func unknownOptions(of commandName: String) -> [UsageError.Problem] {
    var collector = collector(description.options, commandName: commandName)
    collector.readOptions(options.filter { !isGlobal($0) })
    return collector.problems
  }

  private func collector(_ options: [OptionDescription], commandName: String) -> InputCollector {
    InputCollector(
      options: options, commandName: commandName, answers: description.answers,
      given: InputValues(nearest: nearest))
  }

  private func isGlobal(_ typed: TypedOption) -> Bool {
    description.options.contains { $0.name == typed.option?.name }
  }

  private func error(_ problems: [UsageError.Problem], see helpPage: String) -> UsageError {
    UsageError(problems: problems).withReference(helpPage)
  }
}
