import DataModel
import DataStore
import Synchronization

/// A snapshot of a store: a read transaction that ends when the snapshot is released.
struct PostgresSnapshot: StoreReader {
  let transaction: ReadTransactionToken

  func catalog() async throws(DataError) -> StoredCatalog {
    try await transaction.store.withTransaction(transaction) { (transaction) throws(DataError) in
      try transaction.catalog()
    }
  }

  func find(_ ids: [String], in schema: Schema, slots: [Int]) async throws(DataError)
    -> FoundRecords
  {
    try await transaction.store.withTransaction(transaction) { (transaction) throws(DataError) in
      _ = try transaction.catalog(for: schema, version: nil)
      return try transaction.connection.find(ids, in: schema, slots: slots)
    }
  }

  func records(_ query: Query) async throws(DataError) -> any RecordStream {
    let number = try await transaction.store.withTransaction(transaction) {
      (transaction) throws(DataError) in
      try transaction.begin(query)
    }
    return PostgresRecords(transaction: transaction, number: number, endsTransaction: false)
  }

  func count(_ query: Query) async throws(DataError) -> Int {
    try await transaction.store.withTransaction(transaction) { (transaction) throws(DataError) in
      try transaction.count(query)
    }
  }

  func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream {
    let number = try await transaction.store.withTransaction(transaction) {
      (transaction) throws(DataError) in
      try transaction.begin(query)
    }
    return PostgresRecords(transaction: transaction, number: number, endsTransaction: false)
  }

  func content(
    of slot: Int, id: String, in schema: Schema
  ) async throws(DataError) -> (any ContentStream)? {
    let transaction = transaction
    let file = try await transaction.store.withTransaction(transaction) {
      (transaction) throws(DataError) in
      try transaction.firstPiece(ofFile: slot, of: id, in: schema)
    }
    guard let file else { return nil }
    return PieceStream(size: file.size, first: file.first, damage: file.damage) {
      (number) throws(DataError) in
      try await transaction.store.withTransaction(transaction) { (transaction) throws(DataError) in
        try transaction.piece(number, ofFile: slot, of: id, in: schema)
      }
    }
  }

  func explain(_ query: Query) async throws(DataError) -> Explanation {
    try await transaction.store.withTransaction(transaction) { (transaction) throws(DataError) in
      try transaction.explain(query)
    }
  }
}

/// A reference to a read transaction, which ends when the last reference is released.
final class ReadTransactionToken: Sendable {
  let store: PostgresStore
  let number: Int

  init(_ store: PostgresStore, _ number: Int) {
    self.store = store
    self.number = number
  }

  // If the store itself was released, its connections are closed, which ends all transactions.
  deinit {
    store.abandoned.withLock { $0.append(number) }
    Task { [weak store] in await store?.endAbandoned() }
  }
}

/// The records or groups of a query, read in a snapshot.
struct PostgresRecords: RecordStream {
  let transaction: ReadTransactionToken
  let number: Int
  /// Whether the transaction ends with the last row.
  let endsTransaction: Bool

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    try await transaction.store.next(
      of: number, in: transaction.number, reusing: rows, endsTransaction: endsTransaction)
  }
}
