/// A parsed command line: the values of the options and operands, and the code that runs the
/// command.
package protocol Command: Sendable {
  /// Runs the command. If it throws an error, the code of this error determines the exit status of
  /// the program.
  func run(with context: CommandContext) async throws
}
