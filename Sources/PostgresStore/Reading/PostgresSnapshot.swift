import DataModel
import DataStore
import Synchronization

/// A snapshot of a store: a read transaction that ends when the snapshot is released.
struct PostgresSnapshot: StoreReader {
  let reading: ReadingToken

  func catalog() async throws(DataError) -> StoredCatalog {
    try await reading.store.answer(reading) { (reading) throws(DataError) in
      try reading.catalog()
    }
  }

  func find(_ ids: [String], in schema: Schema, slots: [Int]) async throws(DataError) -> Found {
    try await reading.store.answer(reading) { (reading) throws(DataError) in
      _ = try reading.catalog(for: schema, version: nil)
      return try reading.connection.find(ids, in: schema, slots: slots)
    }
  }

  func records(_ query: Query) async throws(DataError) -> any RecordStream {
    let number = try await reading.store.answer(reading) { (reading) throws(DataError) in
      try reading.begin(query)
    }
    return PostgresRecords(reading: reading, number: number, endsReading: false)
  }

  func count(_ query: Query) async throws(DataError) -> Int {
    try await reading.store.answer(reading) { (reading) throws(DataError) in
      try reading.count(query)
    }
  }

  func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream {
    let number = try await reading.store.answer(reading) { (reading) throws(DataError) in
      try reading.begin(query)
    }
    return PostgresRecords(reading: reading, number: number, endsReading: false)
  }

  func content(
    of slot: Int, id: String, in schema: Schema
  ) async throws(DataError) -> (any ContentStream)? {
    let reading = reading
    let file = try await reading.store.answer(reading) { (reading) throws(DataError) in
      try reading.beginning(ofFile: slot, of: id, in: schema)
    }
    guard let file else { return nil }
    return PieceStream(size: file.size, first: file.first, damage: file.damage) {
      (number) throws(DataError) in
      try await reading.store.answer(reading) { (reading) throws(DataError) in
        try reading.piece(number, ofFile: slot, of: id, in: schema)
      }
    }
  }

  func explain(_ query: Query) async throws(DataError) -> Explanation {
    try await reading.store.answer(reading) { (reading) throws(DataError) in
      try reading.explain(query)
    }
  }
}

/// A reference to a read transaction, which ends when the last reference is released.
final class ReadingToken: Sendable {
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
  let reading: ReadingToken
  let number: Int
  /// Whether the transaction ends with the last row.
  let endsReading: Bool

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    try await reading.store.next(
      of: number, in: reading.number, reusing: rows, endsReading: endsReading)
  }
}
