import DataModel
import DataStore

extension Connection {
  /// Returns whether the namespace contains a store. A store is recognized by its table `_meta`.
  func isStore() throws(DataError) -> Bool {
    try run(
      """
      select 1 from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n \
      on n.oid = c.relnamespace where n.nspname = \(.text(namespace)) and c.relname = '_meta'
      """
    ).count > 0
  }

  /// Reads all schemas and their versions in one statement, so that they are consistent with each
  /// other.
  ///
  /// In a store of format 1, the table `_schema` has no column `version`, but the statement must be
  /// valid there, too. So the statement also declares a table `_unknown` with one row, in which the
  /// column `version` is null. If `_schema` has no column of this name, the name refers to the
  /// column of `_unknown`. The same applies to the column `id` of `_meta`.
  func catalog(_ coding: SchemaCoding) throws(DataError) -> StoredCatalog {
    detectEngine()
    let resultSet = try run(
      """
      select catalog_version, format, _record.name, _record.definition, _record.version, _store.id \
      from (select null::bigint as version, null::text as id) as _unknown cross join lateral \
      (select catalog_version, format, id from \(table: "_meta")) as _store \
      left join lateral (select name, definition, version from \(table: "_schema")) as _record \
      on true
      """)
    var version: Int64 = 0
    var schemas: [Schema] = []
    var versions: [SchemaVersions.Entry] = []
    for row in 0..<resultSet.count {
      version = resultSet.integer(row, 0)
      try checkFormat(resultSet.integer(row, 1))
      needsID = resultSet.isNull(row, 5)
      guard let name = resultSet.text(row, 2), let definition = resultSet.bytes(row, 3) else {
        continue
      }
      schemas.append(
        try coding.decode(definition, of: name, in: store, format: resultSet.integer(row, 1)))
      if !resultSet.isNull(row, 4) {
        versions.append(SchemaVersions.Entry(name: name, version: resultSet.integer(row, 4)))
      }
    }
    return try StoredCatalog(
      reading: schemas, version: resultSet.count > 0 ? version : nil, schemaVersions: versions,
      of: store)
  }

  /// Reads one schema without loading the others. Returns nil if the store has no schema with that
  /// name.
  func schema(named name: String, _ coding: SchemaCoding) throws(DataError) -> Schema? {
    try schema(named: name, in: run(Self.reading(schema: name)), coding)
  }

  /// Reads a schema and the records with the given ids in one round trip. Returns nil if the store
  /// has no schema with that name.
  ///
  /// The names of the columns are not known before the schema has been read. So the query selects
  /// all columns, and assumes that the primary key has its default name, `NAME_id`. If the table
  /// has no such column, the name refers to a column of the one-row table `_unknown`. This column
  /// is null, so the query is valid but finds no record.
  ///
  /// A migration may be committed between the statements of the round trip. So the catalog version
  /// is read before and after the records. If it has changed, `schemaChanged` is thrown.
  func find(
    _ ids: [String], inSchemaNamed name: String, _ coding: SchemaCoding
  ) throws(DataError) -> (schema: Schema, found: FoundRecords)? {
    let key = name + "_id"
    var definition: ResultSet?
    var version: Int64?
    enqueueWithFlush(Self.reading(schema: name)) { resultSet in
      version = resultSet.count > 0 ? resultSet.integer(0, 2) : nil
      definition = resultSet
    }
    var records: ResultSet?
    enqueue(
      """
      select _record.* from (select null::text as \(name: key)) as _unknown cross join lateral \
      (select * from \(table: name) where \(Self.has(ids, "\(name: key)"))) as _record
      """
    ) { records = $0 }
    var found = FoundRecords(rows: Rows(width: 0), missing: [])
    do throws(DataError) {
      let current = try catalogVersion()
      guard version == nil || version == current else { throw .schemaChanged }
    } catch {
      // Any error of the second statement is ignored here. `find` below reads the records again,
      // and then throws the error.
      guard isConnected, failure != .canceled, failure != nil, definition != nil else {
        throw error
      }
      records = nil
    }
    // The check of the format can run further statements, so it must not be a part of the callback.
    guard let definition, let schema = try schema(named: name, in: definition, coding) else {
      return nil
    }
    let layout = TableLayout(schema)
    if let records, schema.key.name == key,
      let reader = RowReader(layout, records.columns, on: self)
    {
      found.rows = Rows(width: schema.width)
      try read(ids, of: schema, in: records, by: reader, into: &found)
      return (schema, found)
    }
    do throws(DataError) {
      found = try find(ids, in: schema, slots: Array(0..<schema.width))
    } catch {
      let cause = failure
      guard isConnected, try catalogVersion() != version else {
        failure = cause
        throw error
      }
      throw .schemaChanged
    }
    guard try catalogVersion() == version else { throw .schemaChanged }
    return (schema, found)
  }

  private static func reading(schema name: String) -> SQL {
    """
    select definition, format, catalog_version from \(table: "_schema"), \(table: "_meta") \
    where name = \(.text(name))
    """
  }

  private func schema(
    named name: String, in resultSet: ResultSet, _ coding: SchemaCoding
  ) throws(DataError) -> Schema? {
    guard resultSet.count > 0 else { return nil }
    try checkFormat(resultSet.integer(0, 1))
    return try resultSet.bytes(0, 0).map { (text) throws(DataError) in
      try coding.decode(text, of: name, in: store, format: resultSet.integer(0, 1))
    }
  }

  /// Returns the catalog version. Every change of a schema increments it.
  func catalogVersion() throws(DataError) -> Int64 {
    try integer("select catalog_version from \(table: "_meta")") ?? 0
  }
}

/// What the namespace of a store contains, for example an intact store, a damaged store, or none.
enum NamespaceState {
  /// The server is a worker of a Citus cluster. The store is on the coordinator.
  case worker
  /// The namespace does not exist, or has no table `_meta`, so it contains no store.
  case empty
  /// The namespace has a table `_meta` that datactl did not create.
  case foreign
  /// The namespace contains a store with all tables and columns.
  case store
  /// The namespace contains a store with a missing table or column. The string says which one is
  /// missing.
  case damaged(String)
  /// The namespace contains a store with all tables and columns, but a column no longer has the
  /// type that datactl created.
  case wrongColumnType(Schema, slot: Int)
}

extension Connection {
  /// Returns the state of the namespace, read from a single snapshot.
  func namespaceState(_ coding: SchemaCoding) throws(DataError) -> NamespaceState {
    enqueue("begin isolation level repeatable read read only")
    do throws(DataError) {
      let namespaceState = try readNamespaceState(coding)
      try run("commit")
      return namespaceState
    } catch {
      discardQueue()
      // If the statement fails, closing the connection ends the transaction.
      _ = rollBack()
      throw error
    }
  }

  private func readNamespaceState(_ coding: SchemaCoding) throws(DataError) -> NamespaceState {
    detectEngine()
    let resultSet = try run(
      """
      select c.relname::text, a.attname::text, a.atttypid::bigint from pg_catalog.pg_class as c \
      join pg_catalog.pg_namespace as n on n.oid = c.relnamespace \
      join pg_catalog.pg_attribute as a on a.attrelid = c.oid \
      where n.nspname = \(.text(namespace)) and c.relkind in ('r', 'p') and a.attnum > 0 \
      and not a.attisdropped
      """)
    var tables: [String: [String: Int64]] = [:]
    for row in 0..<resultSet.count {
      tables[resultSet.text(row, 0) ?? "", default: [:]][resultSet.text(row, 1) ?? ""] =
        resultSet.integer(row, 2)
    }
    guard let meta = tables["_meta"] else { return try isWorker() ? .worker : .empty }
    guard meta["format"] != nil, meta["catalog_version"] != nil else { return .foreign }
    guard tables["_schema"] != nil else { return .damaged("the table _schema is missing") }
    let catalog = try catalog(coding).catalog
    if let part = catalog.missingPart(in: tables.mapValues { Set($0.keys) }) {
      return .damaged(part)
    }
    var wrongColumnType: NamespaceState?
    for schema in catalog.schemas {
      for column in TableLayout(schema).columns
      where tables[schema.name]?[column.name] != Int64(WireType(column.type).rawValue) {
        wrongColumnType = wrongColumnType ?? .wrongColumnType(schema, slot: column.slot)
      }
    }
    for table in ["_file", "_session", "_changes"] where tables[table] == nil {
      return .damaged("the table \(table) is missing")
    }
    return wrongColumnType ?? .store
  }

  /// Returns whether the server is a worker of a Citus cluster.
  private func isWorker() throws(DataError) -> Bool {
    switch engine {
    case .postgres: false
    case .citus:
      try run("select 1 from pg_catalog.pg_dist_local_group where groupid > 0").count > 0
    }
  }

  /// Returns the name of a table whose rows may be hidden from the current user by row-level
  /// security, or nil if the namespace contains no such table.
  func tableWithHiddenRows() throws(DataError) -> String? {
    let resultSet = try run(
      """
      select c.relname::text from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n \
      on n.oid = c.relnamespace where n.nspname = \(.text(namespace)) and c.relrowsecurity \
      and row_security_active(c.oid) order by 1 limit 1
      """)
    return resultSet.count > 0 ? resultSet.text(0, 0) : nil
  }
}

extension Connection {
  /// The maximum number of columns that a table can have over its lifetime, including columns that
  /// have been dropped.
  private static let maxColumns = 1_600

  /// Throws an error if a schema plan adds more columns to a table than PostgreSQL allows over the
  /// lifetime of the table.
  func checkColumns(for plan: SchemaPlan) throws(DataError) {
    var names: [String: String] = [:]
    var needs: [(table: String, schema: Schema, count: Int)] = []
    for stage in plan.stages {
      switch stage {
      case .rename(let renamings):
        for renaming in renamings { names[renaming.after.name] = renaming.before.name }
      case .change(let alteration):
        let name = alteration.from.name
        let slots = alteration.added + alteration.converted
        let count = slots.reduce(0) { $0 + TableLayout.columns(of: $1, in: alteration.to).count }
        if count > 0 { needs.append((names[name] ?? name, alteration.to, count)) }
      case .create, .dropFields, .dropSchema: break
      }
    }
    guard !needs.isEmpty else { return }
    let used = try usedColumns(of: needs.map(\.table))
    let problems = needs.compactMap { need -> Problem? in
      guard let used = used[need.table], used + need.count > Self.maxColumns else { return nil }
      return Problem(
        .incompatibleData,
        """
        the table has used \(used) of the 1,600 columns that PostgreSQL allows over the lifetime \
        of a table; the change needs \(need.count) more
        """,
        hint: "move the store to another database to reset the count: see datactl help stores",
        schema: need.schema.name)
    }
    if let error = DataError(problems) { throw error }
  }

  private func usedColumns(of tables: [String]) throws(DataError) -> [String: Int] {
    var used: [String: Int] = [:]
    try forEachRow(
      """
      select c.relname::text, max(a.attnum)::bigint from pg_catalog.pg_attribute as a \
      join pg_catalog.pg_class as c on c.oid = a.attrelid join pg_catalog.pg_namespace as n \
      on n.oid = c.relnamespace where n.nspname = \(.text(namespace)) \
      and c.relname = any(\(values: tables.map(Value.text), of: .id)) group by 1
      """, [.id, .integer]
    ) { values in
      if case .text(let name) = values[0], case .integer(let count) = values[1] {
        used[name] = Int(count)
      }
    }
    return used
  }
}

extension Connection: PlanTransaction {
  /// Creates the store if it does not exist. Locks the catalog until the transaction ends, so that
  /// no other transaction can change the schemas. Throws an error if the catalog version is not the
  /// given version.
  func lockCatalog(at version: Int64) throws(DataError) {
    switch engine {
    case .citus: enqueueCitusSettings()
    case .postgres: break
    }
    if try !isStore() {
      enqueue("create schema if not exists \(name: namespace)")
      for statement in InternalTables.creationSQL(in: postgresDialect) { enqueue(statement) }
    }
    switch engine {
    case .citus: enqueueCitusWrite()
    case .postgres: break
    }
    try enqueueUpgrade()
    let found = try integer("select catalog_version from \(table: "_meta") for update")
    guard found == version else { throw .schemaChanged }
  }

  func upgradeToNewestFormat() throws(DataError) {
    // Most stores need no change, which would have to wait for all users of the tables.
    let upgraded = try integer(
      """
      select count(*) from \(table: "_meta"), pg_catalog.pg_attribute \
      where format >= \(.integer(StoreFormat.newest)) and attrelid = \(number(of: "_session")) \
      and attname = 'name' and not attisdropped
      """)
    guard upgraded == 0 else { return }
    let format = try integer("select format from \(table: "_meta") for update")
    enqueue(
      "alter table \(table: "_session") add column if not exists name text collate \"C\"")
    if let format, format >= StoreFormat.newest { return }
    enqueue(StoreFormat.userTextsSQL)
    enqueue(
      """
      update \(table: "_meta") set format = \(.integer(StoreFormat.newest)), \
      minimum_program = \(.text(StoreFormat.newestMinimumProgram))
      """)
  }

  func storedFormat() throws(DataError) -> Int64? {
    try integer("select format from \(table: "_meta")")
  }

  func setFormat(_ format: Int64) {
    let program =
      format == StoreFormat.current
      ? StoreFormat.minimumProgram : StoreFormat.newestMinimumProgram
    enqueue(
      """
      update \(table: "_meta") set format = \(.integer(format)), \
      minimum_program = \(.text(program))
      """)
  }

  func lock(exclusively schema: Schema) {
    switch engine {
    case .postgres: enqueue("lock table \(TableLayout(schema).table) in access exclusive mode")
    case .citus:
      enqueue("select 1 from \(table: "_schema") where name = \(.text(schema.name)) for update")
    }
  }

  func foreignObjects(excluding catalog: Catalog) throws(DataError) -> ForeignObjects {
    try ForeignObjects(onTablesOf: catalog, on: self)
  }

  func check(_ foreignObjects: ForeignObjects, excluding catalog: Catalog) throws(DataError) {
    try foreignObjects.check(onTablesOf: catalog, on: self)
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

  /// Replaces each column with a new column that has the same name and the new type. The new column
  /// contains the converted values.
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

  /// Does nothing. On PostgreSQL, link tables have no foreign key constraints, so they need no
  /// change when the target of a relation changes.
  func retarget(_ slot: Int, of layout: TableLayout) {}

  /// Does nothing, because every store on PostgreSQL is created with a log table.
  func createLogTable() {}
}
