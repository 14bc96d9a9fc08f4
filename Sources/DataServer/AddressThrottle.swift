internal import DataModel
internal import DataStore
internal import Synchronization

/// Limits the number of wrong passwords from each address, for all user names together. The store
/// also limits them for each combination of user name and address.
///
/// The addresses are those of networks (`ConnectionSocket.network`).
package final class AddressThrottle: Sendable {
  private struct State {
    /// For each address, the time at which its wrong passwords no longer count.
    var entries: [String: Timestamp] = [:]
    /// For each address, the number of passwords that are being checked.
    var pending: [String: Int] = [:]
    /// For each address, the requests that wait until another password has been checked.
    var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
  }

  /// The maximum number of addresses in `entries`. If there are more, the entries that would expire
  /// first are removed.
  private static let capacity = 10_000
  /// The maximum number of requests that wait until another password has been checked.
  private static let maxWaiting = PasswordThreads.maxWaiting

  private let state = Mutex(State())
  /// Returns the seconds of a clock that is never set.
  private let clock: @Sendable () -> Double

  package init(clock: @escaping @Sendable () -> Double) {
    self.clock = clock
  }

  private var now: Timestamp {
    Timestamp(microseconds: Int64(clock() * 1_000_000)) ?? .latest
  }

  /// Calls a closure that checks a password from an address, and counts the password if it is
  /// wrong. Throws an error if too many recent passwords from the address were wrong.
  ///
  /// While a password is being checked, it counts as wrong. If the limit is reached only because of
  /// passwords that are being checked, waits until the check of one of them has ended. Throws an
  /// error if too many requests wait already.
  package func limiting<Result>(
    _ address: String, _ check: () async throws -> Result
  ) async throws -> Result {
    // All clients of a Unix socket have the same address, so one of them could lock out the others.
    guard address != "unix" else { return try await check() }
    while try !begin(address) {
      guard state.withLock({ $0.waiting.values.lazy.map(\.count).reduce(0, +) < Self.maxWaiting })
      else { throw DataError.tooManyPasswords }
      await withCheckedContinuation { continuation in
        let hasChanged = state.withLock { state in
          guard state.pending[address] != nil else { return true }
          state.waiting[address, default: []].append(continuation)
          return false
        }
        if hasChanged { continuation.resume() }
      }
      if Task.isCancelled { throw DataError.interrupted }
    }
    do {
      let result = try await check()
      end(address, countsFailure: false)
      return result
    } catch {
      end(address, countsFailure: (error as? DataError)?.code == .wrongLogin)
      throw error
    }
  }

  /// Begins the check of a password from the address, and returns true. Throws an error if the
  /// limit on wrong passwords is reached. Returns false if the request must wait, because the
  /// passwords that are already being checked could reach the limit.
  private func begin(_ address: String) throws(DataError) -> Bool {
    let now = now
    return try state.withLock { state throws(DataError) in
      let throttle = LogInThrottle(state.entries[address], at: now)
      try throttle.check()
      let pending = state.pending[address] ?? 0
      guard pending < throttle.remainingAttempts else { return false }
      state.pending[address] = pending + 1
      return true
    }
  }

  private func end(_ address: String, countsFailure: Bool) {
    let now = now
    let waiting = state.withLock { state in
      let pending = (state.pending[address] ?? 1) - 1
      state.pending[address] = pending == 0 ? nil : pending
      if countsFailure { Self.countFailure(of: address, at: now, in: &state.entries) }
      return state.waiting.removeValue(forKey: address) ?? []
    }
    for continuation in waiting { continuation.resume() }
  }

  private static func countFailure(
    of address: String, at now: Timestamp, in entries: inout [String: Timestamp]
  ) {
    var throttle = LogInThrottle(entries[address], at: now)
    throttle.countFailure()
    entries[address] = throttle.expires
    if entries.count > capacity { entries = entries.filter { $0.value > now } }
    if entries.count > capacity {
      for (address, _) in entries.sorted(by: { $0.value < $1.value }).prefix(1_000) {
        entries[address] = nil
      }
    }
  }
}
