import CSQLite
import DataModel
import DataStore

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
