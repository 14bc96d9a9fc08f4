#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// The attributes of a terminal before its echo was switched off.
  struct TerminalState {
    fileprivate var attributes: termios
  }

  /// Switches off the echo of a terminal (`tcsetattr`) and returns its previous state. Pending
  /// input is kept.
  static func hideEcho(of descriptor: Int32) throws(SystemError) -> TerminalState {
    var attributes = termios()
    guard unsafe tcgetattr(descriptor, &attributes) == 0 else { throw .last }
    let previous = TerminalState(attributes: attributes)
    attributes.c_lflag &= ~tcflag_t(ECHO)
    attributes.c_lflag |= tcflag_t(ECHONL)
    guard unsafe tcsetattr(descriptor, TCSADRAIN, &attributes) == 0 else { throw .last }
    return previous
  }

  static func restore(_ state: TerminalState, of descriptor: Int32) {
    var attributes = state.attributes
    // If the terminal is closed, there is nothing to restore.
    _ = unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
  }

  /// Ignores SIGPIPE and SIGXFSZ, so that a write to a closed pipe or past the file size limit
  /// returns an error and the store can roll back.
  static func ignoreWriteSignals() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Ends the process with SIGPIPE.
  static func raisePipeSignal() {
    _ = signal(SIGPIPE, SIG_DFL)
    _ = raise(SIGPIPE)
  }

  static let interruptSignal = SIGINT
  static let terminateSignal = SIGTERM
  static let hangUpSignal = SIGHUP
  static let alarmSignal = SIGALRM
  static let pipeSignal = SIGPIPE
  static let suspendSignal = SIGTSTP

  /// Schedules SIGALRM after some seconds (`alarm`).
  static func scheduleAlarm(after seconds: UInt32) {
    _ = alarm(seconds)
  }

  /// Writes a message and ends the process from a signal handler, using only async-signal-safe
  /// calls.
  static func quitImmediately(_ status: Int32, printing message: StaticString) -> Never {
    // If the message cannot be written, there is nothing left to do.
    _ = unsafe write(2, message.utf8Start, message.utf8CodeUnitCount)
    _exit(status)
  }

  /// Installs a signal handler that runs once (`sigaction` with `SA_RESETHAND`); the second signal
  /// has its default effect.
  ///
  /// Blocking system calls return with EINTR. A signal that the parent process ignores, as with
  /// `nohup`, remains ignored.
  static func handle(_ number: Int32, with handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_handler = handler
      action.sa_flags = Int32(SA_RESETHAND)
    #else
      unsafe action.__sigaction_handler.sa_handler = handler
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    #endif
    // `sigaction` fails only for signals that do not exist.
    guard !isIgnored(number) else { return }
    _ = unsafe sigaction(number, &action, nil)
  }

  /// Restores the default effect of a signal, unless it is ignored.
  static func restoreDefaultHandler(_ number: Int32) {
    if !isIgnored(number) { _ = signal(number, SIG_DFL) }
  }

  /// Suspends the process with SIGTSTP, and returns when it continues.
  static func suspend() { _ = raise(SIGTSTP) }

  private static func isIgnored(_ number: Int32) -> Bool {
    // SIG_DFL and SIG_IGN are numbers cast to function pointers, so they are compared as integers.
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #else
      let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #endif
    return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Creates a pipe with which a signal handler or a thread wakes waiting code.
  static func makePipe() -> (reading: Int32, writing: Int32)? {
    var ends: InlineArray<2, Int32> = [-1, -1]
    var span = ends.mutableSpan
    let result = unsafe span.withUnsafeMutableBufferPointer { ends in
      unsafe pipe(ends.baseAddress)
    }
    guard result == 0 else { return nil }
    for index in ends.indices { _ = fcntl(ends[index], F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
