package import DataModel
package import DataStore

extension SQLiteStore {
  package func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) throws(DataError) -> Found {
    let layout = TableLayout(schema)
    let reader = RowReader(layout, slots: slots)
    let statement = try Statement(
      """
      select \(reader.selection) from \(layout.table) where \(layout.key) = \(SQL.parameter)
      """, on: connection().value)
    var found = Found(rows: Rows(width: schema.width), missing: [])
    for (place, id) in ids.enumerated() {
      try statement.bind(id, at: 1)
      if try statement.step() {
        try reader.read(statement, into: &found.rows)
      } else {
        found.missing.append(place)
      }
      statement.reset()
    }
    return found
  }

  package func records(_ query: Query) throws(DataError) -> any RecordStream {
    try SQLiteRecords(query, on: Connection.opened(path, for: .reading), by: executor)
  }

  package func count(_ query: Query) throws(DataError) -> Int {
    let layout = TableLayout(query.schema)
    let condition = try query.condition.sql(in: layout)
    var sql: SQL = "select count(*) from \(layout.table) where \(condition)"
    if let limit = query.limit {
      sql = """
        select count(*) from (select 1 from \(layout.table) where \(condition) \
        limit \(.integer(Int64(limit))))
        """
    }
    return try Int(connection().value.integer(sql) ?? 0)
  }

  package func content(
    of slot: Int, id: String, in schema: Schema
  ) throws(DataError) -> (any ContentStream)? {
    try SQLiteContent(
      of: slot, id: id, in: schema, on: Connection.opened(path, for: .reading), by: executor)
  }
}
