package import DataModel

/// A write transaction of an engine. The save loop of `TransactionalStore` calls its methods.
package protocol WriteTransaction: AnyObject {
  /// Executes the plan of a request, and locks the schema against changes. Returns the versions of
  /// the schemas after the plan. Throws `schemaChanged` if these are not the versions that the
  /// request was validated against.
  func prepare(_ request: SaveRequest) throws(DataError) -> SchemaVersions

  /// Saves the rows of a chunk in order, and returns the outcome of each. Changes the rows to the
  /// complete records that will be committed.
  func save(_ chunk: inout RowChanges) throws(DataError) -> [Outcome]

  /// Checks the references that were saved since the last call. Passes a problem to the closure for
  /// each reference whose target does not exist.
  func unresolvedReferences(_ found: (Problem) -> Void) throws(DataError)

  /// Completes the changes, immediately before the transaction is committed or rolled back.
  func finish(_ end: SaveRequest.End) throws(DataError)

  /// Whether the transaction failed because of a conflict with another writer, so that the save can
  /// be retried. The transaction must already have been rolled back.
  var isRetryable: Bool { get }
}

extension WriteTransaction {
  package var isRetryable: Bool { false }
}
