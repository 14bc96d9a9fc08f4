import DataModel
import DataStore

extension PostgresStore {
  /// How a transaction waits for a table or a record that another one holds.
  enum Waiting {
    /// Until it is free.
    case standing
    /// For a moment, again and again: who waits for a whole table stops all that come behind.
    case steppingBack

    /// How long one moment is.
    static let moment = 0.2
  }

  /// Does what changes the store, in one transaction, all of it or nothing: once more if others were
  /// in the way.
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

  /// Begins to write, mainly to records of a schema; the statements go with the first that needs an
  /// answer.
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
    // Whoever writes has read the schemas before, and knows.
    connection.recognise()
    try connection.catchUp()
    // Whoever wants nothing written has said so where the transaction takes it from.
    connection.later("begin isolation level read committed")
    let isGuarded: SQL = schema.map { connection.isGuarded($0) } ?? "false"
    // What is said to be saved is on the disk, whatever others are content with.
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

  /// Makes everything durable. If the connection is lost, the outcome is looked for, and nothing is
  /// ever done twice.
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

  /// What became of a transaction.
  private enum Outcome {
    case committed
    case takenBack
    case unknown
  }

  /// Asks the server, as soon as it answers again, what became of a transaction.
  private func outcome(of transaction: Transaction) async -> Outcome {
    guard let number = transaction.number else { return .unknown }
    for delay in [0, 50, 100, 200, 400, 800, 1_600, 3_200, 3_200] {
      // A wait that is cancelled is over.
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
      // The server may not have noticed that nobody listens any more.
      case "in progress": continue
      default: return .unknown
      }
    }
    return .unknown
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

extension Connection {
  /// Refuses a server, or a session, that wants nothing written, as far as it says so by itself.
  fileprivate func checkIsWritable() throws(DataError) {
    if parameter("in_hot_standby") == "on" {
      throw .writesRefused(store, "the server is a standby", by: .standby)
    }
    if parameter("default_transaction_read_only") == "on" {
      throw .writesRefused(store, "default_transaction_read_only is on", by: .setting)
    }
  }
}

/// A transaction that changes something.
final class Transaction {
  let connection: Connection
  /// Its number in the server, by which its outcome can be asked for.
  var number: String?

  init(_ connection: Connection) {
    self.connection = connection
  }
}

/// How long and how often a transaction is tried again.
struct Retries {
  /// How often, at the most.
  private static let most = 20

  private let clock = ContinuousClock()
  private let whole: WriteWait
  private let end: ContinuousClock.Instant
  private var count = 0

  init(_ wait: WriteWait) {
    whole = wait
    end = clock.now + .seconds(min(max(wait.seconds, 0), 86_400))
  }

  /// How long the next try may wait for others.
  func wait(_ waiting: PostgresStore.Waiting) -> WriteWait {
    switch waiting {
    case .standing: whole
    case .steppingBack: WriteWait(seconds: min(whole.seconds, PostgresStore.Waiting.moment))
    }
  }

  /// Waits before the next try, longer each time and never the same, and tells whether there is one.
  ///
  /// Of tries that have only waited there are as many as the time allows.
  mutating func pause(counting: Bool = true) async -> Bool {
    if counting || count < 6 { count += 1 }
    guard count <= Self.most, clock.now < end else { return false }
    let longest = min(5 << min(count, 6), 250)
    // A wait that is cancelled is over.
    try? await Task.sleep(for: .milliseconds(Int.random(in: 1...longest)))
    return true
  }
}
