/// The description of a whole program for help, the manual and completions.
package struct ProgramDescription: Sendable {
  package let name: String
  package let version: String
  package let summary: String
  /// The global options, including `--help` and `--version`.
  package let options: [OptionDescription]
  package let rules: [InputRule]
  package let entries: [Entry]
  package let topics: [Topic]
  let documentation: @Sendable () -> Documentation
  /// Hints for the names of commands and options that other programs have but this program does
  /// not. The keys are these names.
  let answers: @Sendable () -> [String: String]

  /// The parts of the description that are used only in help texts and manual pages.
  struct Documentation: Sendable {
    let discussion: [Block]
    let environment: [EnvironmentVariable]
    let exitStatuses: [ExitStatus]
  }

  package var discussion: [Block] { documentation().discussion }
  package var environment: [EnvironmentVariable] { documentation().environment }
  package var exitStatuses: [ExitStatus] { documentation().exitStatuses }

  /// A command or a group of commands. Its name is the first word of a command line.
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

/// The description of a command for help, the manual and completions.
package struct CommandDescription: Sendable {
  /// The words of the command, such as `["schema", "create"]`.
  package internal(set) var path: [String]
  package let summary: String
  package let operands: [OperandDescription]
  package let options: [OptionDescription]
  package let rules: [InputRule]
  let documentation: @Sendable () -> Documentation

  /// The parts of the description that are used only in help texts and manual pages.
  struct Documentation: Sendable {
    let usages: [String]
    let discussion: [Block]
    let examples: [Example]
    let exitStatuses: [ExitStatus]
    let seeAlso: [String]
  }

  /// The usage lines of the command. Each line contains the words that follow the name of the
  /// command. An optional placeholder is in brackets, such as `[ID]`.
  var usages: [[String]] {
    let declared = documentation().usages.map { $0.split(separator: " ").map(String.init) }
    let required = options.filter(\.isRequired).flatMap(\.usage)
    return (declared.isEmpty ? [operands.map(\.usage) + required] : declared)
      .map { $0 + ["[OPTIONS]"] }
  }

  /// The part of the discussion before its first heading. Help prints the examples after this part.
  var introduction: [Block] { Array(discussion.prefix { !$0.isHeading }) }

  /// The part of the discussion that begins with its first heading.
  var details: [Block] { Array(discussion.drop { !$0.isHeading }) }

  package var discussion: [Block] { documentation().discussion }
  package var examples: [Example] { documentation().examples }
  package var exitStatuses: [ExitStatus] { documentation().exitStatuses }
  /// The names of related commands and topics, which help lists at the end.
  package var seeAlso: [String] { documentation().seeAlso }

  /// The words of the command, separated by spaces, such as `schema create`.
  package var name: String {
    // `joined` would take longer: Swift would search all protocol conformances of the program at
    // run time.
    path.dropFirst().reduce(path[0]) { "\($0) \($1)" }
  }
}

/// A command line and its description.
package struct Example: Sendable, Equatable {
  package let line: String
  package let caption: String

  package init(_ line: String, _ caption: String) {
    self.line = line
    self.caption = caption
  }
}

/// An exit status of a command and its meaning.
package struct ExitStatus: Sendable, Equatable {
  package let code: Int
  package let meaning: String

  package init(_ code: Int, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}

/// An environment variable that affects the program.
package struct EnvironmentVariable: Sendable, Equatable {
  package let name: String
  package let meaning: String

  package init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }
}
