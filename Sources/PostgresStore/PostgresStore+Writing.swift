package import DataModel
package import DataStore
import Platform

extension PostgresStore {
  /// How a transaction waits for a lock that another transaction holds.
  enum LockWait {
    /// Blocks until the lock is released or the maximum wait is over.
    case block
    /// Waits briefly, rolls back, and retries. This is used for exclusive table locks: while a
    /// transaction waits for such a lock, the server makes all later requests for a lock on the
    /// table wait, too.
    case backOff

    /// The maximum time in seconds that a transaction waits for a lock before it rolls back and
    /// retries.
    private static let backOffInterval = 0.2

    /// Returns how long one attempt to acquire a lock may wait.
    ///
    /// - Parameter wait: How long the request may wait in total.
    fileprivate func limited(_ wait: WriteWait) -> WriteWait {
      switch self {
      case .block: wait
      case .backOff: WriteWait(seconds: min(wait.seconds, Self.backOffInterval))
      }
    }
  }

  /// Runs a closure in a write transaction, and then ends the transaction as `end` says: commits
  /// it, or rolls it back, for example in a dry run. After a conflict with another transaction,
  /// runs the closure again in a new transaction.
  func write<Result>(
    wait: WriteWait, _ lockWait: LockWait = .block, end: WriteRequest.End = .commit,
    _ body: (Connection) throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    try checkWritable()
    var retries = RetryBackoff(wait)
    while true {
      let transaction = try begin(wait: lockWait.limited(wait), end: end)
      do throws(DataError) {
        let result = try body(transaction.connection)
        switch end {
        case .commit: try await commit(transaction)
        case .rollBack: rollBack(transaction)
        }
        return result
      } catch {
        rollBack(transaction)
        let failure = transaction.failure
        let isWaiting = failure == .locked && lockWait == .backOff
        guard isWaiting || failure?.isRetryable == true,
          await retries.pause(
            counting: !isWaiting, sleep: { await Alarm.sleep(seconds: $0, unless: alarm) })
        else {
          if isWaiting { throw .tablesInUse(address) }
          throw try diagnosed(error, failure)
        }
      }
    }
  }

  func checkWritable() throws(DataError) {
    guard access != .reading else {
      throw DataError(
        .storeReadOnly, "\(address): cannot be changed, because it was opened read-only")
    }
  }

  /// Begins a write transaction. Its first statements are enqueued: they are sent together with the
  /// first statement whose result is needed.
  ///
  /// - Parameter schemas: The schemas whose records are written. Their tables are checked for rules
  ///   and triggers that may discard rows.
  func begin(
    wait: WriteWait, to schemas: [Schema] = [], end: WriteRequest.End
  ) throws(DataError) -> PostgresTransaction {
    let transaction = PostgresTransaction(try connection(), coding)
    let milliseconds = Int64(min(max(wait.seconds * 1_000, 1), 2_000_000_000))
    let connection = transaction.connection
    do throws(DataError) {
      try connection.checkIsWritable()
    } catch {
      release(connection)
      throw error
    }
    // A writer has usually read the schemas before. In that case the engine is already known, and
    // no round trip is needed here.
    connection.detectEngine()
    try connection.drain()
    if end == .commit { try connection.upgradeFormat() }
    // `read write` is omitted, so that `default_transaction_read_only` is respected.
    connection.enqueue("begin isolation level read committed")
    let mayInterceptRows: SQL =
      schemas.isEmpty
      ? "false" : SQL.list(schemas.map { connection.mayInterceptRows($0) }, separator: " or ")
    // Committed changes must survive a crash, even if `synchronous_commit` is off.
    connection.enqueue(
      """
      select set_config('lock_timeout', \(.text("\(milliseconds)")), true), \
      case when current_setting('synchronous_commit', true) = 'off' \
      then set_config('synchronous_commit', 'on', true) end, \
      \(mayInterceptRows)
      """
    ) { [unowned connection] in
      connection.mayPreventDeletes = !$0.isNull(0, 2) && $0.integer(0, 2) == 1
    }
    connection.enqueue("select pg_current_xact_id()::text") { transaction.number = $0.text(0, 0) }
    return transaction
  }

  /// Commits a transaction. If the connection is lost during the commit, queries the outcome on a
  /// new connection. Throws an error if the transaction was rolled back, or if its outcome remains
  /// unknown. The transaction is never run a second time.
  package func commit(_ transaction: PostgresTransaction) async throws(DataError) {
    try transaction.connection.checkInterruption()
    commitListener?(.inProgress)
    let connection = transaction.connection
    connection.hasWarning = false
    do throws(DataError) {
      try connection.run("commit")
      release(connection)
    } catch {
      let failure = connection.failure
      guard failure == .connectionLost || failure == .nodeUnreachable && connection.engine != .citus
      else {
        commitListener?(.failed)
        throw error
      }
      switch await outcome(of: transaction) {
      case .committed: break
      case .rolledBack:
        commitListener?(.failed)
        throw error
      case .unknown: throw .unknownOutcome("\(address): connection lost during the commit")
      }
    }
    transaction.hasEnded = true
    // If a worker fails after the coordinator of Citus has committed, the coordinator only warns.
    guard connection.engine != .citus || !connection.hasWarning else {
      throw .unknownOutcome(
        """
        \(address): a node of the cluster failed during the commit; the outcome of the commit is \
        unknown
        """)
    }
    commitListener?(.done)
    try transaction.checkAllRowsWritten()
  }

  /// The outcome of a transaction whose connection was lost during the commit.
  private enum TransactionOutcome {
    case committed
    case rolledBack
    case unknown
  }

  /// Queries the outcome of a transaction with `pg_xact_status`. Retries while the server cannot be
  /// reached or the transaction is still in progress. The delays between the attempts increase, and
  /// are about ten seconds in total.
  private func outcome(of transaction: PostgresTransaction) async -> TransactionOutcome {
    guard let number = transaction.number else { return .unknown }
    for delay in [0, 50, 100, 200, 400, 800, 1_600, 3_200, 3_200] {
      // If the task is canceled, the sleep ends early.
      try? await Task.sleep(for: .milliseconds(delay))
      guard let connection = try? connection(),
        let resultSet = try? connection.run(
          "select pg_xact_status(\(.text(number))::xid8)")
      else { continue }
      release(connection)
      switch resultSet.text(0, 0) {
      case "committed": return .committed
      case "aborted":
        return transaction.connection.engine.rollsBackAtomically ? .rolledBack : .unknown
      // The server may not have noticed yet that the old connection is closed.
      case "in progress": continue
      default: return .unknown
      }
    }
    return .unknown
  }

  /// Rolls a transaction back, unless it has ended.
  package func rollBack(_ transaction: PostgresTransaction) {
    guard !transaction.hasEnded else { return }
    transaction.hasEnded = true
    let connection = transaction.connection
    transaction.failure = connection.failure
    // Closing the connection rolls the transaction back, too.
    if connection.rollBack() { release(connection) }
  }
}

extension Connection {
  /// Throws an error if the server has reported that it is a standby, or that its transactions are
  /// read-only by default.
  fileprivate func checkIsWritable() throws(DataError) {
    if parameter("in_hot_standby") == "on" {
      throw .notWritable(store, "the server is a standby", by: .standby)
    }
    if parameter("default_transaction_read_only") == "on" {
      throw .notWritable(store, "default_transaction_read_only is on", by: .setting)
    }
  }
}

extension Connection {
  /// Locks the schemas of a write until the transaction ends, so that no plan can change them
  /// before then. Schemas whose records must not change are also locked against other writers.
  ///
  /// The schemas are locked in the order of their names, so that two writes cannot wait for each
  /// other.
  func lockSchemas(of request: WriteRequest) {
    let schemas = request.schemas.sorted { $0.name < $1.name }
    for schema in schemas {
      let isExclusive = request.lockedSchemas.contains { $0.name == schema.name }
      switch engine {
      case .postgres:
        let mode: SQL = isExclusive ? "share row exclusive" : "row exclusive"
        enqueue("lock table \(TableLayout(schema).table) in \(mode) mode")
      case .citus:
        // A writer has a shared lock on the row of its schema until it ends.
        enqueue(
          """
          select 1 from \(table: "_schema") where name = \(.text(schema.name)) \
          for \(isExclusive ? "update" : "share")
          """)
      }
    }
    guard engine == .citus else { return }
    enqueueCitusSettings()
    enqueueCitusWrite()
    if shardHash == nil { enqueueShardCount() }
    for layout in schemas.map({ TableLayout($0) }) {
      for slot in layout.separatelyPlacedSlots(in: dialect) {
        enqueue("delete from \(layout.sideTable(slot)) where value is null")
      }
    }
  }
}

extension PostgresStore {
  package func catalog() throws(DataError) -> StoredCatalog {
    let stored = try withExistingStore { [coding] (connection) throws(DataError) in
      try connection.catalog(coding)
    }
    cachedCatalog = stored
    return stored ?? StoredCatalog(Catalog(), version: 0)
  }

  package func storeID() throws(DataError) -> String? {
    try withExistingStore { (connection) throws(DataError) in try connection.storeID() } ?? nil
  }

  package func copyMark() throws(DataError) -> CopyMark? {
    try withExistingStore { (connection) throws(DataError) in try connection.copyMark() } ?? nil
  }

  package func endCopy(run: String, wait: WriteWait) async throws(DataError) {
    try await write(wait: wait, .backOff) { [coding] (connection) throws(DataError) in
      try connection.endCopy(coding, run: run)
    }
  }

  package func schema(named name: String) throws(DataError) -> Schema? {
    let schema = try withExistingStore { [coding] (connection) throws(DataError) in
      try connection.schema(named: name, coding)
    }
    return schema ?? nil
  }

  package func apply(_ request: PlanRequest) async throws(DataError) {
    var isTooWide = false
    do throws(DataError) {
      try await write(wait: request.wait, .backOff, end: request.end) {
        [coding] (connection) throws(DataError) in
        defer { isTooWide = connection.failure == .rowTooWide }
        try connection.checkColumns(for: request.plan)
        try PlanExecutor(request, coding).execute(on: connection)
      }
    } catch {
      guard isTooWide else { throw error }
      throw tooWide(request.plan)
    }
  }

  /// Returns the error for a plan that would make a record too large for a PostgreSQL page. The
  /// server does not report which record is too large, so the error names the record that takes the
  /// most space.
  private func tooWide(_ plan: SchemaPlan) -> DataError {
    let changed = plan.stages.compactMap { stage in
      if case .change(let alteration) = stage { alteration } else { nil as Alteration? }
    }
    guard changed.count == 1 else { return .tooWide(.incompatibleData) }
    let widest = try? probe { (connection) throws(DataError) in
      try connection.widest(of: TableLayout(changed[0].from))
    }
    return .tooWide(.incompatibleData, changed[0].to, widest: widest)
  }

  package func log() throws(DataError) -> [AppliedPlan] {
    try withExistingStore { (connection) throws(DataError) in
      let format = try connection.integer("select format from \(table: "_meta")")
      try connection.checkFormat(format ?? 0)
      return try connection.log()
    } ?? []
  }

  /// Runs a closure with a connection to the store. If the store does not exist and was opened for
  /// writing, returns nil, because the first schema plan will create the store.
  private func withExistingStore<Result>(
    _ body: (Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result? {
    do throws(DataError) {
      return try withConnection(body)
    } catch {
      // Another program may have created the store after it was found to be missing.
      if error.code == .schemaChanged { return try withConnection(body) }
      guard error.code == .storeNotFound, access == .writing else { throw error }
      return nil
    }
  }
}

extension PostgresStore {
  /// Returns the SQL text of the statements that create the tables and indexes for the schemas in
  /// the standard namespace.
  package static func definition(of schemas: [Schema]) -> String {
    let dialect = PostgresDialect(engine: .postgres, namespace: standardNamespace)
    let tables = schemas.map { schema in
      TableLayout(schema).creationSQL(in: dialect).map {
        RenderedSQL($0, in: standardNamespace).text + ";\n"
      }
      .joined()
    }
    return (["create schema if not exists \(standardNamespace);\n"] + tables)
      .joined(separator: "\n")
  }
}
