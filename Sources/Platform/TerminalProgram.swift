import CGlibc

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs programs that use the terminal of this process, such as an editor.
package enum TerminalProgram {
  private static let terminal = "/dev/tty"
  /// The time in seconds that a program has to end after SIGTERM.
  private static let grace = 1.0

  /// Whether the session of this process has a terminal.
  package static var hasTerminal: Bool { (try? OpenFile(terminal, for: .reading)) != nil }

  /// Runs a program (`posix_spawn`), and waits for its end. If stdin or stdout is not a terminal,
  /// the program gets the terminal of the session instead, if there is one.
  ///
  /// Keys such as Ctrl-C send signals to both processes, but only the program uses them: meanwhile,
  /// this process ignores SIGINT and SIGQUIT. If `isStopping` returns true after another signal,
  /// the program is terminated. Returns nil if it has not ended a second later.
  package static func run(
    _ path: String, arguments: [String], unless isStopping: () -> Bool
  ) throws(SystemCallError) -> ChildProcess.Ending? {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if hasTerminal {
      for descriptor: Int32 in 0...1 where isatty(descriptor) == 0 {
        unsafe posix_spawn_file_actions_addopen(&actions, descriptor, terminal, O_RDWR, 0)
      }
    }
    _ = unsafe datactl_spawn_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    for signal in [SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ] { unsafe sigaddset(&defaults, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    let ignored = [SIGINT, SIGQUIT]
    // An array, because Swift 6.3 compiles a dictionary of these structures to wrong code.
    var actionsBefore: [sigaction] = []
    for number in ignored {
      var action = sigaction()
      _ = unsafe sigaction(number, nil, &action)
      actionsBefore.append(action)
      _ = signal(number, SIG_IGN)
    }
    defer {
      for (number, action) in zip(ignored, actionsBefore) {
        var action = action
        _ = unsafe sigaction(number, &action, nil)
      }
    }
    var id: pid_t = 0
    let spawned = unsafe withCStrings([path] + arguments) { arguments in
      unsafe posix_spawn(&id, path, &actions, &attributes, arguments, datactl_environment())
    }
    guard spawned == 0 else { throw SystemCallError(number: spawned) }
    return try wait(for: id, unless: isStopping)
  }

  /// Waits for the end of a process (`waitpid`). A signal handler interrupts the wait.
  private static func wait(
    for id: pid_t, unless isStopping: () -> Bool
  ) throws(SystemCallError) -> ChildProcess.Ending? {
    var end: Double?
    while true {
      var status: Int32 = 0
      let result = unsafe waitpid(id, &status, end == nil ? 0 : WNOHANG)
      if result == id { return ChildProcess.Ending(status) }
      if result < 0, errno != EINTR { throw .last }
      if let end {
        if SystemClock.elapsed() > end { return nil }
        _ = try? Descriptor.wait(for: .input, of: -1, alarm: nil, seconds: 0.01)
      } else if isStopping() {
        kill(id, SIGTERM)
        end = SystemClock.elapsed() + grace
      }
    }
  }
}
