package import DataModel

/// A write transaction of an engine, which the save loop of `TransactionalStore` calls.
package protocol WriteTransaction: AnyObject {
  /// Executes the plan of a request, locks the schema against changes, and returns the versions of
  /// the schemas after the plan. Throws `schemaChanged` if the request was validated against other
  /// versions.
  func prepare(_ request: SaveRequest) throws(DataError) -> SchemaVersions

  /// Saves the rows of a chunk in order, and returns the outcome of each. Changes the rows to the
  /// complete records that will be committed.
  func save(_ chunk: inout RowChanges) throws(DataError) -> [Outcome]

  /// Passes a problem to the closure for each saved reference whose target does not exist, and
  /// clears the list of references to check.
  func unresolvedReferences(_ found: (Problem) -> Void) throws(DataError)

  /// Completes the changes, immediately before the transaction is committed or rolled back.
  func finish(_ end: SaveRequest.End) throws(DataError)

  /// Whether the transaction, which was rolled back, failed because of a conflict with another
  /// writer, so that the save can be retried.
  var isRetryable: Bool { get }
}

extension WriteTransaction {
  package var isRetryable: Bool { false }
}
