import DataModel
import DataStore

/// A store as it was at a moment, in a transaction of its own that ends with it.
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

  func explain(_ query: Query) async throws(DataError) -> Explanation {
    try await reading.store.answer(reading) { (reading) throws(DataError) in
      try reading.explain(query)
    }
  }
}

/// The right to read on; the transaction ends when nobody has it any more.
final class ReadingToken: Sendable {
  let store: PostgresStore
  let number: Int

  init(_ store: PostgresStore, _ number: Int) {
    self.store = store
    self.number = number
  }

  // A store that nobody has any more closes its connections, which ends whatever they do.
  deinit {
    let number = number
    Task { [weak store] in await store?.endReading(number) }
  }
}

/// The answer to a question, out of a snapshot.
struct PostgresRecords: RecordStream {
  let reading: ReadingToken
  let number: Int
  /// Whether the transaction is over with this answer.
  let endsReading: Bool

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    try await reading.store.next(
      of: number, in: reading.number, reusing: rows, endsReading: endsReading)
  }
}
