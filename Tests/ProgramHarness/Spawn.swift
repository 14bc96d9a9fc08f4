import CHarness
import Foundation
import Glibc

/// Prepares the standard streams of a child process, and starts it with `posix_spawn`.
struct Spawn {
  private var childDescriptors: [(target: Int32, descriptor: Int32)] = []
  private var paths: [(target: Int32, path: String, flags: Int32)] = []

  /// Ignores SIGPIPE, so that writing to a child that has exited does not end the test process.
  private static let ignoresClosedPipes: Bool = {
    signal(SIGPIPE, SIG_IGN)
    return true
  }()

  /// Prepares the child's stdin. Returns the descriptor to which the test writes, or -1 if there is
  /// none.
  mutating func input(_ input: Input) throws(Violation) -> Int32 {
    switch input {
    case .nothing:
      paths.append((0, "/dev/null", O_RDONLY))
      return -1
    case .file(let path):
      paths.append((0, path, O_RDONLY))
      return -1
    case .bytes, .open:
      let (reading, writing) = try Self.pipe()
      childDescriptors.append((0, reading))
      _ = fcntl(writing, F_SETFL, O_NONBLOCK)
      return writing
    case .terminal:
      return try terminal(as: 0, flags: O_RDWR, columns: 80)
    }
  }

  /// Prepares the child's stdout or stderr. Returns the descriptor from which the test reads, or -1
  /// if there is none.
  mutating func output(_ output: Output, as target: Int32) throws(Violation) -> Int32 {
    switch output {
    case .file(let path):
      paths.append((target, path, O_WRONLY | O_CREAT | O_TRUNC))
      return -1
    case .captured, .capturedNonblocking:
      let (reading, writing) = try Self.pipe()
      if case .capturedNonblocking = output { _ = fcntl(writing, F_SETFL, O_NONBLOCK) }
      childDescriptors.append((target, writing))
      return reading
    case .terminal(let columns):
      return try terminal(as: target, flags: O_RDWR | O_NOCTTY, columns: columns)
    }
  }

  func closeChildDescriptors() {
    for end in childDescriptors { close(end.descriptor) }
  }

  /// Starts the child in a new session, so that it can have a controlling terminal of its own.
  func start(
    _ command: [String], environment: [String: String], directory: String
  ) throws(Violation) -> pid_t {
    guard Self.ignoresClosedPipes else { throw Violation("SIGPIPE cannot be ignored") }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for end in childDescriptors {
      unsafe posix_spawn_file_actions_adddup2(&actions, end.descriptor, end.target)
    }
    for entry in paths {
      unsafe posix_spawn_file_actions_addopen(
        &actions, entry.target, entry.path, entry.flags, 0o644)
    }
    unsafe harness_close_other_files(&actions)
    unsafe harness_add_folder(&actions, directory)

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    var none = sigset_t()
    unsafe sigfillset(&all)
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    let flags =
      Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
      | Int32(harness_new_session)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var pid: pid_t = 0
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    let result = unsafe withCStrings(command) { arguments in
      unsafe withCStrings(variables) { environment in
        unsafe posix_spawn(&pid, command[0], &actions, &attributes, arguments, environment)
      }
    }
    guard result == 0 else { throw Violation("\(command[0]) cannot be started: error \(result)") }
    return pid
  }

  private mutating func terminal(
    as target: Int32, flags: Int32, columns: Int
  ) throws(Violation) -> Int32 {
    let terminal = try PseudoTerminal(columns: columns)
    paths.append((target, terminal.path, flags))
    return terminal.descriptor
  }

  private static func pipe() throws(Violation) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe harness_pipe(&ends) == 0 else { throw Violation("no pipe: error \(errno)") }
    return (ends[0], ends[1])
  }
}

/// Calls a closure with a null-terminated array of C strings.
private func withCStrings<Result>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = unsafe texts.map { unsafe strdup($0) }
  defer {
    for index in unsafe copies.indices {
      unsafe free(copies[index])
    }
  }
  return unsafe body(copies + [nil])
}

/// A pseudo-terminal pair.
struct PseudoTerminal {
  /// The descriptor of the controlling side, which the test reads and writes.
  let descriptor: Int32
  /// The path of the other side, which the child opens.
  let path: String

  init(columns: Int) throws(Violation) {
    var name = [CChar](repeating: 0, count: 64)
    descriptor = unsafe harness_open_terminal(Int32(columns), &name, name.count)
    guard descriptor >= 0 else { throw Violation("no terminal: error \(errno)") }
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
