import Foundation

/// A program as it is called: its words, its environment and the folder in which it works.
package struct Program: Sendable {
  /// The path of the executable, and the arguments that always come first.
  package var words: [String]
  /// The whole environment; nothing is inherited.
  package var environment: [String: String]
  package var folder: String
  /// A program that takes longer is killed, and that is a violation.
  package var timeLimit: Duration = .seconds(120)

  package init(_ words: [String], environment: [String: String], folder: String) {
    self.words = words
    self.environment = environment
    self.folder = folder
  }

  /// Runs the program to its end.
  package func run(
    _ arguments: [String], input: Input = .nothing, output: Output = .captured,
    errors: Output = .captured
  ) throws(Violation) -> Run {
    try start(arguments, input: input, output: output, errors: errors).finish()
  }

  /// Starts the program and leaves it running.
  package func start(
    _ arguments: [String], input: Input = .nothing, output: Output = .captured,
    errors: Output = .captured
  ) throws(Violation) -> Child {
    try Child(self, arguments: arguments, input: input, output: output, errors: errors)
  }

  /// The same program behind other words, such as `strace -f`.
  package func behind(_ words: [String]) -> Program {
    var program = self
    program.words = words + self.words
    return program
  }

  /// The same program with other variables; nil takes one away.
  package func with(_ variables: [String: String?]) -> Program {
    var program = self
    for (name, value) in variables {
      program.environment[name] = value
    }
    return program
  }

  /// The same program in another folder.
  package func inside(_ folder: String) -> Program {
    var program = self
    program.folder = folder
    return program
  }
}

/// Where a program's standard input comes from.
package enum Input: Sendable {
  /// The end of the input at once.
  case nothing
  /// These bytes through a pipe, and then its end.
  case bytes([UInt8])
  /// A pipe that stays open until it is closed by hand.
  case open
  case file(String)
  /// A terminal on which these bytes are typed; it stays open.
  case terminal([UInt8])

  /// This text through a pipe, and then its end.
  package static func text(_ text: String) -> Input { .bytes(Array(text.utf8)) }

  /// A terminal on which this text is typed.
  package static func typed(_ text: String) -> Input { .terminal(Array(text.utf8)) }
}

/// Where a program's output goes.
package enum Output: Sendable {
  case captured
  /// Captured through a pipe that lets nobody wait: a write that finds no room fails.
  case capturedAtOnce
  /// A terminal of this width; what appears on it is captured.
  case terminal(columns: Int)
  case file(String)

  /// A terminal of the usual width.
  package static var terminal: Output { .terminal(columns: 80) }
}

/// Says how a program broke a promise.
package struct Violation: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
