package import DataModel
package import DataStore

extension PostgresStore {
  package func save<Exchange: SaveExchange>(
    _ request: SaveRequest, through exchange: inout Exchange
  ) async throws(DataError) {
    try checkWritable()
    let start = exchange
    var retries = Retries(request.wait)
    while true {
      var round = SaveRound(request, coding: coding)
      do throws(DataError) {
        return try await save(&round, through: &exchange)
      } catch {
        guard round.failure?.mayBeRepeated == true, !round.hasCommitted, start.canRestart,
          await retries.pause()
        else {
          if round.failure == .tooWide { throw .tooWide(.invalid, round.request.schema) }
          throw try explained(error, round.failure)
        }
        exchange = start
      }
    }
  }

  private func save<Exchange: SaveExchange>(
    _ round: inout SaveRound, through exchange: inout Exchange
  ) async throws(DataError) {
    while let batch = try exchange.next() {
      let transaction = try begin(wait: round.request.wait, to: round.request.schema)
      if round.hasCommitted { transaction.connection.stake = .rest }
      var isOver = false
      transaction.connection.swallowedRows = 0
      do throws(DataError) {
        let end = try round.run(from: batch, through: &exchange, on: transaction.connection)
        if transaction.connection.mayKeepRows { try transaction.connection.catchUp() }
        try transaction.connection.checkTaken(round.request.schema)
        switch round.request.end {
        case .commit:
          try await commit(transaction)
          isOver = true
          try transaction.connection.checkTaken(round.request.schema)
          try round.committed(through: &exchange)
        case .rollBack:
          try transaction.connection.catchUp()
          try transaction.connection.checkTaken(round.request.schema)
          rollBack(transaction)
          isOver = true
        }
        if end == .all { return }
      } catch {
        round.failure = round.failure ?? transaction.connection.failure
        if !isOver { rollBack(transaction) }
        throw error
      }
    }
    try exchange.finish()
  }
}

/// The transactions of a save, one after another; most saves need only one.
struct SaveRound {
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
    from batch: consuming Changes, through exchange: inout Exchange, on connection: Connection
  ) throws(DataError) -> End {
    if let plan = plan.take() {
      try PlanRun(plan, coding).carryOut(on: connection)
      version = try connection.catalogVersion()
    }
    connection.hold(request.schema)
    let stored = try connection.catalog(coding)
    guard stored.version == version else { throw .schemaChanged }
    var run = SaveRun(request, catalog: stored.catalog, on: connection)
    let began = clock.now
    var count = 0
    var next: Changes? = batch
    while var changes = next.take() {
      let outcomes = try run.settle(&changes)
      count += changes.count
      lastLine = changes.lines.last ?? lastLine
      try exchange.settled(changes, outcomes: outcomes)
      let isPause = outcomes.isEmpty
      if let most = request.commitEvery,
        isPause || count >= most || clock.now - began >= .seconds(1)
      {
        count = 0
        try run.endPart(through: &exchange)
        if run.refusal != nil { break }
        if request.end == .commit { return .part }
      }
      next = try exchange.next()
    }
    try run.endPart(through: &exchange)
    try exchange.finish()
    if let refusal = run.refusal { throw refusal }
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
