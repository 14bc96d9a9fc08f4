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
  private var writer: SaveWriter?

  init(
    on connection: SharedConnection, of database: Database, holding lock: consuming WriteLock?,
    _ coding: SchemaCoding, cachedCatalog: StoredCatalog?
  ) {
    shared = connection
    self.database = database
    self.lock = lock
    self.coding = coding
    self.cachedCatalog = cachedCatalog
  }

  /// Creates the next transaction of a save that commits in several parts. It reuses the
  /// connection, the catalog and the prepared statements of the previous transaction, which must be
  /// committed.
  init(
    continuing previous: SQLiteTransaction, holding lock: consuming WriteLock?
  ) {
    shared = previous.shared
    database = previous.database
    self.lock = lock
    coding = previous.coding
    cachedCatalog = previous.cachedCatalog
    writer = previous.writer.take()
  }

  private var connection: SharedConnection {
    guard let shared else { preconditionFailure("the database was closed") }
    return shared
  }

  package func prepare(_ request: SaveRequest) throws(DataError) -> SchemaVersions {
    let connection = connection
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
      versions = planned.versions(concerning: request.schema)
      cachedCatalog = planned
    }
    let stored = try connection.value.catalog(
      for: request.schema, validatedAgainst: versions, cachedCatalog: cachedCatalog, coding)
    cachedCatalog = stored
    if writer == nil {
      do throws(DataError) {
        writer = try SaveWriter(request, catalog: stored.catalog, on: connection.value)
      } catch {
        throw diagnosed(error)
      }
    }
    return versions
  }

  package func save(_ chunk: inout RowChanges) throws(DataError) -> [Outcome] {
    do throws(DataError) {
      return try writer?.apply(&chunk, on: connection.value) ?? []
    } catch {
      throw diagnosed(error)
    }
  }

  package func unresolvedReferences(_ found: (Problem) -> Void) throws(DataError) {
    do throws(DataError) {
      try writer?.takeUnresolved(on: connection.value, found)
    } catch {
      throw diagnosed(error)
    }
  }

  package func finish(_ end: SaveRequest.End) throws(DataError) {
    if end == .commit { try writer?.finish(on: connection.value) }
  }

  private func diagnosed(_ error: DataError) -> DataError {
    connection.value.diagnosed(error, coding, schemaIsCurrent: true)
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
    writer = nil
    shared = nil
  }

  fileprivate func unlock() { lock = nil }
}

extension SQLiteStore {
  package func begin(
    _ request: SaveRequest, continuing previous: SQLiteTransaction?
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
}
