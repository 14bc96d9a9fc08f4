import DataModel
import DataStore

/// A store as it was at a moment, on a connection of its own: whatever is asked is answered out of
/// one reading transaction.
actor SQLiteSnapshot: StoreReader {
  private let executor: StoreExecutor
  private let connection: Connection
  private let stored: StoredCatalog
  /// The answers that are being read, by their numbers.
  private var answers: [Int: any Answer] = [:]
  private var count = 0
  /// Whether it is for one answer, and over with it: as long as there is a snapshot, writers cannot
  /// empty the journal.
  private let endsWithAnswer: Bool

  /// Begins to read; `known` saves reading the schemas again if they are still the same.
  init(
    of path: StorePath, _ coding: SchemaCoding, known: StoredCatalog?, endsWithAnswer: Bool,
    by executor: StoreExecutor
  ) throws(DataError) {
    let connection = try Connection.opened(path, for: .reading)
    try connection.run("begin")
    stored = try connection.catalog(coding, known: known)
    self.connection = connection
    self.executor = executor
    self.endsWithAnswer = endsWithAnswer
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  func catalog() -> StoredCatalog { stored }

  func find(_ ids: [String], in schema: Schema, slots: [Int]) throws(DataError) -> Found {
    try stored.check(schema)
    return try connection.find(ids, in: schema, slots: slots)
  }

  func records(_ query: Query) throws(DataError) -> any RecordStream {
    try stored.check(query.schema, version: query.catalogVersion)
    return add(try RecordAnswer(query, in: stored.catalog))
  }

  func count(_ query: Query) throws(DataError) -> Int {
    try stored.check(query.schema, version: query.catalogVersion)
    return try connection.count(query, in: stored.catalog)
  }

  func groups(_ query: GroupQuery) throws(DataError) -> any RecordStream {
    try stored.check(query.schema, version: query.catalogVersion)
    return add(try GroupAnswer(query, in: stored.catalog, on: connection))
  }

  func explain(_ query: Query) throws(DataError) -> Explanation {
    try stored.check(query.schema, version: query.catalogVersion)
    return try connection.explain(query, in: stored.catalog)
  }

  private func add(_ answer: any Answer) -> any RecordStream {
    count += 1
    answers[count] = answer
    return SQLiteRecords(snapshot: self, number: count)
  }

  /// The next rows of an answer.
  fileprivate func next(
    of number: Int, reusing rows: consuming Rows
  ) throws(DataError) -> Rows? {
    guard let answer = answers[number] else { return nil }
    if let batch = try answer.next(reusing: rows, on: connection) { return batch }
    answers[number] = nil
    if endsWithAnswer { try connection.run("commit") }
    return nil
  }
}

/// An answer that is being read.
protocol Answer: AnyObject {
  /// The next rows; nil behind the last.
  func next(
    reusing rows: consuming Rows, on connection: borrowing Connection
  ) throws(DataError) -> Rows?
}

/// The answer to a question, out of a snapshot.
private struct SQLiteRecords: RecordStream {
  let snapshot: SQLiteSnapshot
  let number: Int

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    try await snapshot.next(of: number, reusing: rows)
  }
}

extension StoredCatalog {
  /// Refuses a question that was made by other schemas.
  func check(_ schema: Schema, version: Int64? = nil) throws(DataError) {
    guard catalog[schema.name] == schema, version ?? self.version == self.version else {
      throw .schemaChanged
    }
  }
}
