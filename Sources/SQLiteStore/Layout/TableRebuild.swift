import CSQLite
import DataModel
import DataStore

/// Makes a table anew with other columns, since SQLite cannot change those that are there.
///
/// All else stays word for word as SQLite keeps it: other columns, rules, indexes and triggers,
/// whoever made them. References of others and views name the table, and find it again.
struct TableRebuild {
  private static let newName = "_rebuilt"

  private let table: String
  /// What columns are declared as from now on, and where their values come from.
  private var definitions: [String: SQL] = [:]
  private var sources: [String: SQL] = [:]

  init(table: String) {
    self.table = table
  }

  mutating func replace(_ column: String, by definition: SQL, holding source: SQL) {
    definitions[column] = definition
    sources[column] = source
  }

  func carryOut(
    joining join: SQL = SQL(), on connection: borrowing Connection
  ) throws(DataError) {
    let kept = try connection.definitions(of: table)
    guard let own = kept.first(where: { $0.kind == "table" }),
      var text = TableText(own.text)
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
    for other in kept where other.kind != "table" { try connection.runDefinition(other.text) }
  }
}

extension Connection {
  fileprivate struct Definition {
    let kind: String
    let text: String
  }

  /// What SQLite keeps of a table: its own text, and those of its indexes and triggers.
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

  /// The columns that hold values of their own; those that are computed do not.
  fileprivate func storedColumns(of table: String) throws(DataError) -> [String] {
    let statement = try Statement(
      "select name from pragma_table_xinfo(\(.text(table))) where hidden = 0 order by cid",
      on: self)
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0) ?? "") }
    return names
  }

  /// Gives a table the name back that everything else knows it by, and nothing else looks up.
  fileprivate func rename(_ name: String, backTo table: String) throws(DataError) {
    try check(unsafe csqlite_configure(handle, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 1))
    defer { _ = unsafe csqlite_configure(handle, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 0) }
    try alter("alter table \(name: name) rename to \(name: table)")
  }

  /// Runs what SQLite itself keeps as the text of a table, an index or a trigger.
  fileprivate func runDefinition(_ text: String) throws(DataError) {
    do throws(DataError) {
      try Statement(definition: text, on: self).run()
    } catch {
      throw inTheWay(of: error)
    }
  }
}
