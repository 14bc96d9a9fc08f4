package import DataModel

/// A transaction of one engine, which the loop of `TransactionalStore` drives.
package protocol WriteTransaction: AnyObject {
  /// Executes the plan of a request, locks the schema against changes, and returns the version of
  /// the catalog. Throws `schemaChanged` if the request was validated against another version.
  func prepare(_ request: SaveRequest) throws(DataError) -> Int64

  /// Saves the rows of a chunk in order, and returns the outcome of each. Its rows become the
  /// records as they will be committed.
  func save(_ chunk: inout RowChanges) throws(DataError) -> [Outcome]

  /// Passes each reference whose target was never saved to a closure, and clears the list of those
  /// to check.
  func unresolvedReferences(_ found: (Problem) -> Void) throws(DataError)

  /// Completes the changes; the transaction ends next.
  func finish(_ end: SaveRequest.End) throws(DataError)

  /// Whether the transaction, which was rolled back, failed because of a conflict with another
  /// writer.
  var isRetryable: Bool { get }
}

extension WriteTransaction {
  package var isRetryable: Bool { false }
}
