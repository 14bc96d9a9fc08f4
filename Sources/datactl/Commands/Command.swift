/// A parsed command line: the values of its options and operands, and the code that runs it.
package protocol Command: Sendable {
  /// Runs the command. If it throws an error, the program exits with the status of the error's
  /// code.
  func run(with context: CommandContext) async throws
}
