import CSQLite
import DataModel
import DataStore

/// The dangling references in foreign tables, which are the tables that datactl did not create.
/// SQLite does not check foreign keys while schemas change. So the dangling references are counted
/// before a migration, and compared with those after it.
struct ForeignReferences {
  /// The number of dangling references in each table that datactl did not create, by table name.
  /// The number is `Int.max` if SQLite cannot check the references of the table.
  private let broken: [String: Int]
  /// The names of all tables with a foreign key to a table that does not exist.
  private let lost: Set<String>

  init(excluding catalog: Catalog, on connection: borrowing Connection) throws(DataError) {
    broken = try Self.broken(excluding: catalog, on: connection)
    lost = try Self.lost(on: connection)
  }

  /// Throws an error if a table has more dangling references than before the migration, or if it
  /// refers to a table that existed before the migration and no longer exists.
  ///
  /// - Parameter catalog: The schemas after the migration. The dangling references in their tables
  ///   are not counted.
  func check(excluding catalog: Catalog, on connection: borrowing Connection) throws(DataError) {
    let now = try Self.broken(excluding: catalog, on: connection)
    let more = now.filter { $0.value > broken[$0.key] ?? 0 }.map(\.key)
    let lost = try Self.lost(on: connection).subtracting(lost)
    if let table = lost.union(more).sorted().first {
      throw connection.foreignObjectConflict(
        "the change would break the references of table \(table)")
    }
  }

  private static func lost(on connection: borrowing Connection) throws(DataError) -> Set<String> {
    let statement = try Statement(
      """
      select s.name from sqlite_schema s, pragma_foreign_key_list(s.name) f \
      where s.type = 'table' and not exists (select 1 from sqlite_schema p \
      where p.type = 'table' and lower(p.name) = lower(f."table"))
      """, on: connection)
    var tables: Set<String> = []
    while try statement.step() { tables.insert(statement.text(0) ?? "") }
    return tables
  }

  private static func broken(
    excluding catalog: Catalog, on connection: borrowing Connection
  ) throws(DataError) -> [String: Int] {
    let own = Set(catalog.schemas.flatMap { TableLayout($0).tableNames })
    let statement = try Statement(
      """
      select distinct s.name from sqlite_schema s, pragma_foreign_key_list(s.name) \
      where s.type = 'table'
      """, on: connection)
    var tables: [String] = []
    while try statement.step() { tables.append(statement.text(0) ?? "") }
    var broken: [String: Int] = [:]
    for table in tables where !own.contains(table) {
      do throws(DataError) {
        broken[table] = try connection.count(
          "select count(*) from pragma_foreign_key_check(\(.text(table)))")
      } catch {
        guard error.code == .schemaChanged else { throw error }
        broken[table] = .max
      }
    }
    return broken
  }
}

/// The views, triggers and indexes that datactl did not create. When datactl drops a table, SQLite
/// silently drops or breaks the objects that use the table.
struct ForeignStatements {
  private struct Entry: Hashable {
    var type: String
    var name: String
    var description: String { "\(type) \(name)" }
  }

  /// The views, triggers and indexes that were valid before the migration.
  private let intact: Set<Entry>

  init(excluding catalog: Catalog, on connection: borrowing Connection) throws(DataError) {
    let own = Set(
      catalog.schemas.flatMap { schema in
        TableLayout(schema).allIndexes(in: SQLiteDialect()).map(\.name)
      })
    intact = try Self.intact(on: connection).filter { $0.type != "index" || !own.contains($0.name) }
  }

  /// Throws an error if the migration has dropped or broken a view, trigger or index that was valid
  /// before the migration.
  func check(on connection: borrowing Connection) throws(DataError) {
    if intact.isEmpty { return }
    let now = try Self.intact(on: connection)
    let lost = intact.subtracting(now).map(\.description).sorted()
    if let first = lost.first { throw connection.foreignObjectConflict("\(first) would be lost") }
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
  /// Returns an `insert`, a `delete` and an `update` statement that together would fire all
  /// triggers of a table. They are only prepared, never run, to check whether the triggers are
  /// valid.
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

  /// Returns whether SQLite can prepare a statement. SQLite can do so only if every name in the
  /// statement exists.
  fileprivate func canPrepare(_ sql: SQL) -> Bool {
    do throws(DataError) {
      _ = try Statement(sql, on: self)
      return true
    } catch {
      return false
    }
  }

  /// Turns triggers on or off (`SQLITE_DBCONFIG_ENABLE_TRIGGER`). Triggers are on only while
  /// statements are prepared, so a trigger that datactl did not create never runs.
  fileprivate func enableTriggers(_ isOn: Bool) throws(DataError) {
    try check(unsafe csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn ? 1 : 0))
  }
}
