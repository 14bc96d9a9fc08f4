package import DataModel

/// Everything of the outside that the program has: its words, its streams, its clock.
package struct Console: Sendable {
  /// The words behind the program's name.
  package let arguments: [String]
  /// The value of an environment variable.
  package let variable: @Sendable (String) -> String?
  /// The folder that relative paths begin in; nothing if it is gone, and with it all that is in it.
  package let folder: String
  /// The number of the user who runs the program.
  package let userID: UInt32
  /// The time, in microseconds since the beginning of 1970.
  package let clock: @Sendable () -> Int64
  /// Seconds that pass evenly, for rates.
  package let stopwatch: @Sendable () -> Double
  package let input: InputStream
  package let output: OutputStream
  package let errors: OutputStream
  /// The signal that asks the program to stop, if one came.
  package let signal: @Sendable () -> Signal?
  /// What of all this is no UTF-8, so that the text of it here is another one.
  private let illegible: [String]

  package init(
    arguments: [String], variable: @escaping @Sendable (String) -> String?, folder: String,
    userID: UInt32, clock: @escaping @Sendable () -> Int64,
    stopwatch: @escaping @Sendable () -> Double,
    input: any Channel, output: any Channel, errors: any Channel,
    signal: @escaping @Sendable () -> Signal? = { nil }, illegible: [String] = []
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
    self.illegible = illegible
  }

  /// Refuses bytes that would become another text than the one that was meant.
  func checkIsLegible() throws(DataError) {
    let problems = illegible.map { name in
      Problem(
        .usage, "\(Excerpt.visible(name)) is not UTF-8",
        hint:
          "arguments and paths must be UTF-8; read binary content with FIELD@=-")
    }
    if let error = DataError(problems) { throw error }
  }

  /// Throws if somebody asked the program to stop; looked at between batches.
  package func checkInterruption() throws(DataError) {
    if signal() != nil { throw .interrupted }
  }

  /// The value of a variable that is there and not empty.
  func setting(_ name: String) -> String? {
    variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The moment that it is now.
  var now: Timestamp { Timestamp(microseconds: clock()) ?? .earliest }
}

extension Console {
  /// The console of the process itself.
  static var ofProcess: Console {
    Console(
      arguments: Array(CommandLine.arguments.dropFirst()), variable: Platform.variable,
      folder: Platform.workingFolder, userID: Platform.userID, clock: Platform.now,
      stopwatch: Platform.elapsed,
      input: DescriptorChannel.standardInput, output: DescriptorChannel.standardOutput,
      errors: DescriptorChannel.standardError, signal: { SignalWatch.received },
      illegible: Platform.illegible(variables: Settings.variables))
  }
}
