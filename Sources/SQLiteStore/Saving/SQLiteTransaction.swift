package import DataModel
package import DataStore

/// A write transaction. It holds the write lock of the store until the transaction ends.
package final class SQLiteTransaction: WriteTransaction {
  /// The database that the transaction writes to.
  enum Database {
    case store
    /// The database of a new store. It has a temporary name, and is renamed to the final name after
    /// the commit.
    case unfinished
    /// An in-memory database, for the dry run of a save that would create the store.
    case memory
  }

  let database: Database
  private let coding: SchemaCoding
  private(set) var cachedCatalog: StoredCatalog?
  private var lock: WriteLock?
  /// The connection, or nil after the database was closed.
  private var shared: SharedConnection?
  /// The write request that the transaction executes; nil until `prepare` is called.
  private var request: WriteRequest?
  /// The writers of the schemas whose records have been saved, in the order of their first use.
  private var writers: [SharedWriter] = []
  private var hasDeleted = false
  package var ownership: Ownership?
  /// Whether a previous transaction of the same write has been committed.
  let followsCommit: Bool

  init(
    on connection: SharedConnection, of database: Database, holding lock: consuming WriteLock?,
    _ coding: SchemaCoding, cachedCatalog: StoredCatalog?
  ) {
    shared = connection
    self.database = database
    self.lock = lock
    self.coding = coding
    self.cachedCatalog = cachedCatalog
    followsCommit = false
  }

  /// Creates the next transaction of a write that commits repeatedly. It reuses the connection, the
  /// catalog and the prepared statements of the previous transaction, which must be committed.
  init(
    continuing previous: SQLiteTransaction, holding lock: consuming WriteLock?
  ) {
    shared = previous.shared
    database = previous.database
    self.lock = lock
    coding = previous.coding
    cachedCatalog = previous.cachedCatalog
    writers = previous.writers
    followsCommit = true
  }

  private var connection: SharedConnection {
    guard let shared else { preconditionFailure("the database was closed") }
    return shared
  }

  package func prepare(_ request: WriteRequest) throws(DataError) -> SchemaVersions {
    let connection = connection
    self.request = request
    // A part of a copy can refer to records of later parts.
    if request.copy != nil { try connection.value.enableForeignKeys(false) }
    try connection.value.begin(wait: request.wait)
    switch database {
    case .store: break
    case .unfinished, .memory:
      for statement in InternalTables.creationSQL { try connection.value.run(statement) }
    }
    var versions = request.versions
    if let plan = request.plan {
      try PlanExecutor(plan, coding).execute(on: connection.value)
      let planned = try connection.value.catalog(coding)
      versions = planned.versions(concerning: request.schemas)
      cachedCatalog = planned
    }
    if let copy = request.copy { try connection.value.checkIsCopied(by: copy.run) }
    let stored = try connection.value.catalog(
      for: request.schemas, validatedAgainst: versions, cachedCatalog: cachedCatalog, coding)
    cachedCatalog = stored
    return versions
  }

  package func save(
    _ chunk: inout RowChanges, _ policy: SavePolicy
  ) throws(DataError) -> [Outcome] {
    try diagnosing { () throws(DataError) in
      let writer = try writer(of: chunk.schema, policy)
      return try writer.value.apply(&chunk, by: policy, on: connection.value)
    }
  }

  /// Returns the writer of the records of a schema. Creates it when it is first needed.
  private func writer(
    of schema: Schema, _ policy: SavePolicy
  ) throws(DataError) -> SharedWriter {
    if let writer = writers.first(where: { $0.value.schema.name == schema.name }) { return writer }
    let (request, catalog) = prepared
    let writer = SharedWriter(
      try SaveWriter(
        schema, policy, request, number: writers.count, catalog: catalog, on: connection.value))
    writers.append(writer)
    return writer
  }

  package var catalog: Catalog { prepared.catalog }

  package func touch(_ ids: [String], in schema: Schema) throws(DataError) {
    try connection.value.touch(ids, in: schema, prepared.request.stamp)
  }

  package func filePieceWriter(of schema: Schema) throws(DataError) -> any FilePieceWriter {
    try FileWriter(schema, on: connection.value)
  }

  package func hasContent(_ field: FileField) throws(DataError) -> Bool {
    try connection.value.hasContent(field)
  }

  package func delete(_ deletion: DeleteRequest) throws(DataError) -> DeleteResult {
    let (request, catalog) = prepared
    let deletion = try Deletion(
      deletion, stamp: request.stamp, catalog: catalog, isRepeated: hasDeleted)
    hasDeleted = true
    for writer in writers { writer.value.forgetTargets() }
    return try diagnosing { () throws(DataError) in try deletion.run(on: connection.value) }
  }

  package func rows(_ query: Query) throws(DataError) -> [Rows] {
    try diagnosing { () throws(DataError) in
      let result = try RecordResult(query, in: prepared.catalog, on: connection.value)
      var chunks: [Rows] = []
      while let chunk = try result.next(reusing: Rows(width: query.width), on: connection.value) {
        chunks.append(chunk)
      }
      return chunks
    }
  }

  package func claim(_ key: [UInt8], at time: Timestamp) throws(DataError) {
    try connection.value.claim(key, at: time)
  }

  package func store(_ row: Session, for key: [UInt8]) throws(DataError) {
    try connection.value.store(row, for: key)
  }

  package func session(_ tokenHash: [UInt8], at time: Timestamp) throws(DataError) -> Session? {
    try connection.value.session(tokenHash, at: time)
  }

  private var prepared: (request: WriteRequest, catalog: Catalog) {
    guard let request, let cachedCatalog else {
      preconditionFailure("the transaction was not prepared")
    }
    return (request, cachedCatalog.catalog)
  }

  package func unresolvedReferences(_ found: (Problem) -> Void) throws(DataError) {
    try diagnosing { () throws(DataError) in
      for writer in writers { try writer.value.takeUnresolved(on: connection.value, found) }
    }
  }

  package func setSavepoint() throws(DataError) {
    try connection.value.run("savepoint skippable")
  }

  package func releaseSavepoint() throws(DataError) {
    try connection.value.run("release skippable")
  }

  package func rollBackToSavepoint() throws(DataError) {
    for writer in writers { writer.value.discardReferences() }
    try connection.value.run("rollback to skippable")
    try releaseSavepoint()
  }

  package func checkInterruption() throws(DataError) {
    try connection.value.checkInterruption()
  }

  package func finish(_ end: WriteRequest.End) throws(DataError) {
    guard end == .commit else { return }
    for writer in writers { try writer.value.finish(on: connection.value) }
  }

  /// Calls a closure. If it fails because the store lacks a table or a column, throws an error that
  /// names the table or column.
  private func diagnosing<Result>(
    _ body: () throws(DataError) -> Result
  ) throws(DataError) -> Result {
    do throws(DataError) {
      return try body()
    } catch {
      throw connection.value.diagnosed(error, coding, schemaIsCurrent: true)
    }
  }

  fileprivate func commit() throws(DataError) {
    try connection.value.commit()
    guard database == .unfinished else { return }
    try connection.value.enableWAL()
    close()
  }

  fileprivate func rollBack() {
    shared?.value.rollBack()
    if database == .unfinished { close() }
  }

  /// Closes the database, so that its file can be renamed or removed.
  private func close() {
    writers = []
    shared = nil
  }

  fileprivate func unlock() { lock = nil }
}

/// A reference to a `SaveWriter`, which is not copyable and so cannot be an element of an array.
private final class SharedWriter {
  var value: SaveWriter

  init(_ value: consuming SaveWriter) {
    self.value = value
  }
}

extension SQLiteStore {
  package func begin(
    _ request: WriteRequest, continuing previous: SQLiteTransaction?
  ) async throws(DataError) -> SQLiteTransaction {
    if let previous, previous.database == .store {
      return SQLiteTransaction(
        continuing: previous,
        holding: try await WriteLock.acquired(path, wait: request.wait, alarm: alarm))
    }
    try checkWritable()
    guard request.plan != nil, try !exists() else {
      let connection = try connection()
      return transaction(
        on: connection, of: .store,
        holding: try await .acquired(path, wait: request.wait, alarm: alarm))
    }
    switch request.end {
    case .rollBack:
      let connection = SharedConnection(try Connection.inMemory(of: path, alarm: alarm))
      return transaction(on: connection, of: .memory, holding: nil)
    case .commit:
      try checkFolder()
      let lock = try await WriteLock.acquired(path, wait: request.wait, alarm: alarm)
      // Another process may have created the store before the lock was acquired.
      guard try !exists() else { throw .schemaChanged }
      return transaction(
        on: SharedConnection(try unfinished()), of: .unfinished, holding: lock)
    }
  }

  private func transaction(
    on connection: SharedConnection, of database: SQLiteTransaction.Database,
    holding lock: consuming WriteLock?
  ) -> SQLiteTransaction {
    SQLiteTransaction(
      on: connection, of: database, holding: lock, coding, cachedCatalog: cachedCatalog)
  }

  package func commit(_ transaction: SQLiteTransaction) throws(DataError) {
    try transaction.commit()
    if transaction.database == .unfinished { try publish() }
    transaction.unlock()
    cachedCatalog = transaction.cachedCatalog
  }

  package func rollBack(_ transaction: SQLiteTransaction) {
    transaction.rollBack()
    if transaction.database == .unfinished { discardUnfinished() }
    transaction.unlock()
  }

  package func diagnosed(
    _ error: DataError, of transaction: SQLiteTransaction
  ) -> DataError {
    error.rolledBack(afterCommit: transaction.followsCommit)
  }
}
