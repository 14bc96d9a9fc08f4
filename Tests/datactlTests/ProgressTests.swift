import Synchronization
import Testing
import datactl

@Suite("The progress line")
struct ProgressTests {
  /// Seconds that a test moves on by hand.
  private final class Watch: Sendable {
    let seconds = Mutex(0.0)

    func read() -> Double { seconds.withLock { $0 } }
    func move(to time: Double) { seconds.withLock { $0 = time } }
  }

  private func console(_ errors: MemoryChannel, _ watch: Watch, term: String = "xterm") -> Console {
    Console(
      arguments: [], variable: { $0 == "TERM" ? term : nil }, folder: "/", userID: 0,
      clock: { 0 }, stopwatch: watch.read, input: MemoryChannel(), output: MemoryChannel(),
      errors: errors)
  }

  @Test("it says count, rate and time left, a few times a second at most, and goes away")
  func line() throws {
    let watch = Watch()
    let errors = MemoryChannel(isTerminal: true)
    let progress = try #require(Progress(on: console(errors, watch), total: 4_000))
    progress.show(records: 1, bytes: 10)
    #expect(errors.text == "")
    watch.move(to: 2)
    progress.show(records: 5_000, bytes: 1_000)
    watch.move(to: 2.2)
    progress.show(records: 5_001, bytes: 1_001)
    progress.end()
    progress.end()
    #expect(
      errors.text
        == "\r\u{1B}[K5,000 records, 2,500 a second, 6 seconds left\r\u{1B}[K")
  }

  @Test("where input stalls, it says so instead of a rate that falls")
  func stalls() throws {
    let watch = Watch()
    let errors = MemoryChannel(isTerminal: true)
    let progress = try #require(Progress(on: console(errors, watch), total: nil))
    watch.move(to: 2)
    progress.showWaiting(records: 5_000)
    #expect(errors.text == "\r\u{1B}[K5,000 records, waiting for input")
  }

  @Test("there is none in a pipe and on a dumb terminal")
  func nowhere() {
    #expect(Progress(on: console(MemoryChannel(), Watch()), total: nil) === nil)
    #expect(
      Progress(on: console(MemoryChannel(isTerminal: true), Watch(), term: "dumb"), total: nil)
        === nil)
  }
}
