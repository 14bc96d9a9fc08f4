import DataModel
import DataStore

extension Connection: SQLTransaction {
  var dialect: any Dialect { postgresDialect }

  /// The SQL dialect of the detected engine.
  var postgresDialect: PostgresDialect { PostgresDialect(engine: engine, namespace: namespace) }

  func execute(_ sql: SQL) throws(DataError) -> Int { try run(sql).changedRows }

  func forEachRow(
    _ sql: SQL, _ types: [FieldType], _ body: ([Value]) -> Void
  ) throws(DataError) {
    let resultSet = try run(sql)
    let reader = RowReader(SelectList(types), store: store)
    var rows = Rows(width: types.count)
    for row in 0..<resultSet.count {
      rows.removeAll()
      try reader.read(row, of: resultSet, into: &rows)
      body(types.indices.map { rows.value(rows[0, $0], of: types[$0]) })
    }
  }
}
