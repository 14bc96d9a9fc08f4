#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls of this module, and everything that differs between platforms.
enum Platform {
  /// A failed system call, by its `errno`.
  struct SystemError: Error {
    var number: Int32

    /// The text of the error, from `strerror`.
    var reason: String {
      guard let text = unsafe strerror(number) else { return "error \(number)" }
      return unsafe String(cString: text)
    }

    var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    var exists: Bool { number == EEXIST }
  }

  /// The properties of an open file, from `fstat`.
  struct Status {
    var owner: UInt32
    var permissions: UInt32
    var isRegular: Bool
    var size: Int
  }

  /// Returns the value of an environment variable, from `getenv`.
  static func variable(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
  }

  /// The working folder, from `getcwd`; empty if it has been deleted.
  static var folder: String {
    guard let path = unsafe getcwd(nil, 0) else { return "" }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// The id of the user that runs the process, from `getuid`.
  static var userID: UInt32 { getuid() }

  /// Returns the time of the realtime clock, from `clock_gettime`.
  static func now() -> Timestamp {
    var time = timespec()
    let succeeded = unsafe clock_gettime(CLOCK_REALTIME, &time) == 0
    let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    return (succeeded ? Timestamp(microseconds: microseconds) : nil) ?? .earliest
  }

  /// Returns the path with symbolic links resolved by `realpath`, or nil if it does not exist.
  static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(validatingCString: resolved)
  }

  /// Returns whether a file of this name exists, from `lstat`; a dangling symbolic link counts.
  static func fileExists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Returns the contents of a small file, after `check` has accepted its status.
  static func contents(
    of path: String, atMost limit: Int, checking check: (Status) throws(DataError) -> Void
  ) throws -> [UInt8] {
    let file = try openFile(path, O_RDONLY | O_NONBLOCK)
    defer { _ = close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw SystemError(number: errno) }
    try check(
      Status(
        owner: status.st_uid, permissions: UInt32(status.st_mode) & 0o7777,
        isRegular: status.st_mode & S_IFMT == S_IFREG, size: Int(status.st_size)))
    var bytes = [UInt8](repeating: 0, count: min(max(0, Int(status.st_size)), limit) + 1)
    var count = 0
    while count < bytes.count {
      let readCount = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        return unsafe read(file, rest.baseAddress, rest.count)
      }
      if readCount == 0 { break }
      guard readCount > 0 || errno == EINTR else { throw SystemError(number: errno) }
      count += max(0, readCount)
      if count == bytes.count, count <= limit {
        bytes.append(contentsOf: repeatElement(0, count: limit + 1 - count))
      }
    }
    guard count <= limit else { throw SystemError(number: EFBIG) }
    return Array(bytes.prefix(count))
  }

  /// Replaces a file atomically and durably: writes a new one with mode 0600, then calls `fsync`
  /// and `rename`.
  static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let temporaryPath = "\(path).\(getpid())"
    _ = unsafe unlink(temporaryPath)
    let file = try openFile(temporaryPath, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
    do throws(SystemError) {
      try writeAll(bytes, to: file)
      guard fsync(file) == 0 else { throw SystemError(number: errno) }
      guard close(file) == 0 else { throw SystemError(number: errno) }
      guard unsafe rename(temporaryPath, path) == 0 else { throw SystemError(number: errno) }
    } catch {
      _ = unsafe unlink(temporaryPath)
      throw error
    }
    try syncFolder(FilePath.folder(of: path))
  }

  /// Calls `write` until all bytes are written.
  private static func writeAll(_ bytes: [UInt8], to file: Int32) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        return unsafe write(file, rest.baseAddress, rest.count)
      }
      if count < 0 {
        guard errno == EINTR else { throw SystemError(number: errno) }
      } else {
        written += count
      }
    }
  }

  /// Calls `fsync` on a folder, so that a renamed file in it survives a power failure.
  private static func syncFolder(_ folder: String) throws(SystemError) {
    let file = try openFile(folder, O_RDONLY)
    defer { _ = close(file) }
    guard fsync(file) == 0 || errno == EINVAL else { throw SystemError(number: errno) }
  }

  /// Creates a folder and its missing parents with `mkdir` and mode 0700.
  static func makeFolder(_ path: String) throws(SystemError) {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path != "/" else { throw SystemError(number: errno) }
    try makeFolder(FilePath.folder(of: path))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw SystemError(number: errno)
    }
  }

  /// Calls `chmod` to limit a folder to its owner.
  static func restrict(folder path: String) throws(SystemError) {
    guard unsafe chmod(path, 0o700) == 0 else { throw SystemError(number: errno) }
  }

  /// Executes a closure while holding an exclusive `flock` on a folder.
  static func withFolderLock<Failure: Error>(
    folder: String, mapError: (SystemError) -> Failure, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    let file: Int32
    do throws(SystemError) {
      file = try openFile(folder, O_RDONLY)
    } catch {
      throw mapError(error)
    }
    defer { _ = close(file) }
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else { throw mapError(SystemError(number: errno)) }
    }
    try body()
  }

  /// Overwrites bytes with zeros, by a call that the compiler does not optimize away.
  static func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      #if canImport(Darwin)
        _ = unsafe memset_s(start, buffer.count, 0, buffer.count)
      #else
        unsafe explicit_bzero(start, buffer.count)
      #endif
    }
  }

  /// Calls `open` with `O_CLOEXEC`, again if a signal interrupts it.
  private static func openFile(
    _ path: String, _ flags: Int32, permissions: mode_t = 0
  ) throws(SystemError) -> Int32 {
    while true {
      let file = unsafe open(path, flags | O_CLOEXEC, permissions)
      if file >= 0 { return file }
      guard errno == EINTR else { throw SystemError(number: errno) }
    }
  }
}
