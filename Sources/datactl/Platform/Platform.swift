#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Wrappers of system calls that check every return code.
///
/// Platform differences and unsafe code are confined to this folder.
enum Platform {
  /// An error of a system call, with its `errno`.
  struct SystemError: Error, Equatable {
    let number: Int32

    static var last: SystemError { SystemError(number: errno) }

    var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    var isBrokenPipe: Bool { number == EPIPE }
    var isInterruption: Bool { number == EINTR }
    /// Whether a call on a non-blocking descriptor would have blocked.
    var wouldBlock: Bool { number == EAGAIN || number == EWOULDBLOCK }

    /// The error message of the system (`strerror`).
    var text: String {
      guard let words = unsafe strerror(number) else { return "error \(number)" }
      return unsafe String(cString: words)
    }
  }

  /// Decodes a path that the system returned.
  ///
  /// - Throws: `EILSEQ` if it is not valid UTF-8, since the decoded text would be another path.
  static func text(_ bytes: UnsafePointer<CChar>) throws(SystemError) -> String {
    guard let text = unsafe String(validatingCString: bytes) else {
      throw SystemError(number: EILSEQ)
    }
    return text
  }

  /// Appends at most `count` bytes to the buffer (`read`) and returns their number, which is 0 at
  /// the end of the file.
  static func readBytes(
    _ descriptor: Int32, into buffer: inout [UInt8], atMost count: Int
  ) throws(SystemError) -> Int {
    let start = buffer.count
    var result = 0
    buffer.append(addingCapacity: count) { output in
      unsafe output.withUnsafeMutableBufferPointer { bytes, initialized in
        guard let base = bytes.baseAddress else { return }
        unsafe result = read(descriptor, base + initialized, count)
        initialized += max(result, 0)
      }
    }
    guard result >= 0 else { throw .last }
    return buffer.count - start
  }

  /// Writes bytes (`write`) and returns how many were written, which may be fewer.
  static func writeBytes(_ descriptor: Int32, _ bytes: Span<UInt8>) throws(SystemError) -> Int {
    let result = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe write(descriptor, bytes.baseAddress, bytes.count)
    }
    guard result >= 0 else { throw .last }
    return result
  }

  /// Increases the capacity of a pipe to 1 MiB if possible (`F_SETPIPE_SZ`). Other files are not
  /// changed.
  ///
  /// A writer then waits for the reader less often: listing takes a quarter less time.
  static func enlargePipe(_ descriptor: Int32) {
    #if os(Linux)
      // F_SETPIPE_SZ and F_GETPIPE_SZ are not imported.
      let (setSize, getSize, capacity): (Int32, Int32, Int32) = (1031, 1032, 1 << 20)
      let size = fcntl(descriptor, getSize)
      if size >= 0 && size < capacity { _ = fcntl(descriptor, setSize, capacity) }
    #endif
  }

  /// The event to wait for.
  enum Direction {
    case input
    case output
  }

  /// The result of waiting for two descriptors.
  enum Readiness {
    case ready
    case other
    /// The time limit passed.
    case none
  }

  /// Waits until a descriptor is ready or another descriptor is readable (`poll`), without a time
  /// limit if `seconds` is nil.
  static func wait(
    for direction: Direction, of descriptor: Int32, or other: Int32?, seconds: Double? = nil
  ) throws(SystemError) -> Readiness {
    let event =
      switch direction {
      case .input: Int16(POLLIN)
      case .output: Int16(POLLOUT)
      }
    // `poll` ignores negative descriptors.
    var requests = [
      pollfd(fd: descriptor, events: event, revents: 0),
      pollfd(fd: other ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = seconds.map { Int32($0 * 1_000) } ?? -1
    let result = unsafe requests.withUnsafeMutableBufferPointer { requests in
      unsafe poll(requests.baseAddress, nfds_t(requests.count), milliseconds)
    }
    guard result >= 0 else { throw .last }
    if requests[1].revents != 0 { return .other }
    return requests[0].revents != 0 ? .ready : .none
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Returns the columns of a terminal (`TIOCGWINSZ`), or nil if they are unknown.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Returns the number of bytes after the file offset of a regular file, or nil for other kinds of
  /// files.
  static func remaining(of descriptor: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return max(0, Int(status.st_size) - max(0, Int(lseek(descriptor, 0, SEEK_CUR))))
  }

  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The working directory (`getcwd`), or an empty text if it has been removed.
  static var workingFolder: String {
    guard let path = unsafe getcwd(nil, 0) else { return "" }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// The memory limit of the process in bytes (`RLIMIT_AS`), or `Int.max` without a limit.
  static var memoryLimit: Int {
    #if canImport(Darwin)
      let addressSpace = RLIMIT_AS
    #else
      let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(addressSpace, &limit) == 0 else { return .max }
    return Int(clamping: limit.rlim_cur)
  }

  static var userID: UInt32 { getuid() }

  /// Fills an array with cryptographically secure random words (`getentropy`).
  static func fillWithRandomWords(_ words: inout [UInt64]) {
    // `getentropy` returns at most 256 bytes per call.
    for start in stride(from: 0, to: words.count, by: 32) {
      let count = min(32, words.count - start)
      let isFilled = unsafe words.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return false }
        return unsafe getentropy(base + start * 8, count * 8) == 0
      }
      if isFilled { continue }
      var generator = SystemRandomNumberGenerator()
      for index in start..<start + count { words[index] = generator.next() }
    }
  }

  /// Returns the current time in microseconds since 1970 (`CLOCK_REALTIME`).
  static func now() -> Int64 {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Returns the seconds of a monotonic clock (`CLOCK_MONOTONIC`).
  static func elapsed() -> Double {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Ends the process without running exit handlers (`_exit`), which is faster. All output must
  /// have been flushed.
  static func quit(_ status: Int32) -> Never { _exit(status) }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// Returns descriptions of the arguments, the given variables and the working directory that are
  /// not valid UTF-8, so that their decoded text differs from the original.
  static func invalidUTF8(variables: [String]) -> [String] {
    var found: [String] = []
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      let text = unsafe String(cString: argument)
      // An address may contain a password.
      let head = text.contains("://") ? "" : text.prefix { $0 != "\u{FFFD}" }
      found.append("argument \(index)" + (head.isEmpty ? "" : ", which begins with \(head),"))
    }
    for name in variables {
      guard let value = unsafe getenv(name), unsafe String(validatingCString: value) == nil else {
        continue
      }
      found.append("the variable \(name)")
    }
    if let path = unsafe getcwd(nil, 0) {
      defer { unsafe free(path) }
      if unsafe String(validatingCString: path) == nil {
        found.append("the path of the working folder")
      }
    }
    return found
  }
}
