/// Describes a command to those who read help, the manual or completions.
package struct CommandDescription: Sendable {
  /// The words that name the command: `["schema", "create"]`.
  package internal(set) var path: [String]
  package let summary: String
  package let discussion: [Block]
  package let operands: [OperandDescription]
  package let options: [OptionDescription]
  package let rules: [InputRule]
  package let examples: [Example]
  package let exitStatuses: [ExitStatus]
  /// Names of commands and topics.
  package let seeAlso: [String]

  /// The words that name the command, as they are typed.
  package var name: String { path.count == 1 ? path[0] : path.joined(separator: " ") }
}

/// A line that can be typed, and what it does.
package struct Example: Sendable, Equatable {
  package let line: String
  package let does: String

  package init(_ line: String, _ does: String) {
    self.line = line
    self.does = does
  }
}

/// A number that a command can end with, and what it means.
package struct ExitStatus: Sendable, Equatable {
  package let code: Int
  package let meaning: String

  package init(_ code: Int, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}

/// A variable that changes what the program does.
package struct EnvironmentVariable: Sendable, Equatable {
  package let name: String
  package let meaning: String

  package init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }
}
