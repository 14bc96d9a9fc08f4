import DataModel
import DataStore

extension Connection {
  /// Whether there is a store in the database.
  func isStore() throws(DataError) -> Bool {
    try run(
      """
      select 1 from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n \
      on n.oid = c.relnamespace where n.nspname = \(.text(namespace)) and c.relname = '_meta'
      """
    ).count > 0
  }

  /// Reads all schemas and their version by one statement, so that they belong together.
  func catalog(_ coding: SchemaCoding) throws(DataError) -> StoredCatalog {
    let answer = try run(
      """
      select catalog_version, format, null, null from \(table: "_meta") \
      union all select null, null, definition, name from \(table: "_schema")
      """)
    var version: Int64 = 0
    var schemas: [Schema] = []
    for row in 0..<answer.count {
      if let definition = answer.bytes(row, 2) {
        schemas.append(
          try coding.decode(definition, of: answer.text(row, 3) ?? "", in: store))
      } else {
        version = answer.integer(row, 0)
        try checkFormat(answer.integer(row, 1))
      }
    }
    return StoredCatalog(try Catalog(checking: schemas), version: version)
  }

  private func checkFormat(_ format: Int64) throws(DataError) {
    guard format <= OwnTables.format else {
      throw DataError(
        .storeTooNew,
        "\(store): a newer datactl made it (format \(format), known: \(OwnTables.format))",
        hint: "install the newer datactl")
    }
  }

  /// Reads one schema, without a look at the others.
  func schema(named name: String, _ coding: SchemaCoding) throws(DataError) -> Schema? {
    let answer = try run(
      """
      select definition, format from \(table: "_meta") left join \(table: "_schema") \
      on name = \(.text(name))
      """)
    guard answer.count > 0 else { return nil }
    try checkFormat(answer.integer(0, 1))
    return try answer.bytes(0, 0).map { (text) throws(DataError) in
      try coding.decode(text, of: name, in: store)
    }
  }

  /// The version of the schemas.
  func catalogVersion() throws(DataError) -> Int64 {
    try integer("select catalog_version from \(table: "_meta")") ?? 0
  }
}
