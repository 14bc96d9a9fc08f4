import DataModel
import DataStore
import Glibc

/// All that is asked of the operating system, in one place, since it differs from one to another.
enum Platform {
  /// What stands under a path.
  enum FileKind {
    case absent
    case empty
    case regular
    case folder
    /// A link that leads to nothing.
    case danglingLink
    case other
  }

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

  static func size(of path: String) -> Int {
    var information = stat()
    return unsafe stat(path, &information) == 0 ? Int(information.st_size) : 0
  }

  /// How a file stands, or nil if it is none.
  static func state(of path: String) -> FileState? {
    var information = stat()
    guard unsafe stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return FileState(
      device: UInt64(information.st_dev), number: UInt64(information.st_ino),
      size: Int64(information.st_size), changed: Int64(information.st_mtim.tv_sec),
      fraction: Int64(information.st_mtim.tv_nsec))
  }

  /// The seconds of the clock that files are stamped by.
  static var seconds: Int64 { Int64(time(nil)) }

  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Whether this process could write there.
  static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

  /// The path without links and dots, if there is something under it.
  static func resolved(_ path: String) throws(DataError) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    guard let text = unsafe String(validatingCString: found) else {
      throw DataError(.storeUnreachable, "\(path): the target path is not UTF-8")
    }
    return text
  }

  static func message(ofError number: Int32) -> String {
    unsafe String(cString: strerror(number))
  }

  /// Whether an error says that there is no room left.
  static func isFull(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }

  static func remove(_ path: String) {
    unsafe unlink(path)
  }

  /// Gives a finished file its name, unless there is one of that name; durable when it returns.
  static func publish(_ file: String, as path: String, in folder: String) throws(DataError) {
    var code = unsafe link(file, path)
    if code == 0 {
      remove(file)
    } else if errno != EEXIST {
      // Not every file system has a second name for a file.
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

/// Which file it is, how long, and when it was written to last.
struct FileState: Hashable, Sendable {
  let device: UInt64
  let number: UInt64
  let size: Int64
  /// The second since 1970, and the rest in billionths.
  let changed: Int64
  let fraction: Int64
}

/// An open file whose lock other processes respect; closing it gives the lock back.
struct LockFile: ~Copyable {
  private var descriptor: Int32

  /// Opens the file, and makes it if it is not there.
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

  /// Takes the lock if it is free.
  func isTaken() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Waits for the lock in a thread of its own, since a wait of the kernel's is fair and costs
  /// nothing but cannot be given up, and hands the open file over when it has it.
  consuming func whenTaken(_ receive: @escaping @Sendable (Int32) -> Void) throws(DataError) {
    let waiting = exchange(&descriptor, with: -1)
    let fault = OwnThread.run {
      while flock(waiting, LOCK_EX) != 0 && errno == EINTR {}
      receive(waiting)
    }
    guard fault == 0 else {
      close(waiting)
      throw DataError(.failed, "cannot start a thread: \(Platform.message(ofError: fault))")
    }
  }
}
