#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The calls to the system, each with its return code looked at.
///
/// What differs by platform stands in this folder alone, and so does what the compiler cannot check.
enum Platform {
  /// What the system said when a call failed.
  struct Fault: Error, Equatable {
    let number: Int32

    static var last: Fault { Fault(number: errno) }

    var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    var isBrokenPipe: Bool { number == EPIPE }
    var isInterruption: Bool { number == EINTR }
    /// Whether the call would have had to wait, on a descriptor that never does.
    var wouldWait: Bool { number == EAGAIN || number == EWOULDBLOCK }

    /// The system's words for it, which begin small in the middle of a sentence.
    var text: String {
      guard let words = unsafe strerror(number) else { return "error \(number)" }
      return unsafe String(cString: words)
    }
  }

  /// The text of a path that the system gave; one that is no UTF-8 would become another one.
  static func text(_ bytes: UnsafePointer<CChar>) throws(Fault) -> String {
    guard let text = unsafe String(validatingCString: bytes) else { throw Fault(number: EILSEQ) }
    return text
  }

  /// Reads at most so many bytes behind those in the buffer; 0 at the end.
  static func readBytes(
    _ descriptor: Int32, into buffer: inout [UInt8], atMost count: Int
  ) throws(Fault) -> Int {
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

  /// Writes as many of the bytes as the system takes at once, and tells how many.
  static func writeBytes(_ descriptor: Int32, _ bytes: Span<UInt8>) throws(Fault) -> Int {
    let result = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe write(descriptor, bytes.baseAddress, bytes.count)
    }
    guard result >= 0 else { throw .last }
    return result
  }

  /// Lets a pipe hold a megabyte, if the system has so much for it; other files stay as they are.
  ///
  /// Who writes a lot waits for the reader less often: a listing takes a quarter less time.
  static func widenPipe(_ descriptor: Int32) {
    #if os(Linux)
      // F_SETPIPE_SZ and F_GETPIPE_SZ, which are not imported.
      let (setSize, getSize, most): (Int32, Int32, Int32) = (1031, 1032, 1 << 20)
      let size = fcntl(descriptor, getSize)
      if size >= 0 && size < most { _ = fcntl(descriptor, setSize, most) }
    #endif
  }

  /// What a descriptor is waited for.
  enum Passage {
    case input
    case output
  }

  /// What a wait for two descriptors ended with.
  enum Readiness {
    case ready
    case other
    /// The time was over.
    case none
  }

  /// Waits until a descriptor is ready, or another can be read if there is one, for ever if no time
  /// is given.
  static func wait(
    for passage: Passage, of descriptor: Int32, or other: Int32?, seconds: Double? = nil
  ) throws(Fault) -> Readiness {
    let event =
      switch passage {
      case .input: Int16(POLLIN)
      case .output: Int16(POLLOUT)
      }
    // A number below zero is passed over.
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

  /// The columns of a terminal, or nil if it does not know.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// The bytes that a regular file has behind its position, or nil if it is something else.
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

  /// The working folder; nothing if it is gone.
  static var workingFolder: String {
    guard let path = unsafe getcwd(nil, 0) else { return "" }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// How many bytes of memory the process may take, if somebody has limited it.
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

  /// Overwrites every word with one that nobody can foresee.
  static func fillWithRandomWords(_ words: inout [UInt64]) {
    // The kernel gives at most 256 bytes at a time.
    for start in stride(from: 0, to: words.count, by: 32) {
      let count = min(32, words.count - start)
      let isFilled = unsafe words.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return false }
        return unsafe getentropy(base + start * 8, count * 8) == 0
      }
      if isFilled { continue }
      var generator = SystemRandomNumberGenerator()
      for place in start..<start + count { words[place] = generator.next() }
    }
  }

  /// Microseconds since the beginning of 1970.
  static func now() -> Int64 {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Seconds since some moment, on a clock that never jumps.
  static func elapsed() -> Double {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Ends the program, which has written all that it had to. What the libraries would tidy up is left
  /// to the system, which does it faster.
  static func quit(_ status: Int32) -> Never { _exit(status) }
}
