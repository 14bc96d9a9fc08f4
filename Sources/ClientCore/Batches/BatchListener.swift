package import DataModel
package import DataOutput
package import DataStore

/// The result of an operation of a batch.
package enum BatchOutcome {
  /// A record was saved. The outcome is never `refused`.
  case saved(Outcome, RowChanges, row: Int)
  /// The records that match a condition were changed. There may be none.
  case changed(count: Int, of: Schema)
  case deleted(DeleteSummary, of: Schema)
  case checked
  /// A record was read. It has the values of the given columns.
  case read(Rows, of: Schema, FieldChoice)
}

/// Receives the results of the operations of a batch, in order. The results are final only after
/// the commit.
package protocol BatchListener: Sendable {
  mutating func completed(_ number: Int, _ result: borrowing BatchOutcome) throws(DataError)
}
