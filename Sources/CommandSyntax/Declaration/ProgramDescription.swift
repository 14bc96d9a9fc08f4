/// The description of a whole program for help, the manual and completions.
package struct ProgramDescription: Sendable {
  package let name: String
  package let version: String
  package let summary: String
  package let discussion: [Block]
  /// The global options, including `--help` and `--version`.
  package let options: [OptionDescription]
  package let rules: [InputRule]
  package let entries: [Entry]
  package let environment: [EnvironmentVariable]
  package let exitStatuses: [ExitStatus]
  package let topics: [Topic]

  /// A first word of the command line.
  package enum Entry: Sendable {
    case command(CommandDescription)
    case group(GroupDescription)
  }
}

extension ProgramDescription.Entry {
  package var name: String {
    switch self {
    case .command(let command): command.name
    case .group(let group): group.name
    }
  }

  package var summary: String {
    switch self {
    case .command(let command): command.summary
    case .group(let group): group.summary
    }
  }

  package var commands: [CommandDescription] {
    switch self {
    case .command(let command): [command]
    case .group(let group): group.commands
    }
  }
}

extension ProgramDescription {
  /// All commands, including those of groups, in the order of declaration.
  package var commands: [CommandDescription] { entries.flatMap { $0.commands } }

  var groups: [GroupDescription] {
    entries.compactMap { if case .group(let group) = $0 { group } else { nil } }
  }

  func entry(_ name: String) -> Entry? {
    entries.first { $0.name == name }
  }

  func topic(_ name: String) -> Topic? {
    topics.first { $0.name == name }
  }
}
