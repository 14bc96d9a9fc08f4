import DataModel
import DataStore

/// The indexes and triggers on datactl's tables that datactl did not create.
///
/// When a table or a column is dropped, PostgreSQL silently drops its indexes and triggers, too.
/// This type detects that. Views need no check, because PostgreSQL raises an error when a table or
/// a column that a view uses is dropped.
struct ForeignObjects {
  /// A description of each object, such as `index NAME`, keyed by the OID of the object. The OID
  /// does not change when the object is renamed.
  private let descriptions: [Int64: String]

  init(onTablesOf catalog: Catalog, on connection: Connection) throws(DataError) {
    let own = catalog.schemas.flatMap { schema in
      TableLayout(schema).allIndexes(in: connection.dialect).map { "index \($0.name)" }
    }
    let ownDescriptions = Set(own)
    descriptions = try Self.descriptions(onTablesOf: catalog, on: connection).filter {
      !ownDescriptions.contains($0.value)
    }
  }

  /// Throws an error if one of the indexes and triggers was lost: it no longer exists, or its table
  /// does not belong to a schema of `catalog`.
  func check(onTablesOf catalog: Catalog, on connection: Connection) throws(DataError) {
    if descriptions.isEmpty { return }
    let now = try Self.descriptions(onTablesOf: catalog, on: connection)
    let lost = descriptions.filter { now[$0.key] == nil }.values.sorted()
    if let first = lost.first {
      throw .foreignObjectConflict("\(first) would be lost", in: connection.store, tool: "psql")
    }
  }

  private static func descriptions(
    onTablesOf catalog: Catalog, on connection: Connection
  ) throws(DataError) -> [Int64: String] {
    let tables = catalog.schemas.flatMap { TableLayout($0).tableNames }.map(Value.text)
    let own: SQL = """
      in (select c.oid from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n \
      on n.oid = c.relnamespace where n.nspname = \(.text(connection.namespace)) \
      and c.relname = any(\(values: tables, of: .text)))
      """
    var descriptions: [Int64: String] = [:]
    try connection.forEachRow(
      """
      select c.oid::bigint, c.relname::text, true from pg_catalog.pg_index as i \
      join pg_catalog.pg_class as c on c.oid = i.indexrelid \
      where not i.indisprimary and i.indrelid \(own) \
      union all select oid::bigint, tgname::text, false from pg_catalog.pg_trigger \
      where not tgisinternal and tgrelid \(own)
      """, [.integer, .text, .boolean]
    ) { values in
      if case .integer(let number) = values[0], case .text(let name) = values[1] {
        descriptions[number] = values[2] == .boolean(true) ? "index \(name)" : "trigger \(name)"
      }
    }
    return descriptions
  }
}
