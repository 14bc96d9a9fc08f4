import ClientCore
package import DataModel
import DataOutput
import Platform

/// The environment of the program: arguments, environment variables, standard streams, clocks and
/// signals.
package struct Console: Sendable {
  /// The command-line arguments, without the program name.
  package let arguments: [String]
  /// Returns the value of an environment variable, or nil if it is not set.
  package let variable: @Sendable (String) -> String?
  /// The path of the working directory. It is empty if the directory has been removed.
  package let folder: String
  /// The user id of the process.
  package let userID: UInt32
  /// Returns the current time, in microseconds since 1970.
  package let clock: @Sendable () -> Int64
  /// Returns the time of a monotonic clock in seconds, for measuring durations.
  package let stopwatch: @Sendable () -> Double
  package internal(set) var input: InputStream
  package internal(set) var output: OutputStream
  package let errors: OutputStream
  /// Returns the signal that asked the program to stop, or nil if there was none.
  package let signal: @Sendable () -> Signal?
  /// Returns the answer that a client has sent for a prompt, if a server runs the command. Nil if
  /// the program asks the user on the terminal.
  private let answer: (@Sendable (String) throws(DataError) -> String)?
  /// Descriptions of the arguments, variables and paths that are not valid UTF-8. Their invalid
  /// bytes were replaced when they were decoded.
  private let invalidUTF8: [String]

  package init(
    arguments: [String], variable: @escaping @Sendable (String) -> String?, folder: String,
    userID: UInt32, clock: @escaping @Sendable () -> Int64,
    stopwatch: @escaping @Sendable () -> Double,
    input: any Channel, output: any Channel, errors: any Channel,
    signal: @escaping @Sendable () -> Signal? = { nil },
    answer: (@Sendable (String) throws(DataError) -> String)? = nil, invalidUTF8: [String] = []
  ) {
    self.arguments = arguments
    self.variable = variable
    self.folder = folder
    self.userID = userID
    self.clock = clock
    self.stopwatch = stopwatch
    self.input = InputStream("-", from: input)
    self.output = OutputStream("standard output", to: output, buffering: .full)
    self.errors = OutputStream("standard error", to: errors, buffering: .none)
    self.signal = signal
    self.answer = answer
    self.invalidUTF8 = invalidUTF8
  }

  /// Throws an error if an argument, a variable or the path of the working directory is not valid
  /// UTF-8. Invalid bytes were replaced when the text was decoded, so the text could now be the
  /// name of another file or record.
  func checkEncoding() throws(DataError) {
    let problems = invalidUTF8.map { name in
      Problem(
        .usage, "\(Excerpt.escaped(name)) is not UTF-8",
        hint: """
          arguments and paths must be UTF-8; to save binary content, pass it on standard input with \
          FIELD@=-
          """)
    }
    if let error = DataError(problems) { throw error }
  }

  /// Throws an error if a signal has asked the program to stop. Commands call this between chunks.
  package func checkInterruption() throws(DataError) {
    if signal() != nil { throw .interrupted }
  }

  /// Returns the value of an environment variable, or nil if it is unset or empty.
  func setting(_ name: String) -> String? {
    variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the current time. Throws an error if the clock is outside the range of timestamps.
  func now() throws(DataError) -> Timestamp { try Timestamp(ofClock: clock()) }
}

extension Console {
  /// The console of this process, with its arguments, standard streams and clocks.
  static var current: Console {
    Console(
      arguments: Array(ProcessArguments.texts.dropFirst()),
      variable: ProcessEnvironment.variable,
      folder: ProcessEnvironment.workingFolder, userID: ProcessEnvironment.userID,
      clock: SystemClock.now,
      stopwatch: SystemClock.elapsed,
      input: DescriptorChannel.standardInput, output: DescriptorChannel.standardOutput,
      errors: DescriptorChannel.standardError, signal: { SignalHandler.received },
      invalidUTF8: CurrentProcess.invalidUTF8(variables: Settings.variables))
  }
}

/// Prompts on the terminal. Check `canPrompt` before calling these methods.
extension Console {
  /// Prints a prompt, and returns the line that the user types.
  package func ask(_ prompt: String) throws(DataError) -> String {
    try output.flush()
    if let answer { return try answer(prompt) }
    // The prompt can come from a server.
    try errors.write(Excerpt.escaped(prompt))
    return try typedLine()
  }

  /// Prints a prompt, and returns the line that the user types. The typed characters are not shown.
  package func askWithoutEcho(_ prompt: String) throws(DataError) -> String {
    try output.flush()
    // Switch echo off before printing the prompt, so that the characters of a fast answer are not
    // shown either.
    let errors = errors
    return try input.withoutEcho(resuming: { try? errors.write(prompt) }) {
      Result { () throws(DataError) in
        try errors.write(prompt)
        return try typedLine()
      }
    }.get()
  }

  /// Asks a question, and returns whether the answer is `y` or `yes`.
  package func confirm(_ question: String) throws(DataError) -> Bool {
    let answer = try ask("\(question) [y/N] ").lowercased()
    return answer == "y" || answer == "yes"
  }

  private func typedLine() throws(DataError) -> String {
    var lines = input.lines(longest: Schema.maxPasswordLength)
    return try lines.next() ?? ""
  }
}

/// Properties of the standard streams that depend on the terminal.
extension Console {
  /// Returns the width, in columns, for formatting text that is written to a stream.
  package func width(of stream: OutputStream) -> Int {
    if let columns = setting("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
    return stream.columns ?? 80
  }

  /// Returns whether text for a stream may contain escape codes for colors and bold.
  package func hasColor(_ stream: OutputStream) -> Bool {
    stream.isTerminal && setting("NO_COLOR") == nil && variable("TERM") != "dumb"
  }

  /// The terminal that stdout is connected to, or nil if it is not connected to a terminal.
  var terminal: TerminalStyle? { output.isTerminal ? style(of: output) : nil }

  /// The width and the colors of text that is written to a stream.
  func style(of stream: OutputStream) -> TerminalStyle {
    TerminalStyle(columns: width(of: stream), hasColor: hasColor(stream))
  }

  /// Whether prompts are possible: stdin and stderr are terminals, and `CI` is not set.
  package var canPrompt: Bool {
    input.isTerminal && errors.isTerminal && setting("CI") == nil
  }
}
