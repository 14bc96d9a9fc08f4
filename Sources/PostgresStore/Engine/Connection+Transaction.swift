import DataModel
import DataStore

extension Connection: SQLTransaction {
  var dialect: any Dialect { words }

  /// The SQL dialect of the detected engine.
  var words: PostgresDialect { PostgresDialect(engine: engine, namespace: namespace) }

  func change(_ sql: SQL) throws(DataError) -> Int { try run(sql).changedRows }

  func each(
    _ sql: SQL, _ types: [FieldType], _ body: ([Value]) -> Void
  ) throws(DataError) {
    let answer = try run(sql)
    let reader = RowReader(Selection(types), store: store)
    var rows = Rows(width: types.count)
    for row in 0..<answer.count {
      rows.removeAll()
      try reader.read(row, of: answer, into: &rows)
      body(types.indices.map { rows.value(rows[0, $0], of: types[$0]) })
    }
  }
}
