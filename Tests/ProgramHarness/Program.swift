import Foundation

/// A program to run: its command line, environment and working directory.
package struct Program: Sendable {
  /// The path of the executable, followed by the arguments that precede all others.
  package var command: [String]
  /// The complete environment; nothing is inherited.
  package var environment: [String: String]
  package var directory: String
  /// A program that runs longer than this is killed, which is reported as a violation.
  package var timeLimit: Duration = .seconds(120)

  package init(_ command: [String], environment: [String: String], directory: String) {
    self.command = command
    self.environment = environment
    self.directory = directory
  }

  /// Runs the program until it exits.
  package func run(
    _ arguments: [String], input: Input = .nothing, output: Output = .captured,
    errors: Output = .captured
  ) throws(Violation) -> Run {
    try start(arguments, input: input, output: output, errors: errors).finish()
  }

  /// Starts the program without waiting for it.
  package func start(
    _ arguments: [String], input: Input = .nothing, output: Output = .captured,
    errors: Output = .captured
  ) throws(Violation) -> Child {
    try Child(self, arguments: arguments, input: input, output: output, errors: errors)
  }

  /// Returns the program run by another command, such as `strace -f`.
  package func prefixed(_ command: [String]) -> Program {
    var program = self
    program.command = command + self.command
    return program
  }

  /// Returns the program with changed environment variables; a nil value removes the variable.
  package func with(_ variables: [String: String?]) -> Program {
    var program = self
    for (name, value) in variables {
      program.environment[name] = value
    }
    return program
  }

  /// Returns the program with another working directory.
  package func inside(_ directory: String) -> Program {
    var program = self
    program.directory = directory
    return program
  }
}

/// The source of a program's stdin.
package enum Input: Sendable {
  /// End of file at once (`/dev/null`).
  case nothing
  /// A pipe that delivers these bytes and then end of file.
  case bytes([UInt8])
  /// A pipe that stays open until `closeInput` is called.
  case open
  case file(String)
  /// A terminal into which these bytes are typed; it stays open.
  case terminal([UInt8])

  /// A pipe that delivers this text and then end of file.
  package static func text(_ text: String) -> Input { .bytes(Array(text.utf8)) }

  /// A terminal into which this text is typed.
  package static func typed(_ text: String) -> Input { .terminal(Array(text.utf8)) }
}

/// The destination of a program's stdout or stderr.
package enum Output: Sendable {
  case captured
  /// Captured through a nonblocking pipe: a write to a full pipe fails with `EAGAIN`.
  case capturedNonblocking
  /// A terminal with this width, whose output is captured.
  case terminal(columns: Int)
  case file(String)

  /// A terminal that is 80 columns wide.
  package static var terminal: Output { .terminal(columns: 80) }
}

/// An error that describes how a program violated an expectation.
package struct Violation: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
