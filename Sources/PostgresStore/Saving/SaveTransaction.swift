package import DataModel
package import DataStore

extension PostgresStore {
  package func save<Exchange: SaveExchange>(
    _ request: SaveRequest, through exchange: inout Exchange
  ) async throws(DataError) {
    try checkWritable()
    let start = exchange
    var retries = RetryBackoff(request.wait)
    while true {
      var saveTransaction = SaveTransaction(request, coding: coding)
      do throws(DataError) {
        return try await save(&saveTransaction, through: &exchange)
      } catch {
        guard saveTransaction.failure?.isRetryable == true, !saveTransaction.hasCommitted,
          start.canRestart,
          await retries.pause()
        else {
          if saveTransaction.failure == .tooWide {
            throw .tooWide(.invalid, saveTransaction.request.schema)
          }
          throw try diagnosed(error, saveTransaction.failure)
        }
        exchange = start
      }
    }
  }

  private func save<Exchange: SaveExchange>(
    _ saveTransaction: inout SaveTransaction, through exchange: inout Exchange
  ) async throws(DataError) {
    while let chunk = try exchange.next() {
      let transaction = try begin(
        wait: saveTransaction.request.wait, to: saveTransaction.request.schema)
      if saveTransaction.hasCommitted {
        transaction.connection.failureContext = .afterPartialCommit
      }
      var isOver = false
      transaction.connection.discardedRows = 0
      do throws(DataError) {
        let end = try saveTransaction.run(
          from: chunk, through: &exchange, on: transaction.connection)
        if transaction.connection.mayPreventDeletes { try transaction.connection.drain() }
        try transaction.connection.checkAllRowsWritten(saveTransaction.request.schema)
        switch saveTransaction.request.end {
        case .commit:
          try await commit(transaction)
          isOver = true
          try transaction.connection.checkAllRowsWritten(saveTransaction.request.schema)
          try saveTransaction.committed(through: &exchange)
        case .rollBack:
          try transaction.connection.drain()
          try transaction.connection.checkAllRowsWritten(saveTransaction.request.schema)
          rollBack(transaction)
          isOver = true
        }
        if end == .all { return }
      } catch {
        saveTransaction.failure = saveTransaction.failure ?? transaction.connection.failure
        if !isOver { rollBack(transaction) }
        throw error
      }
    }
    try exchange.finish()
  }
}

/// The transactions of a save, one after another; most saves need only one.
struct SaveTransaction {
  /// The point at which a transaction ended.
  enum End {
    /// At a commit before the end; more rows may follow.
    case part
    /// After the last record.
    case all
  }

  let request: SaveRequest
  /// The cause of the failure, if the server reported one.
  var failure: Failure?
  /// Whether a part of the save has been committed.
  private(set) var hasCommitted = false
  private let coding: SchemaCoding
  private let clock = ContinuousClock()
  private var lastLine: Int?
  /// The plan to apply before the first record; nil once it has been applied.
  private var plan: PlanRequest?
  /// The version of the schemas that the next transaction must find.
  private var version: Int64

  init(_ request: SaveRequest, coding: SchemaCoding) {
    self.request = request
    plan = request.plan
    version = request.catalogVersion
    self.coding = coding
  }

  /// Saves chunks until there are no more, or until it is time to commit.
  mutating func run<Exchange: SaveExchange>(
    from chunk: consuming RowChanges, through exchange: inout Exchange, on connection: Connection
  ) throws(DataError) -> End {
    if let plan = plan.take() {
      try PlanExecutor(plan, coding).execute(on: connection)
      version = try connection.catalogVersion()
    }
    connection.lockSchema(request.schema)
    let stored = try connection.catalog(coding)
    guard stored.version == version else { throw .schemaChanged }
    var writer = SaveWriter(request, catalog: stored.catalog, on: connection)
    let began = clock.now
    var count = 0
    var next: RowChanges? = chunk
    while var changes = next.take() {
      let outcomes = try writer.apply(&changes)
      count += changes.count
      lastLine = changes.lines.last ?? lastLine
      try exchange.applied(changes, outcomes: outcomes)
      let isPause = outcomes.isEmpty
      if let most = request.commitEvery,
        isPause || count >= most || clock.now - began >= .seconds(1)
      {
        count = 0
        try writer.endPart(through: &exchange)
        if writer.saveError != nil { break }
        if request.end == .commit { return .part }
      }
      next = try exchange.next()
    }
    try writer.endPart(through: &exchange)
    try exchange.finish()
    if let saveError = writer.saveError { throw saveError }
    return .all
  }

  /// Reports that all rows so far are durable.
  mutating func committed<Exchange: SaveExchange>(
    through exchange: inout Exchange
  ) throws(DataError) {
    hasCommitted = true
    defer { lastLine = nil }
    if let lastLine { try exchange.committed(throughLine: lastLine) }
  }
}
