import DataModel
import DataStore

extension Connection {
  /// Whether the database contains a store.
  func isStore() throws(DataError) -> Bool {
    try run(
      """
      select 1 from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n \
      on n.oid = c.relnamespace where n.nspname = \(.text(namespace)) and c.relname = '_meta'
      """
    ).count > 0
  }

  /// Reads all schemas and their version in one statement, so that they are consistent.
  func catalog(_ coding: SchemaCoding) throws(DataError) -> StoredCatalog {
    detectEngine()
    let resultSet = try run(
      """
      select catalog_version, format, null, null from \(table: "_meta") \
      union all select null, null, definition, name from \(table: "_schema")
      """)
    var version: Int64 = 0
    var schemas: [Schema] = []
    for row in 0..<resultSet.count {
      if let definition = resultSet.bytes(row, 2) {
        schemas.append(
          try coding.decode(definition, of: resultSet.text(row, 3) ?? "", in: store))
      } else {
        version = resultSet.integer(row, 0)
        try checkFormat(resultSet.integer(row, 1))
      }
    }
    return StoredCatalog(try Catalog(checking: schemas), version: version)
  }

  private func checkFormat(_ format: Int64) throws(DataError) {
    guard format <= InternalTables.format else {
      throw DataError(
        .storeTooNew,
        "\(store): made by a newer datactl (format \(format), known: \(InternalTables.format))",
        hint: "install a newer datactl")
    }
  }

  /// Reads one schema, without loading the others.
  func schema(named name: String, _ coding: SchemaCoding) throws(DataError) -> Schema? {
    try schema(named: name, in: run(Self.reading(schema: name)), coding)
  }

  /// Reads a schema and some of its records in one round trip; returns nil if there is no such
  /// schema.
  ///
  /// The columns are not known before the schema is, so the query selects all of them and assumes
  /// the usual name of the key. If the table has no such column, the name refers to the null of the
  /// outer `_unknown`, which no id is equal to.
  func find(
    _ ids: [String], inSchemaNamed name: String, _ coding: SchemaCoding
  ) throws(DataError) -> (schema: Schema, found: FoundRecords)? {
    let key = name + "_id"
    var definition: Result<Schema?, DataError>?
    enqueueWithFlush(Self.reading(schema: name)) { resultSet in
      definition = Result { () throws(DataError) in
        try self.schema(named: name, in: resultSet, coding)
      }
    }
    var records: ResultSet?
    do throws(DataError) {
      records = try run(
        """
        select _record.* from (select null::text as \(name: key)) as _unknown cross join lateral \
        (select * from \(table: name) where \(Self.has(ids, "\(name: key)"))) as _record
        """)
    } catch {
      // The query below, for the records alone, reports any other error.
      guard isConnected, failure != .canceled, definition != nil else { throw error }
    }
    guard let schema = try definition?.get() else { return nil }
    let layout = TableLayout(schema)
    guard let records, schema.key.name == key,
      let reader = RowReader(layout, records.columns, on: self)
    else { return (schema, try find(ids, in: schema, slots: Array(0..<schema.width))) }
    var found = FoundRecords(rows: Rows(width: schema.width), missing: [])
    try read(ids, of: schema, in: records, by: reader, into: &found)
    return (schema, found)
  }

  private static func reading(schema name: String) -> SQL {
    """
    select definition, (select format from \(table: "_meta")) from \(table: "_schema") \
    where name = \(.text(name))
    """
  }

  private func schema(
    named name: String, in resultSet: ResultSet, _ coding: SchemaCoding
  ) throws(DataError) -> Schema? {
    guard resultSet.count > 0 else { return nil }
    try checkFormat(resultSet.integer(0, 1))
    return try resultSet.bytes(0, 0).map { (text) throws(DataError) in
      try coding.decode(text, of: name, in: store)
    }
  }

  /// Returns the version of the schemas.
  func catalogVersion() throws(DataError) -> Int64 {
    try integer("select catalog_version from \(table: "_meta")") ?? 0
  }
}
