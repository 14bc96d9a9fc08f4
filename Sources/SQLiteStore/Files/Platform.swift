import DataModel
import DataStore
import Glibc

/// The system calls of the SQLite store, in one place because they differ between platforms.
enum Platform {
  /// The kind of file at a path.
  enum FileKind {
    case absent
    case empty
    case regular
    case folder
    /// A symbolic link whose target does not exist.
    case danglingLink
    case other
  }

  /// Returns the kind of file at a path (`stat`, `lstat`).
  static func kind(of path: String) throws(DataError) -> FileKind {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else {
      let number = errno
      if number == ENOENT || number == ENOTDIR {
        return unsafe lstat(path, &information) == 0 ? .danglingLink : .absent
      }
      throw DataError(.storeUnreachable, "\(path): cannot be opened: \(message(ofError: number))")
    }
    switch information.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return information.st_size == 0 ? .empty : .regular
    default: return .other
    }
  }

  /// The size of a file in bytes, or 0 if there is none (`stat`).
  static func size(of path: String) -> Int {
    var information = stat()
    return unsafe stat(path, &information) == 0 ? Int(information.st_size) : 0
  }

  /// The identity, size and modification time of a regular file, or nil if there is none (`stat`).
  static func state(of path: String) -> FileState? {
    var information = stat()
    guard unsafe stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return FileState(
      device: UInt64(information.st_dev), number: UInt64(information.st_ino),
      size: Int64(information.st_size), changed: Int64(information.st_mtim.tv_sec),
      nanoseconds: Int64(information.st_mtim.tv_nsec))
  }

  /// The current time in seconds, by the clock that sets file timestamps (`time`).
  static var seconds: Int64 { Int64(time(nil)) }

  /// Whether a file exists (`access`).
  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Whether this process may write to a file or folder (`access`).
  static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

  /// The absolute path without symbolic links and dots (`realpath`), or nil if no file exists
  /// there.
  static func resolved(_ path: String) throws(DataError) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    guard let text = unsafe String(validatingCString: found) else {
      throw DataError(.storeUnreachable, "\(path): the target path is not UTF-8")
    }
    return text
  }

  /// The system's message for an `errno` value (`strerror`).
  static func message(ofError number: Int32) -> String {
    unsafe String(cString: strerror(number))
  }

  /// Whether an `errno` value reports a full disk or an exceeded quota.
  static func isFull(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }

  /// Removes a file (`unlink`). A missing file is no error.
  static func remove(_ path: String) {
    unsafe unlink(path)
  }

  /// Gives a finished file its final name, durably.
  ///
  /// - Throws: `DataError` if a file of that name exists.
  static func publish(_ file: String, as path: String, in folder: String) throws(DataError) {
    var code = unsafe link(file, path)
    if code == 0 {
      remove(file)
    } else if errno != EEXIST {
      // Some file systems support no hard links.
      code = unsafe rename(file, path)
    }
    guard code == 0 else {
      throw DataError(.storeUnreachable, "\(path): cannot be created: \(message(ofError: errno))")
    }
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// The identity, size and modification time of a file.
struct FileState: Hashable, Sendable {
  let device: UInt64
  let number: UInt64
  let size: Int64
  /// The modification time: seconds since 1970, and nanoseconds.
  let changed: Int64
  let nanoseconds: Int64
}

/// An open file for locks between processes (`flock`). Closing it releases the lock.
struct LockFile: ~Copyable {
  private var descriptor: Int32

  /// Opens the file and creates it if it does not exist.
  init(_ path: String) throws(DataError) {
    descriptor = unsafe open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else {
      let number = errno
      switch number {
      case EACCES, EPERM, EROFS: throw .readOnly(path)
      case _ where Platform.isFull(number): throw DataError(.storeFull, "\(path): the disk is full")
      default:
        throw DataError(
          .storeUnreachable, "\(path): cannot be opened: \(Platform.message(ofError: number))")
      }
    }
  }

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Acquires the lock if it is free, and returns whether it did.
  func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Waits for the lock in a thread of its own, then passes on the descriptor of the locked file.
  ///
  /// A blocking `flock` is fair and needs no polling, but it cannot be cancelled.
  consuming func lockInBackground(_ receive: @escaping @Sendable (Int32) -> Void) throws(DataError)
  {
    let waiting = exchange(&descriptor, with: -1)
    let errorNumber = DetachedThread.run {
      while flock(waiting, LOCK_EX) != 0 && errno == EINTR {}
      receive(waiting)
    }
    guard errorNumber == 0 else {
      close(waiting)
      throw DataError(.failed, "cannot start a thread: \(Platform.message(ofError: errorNumber))")
    }
  }
}
