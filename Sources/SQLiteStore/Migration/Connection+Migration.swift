import CSQLite
import DataModel
import DataStore

extension Connection: PlanTransaction {
  /// The tables, views, triggers and indexes that datactl did not create. Their state is read
  /// before a migration, and checked after it, because the migration could silently drop or break
  /// some of them.
  struct ForeignObjects {
    fileprivate let references: ForeignReferences
    fileprivate let statements: ForeignStatements
  }

  func foreignObjects(excluding catalog: Catalog) throws(DataError) -> ForeignObjects {
    ForeignObjects(
      references: try ForeignReferences(excluding: catalog, on: self),
      statements: try ForeignStatements(excluding: catalog, on: self))
  }

  func check(_ foreignObjects: ForeignObjects, excluding catalog: Catalog) throws(DataError) {
    try foreignObjects.references.check(excluding: catalog, on: self)
    try foreignObjects.statements.check(on: self)
  }

  /// Throws `schemaChanged` if the store does not have the given catalog version. After this check,
  /// no other transaction can change the version, because SQLite allows only one writer.
  func lockCatalog(at version: Int64) throws(DataError) {
    guard try integer("select catalog_version from _meta") == version else { throw .schemaChanged }
  }

  func upgradeToNewestFormat() throws(DataError) {
    let columns: SQL = "select count(*) from pragma_table_info('_session') where name = 'name'"
    if try integer(columns) == 0 { try run("alter table _session add column name text") }
    if try integer("pragma user_version") ?? 0 >= StoreFormat.newest { return }
    try run(StoreFormat.userTextsSQL)
    try run("pragma user_version = \(number: StoreFormat.newest)")
    try run("update _meta set minimum_program = \(.text(StoreFormat.newestMinimumProgram))")
  }

  func storedFormat() throws(DataError) -> Int64? { try integer("pragma user_version") }

  func setFormat(_ format: Int64) throws(DataError) {
    try run("pragma user_version = \(number: format)")
    let program =
      format == StoreFormat.current
      ? StoreFormat.minimumProgram : StoreFormat.newestMinimumProgram
    try run("update _meta set minimum_program = \(.text(program))")
  }

  func lock(exclusively schema: Schema) {}

  func alter(_ sql: SQL) throws(DataError) {
    do throws(DataError) {
      try run(sql)
    } catch {
      throw foreignObjectConflict(of: error)
    }
  }

  /// Drops a column, or throws an error if a view or trigger that datactl did not create uses the
  /// column.
  ///
  /// By default, SQLite treats a name in double quotes that matches no column as a string literal.
  /// After the drop, a view that uses the column would therefore silently return the name of the
  /// column as a string. So the drop is first tried with this feature off. If it then fails only
  /// because of another name in double quotes, it is tried again with the feature on.
  func dropColumn(_ column: String, of table: SQL) throws(DataError) {
    let dropping: SQL = "alter table \(table) drop column \(name: column)"
    try allowQuotedStringLiterals(false)
    defer { try? allowQuotedStringLiterals(true) }
    do throws(DataError) {
      try alter(dropping)
    } catch {
      let usesColumn = error.problems[0].message.hasSuffix("no such column: \(column)")
      guard error.code == .referenced, !usesColumn else { throw error }
      try allowQuotedStringLiterals(true)
      try alter(dropping)
    }
  }

  /// Sets whether SQLite treats a name in double quotes that matches no column as a string literal
  /// (`SQLITE_DBCONFIG_DQS_*`).
  private func allowQuotedStringLiterals(_ isOn: Bool) throws(DataError) {
    for option in [SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML] {
      try check(unsafe csqlite_configure(handle, option, isOn ? 1 : 0))
    }
  }

  func creationSQL(_ layout: TableLayout) -> [SQL] { layout.creationSQL() }

  func linkCreationSQL(_ slot: Int, of layout: TableLayout) -> [SQL] {
    layout.linkCreationSQL(slot)
  }

  func addColumnsSQL(of slot: Int, to layout: TableLayout) -> [SQL] {
    layout.addColumnsSQL(of: slot)
  }

  var renamesIndexes: Bool { false }

  func read(
    _ sql: SQL, as selectList: SelectList, fetchSize limit: Int?,
    _ body: (Rows) throws(DataError) -> Void
  ) throws(DataError) {
    let reader = RowReader(selectList)
    let statement = try Statement(sql, on: self)
    var rows = Rows(width: selectList.width)
    var isOver = false
    while !isOver {
      rows.removeAll()
      while rows.count < limit ?? .max, !isOver {
        if try statement.step() {
          try reader.read(statement, into: &rows)
        } else {
          isOver = true
        }
      }
      try body(rows)
    }
  }

  func insert(
    _ rows: Rows, _ columns: [TableLayout.Column], into table: SQL
  ) throws(DataError) {
    let placeholders = SQL.list(columns.map { _ in SQL.parameter })
    let insertion = try Statement("insert into \(table) values (\(placeholders))", on: self)
    let binding = RowBinding(columns)
    for row in 0..<rows.count {
      try unsafe rows.withMemory { (memory) throws(DataError) in
        try insertion.check(unsafe binding.bind(row, of: rows, in: memory, to: insertion))
        try insertion.run()
      }
    }
  }

  func replace(
    _ columns: [TableLayout.Column], of layout: TableLayout, by values: ConvertedValues
  ) throws(DataError) {
    var rebuild = TableRebuild(table: layout.schema.name)
    for column in columns {
      rebuild.replace(
        column.name, by: layout.definition(of: column), from: "_new.\(name: column.name)")
    }
    try rebuild.execute(
      joining: " left join \(values.table) as _new on _new._id = \(layout.table).\(layout.key)",
      on: self)
  }

  func retarget(_ slot: Int, of layout: TableLayout) throws(DataError) {
    var links = TableRebuild(
      table: PhysicalNames.link(layout.schema.name, layout.schema.name(of: slot)))
    links.replace("target", by: layout.linkTarget(slot), from: "target")
    try links.execute(on: self)
  }

  func createLogTable() throws(DataError) {
    try run(
      """
      create table if not exists _changes (number integer not null primary key, \
      time integer not null, user text, program text not null, steps text not null) strict
      """)
  }
}

extension Connection {
  /// Returns the error to report for a failed schema change. If the given error has the code
  /// `schemaChanged`, a database object that datactl did not create prevented the change, and the
  /// returned error names the cause. All other errors are returned unchanged.
  func foreignObjectConflict(of error: DataError) -> DataError {
    guard error.code == .schemaChanged else { return error }
    return foreignObjectConflict(unsafe String(cString: sqlite3_errmsg(handle)))
  }

  /// Returns the error for a schema change that is prevented by a database object that datactl did
  /// not create.
  func foreignObjectConflict(_ message: String) -> DataError {
    .foreignObjectConflict(message, in: store, tool: "sqlite3 \(store)")
  }

  /// Turns SQLite's enforcement of foreign keys on or off (`SQLITE_DBCONFIG_ENABLE_FKEY`). The call
  /// has no effect within a transaction.
  func enableForeignKeys(_ isOn: Bool) throws(DataError) {
    try check(unsafe csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_FKEY, isOn ? 1 : 0))
  }

  /// Turns the use of views on or off (`SQLITE_DBCONFIG_ENABLE_VIEW`). SQLite must read the views
  /// when it renames tables or columns.
  func enableViews(_ isOn: Bool) throws(DataError) {
    try check(unsafe csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_VIEW, isOn ? 1 : 0))
  }
}
