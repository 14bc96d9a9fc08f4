import DataModel
internal import Synchronization

/// Limits how many users the anonymous callers of each address create in an hour.
///
/// The numbers are kept in memory. They include the users of open transactions, so that concurrent
/// requests cannot exceed the limit.
package final class SignUpLimit: Sendable {
  /// The maximum number of addresses whose users are counted. If there are more, the addresses whose
  /// last users are the oldest are removed.
  private static let capacity = 10_000
  private static let period = 3_600.0

  /// The maximum number of users that each address creates in an hour.
  private let limit: Int
  /// Returns the seconds of a clock that is never set.
  private let clock: @Sendable () -> Double
  /// For each address, the times at which users were created, in order.
  private let times = Mutex<[String: [Double]]>([:])

  package init(_ limit: Int, clock: @escaping @Sendable () -> Double) {
    self.limit = limit
    self.clock = clock
  }

  /// Counts new users of an address. Throws an error if there would be too many.
  func reserve(_ count: Int, for address: String) throws(DataError) -> Reservation {
    let now = clock()
    try times.withLock { times throws(DataError) in
      var recent = (times[address] ?? []).filter { $0 > now - Self.period }
      guard recent.count + count <= limit else {
        // The users that must no longer count before these ones can be created.
        let index = recent.count + count - limit - 1
        let wait = recent.indices.contains(index) ? recent[index] + Self.period - now : Self.period
        throw error(after: wait)
      }
      recent += [Double](repeating: now, count: count)
      times[address] = recent
      if times.count > Self.capacity {
        let oldest = times.sorted { ($0.value.last ?? 0) < ($1.value.last ?? 0) }
        for (address, _) in oldest.prefix(Self.capacity / 10) { times[address] = nil }
      }
    }
    return Reservation(of: count, at: now, for: address, in: self)
  }

  /// Returns the error for too many users. `wait` is the number of seconds until there can be others.
  private func error(after wait: Double) -> DataError {
    var problem = Problem(
      .throttled,
      limit == 0
        ? "this server lets no one create users without logging in"
        : "too many new users from this address: at most \(limit) in an hour",
      hint: "ask an administrator to create the user, or to start the server with \"--signups N\"")
    problem.retrySeconds = Int(wait.rounded(.up))
    return DataError(problem)
  }

  fileprivate func release(_ count: Int, at time: Double, for address: String) {
    times.withLock { times in
      for _ in 0..<count {
        if let index = times[address]?.lastIndex(of: time) { times[address]?.remove(at: index) }
      }
    }
  }

  /// New users that are counted. When the reservation is destroyed, they no longer count, unless
  /// `keep` was called.
  final class Reservation: Sendable {
    private let limit: SignUpLimit
    private let address: String
    private let time: Double
    private let count: Mutex<Int>

    fileprivate init(of count: Int, at time: Double, for address: String, in limit: SignUpLimit) {
      self.limit = limit
      self.address = address
      self.time = time
      self.count = Mutex(count)
    }

    /// Keeps counting the users, because they were created.
    func keep() { count.withLock { $0 = 0 } }

    deinit { limit.release(count.withLock { $0 }, at: time, for: address) }
  }
}
