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

  /// Creates the file in the first of the `folders` that permits it (`mkstemp`, `unlink`). Programs
  /// that this process starts do not inherit the descriptor.
  package init(prefix: String) throws(SystemCallError) {
    var lastError = SystemCallError(number: 0)
    for folder in Self.folders {
      var path = Array("\(folder)/\(prefix)XXXXXX".utf8CString)
      let descriptor = unsafe path.withUnsafeMutableBufferPointer { path -> Int32 in
        guard let base = path.baseAddress else { return -1 }
        let descriptor = unsafe mkstemp(base)
        if descriptor >= 0 {
          _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
          unsafe unlink(base)
        }
        return descriptor
      }
      if descriptor >= Self.descriptorLimit.load(ordering: .relaxed) {
        // The system assigns the lowest free descriptor, so few are left.
        Descriptor.closeFile(descriptor)
        throw SystemCallError(number: EMFILE)
      }
      if descriptor >= 0 {
        self.descriptor = descriptor
        self.folder = folder
        return
      }
      lastError = .last
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
