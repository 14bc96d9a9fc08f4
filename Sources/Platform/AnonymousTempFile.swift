internal import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A temporary file without a name. It is unlinked immediately after it is created, so the system
/// deletes it when it is closed.
package final class AnonymousTempFile: Sendable {
  package let descriptor: Int32
  /// The folder in which the file was created.
  package let folder: String

  /// The folders in which temporary files can be created, in order of preference.
  package static var folders: [String] {
    [ProcessEnvironment.variable("TMPDIR"), "/var/tmp", "/tmp"].compactMap { $0 }
      .filter { !$0.isEmpty }
  }

  /// The limit on the descriptors of temporary files. Creating a file fails if its descriptor would
  /// be this number or greater.
  private static let descriptorLimit = Atomic<Int>(.max)

  /// Reserves the descriptor `limit` and all greater ones for other uses, such as the connections
  /// of a server. Creating a temporary file fails with `EMFILE` if its descriptor would be
  /// reserved.
  package static func limitDescriptors(to limit: Int) {
    descriptorLimit.store(limit, ordering: .relaxed)
  }

  /// Creates the file in the first of the `folders` that permits it (`open`, `unlink`). Programs
  /// that this process starts do not inherit the descriptor, even if another thread starts them
  /// meanwhile.
  package init(prefix: String) throws(SystemCallError) {
    var lastError = SystemCallError(number: 0)
    for folder in Self.folders {
      // The name cannot be guessed, so the file cannot exist already.
      let path = "\(folder)/\(prefix)\(String(UInt64.random(in: .min ... .max), radix: 36))"
      let file: OpenFile
      do throws(SystemCallError) {
        file = try OpenFile(path, for: .creatingTemporarily)
      } catch {
        lastError = error
        continue
      }
      _ = unsafe unlink(path)
      guard file.descriptor < Self.descriptorLimit.load(ordering: .relaxed) else {
        // The system assigns the lowest free descriptor, so few are left.
        throw SystemCallError(number: EMFILE)
      }
      descriptor = file.release()
      self.folder = folder
      return
    }
    throw lastError
  }

  deinit { Descriptor.closeFile(descriptor) }
}

/// The error of an operation on a temporary file.
package struct TempFileError: Error {
  private let cause: SystemCallError
  private let folder: String?

  /// Creates the error for a failed system call.
  ///
  /// - Parameter folder: The folder of the file, or nil if the file could not be created.
  package init(_ cause: SystemCallError, in folder: String?) {
    self.cause = cause
    self.folder = folder
  }

  package var text: String {
    let place = folder ?? AnonymousTempFile.folders.joined(separator: " or ")
    return "cannot use a temporary file in \(place): \(cause.text)"
  }

  package var hint: String? { cause.isFull ? "set TMPDIR to a folder on another disk" : nil }
}
