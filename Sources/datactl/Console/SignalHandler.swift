import DataStore
import Platform
private import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP, so that work can be rolled back before the program exits.
///
/// The first signal sets a flag, which commands check between chunks. It also writes to a pipe,
/// which wakes code that waits for input. A signal that arrives after the flag was checked, but
/// before a blocking system call begins, does not interrupt this call. Therefore, after the first
/// signal, SIGALRM interrupts blocking calls ten times per second.
///
/// The program may still be blocked, for example by another process. If it has not exited after two
/// seconds, it prints a message and exits without cleanup. The store then rolls back the
/// transaction. If a commit was in progress, the message says that the outcome is unknown. A second
/// signal has its default effect, except after `printAtExit`.
///
/// A server can use SIGHUP to read files again instead.
enum SignalHandler {
  private static let number = Atomic<Int32>(0)
  private static let readingEnd = Atomic<Int32>(-1)
  private static let writingEnd = Atomic<Int32>(-1)
  private static let isSuspensionPending = Atomic<Bool>(false)
  private static let isReloadPending = Atomic<Bool>(false)
  private static let isCommitting = Atomic<Bool>(false)
  private static let hasCommitted = Atomic<Bool>(false)
  /// The address of the text that `printAtExit` has set, or 0.
  private static let exitText = Atomic<UInt>(0)
  /// The number of SIGALRM signals received since the first signal that asked the program to stop.
  private static let alarmCount = Atomic<Int>(0)
  /// The number of SIGALRM signals after which the program exits without cleanup.
  private static let maxAlarms = Atomic<Int>(20)

  /// Creates the pipe, and installs the handlers of SIGINT, SIGTERM and SIGHUP.
  static func install() {
    guard let ends = Descriptor.makePipe() else { return }
    readingEnd.store(ends.reading, ordering: .relaxed)
    writingEnd.store(ends.writing, ordering: .relaxed)
    number.store(0, ordering: .relaxed)
    handleSignals(once: true)
    Signals.handle(Signals.alarmSignal, once: false) { _ in SignalHandler.countAlarm() }
  }

  private static func handleSignals(once: Bool) {
    for signal in [
      Signals.interruptSignal, Signals.terminateSignal, Signals.hangUpSignal,
    ] {
      Signals.handle(signal, once: once) { SignalHandler.receive($0) }
    }
  }

  /// Sets `received` to `closedPipe`, because the program that reads the output has closed its
  /// pipe. Does nothing if a signal was received before.
  static func recordClosedPipe() {
    _ = number.compareExchange(expected: 0, desired: Signals.pipeSignal, ordering: .relaxed)
  }

  /// The signal that the program has received, or nil if there was none.
  static var received: Signal? {
    switch number.load(ordering: .relaxed) {
    case 0: nil
    case Signals.pipeSignal: .closedPipe
    case Signals.terminateSignal: .terminate
    case Signals.hangUpSignal: .hangUp
    default: .interrupt
    }
  }

  /// The descriptor of the read end of the pipe, which becomes readable when a signal is received.
  /// Nil if there is no pipe.
  static var alarm: Int32? {
    let end = readingEnd.load(ordering: .relaxed)
    return end < 0 ? nil : end
  }

  /// Stores the stage of a commit. If the program must exit without cleanup, its message depends on
  /// this stage.
  static func recordCommitStage(_ stage: CommitStage) {
    isCommitting.store(stage == .inProgress, ordering: .relaxed)
    if stage == .done { hasCommitted.store(true, ordering: .relaxed) }
  }

  /// Defers suspension. Until `restoreSuspension` is called, SIGTSTP only sets a flag and wakes
  /// waiting code.
  static func deferSuspension() {
    Signals.handle(Signals.suspendSignal) { _ in
      SignalHandler.isSuspensionPending.store(true, ordering: .relaxed)
      SignalHandler.wake()
    }
  }

  /// Returns whether SIGTSTP was received since the previous call of this function.
  static func consumeSuspension() -> Bool { consume(isSuspensionPending) }

  /// Restores the default effect of SIGTSTP. If SIGTSTP was received while suspension was deferred,
  /// suspends the process.
  static func restoreSuspension() {
    Signals.restoreDefaultHandler(Signals.suspendSignal)
    if consumeSuspension() { Signals.suspend() }
  }

  /// From now on, SIGHUP does not ask the program to stop, but sets a flag and wakes waiting code.
  static func reloadOnHangUp() {
    Signals.handle(Signals.hangUpSignal, once: false) { _ in
      SignalHandler.isReloadPending.store(true, ordering: .relaxed)
      SignalHandler.wake()
    }
  }

  /// Returns whether SIGHUP was received after `reloadOnHangUp` was called, and since the previous
  /// call of this function.
  static func consumeReload() -> Bool { consume(isReloadPending) }

  /// Returns whether a signal has set a flag. If so, clears the flag, and reads the byte that the
  /// signal has written to the pipe.
  private static func consume(_ flag: borrowing Atomic<Bool>) -> Bool {
    guard flag.exchange(false, ordering: .relaxed) else { return false }
    var byte: [UInt8] = []
    _ = try? Descriptor.readBytes(readingEnd.load(ordering: .relaxed), into: &byte, atMost: 1)
    return true
  }

  /// Sets how many seconds the program may take to stop after the first signal. After this time, it
  /// exits without cleanup.
  static func allowSeconds(_ seconds: Double) {
    maxAlarms.store(Int(seconds * 10), ordering: .relaxed)
  }

  /// Sets a text that is printed if the program must exit without cleanup. From now on, a second
  /// signal does not end the program before it has printed this text or an error.
  static func printAtExit(_ text: String) {
    exitText.store(Signals.keptText(text), ordering: .relaxed)
    handleSignals(once: false)
  }

  /// Why the program exits without cleanup.
  enum ExitReason {
    case signal
    case noMemory
  }

  /// Prints a message that depends on the stage of a commit, and exits without cleanup. Does not
  /// allocate memory.
  static func quit(because reason: ExitReason) -> Never {
    let messages: (committing: StaticString, committed: StaticString, StaticString) =
      switch reason {
      case .signal:
        (
          "datactl: interrupted during the commit\n",
          "datactl: interrupted while waiting; earlier commits are kept\n",
          "datactl: interrupted while waiting\n"
        )
      case .noMemory:
        (
          "datactl: out of memory during the commit\n",
          "datactl: out of memory; earlier commits are kept\n", "datactl: out of memory\n"
        )
      }
    let status = reason == .signal ? received?.exitStatus ?? 1 : 1
    Signals.printImmediately(textAt: exitText.load(ordering: .relaxed))
    if isCommitting.load(ordering: .relaxed) {
      Signals.printImmediately(messages.committing)
      Signals.quitImmediately(
        status,
        printing:
          "  check whether the changes were committed before you run the command again\n")
    }
    Signals.quitImmediately(
      status,
      printing: hasCommitted.load(ordering: .relaxed) ? messages.committed : messages.2)
  }

  private static func receive(_ signal: Int32) {
    _ = number.compareExchange(expected: 0, desired: signal, ordering: .relaxed)
    Signals.startAlarms()
    wake()
  }

  private static func countAlarm() {
    let count = alarmCount.add(1, ordering: .relaxed).newValue
    if count == maxAlarms.load(ordering: .relaxed) { quit(because: .signal) }
  }

  private static func wake() {
    Signals.wake(writingEnd.load(ordering: .relaxed))
  }
}

/// A signal that asks the program to stop.
package enum Signal: Sendable {
  case interrupt
  case terminate
  case hangUp
  /// The program that reads the output has closed the pipe (SIGPIPE).
  case closedPipe

  /// The exit status of the program after the signal has stopped it.
  var exitStatus: Int32 {
    switch self {
    case .interrupt: 130
    case .terminate, .hangUp: 143
    case .closedPipe: 141
    }
  }
}
