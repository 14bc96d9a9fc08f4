import DataModel
import DataStore

extension PostgresStore {
  /// How a transaction waits for a lock that another transaction has.
  enum Waiting {
    /// Blocks until the lock is free or the wait is over.
    case standing
    /// Waits for a moment, rolls back, and retries: a transaction that waits for a table lock
    /// blocks all that come after it.
    case steppingBack

    /// The number of seconds that one attempt waits for a lock.
    static let moment = 0.2
  }

  /// Runs a closure in a write transaction, and retries it after a conflict.
  func write<Result>(
    wait: WriteWait, _ waiting: Waiting = .standing, end: SaveRequest.End = .commit,
    to schema: Schema? = nil, _ body: (Connection) throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    try checkWritable()
    var retries = Retries(wait)
    while true {
      let transaction = try begin(wait: retries.wait(waiting), to: schema)
      do throws(DataError) {
        let result = try body(transaction.connection)
        switch end {
        case .commit: try await commit(transaction)
        case .rollBack: rollBack(transaction)
        }
        return result
      } catch {
        let failure = transaction.connection.failure
        rollBack(transaction)
        let isWaiting = failure == .locked && waiting == .steppingBack
        guard isWaiting || failure?.mayBeRepeated == true,
          await retries.pause(counting: !isWaiting)
        else {
          if isWaiting { throw .tablesInUse(address) }
          throw try explained(error, failure)
        }
      }
    }
  }

  func checkWritable() throws(DataError) {
    guard access != .reading else {
      throw DataError(.storeReadOnly, "\(address): opened for reading only")
    }
  }

  /// Begins a write transaction, mainly for records of a schema. Its first statements are sent with
  /// the first one that needs a result.
  func begin(wait: WriteWait, to schema: Schema? = nil) throws(DataError) -> Transaction {
    let transaction = Transaction(try connection())
    let milliseconds = Int64(min(max(wait.seconds * 1_000, 1), 2_000_000_000))
    let connection = transaction.connection
    do throws(DataError) {
      try connection.checkIsWritable()
    } catch {
      release(connection)
      throw error
    }
    // A writer has read the schemas before, so the engine is usually known and this takes no round
    // trip.
    connection.recognise()
    try connection.catchUp()
    // Without `read write`, so that `default_transaction_read_only` is respected.
    connection.later("begin isolation level read committed")
    let isGuarded: SQL = schema.map { connection.isGuarded($0) } ?? "false"
    // Committed changes must survive a crash, even if `synchronous_commit` is off.
    connection.later(
      """
      select set_config('lock_timeout', \(.text("\(milliseconds)")), true), \
      case when current_setting('synchronous_commit', true) = 'off' \
      then set_config('synchronous_commit', 'on', true) end, \
      \(isGuarded)
      """
    ) { [unowned connection] in connection.mayKeepRows = !$0.isNull(0, 2) && $0.integer(0, 2) == 1 }
    if connection.engine.numbersTransactions {
      connection.later("select pg_current_xact_id()::text") { transaction.number = $0.text(0, 0) }
    }
    return transaction
  }

  /// Commits a transaction. If the connection is lost, the outcome is queried on a new connection;
  /// the transaction is never run twice.
  func commit(_ transaction: Transaction) async throws(DataError) {
    committing?(.underWay)
    do throws(DataError) {
      try transaction.connection.run("commit")
      committing?(.done)
      release(transaction.connection)
    } catch {
      let failure = transaction.connection.failure
      guard failure == .lost || failure == .partLost else {
        committing?(.refused)
        throw error
      }
      switch await outcome(of: transaction) {
      case .committed: committing?(.done)
      case .takenBack:
        committing?(.refused)
        throw error
      case .unknown:
        throw DataError(
          .storeUnreachable,
          "\(address): connection lost during the commit",
          hint: "commit outcome unknown: check before retrying")
      }
    }
  }

  /// The outcome of a transaction.
  private enum Outcome {
    case committed
    case takenBack
    case unknown
  }

  /// Queries the outcome of a transaction with `pg_xact_status`, as soon as the server can be
  /// reached again.
  private func outcome(of transaction: Transaction) async -> Outcome {
    guard let number = transaction.number else { return .unknown }
    for delay in [0, 50, 100, 200, 400, 800, 1_600, 3_200, 3_200] {
      // If the task is canceled, the wait ends early.
      try? await Task.sleep(for: .milliseconds(delay))
      guard let connection = try? connection(),
        let answer = try? connection.run(
          "select pg_xact_status(\(.text(number))::xid8)")
      else { continue }
      release(connection)
      switch answer.text(0, 0) {
      case "committed": return .committed
      case "aborted":
        return transaction.connection.engine.takesBackEverywhere ? .takenBack : .unknown
      // The server may not have noticed yet that the connection is closed.
      case "in progress": continue
      default: return .unknown
      }
    }
    return .unknown
  }

  /// Rolls a transaction back.
  func rollBack(_ transaction: Transaction) {
    let connection = transaction.connection
    connection.forget()
    guard connection.isSound else { return }
    // If the statement fails, closing the connection rolls the transaction back.
    if (try? connection.run("rollback")) != nil { release(connection) }
  }
}

extension Connection {
  /// Throws an error if the server has reported that it, or the session, is read-only.
  fileprivate func checkIsWritable() throws(DataError) {
    if parameter("in_hot_standby") == "on" {
      throw .writesRefused(store, "the server is a standby", by: .standby)
    }
    if parameter("default_transaction_read_only") == "on" {
      throw .writesRefused(store, "default_transaction_read_only is on", by: .setting)
    }
  }
}

/// A write transaction.
final class Transaction {
  let connection: Connection
  /// The server's id of the transaction, by which its outcome can be queried.
  var number: String?

  init(_ connection: Connection) {
    self.connection = connection
  }
}

/// The limits for the retries of a transaction.
struct Retries {
  /// The maximum number of attempts.
  private static let most = 20

  private let clock = ContinuousClock()
  private let whole: WriteWait
  private let end: ContinuousClock.Instant
  private var count = 0

  init(_ wait: WriteWait) {
    whole = wait
    end = clock.now + .seconds(min(max(wait.seconds, 0), 86_400))
  }

  /// Returns how long the next attempt may wait for locks.
  func wait(_ waiting: PostgresStore.Waiting) -> WriteWait {
    switch waiting {
    case .standing: whole
    case .steppingBack: WriteWait(seconds: min(whole.seconds, PostgresStore.Waiting.moment))
    }
  }

  /// Waits before the next attempt, for a random time whose limit doubles, and returns false if
  /// there is none.
  ///
  /// Only the time limits the number of attempts that did no more than wait for a lock.
  mutating func pause(counting: Bool = true) async -> Bool {
    if counting || count < 6 { count += 1 }
    guard count <= Self.most, clock.now < end else { return false }
    let longest = min(5 << min(count, 6), 250)
    // If the task is canceled, the wait ends early.
    try? await Task.sleep(for: .milliseconds(Int.random(in: 1...longest)))
    return true
  }
}
