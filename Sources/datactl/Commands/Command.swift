/// A parsed command line: the values of its options and operands, and the code that runs it.
package protocol Command: Sendable {
  /// Runs the command. A thrown error ends the program with the exit status of its code.
  func run(with context: CommandContext) async throws
}
