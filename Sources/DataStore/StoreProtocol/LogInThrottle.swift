package import DataModel

/// The limit on wrong passwords for one user name: five at once, and then one every ten seconds.
///
/// The state of the limit is a single time. Each wrong password moves this time ten seconds further
/// into the future, and a password is checked only while the time is at most 40 seconds ahead.
///
/// Stores keep the time in their table of sessions, as the expiry of a row with the key
/// `PasswordCheck.throttleKey` and an empty user name. So the limit needs no table of its own,
/// which older programs would not know. When the row has no effect any more, it is deleted together
/// with the expired sessions.
package struct LogInThrottle: Hashable, Sendable {
  /// How far each wrong password moves `expires` into the future, in microseconds.
  private static let interval: Int64 = 10_000_000
  /// The number of wrong passwords after which a user has to wait before the next one is checked.
  private static let burst: Int64 = 5

  /// The time from which the earlier wrong passwords no longer count.
  package private(set) var expires: Timestamp
  private let now: Timestamp

  /// Creates the limit on wrong passwords from its stored state.
  ///
  /// - Parameters:
  ///   - stored: The value of `expires` in the store, or nil if the store has none. If it is further
  ///     in the future than wrong passwords can move it, a clock was set back. No user is locked out
  ///     then: one more password can be checked at once.
  ///   - now: The current time.
  package init(_ stored: Timestamp?, at now: Timestamp) {
    self.now = now
    let stored = max(stored ?? now, now)
    expires =
      stored <= Self.time(now, plus: Self.burst * Self.interval)
      ? stored : Self.time(now, plus: (Self.burst - 1) * Self.interval)
  }

  /// Throws an error that says how long to wait, if a password cannot be checked yet.
  package func check() throws(DataError) {
    let ahead = expires.microseconds - now.microseconds
    let wait = ahead - (Self.burst - 1) * Self.interval
    guard wait > 0 else { return }
    let seconds = Int((wait + 999_999) / 1_000_000)
    var problem = Problem(
      .throttled, "too many wrong passwords",
      hint: "try again in \(seconds) \(seconds == 1 ? "second" : "seconds")")
    problem.retrySeconds = seconds
    throw DataError(problem)
  }

  /// Counts a wrong password: moves `expires` ten seconds further into the future.
  package mutating func countFailure() {
    expires = Self.time(expires, plus: Self.interval)
  }

  /// The number of wrong passwords that remain until the user has to wait. It is at least 1, so
  /// call `check` first to find out whether the user has to wait already.
  package var remainingAttempts: Int {
    let ahead = expires.microseconds - now.microseconds
    return max(Int(Self.burst - (ahead + Self.interval - 1) / Self.interval), 1)
  }

  private static func time(_ time: Timestamp, plus microseconds: Int64) -> Timestamp {
    Timestamp(microseconds: time.microseconds + microseconds) ?? .latest
  }
}

extension PasswordCheck {
  /// The key of the limit in the table of sessions: a hash of the name and the address. It is
  /// longer than the hash of a token, so it cannot be the key of a session.
  ///
  /// The name itself is not stored, because users sometimes type their password in its place.
  package var throttleKey: [UInt8] {
    var hash = SHA256()
    hash.update(name.utf8.span)
    if let address {
      hash.update([0].span)
      hash.update(address.utf8.span)
    }
    return [0] + hash.finish()
  }
}
