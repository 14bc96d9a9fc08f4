import Synchronization
import Testing
import datactl

@Suite("Progress line")
struct ProgressTests {
  /// A clock in seconds that a test advances.
  private final class ManualClock: Sendable {
    let seconds = Mutex(0.0)

    func read() -> Double { seconds.withLock { $0 } }
    func move(to time: Double) { seconds.withLock { $0 = time } }
  }

  private func console(_ errors: MemoryChannel, _ manualClock: ManualClock, term: String = "xterm")
    -> Console
  {
    Console(
      arguments: [], variable: { $0 == "TERM" ? term : nil }, folder: "/", userID: 0,
      clock: { 0 }, stopwatch: manualClock.read, input: MemoryChannel(), output: MemoryChannel(),
      errors: errors)
  }

  @Test("shows count, rate and remaining time a few times a second, then clears the line")
  func line() throws {
    let manualClock = ManualClock()
    let errors = MemoryChannel(isTerminal: true)
    let progress = try #require(Progress(on: console(errors, manualClock), total: 4_000))
    progress.show(records: 1, bytes: 10)
    #expect(errors.text == "")
    manualClock.move(to: 2)
    progress.show(records: 5_000, bytes: 1_000)
    manualClock.move(to: 2.2)
    progress.show(records: 5_001, bytes: 1_001)
    progress.end()
    progress.end()
    #expect(
      errors.text
        == "\r\u{1B}[K5,000 records, 2,500 a second, 6 seconds left\r\u{1B}[K")
  }

  @Test("shows that it is waiting for input, instead of a decreasing rate, when the input stalls")
  func stalls() throws {
    let manualClock = ManualClock()
    let errors = MemoryChannel(isTerminal: true)
    let progress = try #require(Progress(on: console(errors, manualClock), total: nil))
    manualClock.move(to: 2)
    progress.showWaiting(records: 5_000)
    #expect(errors.text == "\r\u{1B}[K5,000 records, waiting for input")
  }

  @Test("prints nothing to a pipe or a dumb terminal")
  func noProgress() {
    #expect(Progress(on: console(MemoryChannel(), ManualClock()), total: nil) === nil)
    #expect(
      Progress(
        on: console(MemoryChannel(isTerminal: true), ManualClock(), term: "dumb"), total: nil)
        === nil)
  }
}
