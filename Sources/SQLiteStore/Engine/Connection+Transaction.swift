import DataModel
import DataStore

extension Connection: SQLTransaction {
  var dialect: any Dialect { SQLiteDialect() }

  func execute(_ sql: SQL) throws(DataError) -> Int {
    try run(sql)
    return changeCount
  }

  func forEachRow(
    _ sql: SQL, _ types: [FieldType], _ body: ([Value]) -> Void
  ) throws(DataError) {
    let statement = try Statement(sql, on: self)
    let reader = RowReader(SelectList(types))
    var rows = Rows(width: types.count)
    while try statement.step() {
      rows.removeAll()
      try reader.read(statement, into: &rows)
      body(types.indices.map { rows.value(rows[0, $0], of: types[$0]) })
    }
  }
}
