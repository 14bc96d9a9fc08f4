/// Determines the request of a command line from its options and operands.
struct LineInterpreter<Settings: Sendable, Action: Sendable> {
  typealias Program = ProgramDeclaration<Settings, Action>

  let settingsInputs: Inputs<Settings>
  let defaults: Settings
  let declared: [Program.Declared]
  let description: ProgramDescription
  let nearest: @Sendable (String, [String]) -> String?
  let options: [TypedOption]
  let operands: [String]

  private var helpLine: String { "\(description.name) help" }

  /// Parses the global options. An invalid option counts as not given.
  func settings() -> (Settings, [UsageError.Problem]) {
    var reading = reading(description.options, place: description.name)
    reading.readOptions(options.filter(isEverywhere))
    reading.check(description.rules)

    do {
      return (try settingsInputs.make(reading.given), reading.problems)
    } catch {
      let problems = reading.problems + settingsInputs.check(reading.given)
      return (soundSettings(of: reading.given), problems)
    }
  }

  /// Returns the settings without the options that are invalid.
  private func soundSettings(of given: Given) -> Settings {
    var settings = defaults
    var sound = Given(nearest: nearest)
    for option in description.options {
      var trial = sound
      trial[option.name] = given[option.name]
      if let better = try? settingsInputs.make(trial) {
        settings = better
        sound = trial
      }
    }
    return settings
  }

  func request(settingsProblems: [UsageError.Problem]) throws(UsageError) -> Request<Action> {
    if let option = options.first(where: { $0.asksForDocuments }) {
      return option.option == .version ? .version : .help(subject(of: operands[...]))
    }
    if operands.first == "help" {
      return options.contains { $0.option?.name == "--json" }
        ? .helpJSON : .help(try namedSubject(operands.dropFirst()))
    }
    return try commandRequest(settingsProblems)
  }

  /// Returns the subject of `--help` on a line that may contain errors.
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

  /// Returns the subject of the command `help`.
  private func namedSubject(_ words: ArraySlice<String>) throws(UsageError) -> HelpSubject {
    switch description.lookup(words) {
    case .nothing: return .program
    case .group(let group): return .group(group.name)
    case .command(let command):
      try refuse(words.dropFirst(command.path.count))
      return .command(command.path)
    case .unknown(let unknown):
      if let word = words.first, let topic = description.topic(word) {
        try refuse(words.dropFirst())
        return .topic(topic.name)
      }
      let problem = unknown.problem(nearest, topics: description.topics.map(\.name))
      throw error([problem], see: unknown.see(helpLine))
    }
  }

  /// Throws if there are words after the subject of `help`.
  private func refuse(_ words: ArraySlice<String>) throws(UsageError) {
    guard let word = words.first else { return }
    throw error(
      [UsageError.Problem("unexpected operand \(Shown(word)) for help")], see: "\(helpLine) help")
  }

  private func commandRequest(
    _ settingsProblems: [UsageError.Problem]
  ) throws(UsageError) -> Request<Action> {
    switch description.lookup(operands[...]) {
    case .command(let found):
      return try request(of: found, settingsProblems)
    case .group(let group):
      try refuseStrayOptions(of: group.name, settingsProblems, see: "\(helpLine) \(group.name)")
      return .help(.group(group.name))
    case .nothing:
      try refuseStrayOptions(of: description.name, settingsProblems, see: helpLine)
      return .help(.overview)
    case .unknown(let unknown):
      let stray = options.filter { $0.option == nil }
      let problems =
        stray.isEmpty ? [unknown.problem(nearest)] : unknownOptions(of: description.name)
      throw error(settingsProblems + problems, see: unknown.see(helpLine))
    }
  }

  private func request(
    of found: CommandDescription, _ settingsProblems: [UsageError.Problem]
  ) throws(UsageError) -> Request<Action> {
    let inputs = inputs(of: found)
    let see = "\(helpLine) \(found.name)"
    var reading = reading(found.options + description.options, place: found.name)
    reading.readOptions(options.filter { !isEverywhere($0) })
    reading.readOperands(Array(operands.dropFirst(found.path.count)), of: found)
    reading.check(found.rules)

    let problems = settingsProblems + reading.problems
    var refusal: UsageError?
    if problems.isEmpty {
      do {
        return try inputs.make(reading.given)
      } catch {
        refusal = error
      }
    }
    // Only an invalid line is checked again, to report all of its problems.
    let all = problems + inputs.check(reading.given)
    guard all.isEmpty, let refusal else { throw error(all, see: see) }
    throw refusal.seeing(see)
  }

  private func inputs(of command: CommandDescription) -> Inputs<Request<Action>> {
    for entry in declared {
      for (place, described) in entry.description.commands.enumerated()
      where described.path == command.path {
        return entry.inputs[place]
      }
    }
    preconditionFailure("\(command.name) is described but not declared")
  }

  private func refuseStrayOptions(
    of place: String, _ settingsProblems: [UsageError.Problem], see: String
  ) throws(UsageError) {
    let problems = settingsProblems + unknownOptions(of: place)
    guard problems.isEmpty else { throw error(problems, see: see) }
  }

  /// Returns the problems of options on a line without a command.
  private func unknownOptions(of place: String) -> [UsageError.Problem] {
    var reading = reading(description.options, place: place)
    reading.readOptions(options.filter { !isEverywhere($0) })
    return reading.problems
  }

  private func reading(_ options: [OptionDescription], place: String) -> LineReading {
    LineReading(options: options, place: place, given: Given(nearest: nearest))
  }

  private func isEverywhere(_ typed: TypedOption) -> Bool {
    description.options.contains { $0.name == typed.option?.name }
  }

  private func error(_ problems: [UsageError.Problem], see place: String) -> UsageError {
    UsageError(problems: problems).seeing(place)
  }
}
