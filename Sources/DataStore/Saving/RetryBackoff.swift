/// The limits for the retries of a transaction.
package struct RetryBackoff {
  /// The maximum number of attempts.
  private static let maxAttempts = 20

  private let clock = ContinuousClock()
  private let end: ContinuousClock.Instant
  private var count = 0

  package init(_ wait: WriteWait) {
    end = clock.now + .seconds(min(max(wait.seconds, 0), 86_400))
  }

  /// Waits before the next attempt, for a random time whose limit doubles, and returns false if
  /// there is none.
  ///
  /// Only the time limits the number of attempts that did no more than wait for a lock.
  package mutating func pause(counting: Bool = true) async -> Bool {
    if counting || count < 6 { count += 1 }
    guard count <= Self.maxAttempts, clock.now < end else { return false }
    let longest = min(5 << min(count, 6), 250)
    // If the task is canceled, the wait ends early.
    try? await Task.sleep(for: .milliseconds(Int.random(in: 1...longest)))
    return true
  }
}
