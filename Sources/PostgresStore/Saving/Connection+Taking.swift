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

  /// Whether something that others made may have records of a schema swallowed or kept: a rule, or a
  /// trigger that is asked before each.
  func isGuarded(_ schema: Schema) -> SQL {
    guard engine.hasCatalogueOfPostgres else { return "false" }
    return """
      (select relhasrules or relhastriggers and exists (select 1 from pg_catalog.pg_trigger \
      where tgrelid = c.oid and not tgisinternal and tgtype & 3 = 3) \
      from pg_catalog.pg_class as c where c.oid = \(number(of: schema.name)))
      """
  }

  /// Refuses to go on if rows were swallowed.
  func checkTaken(_ schema: Schema) throws(DataError) {
    guard swallowedRows > 0 else { return }
    defer { swallowedRows = 0 }
    let records = swallowedRows == 1 ? "1 record" : "\(swallowedRows) records"
    throw DataError(
      Problem(
        .storeReadOnly, "the server discarded \(records)",
        hint: "look with psql for a rule or trigger not made by datactl",
        schema: schema.name))
  }
}
