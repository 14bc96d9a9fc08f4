internal import Platform

/// Reads and writes small files of a user, such as the file of saved sessions, and creates their
/// folders.
enum PrivateFile {
  /// Returns the contents of a small file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size in bytes.
  ///   - check: Throws an error if the file must not be read, for example because of its owner.
  static func contents(
    of path: String, atMost limit: Int, checking check: (FileStatus) throws(DataError) -> Void
  ) throws -> [UInt8] {
    let file = try OpenFile(path, for: .readingAtOnce)
    let status = try FileStatus(of: file.descriptor)
    try check(status)
    var bytes: [UInt8] = []
    var capacity = min(max(0, status.size), limit) + 1
    while true {
      do throws(SystemCallError) {
        let missing = capacity - bytes.count
        if try Descriptor.readBytes(file.descriptor, into: &bytes, atMost: missing) == 0 { break }
      } catch {
        if !error.isInterruption { throw error }
      }
      if bytes.count == capacity {
        guard capacity <= limit else { throw SystemCallError.tooLarge }
        capacity = limit + 1
      }
    }
    return bytes
  }

  /// Atomically replaces a file. The new file has the given contents and the permissions 0600, and
  /// is synced to disk.
  static func replace(_ path: String, with bytes: [UInt8]) throws(SystemCallError) {
    let temporaryPath = "\(path).\(ProcessEnvironment.processID)"
    FileSystem.removeFile(temporaryPath)
    let file = try OpenFile(temporaryPath, for: .creating(permissions: 0o600))
    do throws(SystemCallError) {
      try Descriptor.writeAll(file.descriptor, bytes.span)
      try Descriptor.sync(file.descriptor)
      try file.finish()
      try FileSystem.move(temporaryPath, to: path)
    } catch {
      FileSystem.removeFile(temporaryPath)
      throw error
    }
    try FileSystem.syncFolder(FilePath.folder(of: path))
  }

  /// Creates a folder that only its owner can access, unless it already exists. Returns the folder,
  /// opened with an exclusive lock.
  static func lockedFolder(_ path: String) throws(SystemCallError) -> OpenFile {
    try makeFolder(path)
    try FileSystem.setPermissions(0o700, of: path)
    let folder = try OpenFile(path, for: .listing)
    try folder.lock()
    return folder
  }

  /// Creates a folder and its missing parents with the permissions 0700.
  static func makeFolder(_ path: String) throws(SystemCallError) {
    do throws(SystemCallError) {
      try FileSystem.makeFolder(path, permissions: 0o700)
    } catch {
      if error.exists { return }
      guard error.isMissing, path != "/" else { throw error }
      try makeFolder(FilePath.folder(of: path))
      do throws(SystemCallError) {
        try FileSystem.makeFolder(path, permissions: 0o700)
      } catch {
        if !error.exists { throw error }
      }
    }
  }
}
