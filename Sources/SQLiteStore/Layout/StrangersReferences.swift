import DataModel
import DataStore

/// References of tables that datactl did not make, which SQLite does not watch while schemas change.
struct StrangersReferences {
  /// How many rows of each table refer to nothing; no number is greater if they cannot refer at all.
  private let broken: [String: Int]

  init(beside catalog: Catalog, on connection: borrowing Connection) throws(DataError) {
    broken = try Self.broken(beside: catalog, on: connection)
  }

  /// Refuses what has broken references that were whole.
  func check(beside catalog: Catalog, on connection: borrowing Connection) throws(DataError) {
    let now = try Self.broken(beside: catalog, on: connection)
    for (table, count) in now.sorted(by: { $0.key < $1.key }) where count > broken[table] ?? 0 {
      throw connection.inTheWay("the references of table \(table) would break")
    }
  }

  private static func broken(
    beside catalog: Catalog, on connection: borrowing Connection
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
