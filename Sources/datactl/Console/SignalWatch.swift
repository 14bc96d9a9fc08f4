import DataStore
private import Synchronization

/// Hears Ctrl-C, the wish to terminate and the terminal's end, so that work can be rolled back before the program ends.
///
/// The first signal is only noted: a flag that is looked at between batches, and a pipe that wakes
/// whoever waits for input. Work that heeds neither within two seconds, since it waits for another
/// process, ends as if the power went: the store rolls that back, unless it was being committed,
/// which the last words say. The second signal has its default effect.
enum SignalWatch {
  private static let number = Atomic<Int32>(0)
  private static let readingEnd = Atomic<Int32>(-1)
  private static let writingEnd = Atomic<Int32>(-1)
  private static let isToSuspend = Atomic<Bool>(false)
  private static let isCommitting = Atomic<Bool>(false)
  private static let hasCommitted = Atomic<Bool>(false)

  /// Begins to listen.
  static func begin() {
    guard let ends = Platform.makePipe() else { return }
    readingEnd.store(ends.reading, ordering: .relaxed)
    writingEnd.store(ends.writing, ordering: .relaxed)
    number.store(0, ordering: .relaxed)
    for signal in [
      Platform.interruptSignal, Platform.terminateSignal, Platform.hangUpSignal,
    ] {
      Platform.handle(signal) { SignalWatch.hear($0) }
    }
    Platform.handle(Platform.alarmSignal) { _ in SignalWatch.quit() }
  }

  /// Notes that nobody reads what is written any more, unless a signal came before.
  static func noteClosedPipe() {
    _ = number.compareExchange(expected: 0, desired: Platform.pipeSignal, ordering: .relaxed)
  }

  /// The signal that came.
  static var received: Signal? {
    switch number.load(ordering: .relaxed) {
    case 0: nil
    case Platform.pipeSignal: .closedPipe
    case Platform.terminateSignal, Platform.hangUpSignal: .terminate
    default: .interrupt
    }
  }

  /// A descriptor that can be read as soon as a signal came.
  static var alarm: Int32? {
    let end = readingEnd.load(ordering: .relaxed)
    return end < 0 ? nil : end
  }

  /// Hears how far changes have come, for the words of an end that cannot wait.
  static func heed(_ stage: CommitStage) {
    isCommitting.store(stage == .underWay, ordering: .relaxed)
    if stage == .done { hasCommitted.store(true, ordering: .relaxed) }
  }

  /// Notes a wish that the process stop for a while, until it is taken, instead of stopping at once.
  static func holdSuspension() {
    Platform.handle(Platform.suspendSignal) { _ in
      SignalWatch.isToSuspend.store(true, ordering: .relaxed)
      SignalWatch.wake()
    }
  }

  /// Whether there was such a wish; whoever waits is woken by the next one again.
  static func takeSuspension() -> Bool {
    guard isToSuspend.exchange(false, ordering: .relaxed) else { return false }
    var byte: [UInt8] = []
    _ = try? Platform.readBytes(readingEnd.load(ordering: .relaxed), into: &byte, atMost: 1)
    return true
  }

  /// Lets such wishes have their own effect again, also one that nobody has taken.
  static func releaseSuspension() {
    Platform.leave(Platform.suspendSignal)
    if takeSuspension() { Platform.suspend() }
  }

  private static func quit() {
    let status = received?.exitStatus ?? 1
    if isCommitting.load(ordering: .relaxed) {
      Platform.quitAtOnce(
        status,
        saying: """
          datactl: interrupted during the commit
            commit outcome unknown: check before retrying

          """)
    }
    if hasCommitted.load(ordering: .relaxed) {
      Platform.quitAtOnce(
        status,
        saying: "datactl: interrupted while waiting; earlier commits are kept\n")
    }
    Platform.quitAtOnce(status, saying: "datactl: interrupted while waiting\n")
  }

  private static func hear(_ signal: Int32) {
    number.store(signal, ordering: .relaxed)
    Platform.sendAlarm(after: 2)
    wake()
  }

  /// Wakes whoever waits. What was noted stands even if the pipe is full.
  private static func wake() {
    let end = writingEnd.load(ordering: .relaxed)
    _ = try? Platform.writeBytes(end, CollectionOfOne<UInt8>(0).span)
  }
}

/// A wish that the program stop.
package enum Signal: Sendable {
  case interrupt
  case terminate
  /// The reader went away.
  case closedPipe

  /// The status with which a program ends that heeds it.
  var exitStatus: Int32 {
    switch self {
    case .interrupt: 130
    case .terminate: 143
    case .closedPipe: 141
    }
  }
}
