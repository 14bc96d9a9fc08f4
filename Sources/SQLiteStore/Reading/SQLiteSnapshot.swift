import DataModel
import DataStore

/// A snapshot of a store: a connection of its own with one open read transaction.
actor SQLiteSnapshot: StoreReader {
  private let executor: StoreExecutor
  private let connection: Connection
  private var schemas: KnownSchemas
  /// The results that are being read; nil for those that have ended.
  private var answers: [(any Answer)?] = []
  /// The readers of the file fields that have been used.
  private var files: [FileReading] = []
  /// Whether the transaction ends with its only result. An open transaction keeps the WAL from
  /// being truncated.
  private let endsWithAnswer: Bool

  /// Opens a connection and begins a read transaction. The schemas in `before` are reused if they
  /// are still current.
  init(
    of path: StorePath, _ coding: SchemaCoding, before: StoredCatalog?, endsWithAnswer: Bool,
    by executor: StoreExecutor
  ) throws(DataError) {
    let connection = try Connection.opened(path, for: .reading)
    try connection.run("begin")
    schemas = try KnownSchemas(on: connection, coding, before: before)
    self.connection = connection
    self.executor = executor
    self.endsWithAnswer = endsWithAnswer
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  func catalog() throws(DataError) -> StoredCatalog { try schemas.all(on: connection) }

  func find(_ ids: [String], in schema: Schema, slots: [Int]) throws(DataError) -> Found {
    _ = try schemas.catalog(for: schema, version: nil, followsRelations: false, on: connection)
    return try connection.find(ids, in: schema, slots: slots)
  }

  func records(_ query: Query) throws(DataError) -> any RecordStream {
    add(try RecordAnswer(query, in: catalog(for: query)))
  }

  func count(_ query: Query) throws(DataError) -> Int {
    try connection.count(query, in: catalog(for: query))
  }

  func groups(_ query: GroupQuery) throws(DataError) -> any RecordStream {
    let catalog = try schemas.catalog(
      for: query.schema, version: query.catalogVersion, followsRelations: query.followsRelations,
      on: connection)
    return add(try GroupAnswer(query, in: catalog, on: connection))
  }

  func explain(_ query: Query) throws(DataError) -> Explanation {
    try connection.explain(query, in: catalog(for: query))
  }

  func content(
    of slot: Int, id: String, in schema: Schema
  ) throws(DataError) -> (any ContentStream)? {
    let place = try place(ofFile: slot, in: schema)
    guard let file = try files[place].begin(id) else { return nil }
    return PieceStream(size: file.size, first: file.first, damage: files[place].damage) {
      (number) throws(DataError) in try await self.piece(number, of: id, place)
    }
  }

  /// Returns the index of the reader for a file field, and creates it if needed.
  private func place(ofFile slot: Int, in schema: Schema) throws(DataError) -> Int {
    if let place = files.firstIndex(where: { $0.slot == slot && $0.schema == schema }) {
      return place
    }
    _ = try schemas.catalog(for: schema, version: nil, followsRelations: false, on: connection)
    files.append(try FileReading(slot, of: schema, on: connection))
    return files.count - 1
  }

  private func piece(
    _ number: Int, of id: String, _ place: Int
  ) throws(DataError) -> [UInt8]? {
    try files[place].piece(number, of: id)
  }

  private func catalog(for query: Query) throws(DataError) -> Catalog {
    try schemas.catalog(
      for: query.schema, version: query.catalogVersion, followsRelations: query.followsRelations,
      on: connection)
  }

  private func add(_ answer: any Answer) -> any RecordStream {
    answers.append(answer)
    return SQLiteRecords(snapshot: self, place: answers.count - 1)
  }

  /// Returns the next chunk of a result.
  fileprivate func next(
    of place: Int, reusing rows: consuming Rows
  ) throws(DataError) -> Rows? {
    guard let answer = answers[place] else { return nil }
    if let batch = try answer.next(reusing: rows, on: connection) { return batch }
    answers[place] = nil
    if endsWithAnswer { try connection.run("commit") }
    return nil
  }
}

/// A result that is being read.
protocol Answer: AnyObject {
  /// Returns the next chunk, or nil after the last.
  func next(
    reusing rows: consuming Rows, on connection: borrowing Connection
  ) throws(DataError) -> Rows?
}

/// A result of a snapshot as a stream.
private struct SQLiteRecords: RecordStream {
  let snapshot: SQLiteSnapshot
  let place: Int

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    try await snapshot.next(of: place, reusing: rows)
  }
}
