package import DataModel
internal import Synchronization

/// The receipt of a write. If the response of a write was lost, a client can send the request
/// again: the write is executed only once, and the repetition returns the counts of the first
/// execution, and its output if that is short.
///
/// Receipts are rows in the table of sessions, so that they need no table of their own, which older
/// programs would not know. They are deleted together with expired sessions. Their keys are longer
/// than those of sessions, and their user begins with a control character, which no user name
/// contains. The output is divided into rows of its own, because the engines limit the length of
/// users.
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
    /// What the command has printed on stdout, or nil if it was not stored.
    package var output: String?

    package init() {}
  }

  private struct State {
    var result = Result.first
    var counts = Counts()
  }

  /// The maximum number of bytes of output that are stored.
  package static let maxOutputSize = 64 << 10
  /// The maximum number of bytes of output in a row.
  private static let maxRowSize = 2_000

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
    var (counts, rowCount) = counts(in: row.user)
    if rowCount >= 0 { counts?.output = try output(rowCount, in: transaction, at: time) }
    state.withLock { [counts] state in
      state.result = counts.map { .repeated($0) } ?? .otherRequest
    }
    if counts == nil {
      throw DataError(
        .invalid, "the idempotency key was used for another request",
        hint: "use a new key for each request")
    }
    throw DataError(.exists, "the request was already executed")
  }

  /// Stores the receipt, immediately before the transaction is committed.
  ///
  /// - Parameters:
  ///   - rejected: The number of records that were not saved.
  ///   - output: What the command will print on stdout, or nil if it is not known.
  func finish(
    _ transaction: some WriteTransaction, rejecting rejected: Int, printing output: [UInt8]?,
    at time: Timestamp
  ) throws(DataError) {
    let counts = state.withLock { state in
      state.counts.saved.rejected = rejected
      return state.counts
    }
    let expires = Timestamp(microseconds: time.microseconds + Self.lifetime) ?? .latest
    func store(_ text: String, for key: [UInt8]) throws(DataError) {
      try transaction.store(
        Session(user: Self.mark + text, created: time, expires: expires), for: key)
    }
    let rows = output.flatMap(Self.rows)
    try store("\(request) \(text(of: counts)) \(rows?.count ?? -1)", for: key)
    for (index, row) in (rows ?? []).enumerated() {
      try transaction.claim(key(ofOutput: index), at: time)
      try store(row, for: key(ofOutput: index))
    }
  }

  /// Divides an output into the texts of rows. Returns nil if it cannot be stored.
  private static func rows(of output: [UInt8]) -> [String]? {
    guard output.count <= maxOutputSize, !output.contains(0),
      let text = String(validating: output, as: UTF8.self)
    else { return nil }
    var rows: [String] = []
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
      var row = ""
      while let scalar = rest.first, row.utf8.count < maxRowSize {
        row.unicodeScalars.append(scalar)
        rest.removeFirst()
      }
      rows.append(row)
    }
    return rows
  }

  private func key(ofOutput index: Int) -> [UInt8] { key + [UInt8(truncatingIfNeeded: index)] }

  /// Returns the stored output of an earlier write, or nil if a row is missing.
  private func output(
    _ count: Int, in transaction: some WriteTransaction, at time: Timestamp
  ) throws(DataError) -> String? {
    var text = ""
    for index in 0..<count {
      guard let row = try transaction.session(key(ofOutput: index), at: time) else { return nil }
      text.unicodeScalars += row.user.unicodeScalars.dropFirst()
    }
    return text
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
    return "\(saved.created) \(saved.changed) \(saved.same) \(saved.rejected) "
      + "\(counts.deleted) \(counts.nullified)"
  }

  /// Parses the counts of an earlier write with the same key, and the number of rows that contain
  /// its output, which is -1 if it was not stored. The counts are nil if that write had another
  /// request.
  private func counts(in text: String) -> (Counts?, rowCount: Int) {
    let parts = text.split(separator: " ")
    let numbers = parts.dropFirst().compactMap { Int($0) }
    guard parts.first.map({ $0 == Self.mark + request }) == true, numbers.count == 7 else {
      return (nil, -1)
    }
    var counts = Counts()
    counts.saved = SaveSummary(
      created: numbers[0], changed: numbers[1], same: numbers[2], rejected: numbers[3])
    counts.deleted = numbers[4]
    counts.nullified = numbers[5]
    return (counts, numbers[6])
  }
}
