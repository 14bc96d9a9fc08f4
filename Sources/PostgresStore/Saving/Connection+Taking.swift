import DataModel
import DataStore

/// Checks that the server wrote all rows: a rule or a trigger can silently discard rows.
extension Connection {
  /// Enqueues a statement that is expected to insert or update the given number of rows.
  func enqueue(_ sql: SQL, binding parameters: [WireValue], changing count: Int) {
    enqueue(sql, binding: parameters) { [unowned self] resultSet in
      discardedRows += count - resultSet.changedRows
    }
  }

  /// An expression that is true if a foreign rule, or a trigger before each row, may discard or
  /// keep records of a schema.
  func mayInterceptRows(_ schema: Schema) -> SQL {
    guard engine.hasPostgresCatalog else { return "false" }
    return """
      (select relhasrules or relhastriggers and exists (select 1 from pg_catalog.pg_trigger \
      where tgrelid = c.oid and not tgisinternal and tgtype & 3 = 3) \
      from pg_catalog.pg_class as c where c.oid = \(number(of: schema.name)))
      """
  }

  /// Throws an error if the server discarded rows.
  func checkAllRowsWritten(_ schema: Schema) throws(DataError) {
    guard discardedRows > 0 else { return }
    defer { discardedRows = 0 }
    let records = discardedRows == 1 ? "1 record" : "\(discardedRows) records"
    throw DataError(
      Problem(
        .storeReadOnly, "the server discarded \(records)",
        hint: "look with psql for a rule or trigger not made by datactl",
        schema: schema.name))
  }
}
