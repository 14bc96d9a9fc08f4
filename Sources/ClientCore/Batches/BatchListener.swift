package import DataModel
package import DataStore
package import RecordText

/// The result of an operation of a batch.
package enum BatchOutcome {
  /// A record was saved. Its stored values are in the chunk, in the row with the index `row`. The
  /// outcome is never `refused`, because a refused record makes the batch fail.
  case saved(Outcome, RowChanges, row: Int)
  /// The records that match a condition were changed. Their number, `count`, may be 0.
  case changed(count: Int, of: Schema)
  case deleted(DeleteSummary, of: Schema)
  case checked
  /// A record was read. The rows contain only the chosen fields. The writer serializes these fields
  /// as JSON, and writes related records in place of their ids if the operation asks for them.
  case read(Rows, of: Schema, RecordWriter)
}

/// Receives the results of the operations of a batch, in order. The results are final only after
/// the commit.
package protocol BatchListener: Sendable {
  mutating func completed(_ number: Int, _ result: borrowing BatchOutcome) throws(DataError)

  /// What will be printed on stdout after the commit, or nil if it is not known or long (see
  /// `OperationSource.output`).
  var output: [UInt8]? { get }
}

/// The default implementation for a listener that prints nothing.
extension BatchListener {
  package var output: [UInt8]? { nil }
}
