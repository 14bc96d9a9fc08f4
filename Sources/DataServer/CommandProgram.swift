package import ClientCore
package import DataAPI
package import DataModel
package import DataStore

/// A command that a request runs, with the values of its options and operands. Options have the
/// names of the parameters of the API, such as `any_revision` for `--any-revision`.
package struct CommandCall: Hashable, Sendable {
  /// The words of the command, such as `schema` and `show`.
  package var command: [String]
  package var options: [Parameters.Parameter] = []
  /// The operands, with the names that the help of the command shows, such as `SCHEMA`.
  package var operands: [Parameters.Parameter]
  /// The number of records that the caller has agreed to delete, or nil for any number. If the
  /// command would delete another number, it fails and deletes none.
  package var agreed: Int?
  /// The values that fields of the selected records must have.
  package var matches: [QueryInput.Match] = []
  /// If the standard input is saved as a file, the name of this file; nil if no name is given.
  package var fileName: String?
  /// If the standard input is saved as a file, the media type of this file. It is used only if the
  /// file name has no known extension. Nil if no type is given.
  package var fileType: String?
  /// The maximum size of a compressed input of the command after decompression, in bytes.
  package var maxDecompressedSize = Int.max

  package init(_ command: [String], operands: [Parameters.Parameter]) {
    self.command = command
    self.operands = operands
  }
}

/// An option that a command declares.
package struct CommandOption: Hashable, Sendable {
  /// The name of the parameter, such as `any_revision` for `--any-revision`.
  package var name: String
  /// The values that the option accepts, or nil if they cannot be listed.
  package var choices: [String]?
  package var isFlag: Bool
  package var isRepeated: Bool
  /// Whether the value is the path of a file. Requests cannot set such options, because they cannot
  /// name files of the server.
  package var isPath: Bool
  package var summary: String

  package init(
    name: String, choices: [String]? = nil, isFlag: Bool, isRepeated: Bool, isPath: Bool,
    summary: String
  ) {
    self.name = name
    self.choices = choices
    self.isFlag = isFlag
    self.isRepeated = isRepeated
    self.isPath = isPath
    self.summary = summary
  }
}

/// What a command has reported in addition to its output, such as the number of saved records.
package struct CommandReport: Sendable {
  package var saved: SaveSummary?
  package var deleted: DeleteSummary?
  /// The revision of the printed record, if the command printed exactly one record.
  package var revision: Int64?
  /// The problems of the records that were skipped.
  package var skipped: DataError?
  /// What the command would print on stderr.
  package var messages: [UInt8] = []

  package init() {}
}

/// The commands of datactl that a server can run to answer requests.
package protocol CommandProgram: Sendable {
  /// Returns the options that the command with the given words declares.
  func options(of command: [String]) -> [CommandOption]

  /// Runs a command on behalf of a request.
  ///
  /// - Parameters:
  ///   - client: The open store. The access rules of the caller restrict what the command can do.
  ///   - input: The standard input of the command.
  ///   - output: Receives the output. It throws an error if the command must stop.
  ///   - isCanceled: Returns whether the command must stop.
  func run(
    _ call: CommandCall, on client: Client, input: ByteStore, output: any CommandOutput,
    isCanceled: @escaping @Sendable () -> Bool
  ) async -> (report: CommandReport, error: DataError?)

  /// Runs a command line that a client has sent, and writes the frames of the response to `output`.
  /// Returns how the command ended: the caller writes this as the last frame.
  ///
  /// - Parameters:
  ///   - command: The inputs of the command, and the files that they name.
  ///   - path: The words of the command.
  ///   - client: The open store. The access rules of the caller restrict what the command can do.
  ///   - output: Receives the frames. It throws an error if the command must stop.
  ///   - isCanceled: Returns whether the command must stop.
  func run(
    _ command: SentCommand, _ path: [String], on client: Client, output: any CommandOutput,
    isCanceled: @escaping @Sendable () -> Bool
  ) async -> CommandEnd
}

/// The destination of a command's output.
package protocol CommandOutput: Sendable {
  func write(_ bytes: Span<UInt8>) throws(DataError)

  /// Sends what has been written, without waiting for more.
  func flush()

  /// Waits until the reader of the output has caught up, if the output needs too much space.
  func waitForReader() async
}
