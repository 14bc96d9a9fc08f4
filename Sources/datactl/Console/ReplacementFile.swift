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
  ///   - sync: When the file is flushed to the disk.
  convenience init(
    _ name: String, at target: String, sync: FileReplacement.Sync = .atOnce
  ) throws(SystemCallError) {
    try self.init(name, FileReplacement(of: target, permissions: .copied, sync: sync))
  }

  /// Creates a temporary file in the folder of a file that must not exist, and that only the user
  /// may read.
  convenience init(creating name: String, in folder: String) throws(DataError) {
    let path = Files.absolute(name, in: folder)
    guard (try? FileStatus(ofLink: path)) == nil else { throw Self.exists(name) }
    do throws(SystemCallError) {
      try self.init(
        name, FileReplacement(of: path, permissions: .restricted, existing: .kept))
    } catch {
      throw DataError(Problem(.outputFailed, error.text, file: name))
    }
  }

  private init(_ name: String, _ file: FileReplacement) {
    self.file = file
    self.name = name
    output = OutputStream(name, to: DescriptorChannel(file), buffering: .full)
  }

  private static func exists(_ name: String) -> DataError {
    DataError(
      Problem(
        .exists, "the file already exists", hint: "choose another name, or remove the file",
        file: name))
  }

  /// Flushes the output, and replaces the file at the target path.
  func publish() throws(DataError) {
    try output.flush()
    do throws(SystemCallError) {
      try file.publish()
    } catch {
      if error.exists { throw Self.exists(name) }
      throw DataError(Problem(.outputFailed, error.text, file: name))
    }
  }
}

/// The output of a command that writes a file. A regular file is replaced only when the output is
/// complete.
struct PublishedOutput: Sendable {
  let stream: OutputStream
  /// Whether output that was already written can be discarded. This is possible for a regular file,
  /// which is replaced only by `publish`, but not for a pipe or a device.
  let canBeDiscarded: Bool
  /// Replaces the previous file with the new one; does nothing for a pipe or a device.
  private let replace: @Sendable () throws(DataError) -> Void

  /// Creates an output. `publish` calls `replace` when the output is complete.
  init(
    _ stream: OutputStream, canBeDiscarded: Bool = false,
    replace: @escaping @Sendable () throws(DataError) -> Void = {}
  ) {
    self.stream = stream
    self.canBeDiscarded = canBeDiscarded
    self.replace = replace
  }

  init(_ file: ReplacementFile) {
    self.init(file.output, canBeDiscarded: true) { () throws(DataError) in try file.publish() }
  }

  /// Opens the destination at a path. The path `-` means stdout.
  init(to path: String, with context: CommandContext) throws(DataError) {
    self = path == "-" ? Self(context.console.output) : try context.files.output(path)
  }

  /// Flushes the output. If the destination is a regular file, also replaces the previous file.
  func publish() throws(DataError) {
    try stream.flush()
    try replace()
  }
}
