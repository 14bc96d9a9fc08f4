#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Operations on the signals of the current process.
enum Signals {
  /// Ignores SIGPIPE and SIGXFSZ. If the program writes to a closed pipe, or beyond the file size
  /// limit, it then gets an error, and the store can roll back.
  static func ignoreWriteSignals() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Ends the process with the default effect of SIGPIPE.
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

  /// Schedules SIGALRM after the given number of seconds (`alarm`).
  static func scheduleAlarm(after seconds: UInt32) {
    _ = alarm(seconds)
  }

  /// Writes a message to stderr, and ends the process. Makes only async-signal-safe calls, so that
  /// a signal handler can call it.
  static func quitImmediately(_ status: Int32, printing message: StaticString) -> Never {
    // If the message cannot be written, there is no other way to report it.
    _ = unsafe write(2, message.utf8Start, message.utf8CodeUnitCount)
    _exit(status)
  }

  /// Installs a signal handler that is called only once (`sigaction` with `SA_RESETHAND`). A second
  /// signal has its default effect.
  ///
  /// Blocking system calls that the signal interrupts return EINTR. If the parent process has set
  /// the signal to be ignored, as `nohup` does, it remains ignored.
  static func handle(_ number: Int32, with handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_handler = handler
      action.sa_flags = Int32(SA_RESETHAND)
    #else
      #if canImport(Musl)
        unsafe action.__sa_handler.sa_handler = handler
      #else
        unsafe action.__sigaction_handler.sa_handler = handler
      #endif
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    #endif
    // `sigaction` fails only if the signal does not exist.
    guard !isIgnored(number) else { return }
    _ = unsafe sigaction(number, &action, nil)
  }

  /// Restores the default effect of a signal, unless the signal is ignored.
  static func restoreDefaultHandler(_ number: Int32) {
    if !isIgnored(number) { _ = signal(number, SIG_DFL) }
  }

  /// Suspends the process with SIGTSTP. Returns when the process continues.
  static func suspend() { _ = raise(SIGTSTP) }

  private static func isIgnored(_ number: Int32) -> Bool {
    // SIG_DFL and SIG_IGN are numbers that are cast to function pointers, so they are compared as
    // integers.
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #elseif canImport(Musl)
      let handler = unsafe unsafeBitCast(action.__sa_handler.sa_handler, to: Int.self)
    #else
      let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #endif
    return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
