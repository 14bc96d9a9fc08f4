internal import DataModel
internal import DataStore
internal import Synchronization

/// The limit on wrong passwords from one address, whatever the user names are. The store limits
/// them for each name and address.
final class AddressThrottle: Sendable {
  /// The maximum number of addresses. If there are more, those whose limit ends first are removed.
  private static let capacity = 10_000

  private let entries = Mutex<[String: Timestamp]>([:])

  /// Calls a closure that checks a password, and counts it if it is wrong. While the closure runs,
  /// the password counts as wrong, so that the limit applies to concurrent requests as well.
  func limiting<Result>(
    _ address: String, at now: Timestamp, _ check: () async throws -> Result
  ) async throws -> Result {
    // All users of a Unix socket share its address.
    guard address != "unix" else { return try await check() }
    try entries.withLock { entries throws(DataError) in
      var throttle = LogInThrottle(entries[address], at: now)
      try throttle.check()
      throttle.countFailure()
      entries[address] = throttle.expires
      if entries.count > Self.capacity { entries = entries.filter { $0.value > now } }
      if entries.count > Self.capacity {
        for (address, _) in entries.sorted(by: { $0.value < $1.value }).prefix(1_000) {
          entries[address] = nil
        }
      }
    }
    do {
      let result = try await check()
      discount(address, at: now)
      return result
    } catch let error as DataError where error.code == .wrongLogin {
      throw error
    } catch {
      discount(address, at: now)
      throw error
    }
  }

  private func discount(_ address: String, at now: Timestamp) {
    entries.withLock { entries in
      guard let expires = entries[address] else { return }
      var throttle = LogInThrottle(expires, at: now)
      throttle.discountFailure()
      entries[address] = throttle.expires > now ? throttle.expires : nil
    }
  }
}
