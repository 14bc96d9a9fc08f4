#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// How a terminal was before its echo was switched off.
  struct TerminalState {
    fileprivate var attributes: termios
  }

  /// Lets a terminal show nothing of what is typed, and returns how it was. What was typed ahead
  /// still counts.
  static func hideEcho(of descriptor: Int32) throws(Fault) -> TerminalState {
    var attributes = termios()
    guard unsafe tcgetattr(descriptor, &attributes) == 0 else { throw .last }
    let before = TerminalState(attributes: attributes)
    attributes.c_lflag &= ~tcflag_t(ECHO)
    attributes.c_lflag |= tcflag_t(ECHONL)
    guard unsafe tcsetattr(descriptor, TCSADRAIN, &attributes) == 0 else { throw .last }
    return before
  }

  static func restore(_ state: TerminalState, of descriptor: Int32) {
    var attributes = state.attributes
    // If the terminal is gone, there is nothing to restore.
    _ = unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
  }

  /// Lets a write fail into a pipe that nobody reads, or into a file that has become as long as files
  /// may be, so that a store can be left in good order.
  static func ignoreWriteSignals() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Ends the process as a write into such a pipe does by itself.
  static func endByPipeSignal() {
    _ = signal(SIGPIPE, SIG_DFL)
    _ = raise(SIGPIPE)
  }

  static let interruptSignal = SIGINT
  static let terminateSignal = SIGTERM
  static let hangUpSignal = SIGHUP
  static let alarmSignal = SIGALRM
  static let pipeSignal = SIGPIPE

  /// Lets the alarm signal come after some seconds.
  static func sendAlarm(after seconds: UInt32) {
    _ = alarm(seconds)
  }

  /// Ends the process from within a signal's handler, where little else is allowed.
  static func quitAtOnce(_ status: Int32, saying words: StaticString) -> Never {
    // There is nothing left to do if the words do not come through.
    _ = unsafe write(2, words.utf8Start, words.utf8CodeUnitCount)
    _exit(status)
  }

  /// Calls the handler at the first such signal; the second has its default effect.
  ///
  /// System calls that wait are broken off by it. A signal that whoever started the program lets
  /// it ignore, as `nohup` does, stays ignored.
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
    guard !isIgnored(number) else { return }
    _ = unsafe sigaction(number, &action, nil)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    // The pointers of the two handlers that the system knows are numbers, not functions.
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #else
      let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #endif
    return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// A pipe through which a signal, or a thread, wakes whoever waits.
  static func makePipe() -> (reading: Int32, writing: Int32)? {
    var ends: InlineArray<2, Int32> = [-1, -1]
    var span = ends.mutableSpan
    let result = unsafe span.withUnsafeMutableBufferPointer { ends in
      unsafe pipe(ends.baseAddress)
    }
    guard result == 0 else { return nil }
    for place in ends.indices { _ = fcntl(ends[place], F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
