import CGlibc

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Operations on files and folders by path.
package enum FileSystem {
  /// Returns whether a file or folder exists at a path, following symbolic links (`access`).
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Returns whether the user may read a file (`access`).
  package static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

  /// Returns whether a path leads to a regular file that the user may execute (`access`).
  package static func isExecutable(_ path: String) -> Bool {
    unsafe access(path, X_OK) == 0 && (try? FileStatus(path).kind) == .regular
  }

  /// Returns whether the user may write to a file or folder (`access`).
  package static func isWritable(_ path: String) -> Bool { writeError(path) == nil }

  /// Returns the reason why the user cannot write to a file or folder (`access`), or nil if the
  /// user may write to it.
  package static func writeError(_ path: String) -> SystemCallError? {
    unsafe access(path, W_OK) == 0 ? nil : .last
  }

  /// Returns the number of free bytes in a file's file system that are available to the user, or
  /// nil if it is unknown (`statvfs`).
  package static func freeSpace(at path: String) -> UInt64? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }

  /// Returns the absolute path without symbolic links, `.` and `..` (`realpath`).
  package static func resolved(_ path: String) throws(SystemCallError) -> String {
    guard let found = unsafe realpath(path, nil) else { throw .last }
    defer { unsafe free(found) }
    guard let text = unsafe String(validatingCString: found) else { throw .notUTF8 }
    return text
  }

  /// Returns the names of the files in a folder (`readdir`). They are sorted byte by byte.
  package static func names(in folder: String) throws(SystemCallError) -> [String] {
    let file = try OpenFile(folder, for: .listing)
    guard let directory = unsafe fdopendir(file.descriptor) else { throw .last }
    // `closedir` closes the descriptor.
    _ = file.release()
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while true {
      // `readdir` returns null both at the end and after an error. It sets `errno` only after an
      // error.
      errno = 0
      guard let entry = unsafe readdir(directory) else {
        if errno == 0 { break }
        throw .last
      }
      let text = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(validatingCString: $0)
        }
      }
      guard let name = text else { throw SystemCallError(number: EILSEQ) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Creates a folder (`mkdir`).
  package static func makeFolder(
    _ path: String, permissions: UInt32
  ) throws(SystemCallError) {
    guard unsafe mkdir(path, mode_t(permissions)) == 0 else { throw .last }
  }

  /// Sets the permissions of a file or folder (`chmod`).
  package static func setPermissions(
    _ permissions: UInt32, of path: String
  ) throws(SystemCallError) {
    guard unsafe chmod(path, mode_t(permissions)) == 0 else { throw .last }
  }

  /// Renames a file (`rename`). If a file exists at the new path, it is replaced.
  package static func move(_ path: String, to other: String) throws(SystemCallError) {
    guard unsafe rename(path, other) == 0 else { throw .last }
  }

  /// Renames a file, or throws an error if a file exists at the new path. The caller must hold a
  /// lock that prevents other processes from creating that file.
  package static func moveWithoutReplacing(
    _ path: String, to other: String
  ) throws(SystemCallError) {
    do throws(SystemCallError) {
      _ = try FileStatus(ofLink: other)
    } catch {
      guard error.isMissing else { throw error }
      return try move(path, to: other)
    }
    throw SystemCallError(number: EEXIST)
  }

  /// Gives a file its final name, or throws an error if a file exists at this path (`link`, which
  /// never replaces a file). On file systems without hard links, another process could create a
  /// file at the path meanwhile.
  package static func publish(
    _ path: String, withoutReplacing other: String
  ) throws(SystemCallError) {
    if unsafe link(path, other) == 0 { return removeFile(path) }
    let error = SystemCallError.last
    if error.exists { throw error }
    try moveWithoutReplacing(path, to: other)
  }

  /// Gives a file a second name, or throws an error if a file exists at this path (`link`).
  package static func addName(_ other: String, of path: String) throws(SystemCallError) {
    guard unsafe link(path, other) == 0 else { throw .last }
  }

  /// Removes a folder and the files in it, but no other folder (`unlink`, `rmdir`). Errors are
  /// ignored, because only temporary folders are removed.
  package static func removeFolder(_ path: String) {
    for name in (try? names(in: path)) ?? [] { removeFile("\(path)/\(name)") }
    _ = unsafe rmdir(path)
  }

  /// Removes a file if it exists (`unlink`). Errors are ignored, because only temporary files are
  /// removed.
  package static func removeFile(_ path: String) {
    _ = unsafe unlink(path)
  }

  /// Flushes the file names in a folder to the disk (`fsync`), so that a renamed file keeps its new
  /// name after a power failure. Does nothing if the user may not read the folder, or if the file
  /// system cannot sync folders.
  package static func syncFolder(_ path: String) throws(SystemCallError) {
    let folder: OpenFile
    do throws(SystemCallError) {
      folder = try OpenFile(path, for: .listing)
    } catch {
      if error.isNotPermitted { return }
      throw error
    }
    guard fsync(folder.descriptor) == 0 || errno == EINVAL else { throw .last }
  }

  /// Flushes all files of the file system that contains a folder to the disk (`syncfs`). For many
  /// new files, this is faster than flushing each of them.
  package static func syncAll(around path: String) throws(SystemCallError) {
    let folder = try OpenFile(path, for: .listing)
    guard datactl_sync_file_system(folder.descriptor) == 0 else { throw .last }
  }
}
