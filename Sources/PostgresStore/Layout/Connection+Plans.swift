import DataModel
import DataStore

extension Connection: PlanTransaction {
  /// Creates the store if it does not exist, and locks the schemas against other changes.
  func holdCatalog(at version: Int64) throws(DataError) {
    switch engine {
    // Citus has to apply the changes of tables in order on each worker, too.
    case .citus: later("select set_config('citus.multi_shard_modify_mode', 'sequential', true)")
    case .postgres, .cockroach, .yugabyte: break
    }
    if try !isStore() {
      later("create schema if not exists \(name: namespace)")
      for statement in OwnTables.making(in: words) { later(statement) }
    }
    let found = try integer("select catalog_version from \(table: "_meta") for update")
    guard found == version else { throw .schemaChanged }
  }

  func hold(exclusively schema: Schema) {
    switch engine {
    case .postgres: later("lock table \(TableLayout(schema).table) in access exclusive mode")
    case .citus, .cockroach, .yugabyte:
      later("select 1 from \(table: "_schema") where name = \(.text(schema.name)) for update")
    }
  }

  func strangers(beside catalog: Catalog) throws(DataError) -> Strangers {
    try Strangers(beside: catalog, on: self)
  }

  func check(_ strangers: Strangers, beside catalog: Catalog) throws(DataError) {
    try strangers.check(beside: catalog, on: self)
  }

  func alter(_ sql: SQL) { later(sql) }

  func making(_ layout: TableLayout) -> [SQL] { layout.making(in: words) }

  func makingLink(_ slot: Int, of layout: TableLayout) -> [SQL] {
    layout.makingLink(slot, in: words)
  }

  func addingColumns(of slot: Int, to layout: TableLayout) -> [SQL] {
    layout.addingColumns(of: slot)
  }

  var renamesIndexes: Bool { true }

  func read(
    _ sql: SQL, as selection: Selection, atOnce most: Int?,
    _ body: (Rows) throws(DataError) -> Void
  ) throws(DataError) {
    later("declare _reading no scroll cursor for \(sql)")
    let amount: SQL = most.map { "\(number: Int64($0))" } ?? "all"
    let reader = RowReader(selection, store: store)
    var rows = Rows(width: selection.width)
    var isOver = false
    while !isOver {
      rows.removeAll()
      let answer = try run("fetch \(amount) from _reading")
      for row in 0..<answer.count { try reader.read(row, of: answer, into: &rows) }
      isOver = answer.count < most ?? .max
      try body(rows)
    }
    later("close _reading")
  }

  func insert(_ rows: Rows, _ columns: [TableLayout.Column], into table: SQL) {
    let values = RowEncoding(columns).arrays(Array(0..<rows.count), of: rows)
    later(
      "insert into \(table) select * from unnest(\(SQL.list(values.map { _ in .parameter })))",
      binding: values)
  }

  /// Drops each column, and gives its name to a new column of the new type.
  func replace(
    _ columns: [TableLayout.Column], of layout: TableLayout, by values: ConvertedValues
  ) {
    for column in columns {
      later(
        """
        alter table \(layout.table) add column "_converted" \(WireType(column.type).words)
        """)
      later(
        """
        update \(layout.table) as _record set "_converted" = _new.\(name: column.name) \
        from \(values.table) as _new where _new._id = _record.\(layout.key)
        """)
      later("alter table \(layout.table) drop column \(name: column.name)")
      later("alter table \(layout.table) rename column \"_converted\" to \(name: column.name)")
    }
  }

  /// Does nothing: the link tables have no foreign key constraints.
  func redirect(_ slot: Int, of layout: TableLayout) {}

  /// Does nothing: every store on PostgreSQL was created with its log.
  func makeLog() {}
}
