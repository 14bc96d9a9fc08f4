import CommandSyntax
import DataAPI
import DataModel

/// Completes a command line that a client has sent to a server.
struct SentCompletion: Command {
  /// The maximum number of bytes of the line to complete. A user types far fewer.
  private static let maxSize = 16 << 10

  private let line: CompletionLine

  /// Creates the command from the parameters of a request: the words of the line, and the index of
  /// the word to complete.
  init(_ inputs: [(name: String, value: String)]) throws(DataError) {
    let words = inputs.filter { $0.name == "WORD" }.map(\.value)
    let index = inputs.first { $0.name == "INDEX" }.flatMap { Int($0.value) }
    guard let index, (0...words.count).contains(index) else {
      throw DataError(
        .usage, "the index of the word to complete must be from 0 to \(words.count)")
    }
    guard words.reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.maxSize else {
      throw DataError(.usage, "the line to complete is longer than \(Self.maxSize) bytes")
    }
    line = CompletionLine(words: words, index: index)
  }

  /// Returns the parameters of a request for the completion of a line: the words of the line, and
  /// the index of the word to complete.
  static func inputs(for line: CompletionLine) -> [Parameters.Parameter] {
    [.init("INDEX", "\(line.index)")] + line.words.map { .init("WORD", $0) }
  }

  func run(with context: CommandContext) async throws {
    try await Candidates(description: Program.declaration.description, context: context)
      .print(for: line)
  }
}
