import DataModel
import DataStore

extension PostgresStore {
  /// How often a transaction is tried in which others were in the way.
  private static let mostTries = 20

  /// Does what changes the store, in one transaction, all of it or nothing: once more if others were
  /// in the way.
  func write<Result>(
    wait: WriteWait, end: SaveRequest.End = .commit,
    _ body: (Connection) throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    try checkWritable()
    var retries = Retries(wait)
    while true {
      let transaction = try begin(wait: wait)
      do throws(DataError) {
        let result = try body(transaction.connection)
        switch end {
        case .commit: try commit(transaction)
        case .rollBack: rollBack(transaction)
        }
        return result
      } catch {
        let failure = transaction.connection.failure
        rollBack(transaction)
        guard failure?.mayBeRepeated == true, await retries.pause() else {
          throw failure == .missingTable
            ? try ask { (connection) throws(DataError) in try explained(error, connection) } : error
        }
      }
    }
  }

  func checkWritable() throws(DataError) {
    guard access != .reading else { throw .readOnly(address, "it was opened for reading") }
  }

  /// A transaction that changes something.
  struct Transaction {
    let connection: Connection
  }

  /// Begins to write; the statements go with the first that needs an answer.
  func begin(wait: WriteWait) throws(DataError) -> Transaction {
    let connection = try connection()
    let milliseconds = Int64(min(max(wait.seconds * 1_000, 1), 2_000_000_000))
    connection.later("begin isolation level read committed read write")
    connection.later(
      "select set_config('lock_timeout', \(.text("\(milliseconds)")), true)")
    return Transaction(connection: connection)
  }

  /// Makes everything durable.
  func commit(_ transaction: Transaction) throws(DataError) {
    try transaction.connection.run("commit")
    release(transaction.connection)
  }

  /// Takes everything back.
  func rollBack(_ transaction: Transaction) {
    let connection = transaction.connection
    connection.forget()
    guard connection.isSound else { return }
    // A connection that is closed takes everything back, too.
    if (try? connection.run("rollback")) != nil { release(connection) }
  }
}

/// How long and how often a transaction is tried again.
struct Retries {
  /// How often, at the most.
  private static let most = 20

  private let clock = ContinuousClock()
  private let end: ContinuousClock.Instant
  private var count = 0

  init(_ wait: WriteWait) {
    end = clock.now + .seconds(min(max(wait.seconds, 0), 86_400))
  }

  /// Waits before the next try, longer each time and never the same, and tells whether there is one.
  mutating func pause() async -> Bool {
    count += 1
    guard count <= Self.most, clock.now < end else { return false }
    let longest = min(5 << min(count, 6), 250)
    // A wait that is cancelled is over.
    try? await Task.sleep(for: .milliseconds(Int.random(in: 1...longest)))
    return true
  }
}
