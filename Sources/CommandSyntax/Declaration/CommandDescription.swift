/// The description of a command for help, the manual and completions.
package struct CommandDescription: Sendable {
  /// The words of the command: `["schema", "create"]`.
  package internal(set) var path: [String]
  package let summary: String
  package let discussion: [Block]
  package let operands: [OperandDescription]
  package let options: [OptionDescription]
  package let rules: [InputRule]
  package let examples: [Example]
  package let exitStatuses: [ExitStatus]
  /// The names of related commands and topics.
  package let seeAlso: [String]

  /// The words of the command, separated by spaces.
  package var name: String { path.count == 1 ? path[0] : path.joined(separator: " ") }
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
