import CSQLite
package import DataModel
package import DataStore

extension SQLiteStore {
  package func save<Exchange: SaveExchange>(
    _ request: SaveRequest, through exchange: inout Exchange
  ) async throws(DataError) {
    try checkWritable()
    if request.plan != nil, try !exists() {
      return try await saveFirst(request, through: &exchange)
    }
    let shared = try connection()
    try shared.value.checkCatalog(version: request.catalogVersion)
    var saveTransaction = SaveTransaction(request, coding: coding, cachedCatalog: cachedCatalog)
    while let chunk = try exchange.next() {
      let lock = try await WriteLock.acquired(path, wait: request.wait)
      let end = try lock.withLock { () throws(DataError) in
        try saveTransaction.run(from: chunk, through: &exchange, on: shared.value)
      }
      if end == .all { return }
    }
    try exchange.finish()
  }
}

/// Runs the transactions of a save, one after another; mostly there is one.
struct SaveTransaction: ~Copyable {
  /// How a transaction ended.
  enum End {
    /// At a point where it was time to commit; more records may follow.
    case part
    /// After the last record.
    case all
  }

  private let request: SaveRequest
  private let coding: SchemaCoding
  private var cachedCatalog: StoredCatalog?
  private let clock = ContinuousClock()
  private var writer: SaveWriter?
  private var lastLine: Int?
  /// The plan to execute before the first record; nil once it has been executed.
  private var plan: PlanRequest?
  /// The catalog version that the next transaction expects.
  private var version: Int64

  init(_ request: SaveRequest, coding: SchemaCoding, cachedCatalog: StoredCatalog?) {
    self.request = request
    plan = request.plan
    version = request.catalogVersion
    self.coding = coding
    self.cachedCatalog = cachedCatalog
  }

  /// Saves chunks in one transaction until there are no more or until it is time to commit.
  mutating func run<Exchange: SaveExchange>(
    from chunk: consuming RowChanges, through exchange: inout Exchange,
    on connection: borrowing Connection
  ) throws(DataError) -> End {
    try connection.begin(wait: request.wait)
    let end: End
    do throws(DataError) {
      end = try save(chunk, through: &exchange, on: connection)
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
    _ first: consuming RowChanges, through exchange: inout Exchange,
    on connection: borrowing Connection
  ) throws(DataError) -> End {
    let catalog = try catalog(on: connection)
    let layout = TableLayout(request.schema)
    let deferredIndexes = try DeferredIndexes(
      of: layout, for: request, firstCount: first.count, on: connection)
    var writer = try takeWriter(catalog, on: connection)
    let began = clock.now
    var count = 0
    var chunk: RowChanges? = first
    while var changes = chunk.take() {
      let outcomes = try writer.apply(&changes, on: connection)
      count += changes.count
      lastLine = changes.lines.last ?? lastLine
      // Consumed, so that the exchange can reuse the memory of the chunk.
      try exchange.applied(consume changes, outcomes: outcomes)
      let isPause = outcomes.isEmpty
      if let most = request.commitEvery,
        isPause || count >= most || clock.now - began >= .seconds(1)
      {
        count = 0
        try writer.endPart(through: &exchange, on: connection)
        if writer.saveError != nil { break }
        if request.end == .commit {
          self.writer = consume writer
          return .part
        }
      }
      chunk = try exchange.next()
    }
    try writer.endPart(through: &exchange, on: connection)
    try exchange.finish()
    if let saveError = writer.saveError { throw saveError }
    if request.end == .commit { try deferredIndexes.create(on: connection) }
    return .all
  }

  /// Executes the plan, if there is one, and returns the catalog.
  private mutating func catalog(on connection: borrowing Connection) throws(DataError) -> Catalog {
    if let plan = plan.take() {
      try PlanExecutor(plan, coding).execute(on: connection)
      let stored = try connection.catalog(coding)
      version = stored.version
      cachedCatalog = stored
    }
    return try connection.catalog(version, cachedCatalog: cachedCatalog, coding)
  }

  /// Returns the writer of the previous transaction, or a new one.
  private mutating func takeWriter(
    _ catalog: Catalog, on connection: borrowing Connection
  ) throws(DataError) -> SaveWriter {
    if let writer = writer.take() { return writer }
    return try SaveWriter(request, catalog: catalog, on: connection)
  }
}

extension SQLiteStore {
  /// Creates the store with the schemas and the records of one save, all or nothing.
  func saveFirst<Exchange: SaveExchange>(
    _ request: SaveRequest, through exchange: inout Exchange
  ) async throws(DataError) {
    guard let chunk = try exchange.next() else { return try exchange.finish() }
    switch request.end {
    case .rollBack:
      let connection = try Connection.inMemory(of: path)
      try fill(connection, with: chunk, request, through: &exchange)
    case .commit:
      try checkFolder()
      let lock = try await WriteLock.acquired(path, wait: request.wait)
      try lock.withLock { () throws(DataError) in
        guard try !exists() else { throw .schemaChanged }
        try create { (connection) throws(DataError) in
          try fill(connection, with: chunk, request, through: &exchange)
        }
      }
    }
  }

  /// Creates the internal tables in an empty database and saves all chunks.
  private func fill<Exchange: SaveExchange>(
    _ connection: borrowing Connection, with first: consuming RowChanges, _ request: SaveRequest,
    through exchange: inout Exchange
  ) throws(DataError) {
    try connection.transaction(end: .commit, wait: request.wait) {
      (connection) throws(DataError) in
      for statement in InternalTables.creationSQL { try connection.run(statement) }
    }
    var saveTransaction = SaveTransaction(request, coding: coding, cachedCatalog: nil)
    var chunk: RowChanges? = first
    while let next = chunk.take() {
      guard try saveTransaction.run(from: next, through: &exchange, on: connection) == .part else {
        return
      }
      chunk = try exchange.next()
    }
    try exchange.finish()
  }
}
