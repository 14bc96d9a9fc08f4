package import DataModel

/// A write transaction of an engine. Its methods are called by the save loop of
/// `TransactionalStore`.
package protocol WriteTransaction: AnyObject {
  /// Prepares the transaction for the operations of a write. Locks the schemas against changes by
  /// other transactions.
  ///
  /// A write can include a plan that changes schemas, for example if a save creates the schema of
  /// its records. If the request has such a plan, executes it first.
  ///
  /// - Returns: The versions of the schemas, after the plan if there is one.
  /// - Throws: `schemaChanged` if a schema has changed since the request was validated.
  func prepare(_ request: WriteRequest) throws(DataError) -> SchemaVersions

  /// The schemas of the store, after the plan if there was one.
  var catalog: Catalog { get }

  /// What the transaction does to the parts of records; nil if no schema of the store is owned.
  var ownership: Ownership? { get set }

  /// Whether other transactions can run at the same time, so that records must be locked before they
  /// are read and changed.
  var locksRecords: Bool { get }

  /// Gives the records with the given ids a new revision, because their parts have changed.
  func touch(_ ids: [String], in schema: Schema) throws(DataError)

  /// Saves the rows of a chunk in order, and returns the outcome of each. Replaces the rows with
  /// the complete records that will be committed.
  func save(_ chunk: inout RowChanges, _ policy: SavePolicy) throws(DataError) -> [Outcome]

  /// Returns a writer for the contents of the files in records of a schema.
  func filePieceWriter(of schema: Schema) throws(DataError) -> any FilePieceWriter

  /// Returns whether a file field has a content.
  func hasContent(_ field: FileField) throws(DataError) -> Bool

  /// Deletes records, and the records to which the deletion cascades.
  func delete(_ request: DeleteRequest) throws(DataError) -> DeleteResult

  /// Locks the records with the given ids, so that no other transaction can change them until this
  /// one ends. Ids that do not exist are ignored.
  func lock(_ ids: [String], in schema: Schema) throws(DataError)

  /// Runs a query that sees the changes of the transaction, and returns all of its rows in chunks.
  func rows(_ query: Query) throws(DataError) -> [Rows]

  /// Returns the session whose token has the given hash. Returns nil if there is no such session,
  /// or if it has expired or ended.
  func session(_ tokenHash: [UInt8], at time: Timestamp) throws(DataError) -> Session?

  /// Reserves the key of a receipt: adds a row with this key and an empty user to the table of
  /// sessions, if the table does not have the key yet. If another open transaction has added the
  /// row, waits until that transaction ends. So a repeated request waits for its first execution.
  func claim(_ key: [UInt8], at time: Timestamp) throws(DataError)

  /// Replaces the row with the given key in the table of sessions. The row must exist, for example
  /// because `claim` has added it.
  func store(_ row: Session, for key: [UInt8]) throws(DataError)

  /// Checks the references that were saved since the last call, and passes a problem to the closure
  /// for each reference whose target does not exist.
  func unresolvedReferences(_ found: (Problem) -> Void) throws(DataError)

  /// Sets a savepoint, to which the transaction can be rolled back until the savepoint is released.
  /// There is at most one savepoint at a time.
  func setSavepoint() throws(DataError)

  /// Releases the savepoint, and keeps the changes since then as changes of the transaction.
  func releaseSavepoint() throws(DataError)

  /// Undoes the changes since the savepoint, and releases the savepoint.
  ///
  /// If the request allows forward references, call `unresolvedReferences` before you set the next
  /// savepoint. A rollback may forget all references that still have to be checked, even references
  /// that were saved before the savepoint.
  func rollBackToSavepoint() throws(DataError)

  /// Throws an error if the write must stop. Call this method in loops over short statements. Long
  /// statements make the same check while they run.
  func checkInterruption() throws(DataError)

  /// Completes the changes immediately before the transaction is committed or rolled back: for
  /// example, creates the indexes that a bulk load has deferred, or checks that the server has
  /// written all rows.
  func finish(_ end: WriteRequest.End) throws(DataError)

  /// Whether the transaction failed because of a conflict with another writer, so that the write
  /// can be retried. The transaction must already have been rolled back.
  var isRetryable: Bool { get }
}

extension WriteTransaction {
  package var isRetryable: Bool { false }

  package var locksRecords: Bool { false }

  package func checkInterruption() throws(DataError) {}

  /// Does nothing, because an engine with a single writer needs no locks on records.
  package func lock(_ ids: [String], in schema: Schema) throws(DataError) {}
}
