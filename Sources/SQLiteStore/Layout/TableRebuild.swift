import CSQLite
import DataModel
import DataStore

/// Recreates a table with changed columns, since SQLite cannot alter the type of a column.
///
/// Everything else is copied verbatim from `sqlite_schema`: other columns, constraints, indexes and
/// triggers, including foreign ones. References and views use the table's name and so remain valid.
struct TableRebuild {
  private static let newName = "_rebuilt"

  private let table: String
  /// The new definitions of columns, and the expressions for their values.
  private var definitions: [String: SQL] = [:]
  private var sources: [String: SQL] = [:]

  init(table: String) {
    self.table = table
  }

  mutating func replace(_ column: String, by definition: SQL, from source: SQL) {
    definitions[column] = definition
    sources[column] = source
  }

  func execute(
    joining join: SQL = SQL(), on connection: borrowing Connection
  ) throws(DataError) {
    let definitionsBefore = try connection.definitions(of: table)
    guard let own = definitionsBefore.first(where: { $0.kind == "table" }),
      var text = TableDefinition(own.text)
    else { throw .damaged(connection.store) }
    text.name = Self.newName
    for (column, definition) in definitions {
      text.replace(column, by: RenderedSQL(definition).text)
    }
    try connection.runDefinition(text.text)
    let columns = try connection.storedColumns(of: table)
    let names = columns.map { column -> SQL in "\(name: column)" }
    let values = columns.map { column -> SQL in
      sources[column] ?? "\(name: table).\(name: column)"
    }
    try connection.run(
      """
      insert into \(name: Self.newName) (\(SQL.list(names))) select \(SQL.list(values)) \
      from \(name: table)\(join)
      """)
    try connection.alter("drop table \(name: table)")
    try connection.rename(Self.newName, backTo: table)
    for other in definitionsBefore where other.kind != "table" {
      try connection.runDefinition(other.text)
    }
  }
}

extension Connection {
  fileprivate struct Definition {
    let kind: String
    let text: String
  }

  /// Returns the definitions of a table and of its indexes and triggers, from `sqlite_schema`.
  fileprivate func definitions(of table: String) throws(DataError) -> [Definition] {
    let statement = try Statement(
      """
      select type, sql from sqlite_schema where tbl_name = \(.text(table)) and sql is not null \
      and type in ('table', 'index', 'trigger') order by rowid
      """, on: self)
    var definitions: [Definition] = []
    while try statement.step() {
      definitions.append(Definition(kind: statement.text(0) ?? "", text: statement.text(1) ?? ""))
    }
    return definitions
  }

  /// Returns the names of the columns that are not generated.
  fileprivate func storedColumns(of table: String) throws(DataError) -> [String] {
    let statement = try Statement(
      "select name from pragma_table_xinfo(\(.text(table))) where hidden = 0 order by cid",
      on: self)
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0) ?? "") }
    return names
  }

  /// Renames the new table to the old name. `SQLITE_DBCONFIG_LEGACY_ALTER_TABLE` keeps SQLite from
  /// rewriting references to it in other tables, views and triggers.
  fileprivate func rename(_ name: String, backTo table: String) throws(DataError) {
    try check(unsafe csqlite_configure(handle, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 1))
    defer { _ = unsafe csqlite_configure(handle, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 0) }
    try alter("alter table \(name: name) rename to \(name: table)")
  }

  /// Runs a definition from `sqlite_schema`, of a table, an index or a trigger.
  fileprivate func runDefinition(_ text: String) throws(DataError) {
    do throws(DataError) {
      try Statement(definition: text, on: self).run()
    } catch {
      throw foreignObjectConflict(of: error)
    }
  }
}
