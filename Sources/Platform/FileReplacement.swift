private import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A new version of a file. It is written to a temporary file in the same folder. `publish` renames
/// the temporary file, so that it replaces the original file. If `publish` is not called, the
/// temporary file is removed.
///
/// The temporary file is locked (`flock`) while it is being written. If the process is killed, the
/// temporary file remains, but the lock is released. The next replacement of the same file then
/// removes it.
package final class FileReplacement: Sendable {
  /// The permissions of the new file.
  package enum Permissions {
    /// The permissions of the replaced file, or the default permissions if no file is replaced.
    case copied
    /// Permission to read and write for the user only (0600).
    case restricted
  }

  /// When the new file is flushed to the disk.
  package enum Sync: Sendable {
    /// Before the file replaces the original file.
    case atOnce
    /// When the caller flushes the file system, because it writes many files.
    case later
  }

  /// What happens if there is a file at the path when the new file is published.
  package enum Existing: Sendable {
    case replaced
    /// The file is kept, and publishing the new file fails.
    case kept
  }

  /// The name of the temporary file.
  package enum TemporaryName: Sendable {
    /// `.FILE.new-1`, or a higher number, so that several processes can replace the same file.
    case hidden
    /// `FILE-new`, so that users see a large file that remains of a killed process.
    case visible
  }

  /// The descriptor to write to. It is open as long as the object exists.
  package let descriptor: Int32
  /// The path of the temporary file.
  package let temporaryPath: String
  private let path: String
  private let sync: Sync
  private let existing: Existing
  private let isPublished = Atomic(false)

  /// The maximum number of replacements of one file that can be in progress at the same time.
  private static let maxCount = 100

  /// Creates the temporary file. The symbolic links in `path` must already be resolved.
  package init(
    of path: String, permissions: Permissions, sync: Sync = .atOnce,
    existing: Existing = .replaced, as temporaryName: TemporaryName = .hidden
  ) throws(SystemCallError) {
    let (folder, name) = Self.parts(of: path)
    for number in 1...(temporaryName == .hidden ? Self.maxCount : 1) {
      let temporaryPath =
        temporaryName == .hidden ? "\(folder).\(name).new-\(number)" : "\(path)-new"
      guard let file = try Self.created(temporaryPath, permissions) else { continue }
      switch permissions {
      case .copied:
        // If the permissions cannot be copied, the default permissions are acceptable.
        if let status = try? FileStatus(path) {
          _ = fchmod(file.descriptor, mode_t(status.permissions & 0o777))
        }
      case .restricted: break
      }
      descriptor = file.release()
      self.path = path
      self.sync = sync
      self.existing = existing
      self.temporaryPath = temporaryPath
      return
    }
    throw SystemCallError(number: EEXIST)
  }

  deinit {
    // The file is removed before its lock is released: afterwards, another process could already
    // have created a file with the same name.
    if !isPublished.load(ordering: .relaxed) { FileSystem.removeFile(temporaryPath) }
    Descriptor.closeFile(descriptor)
  }

  /// Renames the new file, so that it has the path.
  package func publish() throws(SystemCallError) {
    if sync == .atOnce { try Descriptor.sync(descriptor) }
    try Descriptor.closeDuplicate(of: descriptor)
    switch existing {
    case .replaced: try FileSystem.move(temporaryPath, to: path)
    case .kept:
      guard Self.isSame(descriptor, temporaryPath) else { throw SystemCallError(number: ENOENT) }
      try FileSystem.publish(temporaryPath, withoutReplacing: path)
    }
    isPublished.store(true, ordering: .relaxed)
    if sync == .atOnce { try FileSystem.syncFolder(Self.parts(of: path).folder) }
  }

  /// Creates and locks a temporary file. Removes an existing file at the path first, or returns nil
  /// if that file is locked by another process or belongs to another user.
  private static func created(
    _ path: String, _ permissions: Permissions
  ) throws(SystemCallError) -> OpenFile? {
    let mode: UInt32 =
      switch permissions {
      case .copied: 0o666
      case .restricted: 0o600
      }
    while true {
      do throws(SystemCallError) {
        let file = try OpenFile(path, for: .creating(permissions: mode))
        // Not all file systems support locks. Without locks, files of killed processes are kept.
        let hasLock = file.tryLock() || !SystemCallError.last.wouldBlock
        // Before it was locked, another process may have removed the file.
        if hasLock, isSame(file.descriptor, path) { return file }
      } catch {
        guard error.exists else { throw error }
        guard let file = try? OpenFile(path, for: .readingAtOnce),
          let status = try? FileStatus(of: file.descriptor), status.kind == .regular,
          status.owner == ProcessEnvironment.userID, isSame(file.descriptor, path), file.tryLock()
        else { return nil }
        if isSame(file.descriptor, path) { FileSystem.removeFile(path) }
      }
    }
  }

  /// Returns whether a path still refers to an open file, and not to another file or a symbolic
  /// link.
  private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    guard let status = try? FileStatus(of: descriptor) else { return false }
    return (try? FileStatus(ofLink: path))?.isSameFile(as: status) ?? false
  }

  /// Splits a path into the folder, with a trailing slash, and the file name.
  private static func parts(of path: String) -> (folder: String, name: Substring) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("./", path[...]) }
    return (String(path[...slash]), path[path.index(after: slash)...])
  }
}
