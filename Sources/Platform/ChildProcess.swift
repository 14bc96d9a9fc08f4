import CGlibc

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that was started in a process group of its own, and whose output is read. Destroying
/// the value ends all processes of the group.
package struct ChildProcess: ~Copyable {
  /// How a program ended.
  package enum Ending: Sendable {
    case exited(status: Int32)
    case signaled(Int32)
  }

  private let id: pid_t
  /// The time between SIGTERM and SIGKILL, in seconds.
  private let grace: Double
  private var output: PipeReader
  private var errors: PipeReader
  private var ending: Ending?

  /// Starts a program (`posix_spawn`).
  ///
  /// - Parameters:
  ///   - environment: The environment variables; nil for those of this process.
  ///   - input: The descriptor of the file that is the standard input.
  ///   - grace: The time in seconds between SIGTERM and SIGKILL, if the value is destroyed while the
  ///     program runs.
  package init(
    _ path: String, arguments: [String] = [], environment: [String: String]? = nil, input: Int32,
    grace: Double = 1
  ) throws(SystemCallError) {
    var (outputEnd, errorsEnd): (Int32, Int32) = (-1, -1)
    defer { for end in [outputEnd, errorsEnd] where end >= 0 { Descriptor.closeFile(end) } }
    let output = try PipeReader(writingEnd: &outputEnd)
    let errors = try PipeReader(writingEnd: &errorsEnd)
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (target, descriptor) in [(0, input), (1, outputEnd), (2, errorsEnd)] as [(Int32, Int32)] {
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, target)
    }
    // The program must not inherit the files of other requests. Other threads can open files at any
    // time, and some of these, such as pipes, are opened without `O_CLOEXEC`.
    let status = unsafe datactl_spawn_close_from(&actions, 3)
    guard status == 0 else { throw SystemCallError(number: status) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var (all, none) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var id: pid_t = 0
    let variables = environment?.map { "\($0.key)=\($0.value)" }.sorted()
    let spawned = unsafe withCStrings([path] + arguments) { arguments in
      guard let variables else {
        return unsafe posix_spawn(
          &id, path, &actions, &attributes, arguments, datactl_environment())
      }
      return unsafe withCStrings(variables) { environment in
        unsafe posix_spawn(&id, path, &actions, &attributes, arguments, environment)
      }
    }
    guard spawned == 0 else { throw SystemCallError(number: spawned) }
    self.id = id
    self.grace = grace
    self.output = output
    self.errors = errors
  }

  deinit {
    if ending == nil { Self.end(id, grace: grace) }
  }

  /// Waits for output or the end of the program, at most for some milliseconds. The wait also ends
  /// when the descriptor `alarm` is readable.
  ///
  /// Appends the output of the program to the buffers. Returns how the program ended, or nil if it
  /// is still running.
  package mutating func advance(
    output bytes: inout [UInt8], errors text: inout [UInt8], alarm: Int32
  ) -> Ending? {
    if let ending { return ending }
    var requests = [output.descriptor, errors.descriptor, alarm].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // The end of the program is not always visible on the pipes, because a process that has left
    // the group can keep them open.
    let milliseconds: Int32 = output.descriptor < 0 && errors.descriptor < 0 ? 2 : 20
    _ = unsafe requests.withUnsafeMutableBufferPointer { requests in
      unsafe poll(requests.baseAddress, nfds_t(requests.count), milliseconds)
    }
    // The id of the group is still in use, because `waitpid` has not been called yet.
    let hasEnded = Self.hasEnded(id)
    if hasEnded { kill(-id, SIGKILL) }
    output.read(into: &bytes)
    errors.read(into: &text)
    guard hasEnded else { return nil }
    ending = Self.reap(id)
    return ending
  }

  /// Returns whether a process has ended (`waitid`). No other process gets its id until `reap` is
  /// called.
  private static func hasEnded(_ id: pid_t) -> Bool {
    var info = unsafe siginfo_t()
    let status = unsafe waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT)
    return unsafe status != 0 || info.si_signo != 0
  }

  /// Sends SIGTERM to all processes in the group of a program, waits at most `grace` seconds for the
  /// end of the program, and kills the remaining processes (SIGKILL).
  private static func end(_ id: pid_t, grace: Double) {
    kill(-id, SIGTERM)
    let limit = SystemClock.elapsed() + grace
    while !hasEnded(id), SystemClock.elapsed() < limit {
      _ = try? Descriptor.wait(for: .input, of: -1, alarm: nil, seconds: 0.01)
    }
    kill(-id, SIGKILL)
    _ = reap(id)
  }

  /// Waits for the end of a process (`waitpid`).
  private static func reap(_ id: pid_t) -> Ending {
    var status: Int32 = 0
    while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
    return Ending(status)
  }
}

extension ChildProcess.Ending {
  /// Creates the ending from a status of `waitpid`.
  init(_ status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status: status >> 8 & 0xFF) : .signaled(signal)
  }
}

/// The reading end of a pipe. It never blocks.
private struct PipeReader: ~Copyable {
  /// The maximum number of bytes that are read at once.
  private static let pieceSize = 64 << 10

  /// The descriptor of the pipe, or -1 after the end of the data.
  private(set) var descriptor: Int32

  deinit {
    if descriptor >= 0 { Descriptor.closeFile(descriptor) }
  }

  /// Creates a pipe (`pipe`). Other programs do not inherit its ends.
  init(writingEnd end: inout Int32) throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .last }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    descriptor = ends[0]
    end = ends[1]
  }

  /// Appends the bytes that are available, but at most 1 MB. Without this limit, the call might not
  /// return, because the program can write as fast as the bytes are read.
  mutating func read(into bytes: inout [UInt8]) {
    guard descriptor >= 0 else { return }
    do throws(SystemCallError) {
      for _ in 0..<16 {
        let count = try Descriptor.readBytes(descriptor, into: &bytes, atMost: Self.pieceSize)
        if count < Self.pieceSize {
          if count == 0 { close() }
          return
        }
      }
    } catch {
      if error.number != EAGAIN, !error.isInterruption { close() }
    }
  }

  private mutating func close() {
    Descriptor.closeFile(descriptor)
    descriptor = -1
  }
}

/// Calls a closure with a null-terminated array of C strings.
package func withCStrings<Result>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = unsafe texts.map { unsafe strdup($0) }
  defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
  return unsafe body(copies + [nil])
}
