import DataModel
private import Synchronization

/// A file that is written beside the one that it is to replace, which stays whole until then.
final class ReplacementFile: Sendable {
  let output: OutputStream

  private let name: String
  private let descriptor: Int32
  private let temporary: String
  private let target: String
  private let isPublished = Atomic(false)

  /// Begins a file that is to stand under a path without links; messages call it by its name.
  init(_ name: String, at target: String) throws(DataError) {
    do throws(Platform.Fault) {
      (descriptor, temporary) = try Platform.makeFile(beside: target)
    } catch {
      throw Self.failure(error, name)
    }
    self.name = name
    self.target = target
    output = OutputStream(
      name, to: DescriptorChannel(owning: descriptor), buffering: .full)
  }

  deinit {
    if !isPublished.load(ordering: .relaxed) { Platform.removeFile(temporary) }
  }

  /// Puts what was written in the place of the file.
  func publish() throws(DataError) {
    try output.flush()
    do throws(Platform.Fault) {
      try Platform.sync(descriptor)
      try Platform.rename(temporary, to: target)
    } catch {
      throw Self.failure(error, name)
    }
    isPublished.store(true, ordering: .relaxed)
  }

  private static func failure(_ fault: Platform.Fault, _ name: String) -> DataError {
    DataError(Problem(fault.isMissing ? .fileNotFound : .fileFailed, fault.text, file: name))
  }
}
