import DataModel
import DataStore

/// The references of foreign tables, which SQLite does not check while schemas change.
struct ForeignReferences {
  /// The number of dangling references of each foreign table; `Int.max` if they cannot be checked.
  private let broken: [String: Int]
  /// The tables that refer to a table that does not exist.
  private let lost: Set<String>

  init(excluding catalog: Catalog, on connection: borrowing Connection) throws(DataError) {
    broken = try Self.broken(excluding: catalog, on: connection)
    lost = try Self.lost(on: connection)
  }

  /// Throws if the migration has broken references that were intact before.
  func check(excluding catalog: Catalog, on connection: borrowing Connection) throws(DataError) {
    let now = try Self.broken(excluding: catalog, on: connection)
    let more = now.filter { $0.value > broken[$0.key] ?? 0 }.map(\.key)
    let lost = try Self.lost(on: connection).subtracting(lost)
    if let table = lost.union(more).sorted().first {
      throw connection.foreignObjectConflict("it would break the references of table \(table)")
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
