import DataModel
import DataStore

/// Whether the server has taken what it was given: a rule or a trigger may have it swallow rows
/// without a word.
extension Connection {
  /// Puts off a statement that is to insert or change so many rows.
  func later(_ sql: SQL, binding parameters: [WireValue], changing count: Int) {
    later(sql, binding: parameters) { [unowned self] answer in
      swallowedRows += count - answer.changedRows
    }
  }

  /// Refuses to go on if rows were swallowed. With few rows that shows itself only with the commit,
  /// which goes with them.
  func checkTaken(_ schema: Schema) throws(DataError) {
    guard swallowedRows > 0 else { return }
    defer { swallowedRows = 0 }
    let records = swallowedRows == 1 ? "1 record" : "\(swallowedRows) records"
    throw DataError(
      Problem(
        .storeReadOnly, "the server was given \(records) more than it has taken",
        hint: "a rule or a trigger that is not datactl's is in the way: look with psql",
        schema: schema.name))
  }
}
