import DataModel
import DataStore

/// The internal tables of a store. Their names begin with an underscore, unlike the names of
/// schemas.
enum InternalTables {
  static var creationSQL: [SQL] {
    [
      """
      create table _meta (catalog_version integer not null, minimum_program text not null, \
      id text) strict
      """,
      "insert into _meta values (0, \(.text(StoreFormat.minimumProgram)), \(.text(StoreID.random())))",
    ] + tables
  }

  private static let tables: [SQL] = [
    """
    create table _schema (name text not null primary key, definition text not null, \
    version integer not null) \
    strict, without rowid
    """,
    """
    create table _file (schema text not null, record text not null, field text not null, \
    piece integer not null, bytes blob not null, primary key (schema, record, field, piece)) strict
    """,
    """
    create table _session (token_hash blob not null primary key, user text not null, \
    created integer not null, expires integer not null) strict, without rowid
    """,
    sessionIndex.creationSQL,
    TableLayout(.function).tableCreationSQL,
  ]

  private static let sessionIndex = TableLayout.IndexDefinition(
    name: "_session_user", creationSQL: "create index _session_user on _session (user)")

  /// The tables and their columns in every format of a store.
  static let layout = [
    InternalTable("_meta", ["catalog_version"]),
    InternalTable("_schema", ["name", "definition"]),
    InternalTable("_file", ["schema", "record", "field", "piece", "bytes"]),
    InternalTable(
      "_session", ["token_hash", "user", "created", "expires"], indexes: [sessionIndex]),
    InternalTable("_changes", ["number", "time", "user", "program", "steps"], isOptional: true),
  ]

  /// The statements that upgrade a store from format 1 to the current format.
  static let upgradeSQL: [SQL] = [
    "alter table _schema add column version integer not null default 0",
    "update _schema set version = (select catalog_version from _meta)",
    "alter table _meta add column minimum_program text not null default ''",
    "update _meta set minimum_program = \(.text(StoreFormat.minimumProgram))",
    SQLiteFormat.setUserVersion,
  ]
}

/// Generates the statements that create the tables and indexes of a schema.
extension TableLayout {
  /// Returns the statements that create the table of the schema, the link tables of its to-many
  /// relations, and all indexes.
  func creationSQL(separator: SQL = ", ") -> [SQL] {
    [tableCreationSQL(separator: separator)] + linkSlots.flatMap { linkCreationSQL($0) }
      + indexes.map(\.creationSQL)
  }

  /// The statement that creates the table. With `without rowid`, SQLite stores the rows in the
  /// order of the primary key, so a scan in the order of ids is sequential.
  var tableCreationSQL: SQL { tableCreationSQL(separator: ", ") }

  private func tableCreationSQL(separator: SQL) -> SQL {
    let parts = columns.map { definition(of: $0) } + ["primary key (\(key))"]
    return """
      create table \(table) (\(SQL.list(parts, separator: separator))) strict, without rowid
      """
  }

  /// Returns the statements that add the columns of a field to an existing table.
  func addColumnsSQL(of slot: Int) -> [SQL] {
    Self.columns(of: slot, in: schema).map { column in
      "alter table \(table) add column \(definition(of: column))"
    }
  }

  /// Returns the statements that create the link table of a to-many relation and the index on its
  /// target column.
  func linkCreationSQL(_ slot: Int) -> [SQL] {
    let own = reference(to: schema.name)
    return [
      """
      create table \(link(slot)) (source text not null \(own), position integer not null, \
      \(linkTarget(slot)), primary key (source, position), \
      unique (source, target)) strict, without rowid
      """,
      linkIndex(of: slot).creationSQL,
    ]
  }

  /// Returns the definition of the column `target` in the link table of a to-many relation.
  func linkTarget(_ slot: Int) -> SQL {
    "target text not null \(reference(to: schema.type(of: slot).relation?.target ?? ""))"
  }

  func definition(of column: Column) -> SQL {
    let plain: SQL = "\(name: column.name) \(SQLiteDialect().columnType(column.type))"
    if column.slot == schema.keySlot { return plain + " not null" }
    guard let relation = schema.type(of: column.slot).relation else { return plain }
    return plain + " " + reference(to: relation.target)
  }

  private func reference(to target: String) -> SQL {
    "references \(table: target) deferrable initially deferred"
  }

  /// The indexes of the table: the indexes that the schema declares, and the indexes for unique
  /// fields, to-one relations and geopoints.
  var indexes: [IndexDefinition] { indexes(in: SQLiteDialect()) }
}
