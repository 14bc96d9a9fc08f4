import DataModel
private import Synchronization

/// A line on a terminal that says how far a save has come, rewritten a few times a second.
package final class Progress: Sendable {
  private struct State {
    var isShown = false
    var lastTime: Double
  }

  /// How many seconds a line stands at least.
  private static let pause = 0.25

  private let console: Console
  private let start: Double
  /// The bytes that there are to read, if that is known.
  private let total: Int?
  private let state: Mutex<State>

  /// Gives nil where nobody would see it.
  package init?(on console: Console, total: Int?) {
    guard console.errors.isTerminal, console.variable("TERM") != "dumb" else { return nil }
    self.console = console
    self.total = total
    start = console.stopwatch()
    state = Mutex(State(lastTime: start))
  }

  /// Whether the line that stands there is old enough for another.
  package var isDue: Bool {
    let now = console.stopwatch()
    return state.withLock { now - $0.lastTime >= Self.pause }
  }

  /// Shows how many records have been dealt with, out of so many bytes.
  package func show(records: Int, bytes: Int) {
    show { text(records: records, bytes: bytes, seconds: $0) }
  }

  /// Shows that there are no more than so many records yet: a rate would say nothing of the store.
  package func showWaiting(records: Int) {
    show { _ in "\(records.counted("record")), waiting for input" }
  }

  /// Shows a line, made of the seconds that have gone by, if it is time for one.
  private func show(_ line: (Double) -> String) {
    let now = console.stopwatch()
    let isDue = state.withLock { state in
      guard now - state.lastTime >= Self.pause else { return false }
      state.lastTime = now
      state.isShown = true
      return true
    }
    guard isDue else { return }
    // A progress line that cannot be shown is no reason to stop.
    try? console.errors.write(
      "\r\u{1B}[K" + line(now - start).cut(at: console.width(of: console.errors) - 1))
  }

  /// Takes the line away again.
  package func end() {
    let isShown = state.withLock { state in
      defer { state.isShown = false }
      return state.isShown
    }
    if isShown { try? console.errors.write("\r\u{1B}[K") }
  }

  private func text(records: Int, bytes: Int, seconds: Double) -> String {
    let rate = Int(Double(records) / seconds)
    var text = "\(records.counted("record")), \(rate.grouped) a second"
    if let total, bytes > 0, total >= bytes {
      let left = Int((seconds * Double(total - bytes) / Double(bytes)).rounded(.up))
      text += ", \(left.counted("second")) left"
    }
    return text
  }
}
