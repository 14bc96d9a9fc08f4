import DataModel
import DataStore

extension Connection: PlanTransaction {
  /// Creates the store if it does not exist, and locks the schemas against other changes.
  func lockCatalog(at version: Int64) throws(DataError) {
    switch engine {
    // Citus has to apply the changes of tables in order on each worker, too.
    case .citus: enqueue("select set_config('citus.multi_shard_modify_mode', 'sequential', true)")
    case .postgres, .cockroach, .yugabyte: break
    }
    if try !isStore() {
      enqueue("create schema if not exists \(name: namespace)")
      for statement in InternalTables.creationSQL(in: postgresDialect) { enqueue(statement) }
    }
    let found = try integer("select catalog_version from \(table: "_meta") for update")
    guard found == version else { throw .schemaChanged }
  }

  func lock(exclusively schema: Schema) {
    switch engine {
    case .postgres: enqueue("lock table \(TableLayout(schema).table) in access exclusive mode")
    case .citus, .cockroach, .yugabyte:
      enqueue("select 1 from \(table: "_schema") where name = \(.text(schema.name)) for update")
    }
  }

  func foreignObjects(excluding catalog: Catalog) throws(DataError) -> ForeignObjects {
    try ForeignObjects(excluding: catalog, on: self)
  }

  func check(_ foreignObjects: ForeignObjects, excluding catalog: Catalog) throws(DataError) {
    try foreignObjects.check(excluding: catalog, on: self)
  }

  func alter(_ sql: SQL) { enqueue(sql) }

  func creationSQL(_ layout: TableLayout) -> [SQL] { layout.creationSQL(in: postgresDialect) }

  func linkCreationSQL(_ slot: Int, of layout: TableLayout) -> [SQL] {
    layout.linkCreationSQL(slot, in: postgresDialect)
  }

  func addColumnsSQL(of slot: Int, to layout: TableLayout) -> [SQL] {
    layout.addColumnsSQL(of: slot)
  }

  var renamesIndexes: Bool { true }

  func read(
    _ sql: SQL, as selectList: SelectList, fetchSize limit: Int?,
    _ body: (Rows) throws(DataError) -> Void
  ) throws(DataError) {
    enqueue("declare _reading no scroll cursor for \(sql)")
    let amount: SQL = limit.map { "\(number: Int64($0))" } ?? "all"
    let reader = RowReader(selectList, store: store)
    var rows = Rows(width: selectList.width)
    var isOver = false
    while !isOver {
      rows.removeAll()
      let resultSet = try run("fetch \(amount) from _reading")
      for row in 0..<resultSet.count { try reader.read(row, of: resultSet, into: &rows) }
      isOver = resultSet.count < limit ?? .max
      try body(rows)
    }
    enqueue("close _reading")
  }

  func insert(_ rows: Rows, _ columns: [TableLayout.Column], into table: SQL) {
    let values = RowEncoding(columns).arrays(Array(0..<rows.count), of: rows)
    enqueue(
      "insert into \(table) select * from unnest(\(SQL.list(values.map { _ in .parameter })))",
      binding: values)
  }

  /// Drops each column, and gives its name to a new column of the new type.
  func replace(
    _ columns: [TableLayout.Column], of layout: TableLayout, by values: ConvertedValues
  ) {
    for column in columns {
      enqueue(
        """
        alter table \(layout.table) add column "_converted" \(WireType(column.type).sqlName)
        """)
      enqueue(
        """
        update \(layout.table) as _record set "_converted" = _new.\(name: column.name) \
        from \(values.table) as _new where _new._id = _record.\(layout.key)
        """)
      enqueue("alter table \(layout.table) drop column \(name: column.name)")
      enqueue("alter table \(layout.table) rename column \"_converted\" to \(name: column.name)")
    }
  }

  /// Does nothing: the link tables have no foreign key constraints.
  func retarget(_ slot: Int, of layout: TableLayout) {}

  /// Does nothing: every store on PostgreSQL was created with its log.
  func createLogTable() {}
}
