package import DataModel
package import DataStore

extension SQLiteStore {
  package func save<Exchange: SaveExchange>(
    _ request: SaveRequest, through exchange: inout Exchange
  ) async throws(DataError) {
    try checkWritable()
    var batch = try exchange.next()
    guard batch != nil else { return try exchange.finish() }
    let shared = try connection()
    var round = SaveRound(request, coding: coding)
    repeat {
      let lock = try await WriteLock.taken(path, wait: request.wait)
      try lock.holding { () throws(DataError) in
        try round.run(from: &batch, through: &exchange, on: shared.value)
      }
    } while batch != nil
  }
}

/// One transaction of a save after the other; mostly there is one.
struct SaveRound: ~Copyable {
  private let request: SaveRequest
  private let coding: SchemaCoding
  private let clock = ContinuousClock()
  private var run: SaveRun?
  private var lastLine = 0

  init(_ request: SaveRequest, coding: SchemaCoding) {
    self.request = request
    self.coding = coding
  }

  /// Saves batches until there are no more, or until it is time to commit.
  mutating func run<Exchange: SaveExchange>(
    from batch: inout Changes?, through exchange: inout Exchange,
    on connection: borrowing Connection
  ) throws(DataError) {
    try connection.begin(wait: request.wait)
    do throws(DataError) {
      try saveBatches(from: &batch, through: &exchange, on: connection)
      switch request.end {
      case .rollBack where batch == nil: return connection.rollBack()
      case .rollBack, .commit: try connection.commit()
      }
    } catch {
      connection.rollBack()
      throw error
    }
    try exchange.committed(throughLine: lastLine)
  }

  private mutating func saveBatches<Exchange: SaveExchange>(
    from batch: inout Changes?, through exchange: inout Exchange,
    on connection: borrowing Connection
  ) throws(DataError) {
    let stored = try connection.catalog(coding)
    guard stored.version == request.catalogVersion else { throw .schemaMovedOn(connection.store) }
    var run = try takeRun(stored.catalog, on: connection)
    let began = clock.now
    var count = 0
    while var changes = batch.take() {
      let outcomes = try run.settle(&changes, on: connection)
      count += changes.count
      lastLine = changes.lines.last ?? lastLine
      try exchange.settled(changes, outcomes: outcomes)
      batch = try exchange.next()
      guard let most = request.commitEvery, request.end == .commit, batch != nil,
        count >= most || clock.now - began >= .seconds(1)
      else { continue }
      if try isCommittable(&run) { break }
    }
    if batch == nil {
      for problem in try run.unmetReferences() { exchange.refused(problem) }
      try exchange.finish()
    }
    self.run = consume run
  }

  private mutating func takeRun(
    _ catalog: Catalog, on connection: borrowing Connection
  ) throws(DataError) -> SaveRun {
    if let run = run.take() { return run }
    return try SaveRun(request, catalog: catalog, on: connection)
  }

  /// Whether all up to here can be committed; if not, the rest is read for its problems alone.
  private func isCommittable(_ run: inout SaveRun) throws(DataError) -> Bool {
    switch request.onInvalid {
    case .skip: return true
    case .refuseAll:
      guard run.refusedCount == 0 else { return false }
      return try run.hasNoOpenReferences()
    }
  }
}
