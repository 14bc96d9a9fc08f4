import DataStore
import Platform
private import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP, so that work can be rolled back before the program exits.
///
/// The first signal sets a flag, which is checked between chunks, and writes to a pipe, which wakes
/// code that waits for input. If the program has not exited within two seconds, because it waits
/// for another process, SIGALRM ends it without cleanup: the store then rolls back, unless a commit
/// was in progress, which the last message reports. A second signal has its default effect.
enum SignalHandler {
  private static let number = Atomic<Int32>(0)
  private static let readingEnd = Atomic<Int32>(-1)
  private static let writingEnd = Atomic<Int32>(-1)
  private static let isSuspensionPending = Atomic<Bool>(false)
  private static let isCommitting = Atomic<Bool>(false)
  private static let hasCommitted = Atomic<Bool>(false)

  /// Installs the signal handlers.
  static func install() {
    guard let ends = Files.makePipe() else { return }
    readingEnd.store(ends.reading, ordering: .relaxed)
    writingEnd.store(ends.writing, ordering: .relaxed)
    number.store(0, ordering: .relaxed)
    for signal in [
      Signals.interruptSignal, Signals.terminateSignal, Signals.hangUpSignal,
    ] {
      Signals.handle(signal) { SignalHandler.receive($0) }
    }
    Signals.handle(Signals.alarmSignal) { _ in SignalHandler.quit() }
  }

  /// Records that the reader of the output closed the pipe, unless a signal was received before.
  static func recordClosedPipe() {
    _ = number.compareExchange(expected: 0, desired: Signals.pipeSignal, ordering: .relaxed)
  }

  /// The signal that was received, if any.
  static var received: Signal? {
    switch number.load(ordering: .relaxed) {
    case 0: nil
    case Signals.pipeSignal: .closedPipe
    case Signals.terminateSignal, Signals.hangUpSignal: .terminate
    default: .interrupt
    }
  }

  /// A descriptor that becomes readable when a signal is received.
  static var alarm: Int32? {
    let end = readingEnd.load(ordering: .relaxed)
    return end < 0 ? nil : end
  }

  /// Records the progress of the commit, for the message when the program ends without cleanup.
  static func recordCommitStage(_ stage: CommitStage) {
    isCommitting.store(stage == .inProgress, ordering: .relaxed)
    if stage == .done { hasCommitted.store(true, ordering: .relaxed) }
  }

  /// Defers suspension: SIGTSTP sets a flag instead of stopping the process at once.
  static func deferSuspension() {
    Signals.handle(Signals.suspendSignal) { _ in
      SignalHandler.isSuspensionPending.store(true, ordering: .relaxed)
      SignalHandler.wake()
    }
  }

  /// Returns whether SIGTSTP was received, and resets the flag and the pipe.
  static func consumeSuspension() -> Bool {
    guard isSuspensionPending.exchange(false, ordering: .relaxed) else { return false }
    var byte: [UInt8] = []
    _ = try? Descriptor.readBytes(readingEnd.load(ordering: .relaxed), into: &byte, atMost: 1)
    return true
  }

  /// Restores the default effect of SIGTSTP, and suspends the process if one is pending.
  static func restoreSuspension() {
    Signals.restoreDefaultHandler(Signals.suspendSignal)
    if consumeSuspension() { Signals.suspend() }
  }

  private static func quit() {
    let status = received?.exitStatus ?? 1
    if isCommitting.load(ordering: .relaxed) {
      Signals.quitImmediately(
        status,
        printing: """
          datactl: interrupted during the commit
            commit outcome unknown: check before retrying

          """)
    }
    if hasCommitted.load(ordering: .relaxed) {
      Signals.quitImmediately(
        status,
        printing: "datactl: interrupted while waiting; earlier commits are kept\n")
    }
    Signals.quitImmediately(status, printing: "datactl: interrupted while waiting\n")
  }

  private static func receive(_ signal: Int32) {
    number.store(signal, ordering: .relaxed)
    Signals.scheduleAlarm(after: 2)
    wake()
  }

  /// Wakes waiting code by writing to the pipe. The flag is set even if the pipe is full.
  private static func wake() {
    let end = writingEnd.load(ordering: .relaxed)
    _ = try? Descriptor.writeBytes(end, CollectionOfOne<UInt8>(0).span)
  }
}

/// A signal to stop the program.
package enum Signal: Sendable {
  case interrupt
  case terminate
  /// The reader closed the pipe (SIGPIPE).
  case closedPipe

  /// The exit status of a program that is stopped by the signal.
  var exitStatus: Int32 {
    switch self {
    case .interrupt: 130
    case .terminate: 143
    case .closedPipe: 141
    }
  }
}
