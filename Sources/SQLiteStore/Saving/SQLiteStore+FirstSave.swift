import CSQLite
import DataModel
import DataStore

extension SQLiteStore {
  /// Creates the store with the schemas and the records of one save, all or nothing.
  func saveFirst<Exchange: SaveExchange>(
    _ request: SaveRequest, through exchange: inout Exchange
  ) async throws(DataError) {
    guard let batch = try exchange.next() else { return try exchange.finish() }
    switch request.end {
    case .rollBack:
      let connection = try Connection.inMemory(of: path)
      try fill(connection, with: batch, request, through: &exchange)
    case .commit:
      try checkFolder()
      let lock = try await WriteLock.taken(path, wait: request.wait)
      try lock.holding { () throws(DataError) in
        guard try !isThere() else { throw .schemaChanged }
        try create { (connection) throws(DataError) in
          try fill(connection, with: batch, request, through: &exchange)
        }
      }
    }
  }

  /// Creates the internal tables in an empty database and saves all chunks.
  private func fill<Exchange: SaveExchange>(
    _ connection: borrowing Connection, with first: consuming Changes, _ request: SaveRequest,
    through exchange: inout Exchange
  ) throws(DataError) {
    try connection.transaction(end: .commit, wait: request.wait) {
      (connection) throws(DataError) in
      for statement in OwnTables.making { try connection.run(statement) }
    }
    var round = SaveRound(request, coding: coding, known: nil)
    var batch: Changes? = first
    while let next = batch.take() {
      guard try round.run(from: next, through: &exchange, on: connection) == .part else { return }
      batch = try exchange.next()
    }
    try exchange.finish()
  }
}
