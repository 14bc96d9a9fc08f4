import DataModel
import DataStore

/// What the namespace of a store contains.
enum NamespaceState {
  /// No tables of a store.
  case empty
  /// Tables that datactl did not create.
  case foreign
  /// A store with all of its tables.
  case store
  /// A store of which a table or a column is missing.
  case damaged(String)
  /// A complete store in which a column has another type than datactl gave it.
  case wrongColumnType(Schema, slot: Int)
}

extension Connection {
  /// Checks the contents of the namespace in one snapshot.
  func namespaceState(_ coding: SchemaCoding) throws(DataError) -> NamespaceState {
    enqueue("begin isolation level repeatable read read only")
    do throws(DataError) {
      let namespaceState = try readNamespaceState(coding)
      try run("commit")
      return namespaceState
    } catch {
      discardQueue()
      // If the statement fails, closing the connection ends the transaction.
      _ = try? run("rollback")
      throw error
    }
  }

  private func readNamespaceState(_ coding: SchemaCoding) throws(DataError) -> NamespaceState {
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
    guard let meta = tables["_meta"] else { return .empty }
    guard meta["format"] != nil, meta["catalog_version"] != nil else { return .foreign }
    guard tables["_schema"] != nil else { return .damaged("the table _schema is missing") }
    var wrongColumnType: NamespaceState?
    for schema in try catalog(coding).catalog.schemas {
      let layout = TableLayout(schema)
      for table in layout.tableNames where tables[table] == nil {
        return .damaged("the table \(table) is missing")
      }
      for column in layout.columns {
        guard let type = tables[schema.name]?[column.name] else {
          return .damaged("the table \(schema.name) has no column \(column.name)")
        }
        if engine.hasPostgresCatalog, type != Int64(WireType(column.type).rawValue) {
          wrongColumnType = wrongColumnType ?? .wrongColumnType(schema, slot: column.slot)
        }
      }
    }
    for table in ["_file", "_session", "_changes"] where tables[table] == nil {
      return .damaged("the table \(table) is missing")
    }
    return wrongColumnType ?? .store
  }

  /// Returns the name of a table of the store in which row level security hides rows from the user,
  /// if there is one.
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
