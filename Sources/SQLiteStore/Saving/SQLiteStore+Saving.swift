package import DataModel
package import DataStore

extension SQLiteStore {
  package func save<Exchange: SaveExchange>(
    _ request: SaveRequest, through exchange: inout Exchange
  ) async throws(DataError) {
    try checkWritable()
    if request.plan != nil, try !isThere() {
      return try await saveFirst(request, through: &exchange)
    }
    let shared = try connection()
    try shared.value.checkCatalog(version: request.catalogVersion)
    var round = SaveRound(request, coding: coding, known: known)
    while let batch = try exchange.next() {
      let lock = try await WriteLock.taken(path, wait: request.wait)
      let end = try lock.holding { () throws(DataError) in
        try round.run(from: batch, through: &exchange, on: shared.value)
      }
      if end == .all { return }
    }
    try exchange.finish()
  }
}

/// Runs the transactions of a save, one after another; mostly there is one.
struct SaveRound: ~Copyable {
  /// How a transaction ended.
  enum End {
    /// At a point where it was time to commit; more records may follow.
    case part
    /// After the last record.
    case all
  }

  private let request: SaveRequest
  private let coding: SchemaCoding
  private var known: StoredCatalog?
  private let clock = ContinuousClock()
  private var run: SaveRun?
  private var lastLine: Int?
  /// The plan to execute before the first record; nil once it has been executed.
  private var plan: PlanRequest?
  /// The catalog version that the next transaction expects.
  private var version: Int64

  init(_ request: SaveRequest, coding: SchemaCoding, known: StoredCatalog?) {
    self.request = request
    plan = request.plan
    version = request.catalogVersion
    self.coding = coding
    self.known = known
  }

  /// Saves chunks in one transaction until there are no more or until it is time to commit.
  mutating func run<Exchange: SaveExchange>(
    from batch: consuming Changes, through exchange: inout Exchange,
    on connection: borrowing Connection
  ) throws(DataError) -> End {
    try connection.begin(wait: request.wait)
    let end: End
    do throws(DataError) {
      end = try save(batch, through: &exchange, on: connection)
      switch request.end {
      case .commit: try connection.commit()
      case .rollBack: connection.rollBack()
      }
    } catch {
      connection.rollBack()
      throw error
    }
    defer { lastLine = nil }
    if let lastLine, request.end == .commit { try exchange.committed(throughLine: lastLine) }
    return end
  }

  private mutating func save<Exchange: SaveExchange>(
    _ first: consuming Changes, through exchange: inout Exchange,
    on connection: borrowing Connection
  ) throws(DataError) -> End {
    let catalog = try catalog(on: connection)
    let layout = TableLayout(request.schema)
    let postponed = try PostponedIndexes(
      of: layout, for: request, firstCount: first.count, on: connection)
    var run = try takeRun(catalog, on: connection)
    let began = clock.now
    var count = 0
    var batch: Changes? = first
    while var changes = batch.take() {
      let outcomes = try run.settle(&changes, on: connection)
      count += changes.count
      lastLine = changes.lines.last ?? lastLine
      // Consumed, so that the exchange can reuse the memory of the chunk.
      try exchange.settled(consume changes, outcomes: outcomes)
      let isPause = outcomes.isEmpty
      if let most = request.commitEvery,
        isPause || count >= most || clock.now - began >= .seconds(1)
      {
        count = 0
        try run.endPart(through: &exchange, on: connection)
        if run.refusal != nil { break }
        if request.end == .commit {
          self.run = consume run
          return .part
        }
      }
      batch = try exchange.next()
    }
    try run.endPart(through: &exchange, on: connection)
    try exchange.finish()
    if let refusal = run.refusal { throw refusal }
    if request.end == .commit { try postponed.make(on: connection) }
    return .all
  }

  /// Executes the plan, if there is one, and returns the catalog.
  private mutating func catalog(on connection: borrowing Connection) throws(DataError) -> Catalog {
    if let plan = plan.take() {
      try PlanRun(plan, coding).carryOut(on: connection)
      let stored = try connection.catalog(coding)
      version = stored.version
      known = stored
    }
    return try connection.catalog(version, known: known, coding)
  }

  /// Returns the writer of the previous transaction, or a new one.
  private mutating func takeRun(
    _ catalog: Catalog, on connection: borrowing Connection
  ) throws(DataError) -> SaveRun {
    if let run = run.take() { return run }
    return try SaveRun(request, catalog: catalog, on: connection)
  }
}
