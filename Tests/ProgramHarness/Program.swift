import Foundation

/// A program to run: its command line, environment and working directory.
package struct Program: Sendable {
  /// The path of the executable, followed by arguments that are passed before those of `run`.
  package var command: [String]
  /// The environment variables of the program, which inherits no others.
  package var environment: [String: String]
  package var directory: String
  /// The maximum run time. A program that exceeds it is killed, and a `Violation` is thrown.
  package var timeLimit: Duration = .seconds(120)

  package init(_ command: [String], environment: [String: String], directory: String) {
    self.command = command
    self.environment = environment
    self.directory = directory
  }

  /// Runs the program, waits until it exits, and returns the result.
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

  /// Returns a program that runs this one with another command, such as `strace -f`.
  package func prefixed(_ command: [String]) -> Program {
    var program = self
    program.command = command + self.command
    return program
  }

  /// Returns the program with some environment variables changed. The value nil removes a variable.
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
  /// No input: a read returns the end of the file (`/dev/null`).
  case nothing
  /// A pipe with these bytes, which is closed after them.
  case bytes([UInt8])
  /// A pipe that stays open until `closeInput` is called. The test writes to it with `send`.
  case open
  case file(String)
  /// A terminal in which these bytes are typed. It stays open.
  case terminal([UInt8])

  /// A pipe with this text, which is closed after it.
  package static func text(_ text: String) -> Input { .bytes(Array(text.utf8)) }

  /// A terminal in which this text is typed. It stays open.
  package static func typed(_ text: String) -> Input { .terminal(Array(text.utf8)) }
}

/// The destination of a program's stdout or stderr.
package enum Output: Sendable {
  case captured
  /// Captured with a nonblocking pipe. If the pipe is full, a write fails with `EAGAIN`.
  case capturedNonblocking
  /// A terminal of the given width, whose output is captured.
  case terminal(columns: Int)
  case file(String)

  /// A terminal that is 80 columns wide.
  package static var terminal: Output { .terminal(columns: 80) }
}

/// An error that describes what a test expected and the program did not do.
package struct Violation: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
