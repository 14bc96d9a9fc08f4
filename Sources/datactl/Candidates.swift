package import CommandSyntax
import DataModel

/// Answers the scripts that complete lines in a shell.
struct Candidates {
  let description: ProgramDescription
  let invocation: Invocation

  /// Prints what can stand at a place of a line; where it fails, it says nothing.
  func print(for line: CompletionLine) async throws {
    let completion = description.completion(of: line)
    try invocation.console.output.write(completion.text())
  }
}
