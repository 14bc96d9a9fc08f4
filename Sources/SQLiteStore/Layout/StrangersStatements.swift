import CSQLite
import DataModel
import DataStore

/// Foreign views, triggers and indexes, which SQLite silently drops or breaks when their table is
/// dropped.
struct ForeignStatements {
  private struct Entry: Hashable {
    var type: String
    var name: String
    var description: String { "\(type) \(name)" }
  }

  /// The objects that worked before the migration.
  private let intact: Set<Entry>

  init(excluding catalog: Catalog, on connection: borrowing Connection) throws(DataError) {
    let own = Set(
      catalog.schemas.flatMap { schema in
        TableLayout(schema).allIndexes(in: SQLiteDialect()).map(\.name)
      })
    intact = try Self.intact(on: connection).filter { $0.type != "index" || !own.contains($0.name) }
  }

  /// Throws if the migration has dropped or broken an object that worked before.
  func check(on connection: borrowing Connection) throws(DataError) {
    if intact.isEmpty { return }
    let now = try Self.intact(on: connection)
    let lost = intact.subtracting(now).map(\.description).sorted()
    if let first = lost.first { throw connection.foreignObjectConflict("\(first) would break") }
  }

  private static func intact(on connection: borrowing Connection) throws(DataError) -> Set<Entry> {
    let statement = try Statement(
      """
      select type, name, tbl_name from sqlite_schema \
      where type in ('index', 'trigger', 'view') and sql is not null
      """, on: connection)
    var found: [(entry: Entry, table: String)] = []
    while try statement.step() {
      let entry = Entry(type: statement.text(0) ?? "", name: statement.text(1) ?? "")
      found.append((entry, statement.text(2) ?? ""))
    }
    let hasTriggers = found.contains { $0.entry.type == "trigger" }
    if hasTriggers { try connection.enableTriggers(true) }
    defer { if hasTriggers { try? connection.enableTriggers(false) } }
    var intact: Set<Entry> = []
    for (entry, table) in found {
      let uses: [SQL] =
        switch entry.type {
        case "view": ["select * from \(name: entry.name)"]
        case "trigger": try connection.changes(of: table)
        default: []
        }
      var isIntact = true
      for use in uses where !connection.canPrepare(use) { isIntact = false }
      if isIntact { intact.insert(entry) }
    }
    return intact
  }
}

extension Connection {
  /// Returns statements that fire every trigger of a table. They are prepared but never run.
  fileprivate func changes(of table: String) throws(DataError) -> [SQL] {
    let statement = try Statement(
      "select name from pragma_table_info(\(.text(table)))", on: self)
    var columns: [SQL] = []
    while try statement.step() {
      let column = statement.text(0) ?? ""
      columns.append("\(name: column) = \(name: column)")
    }
    return [
      "insert into \(name: table) default values", "delete from \(name: table)",
      "update \(name: table) set \(SQL.list(columns))",
    ]
  }

  /// Returns whether SQLite can prepare a statement, and so resolve every name in it.
  fileprivate func canPrepare(_ sql: SQL) -> Bool {
    do throws(DataError) {
      _ = try Statement(sql, on: self)
      return true
    } catch {
      return false
    }
  }

  /// Switches triggers on while statements are prepared; datactl never runs foreign triggers.
  fileprivate func enableTriggers(_ isOn: Bool) throws(DataError) {
    try check(unsafe csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn ? 1 : 0))
  }
}
