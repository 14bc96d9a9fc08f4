import DataModel

/// The context of a command: the console and the global options.
package struct CommandContext: Sendable {
  package let console: Console
  let settings: Settings

  /// Writes a line to stderr, unless `--quiet` was given.
  func printMessage(_ text: String) throws(DataError) {
    switch settings.verbosity {
    case .quiet: break
    case .normal, .verbose: try console.errors.write(Excerpt.escaped(text) + "\n")
    }
  }

  /// Writes lines to stderr, unless `--quiet` was given.
  func printMessage(_ texts: [String]) throws(DataError) {
    for text in texts { try printMessage(text) }
  }

  /// Writes a line to stderr if `--verbose` was given.
  func printVerbose(_ text: @autoclosure () -> String) throws(DataError) {
    switch settings.verbosity {
    case .quiet, .normal: break
    case .verbose: try console.errors.write(Excerpt.escaped(text()) + "\n")
    }
  }

  /// Prints an error and returns the exit status.
  func fail(_ error: any Error) -> Int32 {
    let failure = error as? CheckFailure
    let error = failure?.error ?? error as? DataError ?? DataError(.failed, "\(error)")
    // If the reader closed the pipe, print no error, as other commands do.
    if console.signal() == .closedPipe { return Signal.closedPipe.exitStatus }
    // Output written before the error is still valid. If flushing fails too, the first error is
    // reported.
    try? console.output.flush()
    try? report(error)
    if error.code == .interrupted, let signal = console.signal() { return signal.exitStatus }
    return failure == nil ? error.code.exitStatus : CheckFailure.exitStatus
  }

  /// Prints an error without ending the command.
  func report(_ error: DataError) throws(DataError) {
    try console.errors.write(ErrorFormatter(error).formatted(as: errorFormat))
  }

  var isQuiet: Bool { settings.verbosity == .quiet }

  /// Throws an error if `DATACTL_ERRORS` has an unknown value and `--errors` does not override it.
  func checkEnvironment() throws(DataError) {
    guard settings.errors == nil, let value = console.setting("DATACTL_ERRORS"),
      ErrorFormat(rawValue: value) == nil
    else { return }
    let values = ErrorFormat.allCases.map(\.rawValue).joined(separator: " or ")
    throw DataError(
      .usage, "DATACTL_ERRORS: expected \(values), found \(Excerpt.quoted(value))",
      hint: "set it to one of them, or unset it")
  }

  private var errorFormat: ErrorFormat {
    settings.errors ?? console.setting("DATACTL_ERRORS").flatMap(ErrorFormat.init) ?? .text
  }
}
