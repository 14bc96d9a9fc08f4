package import DataModel
package import DataStore

/// A write transaction with its own connection.
package final class PostgresTransaction: WriteTransaction {
  let connection: Connection
  /// The id that the server assigned to the transaction. If the connection is lost, the outcome of
  /// the transaction is queried with this id.
  var number: String?
  /// The failure that caused the transaction to be rolled back, or nil if the server did not report
  /// one.
  var failure: EngineFailure?
  /// Whether the transaction was committed or rolled back.
  var hasEnded = false
  /// The schema of the records that the transaction saves.
  private(set) var schema: Schema?
  private let coding: SchemaCoding
  private var writer: SaveWriter?

  init(_ connection: Connection, _ coding: SchemaCoding) {
    self.connection = connection
    self.coding = coding
  }

  package var isRetryable: Bool { failure?.isRetryable == true }

  package func prepare(_ request: SaveRequest) throws(DataError) -> SchemaVersions {
    schema = request.schema
    if let plan = request.plan { try PlanExecutor(plan, coding).execute(on: connection) }
    connection.lockSchema(request.schema)
    connection.enqueueLookupSettings()
    let stored = try connection.catalog(coding)
    if request.plan == nil { try stored.check(request.versions, of: request.schema) }
    writer = SaveWriter(request, catalog: stored.catalog, on: connection)
    return stored.versions(concerning: request.schema)
  }

  package func save(_ chunk: inout RowChanges) throws(DataError) -> [Outcome] {
    try writer?.apply(&chunk) ?? []
  }

  package func unresolvedReferences(_ found: (Problem) -> Void) throws(DataError) {
    try writer?.takeUnresolved(found)
  }

  package func finish(_ end: SaveRequest.End) throws(DataError) {
    // Without `drain`, the results of the enqueued statements would be read during the commit,
    // which is too late for the check below.
    if end == .rollBack || connection.mayPreventDeletes { try connection.drain() }
    try checkAllRowsWritten()
  }

  /// Throws an error if the server discarded rows because of a rule or a trigger that datactl did
  /// not create.
  func checkAllRowsWritten() throws(DataError) {
    if let schema { try connection.checkAllRowsWritten(schema) }
  }
}

extension PostgresStore {
  package static var retriesConflicts: Bool { true }

  package func begin(
    _ request: SaveRequest, continuing previous: PostgresTransaction?
  ) throws(DataError) -> PostgresTransaction {
    try checkWritable()
    let transaction = try begin(wait: request.wait, to: request.schema, end: request.end)
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
