import Synchronization

/// Returns the given times in order, cyclically.
final class ScriptedClock: Sendable {
  private let times: [Int64]
  private let turn = Atomic(0)

  init(times: [Int64]) {
    self.times = times
  }

  func next() -> Int64 {
    times[turn.wrappingAdd(1, ordering: .relaxed).oldValue % times.count]
  }
}
