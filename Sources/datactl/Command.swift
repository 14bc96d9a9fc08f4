/// A line that has been read: its values, and what to do with them.
package protocol Command: Sendable {
  /// Does what the line asks; whatever it throws ends the program with the status of its code.
  func run(with invocation: Invocation) async throws
}
