import DataModel

/// What a command works with: the console, and the options that stand everywhere.
package struct Invocation: Sendable {
  package let console: Console
  let settings: Settings

  /// Says something on standard error, unless nothing but errors is wanted there.
  func say(_ text: String) throws(DataError) {
    switch settings.talk {
    case .quiet: break
    case .normal, .verbose: try console.errors.write(Excerpt.visible(text) + "\n")
    }
  }

  /// Says one thing after the other.
  func say(_ texts: [String]) throws(DataError) {
    for text in texts { try say(text) }
  }

  /// Says something that only those want to know who look for the reason of something.
  func explain(_ text: @autoclosure () -> String) throws(DataError) {
    switch settings.talk {
    case .quiet, .normal: break
    case .verbose: try console.errors.write(Excerpt.visible(text()) + "\n")
    }
  }

  /// Prints what went wrong and returns the status to end with.
  func fail(_ error: any Error) -> Int32 {
    let failure = error as? CheckFailure
    let error = failure?.error ?? error as? DataError ?? DataError(.failed, "\(error)")
    // Whoever went away wants to hear nothing.
    if console.signal() == .closedPipe { return Signal.closedPipe.exitStatus }
    // What was printed before the error still belongs to the output. Whether it comes through or
    // not, the first error is the one that is said.
    try? console.output.flush()
    try? report(error)
    if error.code == .interrupted, let signal = console.signal() { return signal.exitStatus }
    return failure == nil ? error.code.exitStatus : CheckFailure.exitStatus
  }

  /// Prints an error that does not end the command yet.
  func report(_ error: DataError) throws(DataError) {
    try console.errors.write(Report(error).written(as: errorForm))
  }

  var isQuiet: Bool { settings.talk == .quiet }

  /// Refuses a variable that says what nobody understands, unless an option speaks instead of it.
  func checkEnvironment() throws(DataError) {
    guard settings.errors == nil, let word = console.setting("DATACTL_ERRORS"),
      ErrorForm(rawValue: word) == nil
    else { return }
    let words = ErrorForm.allCases.map(\.rawValue).joined(separator: " or ")
    throw DataError(
      .usage, "DATACTL_ERRORS: expected \(words), found \(Excerpt.quoted(word))",
      hint: "set it to one of them, or unset it")
  }

  private var errorForm: ErrorForm {
    settings.errors ?? console.setting("DATACTL_ERRORS").flatMap(ErrorForm.init) ?? .text
  }
}
