#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Installs and triggers signal handlers of the current process.
enum Signals {
  /// Ignores SIGPIPE and SIGXFSZ. A write to a closed pipe, or beyond the file size limit, then
  /// returns an error instead of ending the process, so that the store can roll back.
  static func ignoreWriteSignals() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Restores the default effects of the signals that `ignoreWriteSignals` ignores.
  static func restoreWriteSignals() {
    _ = signal(SIGPIPE, SIG_DFL)
    _ = signal(SIGXFSZ, SIG_DFL)
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

  /// Schedules a SIGALRM every 100 milliseconds (`setitimer`). Can be called in a signal handler.
  static func startAlarms() {
    let interval = timeval(tv_sec: 0, tv_usec: 100_000)
    var timer = itimerval(it_interval: interval, it_value: interval)
    #if canImport(Glibc)
      _ = unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
    #else
      _ = unsafe setitimer(ITIMER_REAL, &timer, nil)
    #endif
  }

  /// Writes a byte to a pipe, and ignores errors. Can be called in a signal handler.
  static func wake(_ pipe: Int32) {
    var byte: UInt8 = 0
    _ = unsafe write(pipe, &byte, 1)
  }

  /// Writes a message to stderr. Can be called in a signal handler.
  static func printImmediately(_ message: StaticString) {
    // If the message cannot be written, there is no other way to report it.
    _ = unsafe write(2, message.utf8Start, message.utf8CodeUnitCount)
  }

  /// Copies a text to memory that is never freed, and returns its address (`strdup`).
  static func keptText(_ text: String) -> UInt { UInt(bitPattern: unsafe strdup(text)) }

  /// Writes a text of `keptText` to stderr. Can be called in a signal handler.
  static func printImmediately(textAt address: UInt) {
    guard let text = unsafe UnsafePointer<CChar>(bitPattern: address) else { return }
    _ = unsafe write(2, text, strlen(text))
  }

  /// Writes a message to stderr, and ends the process. Can be called in a signal handler.
  static func quitImmediately(_ status: Int32, printing message: StaticString) -> Never {
    printImmediately(message)
    _exit(status)
  }

  /// Installs a signal handler. The handler can interrupt `malloc`, so it must not allocate memory.
  ///
  /// Blocking system calls that the signal interrupts return EINTR. If the parent process has set
  /// the signal to be ignored, as `nohup` does, it remains ignored.
  ///
  /// - Parameter once: Whether the handler is called only once (`SA_RESETHAND`). A second signal
  ///   then has its default effect.
  static func handle(
    _ number: Int32, once: Bool = true, with handler: @escaping @convention(c) (Int32) -> Void
  ) {
    var action = sigaction()
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_handler = handler
      action.sa_flags = once ? Int32(SA_RESETHAND) : 0
    #else
      #if canImport(Musl)
        unsafe action.__sa_handler.sa_handler = handler
      #else
        unsafe action.__sigaction_handler.sa_handler = handler
      #endif
      action.sa_flags = once ? Int32(bitPattern: UInt32(SA_RESETHAND)) : 0
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
