#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The calls to the system, each with its return code looked at.
///
/// What differs by platform stands in this file alone, and so does what the compiler cannot check.
enum Platform {
  /// What the system said when a call failed.
  struct Fault: Error, Equatable {
    let number: Int32

    static var last: Fault { Fault(number: errno) }

    var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    var isBrokenPipe: Bool { number == EPIPE }
    var isInterruption: Bool { number == EINTR }

    /// The system's words for it, which begin small in the middle of a sentence.
    var text: String {
      guard let words = unsafe strerror(number) else { return "error \(number)" }
      return unsafe String(cString: words)
    }
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

  /// Waits until one of two descriptors can be read, and tells whether it is the second.
  static func waitForInput(_ descriptor: Int32, or other: Int32) throws(Fault) -> Bool {
    var requests = [descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let result = unsafe requests.withUnsafeMutableBufferPointer { requests in
      unsafe poll(requests.baseAddress, nfds_t(requests.count), -1)
    }
    guard result >= 0 else { throw .last }
    return requests[1].revents != 0
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

  /// The working folder, or the root if it is gone.
  static var workingFolder: String {
    guard let path = unsafe getcwd(nil, 0) else { return "/" }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
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

  static func quit(_ status: Int32) -> Never { exit(status) }
}

extension Platform {
  /// How a file is opened.
  enum Opening {
    case reading
    /// Made new, or emptied.
    case writing
  }

  static func openFile(_ path: String, for opening: Opening) throws(Fault) -> Int32 {
    let descriptor =
      switch opening {
      case .reading: unsafe open(path, O_RDONLY | O_CLOEXEC)
      case .writing: unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      }
    guard descriptor >= 0 else { throw .last }
    if case .reading = opening, isFolder(descriptor) {
      closeFile(descriptor)
      throw Fault(number: EISDIR)
    }
    return descriptor
  }

  private static func isFolder(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func makeFolder(_ path: String) throws(Fault) {
    guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST && isFolder(path) else { throw .last }
  }

  /// The names in a folder, in the order of their bytes.
  static func names(in folder: String) throws(Fault) -> [String] {
    guard let directory = unsafe opendir(folder) else { throw .last }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Opens a file that has no name any more, so that it goes when the program does.
  static func openNamelessFile() throws(Fault) -> Int32 {
    var fault = Fault(number: 0)
    for folder in ["/var/tmp", "/tmp"] {
      var path = Array("\(folder)/datactl-XXXXXX".utf8CString)
      let descriptor = unsafe path.withUnsafeMutableBufferPointer { path -> Int32 in
        guard let base = path.baseAddress else { return -1 }
        let descriptor = unsafe mkstemp(base)
        if descriptor >= 0 { unsafe unlink(base) }
        return descriptor
      }
      if descriptor >= 0 { return descriptor }
      fault = .last
    }
    throw fault
  }

  static func rewind(_ descriptor: Int32) throws(Fault) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last }
  }

  static func closeFile(_ descriptor: Int32) {
    // Nothing can be done when closing fails; what must be durable is written by the store.
    _ = close(descriptor)
  }
}

extension Platform {
  /// How a terminal was before its echo was switched off.
  struct TerminalState {
    fileprivate var attributes: termios
  }

  /// Lets a terminal show nothing of what is typed, and returns how it was.
  static func hideEcho(of descriptor: Int32) throws(Fault) -> TerminalState {
    var attributes = termios()
    guard unsafe tcgetattr(descriptor, &attributes) == 0 else { throw .last }
    let before = TerminalState(attributes: attributes)
    attributes.c_lflag &= ~tcflag_t(ECHO)
    attributes.c_lflag |= tcflag_t(ECHONL)
    guard unsafe tcsetattr(descriptor, TCSAFLUSH, &attributes) == 0 else { throw .last }
    return before
  }

  static func restore(_ state: TerminalState, of descriptor: Int32) {
    var attributes = state.attributes
    // If the terminal is gone, there is nothing to restore.
    _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &attributes)
  }

  /// Lets a signal do what it does by itself.
  static func resetPipeSignal() {
    _ = signal(SIGPIPE, SIG_DFL)
  }

  static let interruptSignal = SIGINT
  static let terminateSignal = SIGTERM

  /// Calls the handler at the first such signal; the second has its default effect.
  ///
  /// System calls that wait are broken off by it.
  static func handle(_ number: Int32, with handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_handler = handler
      action.sa_flags = Int32(SA_RESETHAND)
    #else
      unsafe action.__sigaction_handler.sa_handler = handler
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    #endif
    // It fails only for signals that do not exist.
    _ = unsafe sigaction(number, &action, nil)
  }

  /// A pipe through which a signal wakes whoever waits.
  static func makePipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    let result = unsafe ends.withUnsafeMutableBufferPointer { ends in
      unsafe pipe(ends.baseAddress)
    }
    guard result == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
