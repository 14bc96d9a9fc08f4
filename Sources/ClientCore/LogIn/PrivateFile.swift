package import Platform

/// Reads and writes small files of a user, such as the file of saved sessions, and creates their
/// folders.
package enum PrivateFile {
  /// Returns the contents of a small file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size in bytes.
  ///   - check: A closure that throws an error if the file must not be read, for example because of
  ///     its owner.
  package static func contents(
    of path: String, atMost limit: Int,
    checking check: (FileStatus) throws(DataError) -> Void = { _ in }
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

extension SystemCallError {
  /// Returns the error code to report if one of the user's files cannot be read: `code` if the file
  /// is too large or its permissions deny access, and `fileFailed` for all other errors.
  func codeOfUserFile(_ code: ErrorCode) -> ErrorCode {
    isNotPermitted || self == .tooLarge ? code : .fileFailed
  }
}
