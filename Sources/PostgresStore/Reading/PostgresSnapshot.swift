import DataModel
import DataStore
import Synchronization

/// A reader of a consistent snapshot of a store. Its read transaction ends when the snapshot and
/// all results that were read from it have been released.
struct PostgresSnapshot: StoreReader {
  let transaction: ReadTransactionToken

  func catalog() async throws(DataError) -> StoredCatalog {
    try await transaction.store.withTransaction(transaction) { (transaction) throws(DataError) in
      try transaction.catalog()
    }
  }

  func storeID() async throws(DataError) -> String? {
    try await transaction.store.withTransaction(transaction) { (transaction) throws(DataError) in
      try transaction.connection.storeID()
    }
  }

  func find(_ ids: [String], in schema: Schema, slots: [Int]) async throws(DataError)
    -> FoundRecords
  {
    try await transaction.store.withTransaction(transaction) { (transaction) throws(DataError) in
      try transaction.find(ids, in: schema, slots: slots)
    }
  }

  func prepare(toRead schemas: [Schema]) async throws(DataError) {
    try await transaction.store.withTransaction(transaction) { (transaction) throws(DataError) in
      try transaction.prepare(toRead: schemas)
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

  func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) async throws(DataError) -> Session? {
    try await transaction.store.withTransaction(transaction) { (transaction) throws(DataError) in
      try transaction.session(tokenHash, at: time)
    }
  }

  func explain(_ query: Query) async throws(DataError) -> Explanation {
    try await transaction.store.withTransaction(transaction) { (transaction) throws(DataError) in
      try transaction.explain(query)
    }
  }
}

/// A handle of a read transaction. The transaction ends when the last reference to the handle is
/// released.
final class ReadTransactionToken: Sendable {
  let store: PostgresStore
  let number: Int

  init(_ store: PostgresStore, _ number: Int) {
    self.store = store
    self.number = number
  }

  // If the store itself has been released, its connections are closed. That ends all transactions.
  deinit {
    store.abandoned.withLock { $0.append(number) }
    Task { [weak store] in await store?.endAbandoned() }
  }
}

/// A stream of the records or groups that a query returns from a snapshot.
struct PostgresRecords: RecordStream {
  let transaction: ReadTransactionToken
  let number: Int
  /// Whether the read transaction ends after the last row has been read. If not, it ends when the
  /// snapshot and all results that were read from it have been released.
  let endsTransaction: Bool

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    try await transaction.store.next(
      of: number, in: transaction.number, reusing: rows, endsTransaction: endsTransaction)
  }
}
