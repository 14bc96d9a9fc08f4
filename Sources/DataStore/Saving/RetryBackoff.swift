/// Limits the retries of a transaction by number and time, and waits before each one.
package struct RetryBackoff {
  /// The maximum number of attempts.
  private static let maxAttempts = 20

  private let clock = ContinuousClock()
  private let end: ContinuousClock.Instant
  /// The number of failed attempts that count toward `maxAttempts`.
  private var attempts = 0
  private var pauses = 0

  package init(_ wait: WriteWait) {
    end = clock.now + .seconds(min(max(wait.seconds, 0), 86_400))
  }

  /// Waits for a random time before the next attempt. The upper limit of this time doubles with
  /// each pause. Returns false immediately if no further attempt is allowed.
  ///
  /// - Parameters:
  ///   - counting: Whether the attempt that has just failed counts toward the maximum number of
  ///     attempts. Pass false if it failed only because it waited for a lock: then only the total
  ///     time is limited.
  ///   - sleep: Waits for the given number of seconds. It may return early if the task is canceled.
  package mutating func pause(
    counting: Bool = true,
    sleep: (Double) async -> Void = { try? await Task.sleep(for: .seconds($0)) }
  ) async -> Bool {
    if counting { attempts += 1 }
    guard attempts <= Self.maxAttempts, clock.now < end else { return false }
    pauses += 1
    let longest = min(5 << min(pauses, 6), 250)
    await sleep(Double(Int.random(in: 1...longest)) / 1_000)
    return true
  }
}
