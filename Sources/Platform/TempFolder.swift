internal import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A temporary folder that only the user can access. The folder and its files are removed when the
/// object is released, or when the process calls `exit`.
package final class TempFolder: Sendable {
  package let path: String

  /// The folders that have not been removed yet. Nil until the first one is created.
  private static let paths = Mutex<Set<String>?>(nil)

  /// Creates the folder in the first of `AnonymousTempFile.folders` that permits it (`mkdir`).
  package init(prefix: String) throws(SystemCallError) {
    var lastError = SystemCallError(number: 0)
    for folder in AnonymousTempFile.folders {
      // The name cannot be guessed, so the folder cannot exist already.
      let path = "\(folder)/\(prefix)\(String(UInt64.random(in: .min ... .max), radix: 36))"
      do throws(SystemCallError) {
        try FileSystem.makeFolder(path, permissions: 0o700)
      } catch {
        lastError = error
        continue
      }
      self.path = path
      Self.paths.withLock { paths in
        if paths == nil { _ = atexit { TempFolder.removeAll() } }
        paths = (paths ?? []).union([path])
      }
      return
    }
    throw lastError
  }

  deinit {
    FileSystem.removeFolder(path)
    _ = Self.paths.withLock { $0?.remove(path) }
  }

  private static func removeAll() {
    for path in paths.withLock({ $0 ?? [] }) { FileSystem.removeFolder(path) }
  }
}
