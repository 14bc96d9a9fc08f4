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

  /// Creates the file in `/var/tmp`, or in `/tmp` if that fails (`mkstemp`, `unlink`). Programs
  /// that the process starts do not inherit it.
  package init(prefix: String) throws(SystemCallError) {
    var lastError = SystemCallError(number: 0)
    for folder in ["/var/tmp", "/tmp"] {
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
      if descriptor >= 0 {
        self.descriptor = descriptor
        return
      }
      lastError = .last
    }
    throw lastError
  }

  deinit { Descriptor.closeFile(descriptor) }
}
