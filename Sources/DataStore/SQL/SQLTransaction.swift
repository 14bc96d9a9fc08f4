package import DataModel

/// A transaction that executes SQL statements. Code that all SQL engines share, such as deletions
/// and migrations, uses only this protocol.
package protocol SQLTransaction: ~Copyable {
  var dialect: any Dialect { get }

  /// Whether a trigger or a rule that datactl did not create may prevent rows from being deleted.
  var mayPreventDeletes: Bool { get }

  /// Executes a statement, and returns the number of rows it inserted, updated or deleted.
  @discardableResult
  borrowing func execute(_ sql: SQL) throws(DataError) -> Int

  /// Executes a statement whose result is not needed. An engine can send it together with the next
  /// statement.
  borrowing func enqueue(_ sql: SQL) throws(DataError)

  /// Executes a query whose columns have the given types, and passes each row to the body.
  borrowing func forEachRow(
    _ sql: SQL, _ types: [FieldType], _ body: ([Value]) -> Void
  ) throws(DataError)

  /// Executes a query that selects the columns of a select list, and returns its rows. If a stored
  /// value is invalid, its cell contains a mark (`SelectList.InvalidValues.marked`).
  borrowing func rows(_ sql: SQL, _ selectList: SelectList) throws(DataError) -> Rows
}

extension SQLTransaction where Self: ~Copyable {
  package var mayPreventDeletes: Bool { false }

  /// Runs a query that selects a single integer, such as a count, and returns this integer.
  package borrowing func count(_ sql: SQL) throws(DataError) -> Int {
    var count: Int64 = 0
    try forEachRow(sql, [.integer]) { values in
      if case .integer(let integer) = values[0] { count = integer }
    }
    return Int(count)
  }
}
