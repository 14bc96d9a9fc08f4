import Foundation

/// The result of a program that has exited.
package struct Run: Sendable {
  /// The command line, for failure messages.
  package let line: String
  /// The exit status as in a shell. If a signal ended the program, it is 128 plus the signal
  /// number.
  package let status: Int32
  package let outputBytes: [UInt8]
  package let errorBytes: [UInt8]
  /// The bytes that the terminal of stdin displayed, such as echoed input and prompts.
  package let echoBytes: [UInt8]
  package let seconds: Double
  /// The peak resident memory in bytes; 0 unless `Child.watchesMemory` was set.
  package let peakMemory: Int

  package init(
    line: String, status: Int32, outputBytes: [UInt8], errorBytes: [UInt8], echoBytes: [UInt8] = [],
    seconds: Double = 0, peakMemory: Int = 0
  ) {
    self.line = line
    self.status = status
    self.outputBytes = outputBytes
    self.errorBytes = errorBytes
    self.echoBytes = echoBytes
    self.seconds = seconds
    self.peakMemory = peakMemory
  }

  package var output: String { String(decoding: outputBytes, as: UTF8.self) }
  package var errors: String { String(decoding: errorBytes, as: UTF8.self) }
  package var echo: String { String(decoding: echoBytes, as: UTF8.self) }
  package var lines: [String] { Self.lines(output) }
  package var errorLines: [String] { Self.lines(errors) }

  private static func lines(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }.dropLast(text.utf8.last == 10 ? 1 : 0)
      .filter { !text.isEmpty || !$0.isEmpty }
  }

  /// The command line, the exit status and the output, for failure messages. Long output is
  /// truncated.
  package var report: String {
    "\(line)\n  status \(status)\n  output \(Self.excerpt(output))\n  errors \(Self.excerpt(errors))"
  }

  private static func excerpt(_ text: String) -> String {
    text.utf8.count <= 1200 ? text.debugDescription : text.prefix(1200).debugDescription + "…"
  }
}

extension Run {
  /// Throws a violation with the given message unless the claim is true.
  @discardableResult
  package func requires(_ claim: Bool, _ message: @autoclosure () -> String) throws(Violation)
    -> Run
  {
    guard claim else { throw Violation("\(message()): \(report)") }
    return self
  }

  @discardableResult
  package func exits(_ expected: Int32) throws(Violation) -> Run {
    try requires(status == expected, "exit status \(expected) was expected")
  }

  @discardableResult
  package func fails() throws(Violation) -> Run {
    try requires(status != 0, "a failure was expected")
  }

  @discardableResult
  package func prints(_ text: String) throws(Violation) -> Run {
    try requires(
      outputBytes == Array(text.utf8), "the output \(text.debugDescription) was expected")
  }

  @discardableResult
  package func printsNothing() throws(Violation) -> Run {
    try requires(outputBytes.isEmpty, "no output was expected")
  }

  @discardableResult
  package func printsSomething() throws(Violation) -> Run {
    try requires(!outputBytes.isEmpty, "output was expected")
  }

  /// Throws a violation unless stderr contains each of the given texts.
  @discardableResult
  package func reports(_ parts: String...) throws(Violation) -> Run {
    for part in parts {
      try requires(errors.contains(part), "\(part.debugDescription) was expected among the errors")
    }
    return self
  }

  @discardableResult
  package func reportsNothing() throws(Violation) -> Run {
    try requires(errorBytes.isEmpty, "nothing was expected on standard error")
  }
}

/// Checks that a run fails with one of the statuses, prints no output, and reports an error of
/// datactl rather than of the database engine.
package func expectRejection(_ run: Run, as statuses: Set<Int32> = [2]) throws(Violation) {
  try run.requires(statuses.contains(run.status), "one of the statuses \(statuses) was expected")
  try run.printsNothing()
  try run.requires(run.errors.hasPrefix("datactl: "), "an error of datactl was expected")
  for word in ["SQLite", "SQL variables", "parser stack", "near \"", "no such column", "code 1"] {
    try run.requires(!run.errors.contains(word), "no word of an engine was expected")
  }
  try run.requires(
    run.errorBytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A } && !run.errors.contains("\u{202E}"),
    "nothing of a terminal's language was expected")
}
