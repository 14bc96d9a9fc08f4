package import DataModel
internal import Synchronization

/// The receipt of a write. If the response of a write was lost, a client can send the request
/// again: the write is executed only once, and the repetition returns the counts of the first
/// execution.
///
/// Receipts are rows in the table of sessions, so that they need no table of their own, which older
/// programs would not know. They are deleted together with expired sessions. Their keys are longer
/// than those of sessions, and their user begins with a control character, which no user name
/// contains.
package final class Receipt: Sendable {
  /// Whether the store has already executed a write with the key of this receipt.
  package enum Result: Hashable, Sendable {
    /// The write was executed for the first time.
    case first
    /// An earlier write with the same key and the same request was committed, with these counts.
    case repeated(Counts)
    /// An earlier write has the same key, but another request.
    case otherRequest
  }

  /// The numbers of records that a write saved, deleted or changed.
  package struct Counts: Hashable, Sendable {
    package var saved = SaveSummary()
    package var deleted = 0
    package var nullified = 0

    package init() {}
  }

  private struct State {
    var result = Result.first
    var counts = Counts()
  }

  /// How long a receipt is stored, in microseconds.
  private static let lifetime: Int64 = 86_400_000_000
  private static let mark = "\u{1}"

  /// The key of the row that contains the receipt.
  let key: [UInt8]
  private let request: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - key: A SHA-256 hash of the user and of the idempotency key that the client sent.
  ///   - request: A hash of the request, as text without spaces. It distinguishes a repetition from
  ///     another request with the same key.
  package init(key: [UInt8], request: String) {
    // The key of a session has 32 bytes, and the key of a limit on passwords begins with 0.
    self.key = [1] + key
    self.request = request
  }

  package var result: Result { state.withLock { $0.result } }

  /// Looks up the receipt at the beginning of a transaction. If an earlier transaction has stored a
  /// receipt with the same key, sets `result` to the outcome of that transaction, and throws an
  /// error, so that the changes are not made twice.
  func begin(_ transaction: some WriteTransaction, at time: Timestamp) throws(DataError) {
    state.withLock { $0 = State() }
    try transaction.claim(key, at: time)
    guard let row = try transaction.session(key, at: time), !row.user.isEmpty else { return }
    let counts = counts(in: row.user)
    state.withLock { $0.result = counts.map { .repeated($0) } ?? .otherRequest }
    if counts == nil {
      throw DataError(
        .invalid, "the idempotency key was used for another request",
        hint: "use a new key for each request")
    }
    throw DataError(.exists, "the request was already executed")
  }

  /// Stores the receipt, immediately before the transaction is committed.
  ///
  /// - Parameter rejected: The number of records that were not saved.
  func finish(
    _ transaction: some WriteTransaction, rejecting rejected: Int, at time: Timestamp
  ) throws(DataError) {
    let counts = state.withLock { state in
      state.counts.saved.rejected = rejected
      return state.counts
    }
    let expires = Timestamp(microseconds: time.microseconds + Self.lifetime) ?? .latest
    try transaction.store(
      Session(user: text(of: counts), created: time, expires: expires), for: key)
  }

  func add(_ outcomes: [Outcome]) {
    state.withLock { state in
      for outcome in outcomes { state.counts.saved.count(outcome) }
    }
  }

  func add(_ summary: DeleteSummary) {
    state.withLock { state in
      state.counts.deleted += summary.deleted
      state.counts.nullified += summary.nullified
    }
  }

  private func text(of counts: Counts) -> String {
    let saved = counts.saved
    return "\(Self.mark)\(request) \(saved.created) \(saved.changed) \(saved.same) "
      + "\(saved.rejected) \(counts.deleted) \(counts.nullified)"
  }

  /// Parses the counts of an earlier write with the same key. Returns nil if that write had another
  /// request.
  private func counts(in text: String) -> Counts? {
    let parts = text.split(separator: " ")
    let numbers = parts.dropFirst().compactMap { Int($0) }
    guard parts.first.map({ $0 == Self.mark + request }) == true, numbers.count == 6 else {
      return nil
    }
    var counts = Counts()
    counts.saved = SaveSummary(
      created: numbers[0], changed: numbers[1], same: numbers[2], rejected: numbers[3])
    counts.deleted = numbers[4]
    counts.nullified = numbers[5]
    return counts
  }
}
