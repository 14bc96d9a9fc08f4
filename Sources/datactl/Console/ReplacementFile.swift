import DataModel
import Platform

/// A new version of a file. It replaces the file when it is published.
final class ReplacementFile: Sendable {
  let output: OutputStream

  private let name: String
  private let file: FileReplacement

  /// Creates a temporary file in the folder of the file to replace.
  ///
  /// - Parameters:
  ///   - name: The name of the file in error messages.
  ///   - target: The path of the file to replace, with symbolic links resolved.
  init(_ name: String, at target: String) throws(DataError) {
    do throws(SystemCallError) {
      file = try FileReplacement(of: target, permissions: .copied)
    } catch {
      throw Self.failure(error, name)
    }
    self.name = name
    output = OutputStream(name, to: DescriptorChannel(file), buffering: .full)
  }

  /// Flushes the output, and replaces the file at the target path.
  func publish() throws(DataError) {
    try output.flush()
    do throws(SystemCallError) {
      try file.publish()
    } catch {
      throw Self.failure(error, name)
    }
  }

  private static func failure(_ error: SystemCallError, _ name: String) -> DataError {
    DataError(Problem(.outputFailed, error.text, file: name))
  }
}

/// The output of a command that writes a whole file. If the destination is a regular file, it is
/// replaced only when the output is complete.
struct PublishedOutput: Sendable {
  let stream: OutputStream
  /// The new version of the file, or nil if the destination is not a regular file.
  private let file: ReplacementFile?

  /// Opens the destination at a path. The path `-` means stdout.
  init(to path: String, with context: CommandContext) throws(DataError) {
    switch try context.destination(of: path) {
    case .standardOutput:
      stream = context.console.output
      file = nil
    case .stream(let stream):
      self.stream = stream
      file = nil
    case .file(let resolved):
      let replacement = try ReplacementFile(path, at: resolved)
      stream = replacement.output
      file = replacement
    }
  }

  /// Flushes the output. If the destination is a regular file, also replaces the previous file.
  func publish() throws(DataError) {
    try stream.flush()
    try file?.publish()
  }
}
