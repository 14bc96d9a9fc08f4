package import DataModel
package import DataStore

/// A write transaction with its own connection.
package final class PostgresTransaction: WriteTransaction {
  let connection: Connection
  /// The id that the server assigned to the transaction. If the connection is lost, the outcome of
  /// the transaction is queried with this id.
  var number: String?
  /// The cause of the failure that led to the rollback of the transaction; nil if no statement
  /// failed.
  var failure: EngineFailure?
  /// Whether the transaction was committed or rolled back.
  var hasEnded = false
  /// The parameters of the write; nil until `prepare` is called.
  private var request: WriteRequest?
  private let coding: SchemaCoding
  package private(set) var catalog = Catalog()
  package var ownership: Ownership?
  /// The writers of the schemas whose records have been saved, in the order of their first use.
  private var writers: [SaveWriter] = []
  private var hasDeleted = false
  /// The number of queries that have been run. It makes the names of their cursors unique.
  private var queryCount = 0

  init(_ connection: Connection, _ coding: SchemaCoding) {
    self.connection = connection
    self.coding = coding
  }

  package var isRetryable: Bool { failure?.isRetryable == true }

  /// The schema of the records that the transaction writes, or nil if there are several such
  /// schemas.
  var schema: Schema? { request?.schemas.count == 1 ? request?.schemas[0] : nil }

  package func prepare(_ request: WriteRequest) throws(DataError) -> SchemaVersions {
    self.request = request
    if let plan = request.plan { try PlanExecutor(plan, coding).execute(on: connection) }
    if let copy = request.copy { try connection.checkIsCopied(by: copy.run) }
    connection.lockSchemas(of: request)
    connection.enqueueLookupSettings()
    let stored = try connection.catalog(coding)
    if request.plan == nil { try stored.check(request.versions, of: request.schemas) }
    catalog = stored.catalog
    lockRecords(of: request)
    return stored.versions(concerning: request.schemas)
  }

  package func save(
    _ chunk: inout RowChanges, _ policy: SavePolicy
  ) throws(DataError) -> [Outcome] {
    let index = writerIndex(of: chunk.schema, policy)
    return try writers[index].apply(&chunk, by: policy)
  }

  /// Returns the index in `writers` of the writer for a schema. Creates the writer when it is first
  /// needed.
  private func writerIndex(of schema: Schema, _ policy: SavePolicy) -> Int {
    if let index = writers.firstIndex(where: { $0.schema.name == schema.name }) { return index }
    guard let request else { preconditionFailure("the transaction was not prepared") }
    writers.append(
      SaveWriter(
        schema, policy, request, number: writers.count, catalog: catalog, on: connection))
    return writers.count - 1
  }

  package var locksRecords: Bool { connection.postgresDialect.changeLockClause != "" }

  package func touch(_ ids: [String], in schema: Schema) throws(DataError) {
    guard let request else { preconditionFailure("the transaction was not prepared") }
    try connection.touch(ids, in: schema, request.stamp)
  }

  package func filePieceWriter(of schema: Schema) -> any FilePieceWriter {
    FileWriter(schema: schema, connection: connection)
  }

  package func hasContent(_ field: FileField) throws(DataError) -> Bool {
    try connection.hasContent(field)
  }

  package func delete(_ deletion: DeleteRequest) throws(DataError) -> DeleteResult {
    guard let request else { preconditionFailure("the transaction was not prepared") }
    defer { hasDeleted = true }
    return try Deletion(
      deletion, stamp: request.stamp, catalog: catalog, isRepeated: hasDeleted
    ).run(on: connection)
  }

  package func lock(_ ids: [String], in schema: Schema) {
    lock(ids, in: schema, connection.postgresDialect.changeLockClause)
  }

  /// Enqueues statements that lock the records in `request.recordLocks`, in the order of this list.
  /// The statements are sent together with the next ones, so no additional round trip is needed.
  private func lockRecords(of request: WriteRequest) {
    let dialect = connection.postgresDialect
    guard dialect.changeLockClause != "" else { return }
    for recordLock in request.recordLocks {
      switch recordLock.purpose {
      case .change: lock(recordLock.ids, in: recordLock.schema, dialect.changeLockClause)
      case .deletion: lock(recordLock.ids, in: recordLock.schema, dialect.deletionLockClause)
      }
    }
  }

  private func lock(_ ids: [String], in schema: Schema, _ lockClause: SQL) {
    let layout = TableLayout(schema)
    connection.enqueue(
      """
      select 1 from \(layout.table) \
      where \(layout.key) = any(\(values: ids.map(Value.text), of: .id)) \
      order by \(layout.key)\(lockClause)
      """)
  }

  package func rows(_ query: Query) throws(DataError) -> [Rows] {
    let compiled = try CompiledQuery(query, in: catalog, connection.dialect)
    let result = RecordResult(
      compiled, limit: query.limit, number: queryCount, on: connection)
    queryCount += 1
    var chunks: [Rows] = []
    while let chunk = try result.next(reusing: Rows(width: query.width)) { chunks.append(chunk) }
    return chunks
  }

  package func claim(_ key: [UInt8], at time: Timestamp) throws(DataError) {
    try connection.claim(key, at: time)
  }

  package func store(_ row: Session, for key: [UInt8]) throws(DataError) {
    try connection.store(row, for: key)
  }

  package func session(_ tokenHash: [UInt8], at time: Timestamp) throws(DataError) -> Session? {
    try connection.session(tokenHash, at: time)
  }

  package func unresolvedReferences(_ found: (Problem) -> Void) throws(DataError) {
    for index in writers.indices { try writers[index].takeUnresolved(found) }
  }

  package func setSavepoint() { connection.enqueue("savepoint skippable") }

  package func releaseSavepoint() { connection.enqueue("release savepoint skippable") }

  package func rollBackToSavepoint() {
    for index in writers.indices { writers[index].discardReferences() }
    connection.enqueue("rollback to savepoint skippable")
    releaseSavepoint()
  }

  package func checkInterruption() throws(DataError) { try connection.checkInterruption() }

  package func finish(_ end: WriteRequest.End) throws(DataError) {
    // Without `drain`, the results of the enqueued statements would be read during the commit,
    // which is too late for the check below.
    if end == .rollBack || connection.mayPreventDeletes { try connection.drain() }
    try checkAllRowsWritten()
  }

  /// Throws an error if the server discarded rows because of a rule or a trigger that datactl did
  /// not create.
  func checkAllRowsWritten() throws(DataError) {
    try connection.checkAllRowsWritten(schema)
  }
}

extension PostgresStore {
  package static var retriesConflicts: Bool { true }

  package func begin(
    _ request: WriteRequest, continuing previous: PostgresTransaction?
  ) throws(DataError) -> PostgresTransaction {
    try checkWritable()
    let transaction = try begin(wait: request.wait, to: request.schemas, end: request.end)
    if previous != nil { transaction.connection.failureContext = .afterPartialCommit }
    transaction.connection.discardedRows = 0
    return transaction
  }

  package func diagnosed(_ error: DataError, of transaction: PostgresTransaction) -> DataError {
    if transaction.failure == .rowTooWide, let schema = transaction.schema {
      return .tooWide(.invalid, schema)
    }
    do throws(DataError) {
      return try diagnosed(error, transaction.failure)
    } catch {
      return error
    }
  }
}
