import DataModel
import Platform
private import Synchronization

/// A temporary file that atomically replaces another file when it is published. If it is never
/// published, it is removed.
final class ReplacementFile: Sendable {
  let output: OutputStream

  private let name: String
  private let descriptor: Int32
  private let temporary: String
  private let target: String
  private let isPublished = Atomic(false)

  /// Creates a temporary file in the same folder as `target`, the path of the file to replace. The
  /// symbolic links in `target` must already be resolved. Error messages use `name` as the name of
  /// the file.
  init(_ name: String, at target: String) throws(DataError) {
    do throws(SystemCallError) {
      (descriptor, temporary) = try Files.makeTemporaryFile(replacing: target)
    } catch {
      throw Self.failure(error, name)
    }
    self.name = name
    self.target = target
    output = OutputStream(
      name, to: DescriptorChannel(owning: descriptor), buffering: .full)
  }

  deinit {
    if !isPublished.load(ordering: .relaxed) { FileSystem.removeFile(temporary) }
  }

  /// Flushes the output, syncs the file (`fsync`), and renames it, so that it replaces the file at
  /// the target path.
  func publish() throws(DataError) {
    try output.flush()
    do throws(SystemCallError) {
      try Descriptor.sync(descriptor)
      try FileSystem.move(temporary, to: target)
    } catch {
      throw Self.failure(error, name)
    }
    isPublished.store(true, ordering: .relaxed)
  }

  private static func failure(_ error: SystemCallError, _ name: String) -> DataError {
    DataError(Problem(.outputFailed, error.text, file: name))
  }
}
