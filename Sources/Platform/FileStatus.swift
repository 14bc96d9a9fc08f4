#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The identity and the properties of a file, as returned by `stat`.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case regular
    case folder
    case other
  }

  package let kind: Kind
  package let device: UInt64
  package let number: UInt64
  package let owner: UInt32
  package let permissions: UInt32
  package let size: Int
  /// The modification time in whole seconds since 1970. The fraction of a second is in
  /// `nanoseconds`.
  package let changed: Int64
  package let nanoseconds: Int64

  /// Returns whether this status and `other` belong to the same file.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && number == other.number
  }

  /// Reads the status of the file at a path, following symbolic links (`stat`).
  package init(_ path: String) throws(SystemCallError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .last }
    self.init(status)
  }

  /// Reads the status of the file at a path without following symbolic links (`lstat`).
  package init(ofLink path: String) throws(SystemCallError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw .last }
    self.init(status)
  }

  /// Reads the status of an open file (`fstat`).
  package init(of descriptor: Int32) throws(SystemCallError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
    self.init(status)
  }

  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      default: .other
      }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    owner = status.st_uid
    permissions = UInt32(status.st_mode) & 0o7777
    size = Int(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    changed = Int64(time.tv_sec)
    nanoseconds = Int64(time.tv_nsec)
  }
}
