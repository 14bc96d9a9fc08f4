import DataModel
import DataOutput
import RecordText
private import Synchronization

/// A line on the terminal that shows the progress of a save. It is updated a few times per second.
package final class Progress: Sendable {
  private struct State {
    var isShown = false
    var lastTime: Double
  }

  /// The minimum time between updates, in seconds.
  private static let minimumInterval = 0.25

  private let console: Console
  private let start: Double
  /// The size of the input in bytes, or nil if it is unknown.
  private let total: Int?
  private let state: Mutex<State>

  /// Creates a progress line. Returns nil if stderr is not a terminal that supports escape codes.
  ///
  /// - Parameter total: The size of the input in bytes, or nil if it is unknown.
  package init?(on console: Console, total: Int?) {
    guard console.errors.isTerminal, console.variable("TERM") != "dumb" else { return nil }
    self.console = console
    self.total = total
    start = console.stopwatch()
    state = Mutex(State(lastTime: start))
  }

  /// Whether enough time has passed since the last update.
  package var isDue: Bool {
    let now = console.stopwatch()
    return state.withLock { now - $0.lastTime >= Self.minimumInterval }
  }

  /// Shows the number of processed records and their rate. If the size of the input is known, also
  /// shows the remaining time.
  package func show(records: Int, bytes: Int) {
    show { text(records: records, bytes: bytes, seconds: $0) }
  }

  /// Shows that the save is waiting for input. No rate is shown, because it would be the rate of
  /// the input and not of the store.
  package func showWaiting(records: Int) {
    show { _ in "\(records.counted("record")), waiting for input" }
  }

  /// Shows a line if an update is due. The closure receives the elapsed time in seconds, and
  /// returns the line.
  private func show(_ line: (Double) -> String) {
    let now = console.stopwatch()
    let isDue = state.withLock { state in
      guard now - state.lastTime >= Self.minimumInterval else { return false }
      state.lastTime = now
      state.isShown = true
      return true
    }
    guard isDue else { return }
    // The save continues even if the progress line cannot be written.
    try? console.errors.write(
      "\r\u{1B}[K" + line(now - start).cut(at: console.width(of: console.errors) - 1))
  }

  /// A monitor that shows the progress while records are read.
  var monitor: ReadingMonitor {
    ReadingMonitor(
      isDue: { self.isDue },
      report: { records, bytes, input in
        switch input {
        case .flows: self.show(records: records, bytes: bytes)
        case .stalls: self.showWaiting(records: records)
        }
      })
  }

  /// Erases the progress line.
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
