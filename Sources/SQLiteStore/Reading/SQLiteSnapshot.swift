import DataModel
import DataStore
import Platform

/// A snapshot of a store: a separate connection with one open read transaction.
actor SQLiteSnapshot: StoreReader {
  private let executor: StoreExecutor
  private let path: StorePath
  /// The identity of the store's file before the connection was opened. If another file has the
  /// path later, the connection is not used again.
  private let file: FileStatus?
  private(set) var connection: Connection
  private let coding: SchemaCoding
  private var schemas: SchemaCache
  /// The results of the queries of this snapshot. A stream of records refers to its result by the
  /// index in this array. A result that was read to its end is replaced with nil.
  private var results: [(any QueryResult)?] = []
  /// One reader for each file field whose contents have been requested.
  private var files: [FieldFileReader] = []
  /// Whether the read transaction ends as soon as the result of the first query has been read,
  /// because no other query follows. SQLite cannot truncate the WAL while a read transaction is
  /// open.
  private let endsTransaction: Bool

  /// Opens a connection and begins a read transaction. If the catalog version has not changed, the
  /// schemas in `previous` are reused.
  init(
    of path: StorePath, for use: ConnectionUse = .reading, _ coding: SchemaCoding,
    previous: StoredCatalog?, endsTransaction: Bool, by executor: StoreExecutor,
    lockTimeout: Double, alarm: Int32?
  ) throws(DataError) {
    file = StoreFile.status(of: path.name)
    self.path = path
    let connection = try Connection.opened(
      path, for: use, lockTimeout: lockTimeout, alarm: alarm)
    try connection.run("begin")
    do throws(DataError) {
      schemas = try SchemaCache(on: connection, coding, previous: previous)
    } catch {
      throw connection.diagnosed(error, coding, schemaIsCurrent: true)
    }
    self.coding = coding
    self.connection = connection
    self.executor = executor
    self.endsTransaction = endsTransaction
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  /// Ends the read transaction. The snapshot must not be used until `restart` is called.
  func end() {
    results = []
    files = []
    connection.rollBack()
  }

  /// Begins a new read transaction on the same connection. Returns false if that is not possible,
  /// for example because another file has the path of the store now.
  func restart() throws(DataError) -> Bool {
    end()
    guard connection.isReusable, let file, let current = StoreFile.status(of: path.name),
      current.isSameFile(as: file)
    else { return false }
    if connection.idleStatements == nil { connection.idleStatements = IdleStatements() }
    try connection.run("begin")
    schemas = try SchemaCache(on: connection, coding, previous: schemas.loaded)
    return true
  }

  /// Runs a closure that reads records. If the closure fails because a table or a column does not
  /// exist, throws an error that names the table or column.
  private func diagnosing<Result>(
    _ body: () throws(DataError) -> Result
  ) throws(DataError) -> Result {
    do throws(DataError) {
      return try body()
    } catch {
      throw connection.diagnosed(error, coding, schemaIsCurrent: true)
    }
  }

  func catalog() throws(DataError) -> StoredCatalog {
    try diagnosing { () throws(DataError) in try schemas.all(on: connection) }
  }

  func storeID() throws(DataError) -> String? {
    try diagnosing { () throws(DataError) in try connection.storeID() }
  }

  func find(_ ids: [String], in schema: Schema, slots: [Int]) throws(DataError) -> FoundRecords {
    _ = try schemas.catalog(
      for: schema, validatedAgainst: nil, followsRelations: false, on: connection)
    return try diagnosing { () throws(DataError) in
      try connection.find(ids, in: schema, slots: slots)
    }
  }

  func records(_ query: Query) throws(DataError) -> any RecordStream {
    let catalog = try catalog(for: query)
    return add(
      try diagnosing { () throws(DataError) in
        try RecordResult(query, in: catalog, on: connection)
      })
  }

  func count(_ query: Query) throws(DataError) -> Int {
    let catalog = try catalog(for: query)
    return try diagnosing { () throws(DataError) in try connection.count(query, in: catalog) }
  }

  func groups(_ query: GroupQuery) throws(DataError) -> any RecordStream {
    let catalog = try schemas.catalog(
      for: query.schema, validatedAgainst: query.versions, followsRelations: query.followsRelations,
      on: connection)
    return add(
      try diagnosing { () throws(DataError) in
        try GroupResult(query, in: catalog, on: connection)
      })
  }

  func session(_ tokenHash: [UInt8], at time: Timestamp) throws(DataError) -> Session? {
    try diagnosing { () throws(DataError) in try connection.session(tokenHash, at: time) }
  }

  func explain(_ query: Query) throws(DataError) -> Explanation {
    let catalog = try catalog(for: query)
    return try diagnosing { () throws(DataError) in try connection.explain(query, in: catalog) }
  }

  func content(
    of slot: Int, id: String, in schema: Schema
  ) throws(DataError) -> (any ContentStream)? {
    let index = try index(ofFile: slot, in: schema)
    let file = try diagnosing { () throws(DataError) in try files[index].begin(id) }
    guard let file else { return nil }
    return PieceStream(size: file.size, first: file.first, damage: files[index].damage) {
      (number) throws(DataError) in try await self.piece(number, of: id, index)
    }
  }

  /// Returns the index in `files` of the reader for a file field. Creates the reader if needed.
  private func index(ofFile slot: Int, in schema: Schema) throws(DataError) -> Int {
    if let index = files.firstIndex(where: { $0.slot == slot && $0.schema == schema }) {
      return index
    }
    _ = try schemas.catalog(
      for: schema, validatedAgainst: nil, followsRelations: false, on: connection)
    let file = try diagnosing { () throws(DataError) in
      try FieldFileReader(slot, of: schema, on: connection)
    }
    files.append(file)
    return files.count - 1
  }

  private func piece(
    _ number: Int, of id: String, _ index: Int
  ) throws(DataError) -> [UInt8]? {
    try files[index].piece(number, of: id)
  }

  private func catalog(for query: Query) throws(DataError) -> Catalog {
    try schemas.catalog(
      for: query.schema, validatedAgainst: query.versions, followsRelations: query.followsRelations,
      on: connection)
  }

  private func add(_ result: any QueryResult) -> any RecordStream {
    results.append(result)
    return SQLiteRecords(snapshot: self, index: results.count - 1)
  }

  /// Returns the next chunk of the query result with the given index in `results`, or nil after the
  /// last chunk.
  fileprivate func next(
    of index: Int, reusing rows: consuming Rows
  ) throws(DataError) -> Rows? {
    guard let result = results[index] else { return nil }
    let chunk: Rows?
    do throws(DataError) {
      chunk = try result.next(reusing: rows, on: connection)
    } catch {
      throw connection.diagnosed(error, coding, schemaIsCurrent: true)
    }
    if let chunk { return chunk }
    results[index] = nil
    if endsTransaction { try connection.run("commit") }
    return nil
  }
}

/// The result of a query, read chunk by chunk.
protocol QueryResult: AnyObject {
  /// Returns the next chunk, or nil after the last one. The chunk reuses the memory of `rows`.
  func next(
    reusing rows: consuming Rows, on connection: borrowing Connection
  ) throws(DataError) -> Rows?
}

/// A stream of the rows of a query. It requests each chunk from the snapshot, which owns the
/// connection.
private struct SQLiteRecords: RecordStream {
  let snapshot: SQLiteSnapshot
  let index: Int

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    try await snapshot.next(of: index, reusing: rows)
  }
}

/// Reads the contents of one file field of many records, with statements that are prepared once.
final class FieldFileReader {
  let schema: Schema
  let slot: Int
  private let firstPiece: Statement
  private let rest: Statement

  init(
    _ slot: Int, of schema: Schema, on connection: borrowing Connection
  ) throws(DataError) {
    self.schema = schema
    self.slot = slot
    let layout = TableLayout(schema)
    firstPiece = try Statement(
      layout.firstPiece(ofFile: slot, of: .parameter), on: connection)
    rest = try Statement(
      layout.piece(.parameter, ofFile: slot, of: .parameter), on: connection)
  }

  /// Returns the size and the first piece of a record's file. Returns nil if the record has no file
  /// or does not exist.
  func begin(_ id: String) throws(DataError) -> (size: Int64, first: [UInt8])? {
    defer { firstPiece.reset() }
    try firstPiece.bind(id, at: firstPiece.parameters[0])
    guard try firstPiece.step() else { return nil }
    guard let file = firstPiece.bytes(0).flatMap({ FileReference(canonicalText: $0.span) }) else {
      throw firstPiece.damage
    }
    return (file.size, firstPiece.bytes(1) ?? [])
  }

  /// Returns a piece of a record's file by its index, or nil if the piece is missing.
  func piece(_ number: Int, of id: String) throws(DataError) -> [UInt8]? {
    defer { rest.reset() }
    try rest.bind(id, at: rest.parameters[0])
    try rest.bind(Int64(number), at: rest.parameters[1])
    return try rest.step() ? rest.bytes(0) : nil
  }

  /// The error to throw if pieces of a file are missing.
  var damage: DataError { rest.damage }
}
