import DataModel
import DataStore

/// The tables that datactl needs for itself. No schema's name begins with an underscore.
enum InternalTables {
  /// The version of the format of these tables; a change of it requires another version of datactl.
  static let format: Int64 = 1

  /// Returns the statements that create the tables.
  ///
  /// On Citus, tables that are joined with records are distributed by the records' ids, as the
  /// records are; the others (schemas, log, sessions) stay on the coordinator.
  static func creationSQL(in dialect: PostgresDialect) -> [SQL] {
    var creationSQL = common
    switch dialect.engine {
    case .postgres, .cockroach, .yugabyte: break
    case .citus:
      creationSQL += CitusStaging.creationSQL(in: dialect) + deletionMarksSQL(in: dialect)
    }
    creationSQL += dialect.distributionSQL("_file", .colocated(by: "record"))
    return creationSQL + functions(of: dialect.engine)
      + TableLayout(.function).creationSQL(in: dialect)
  }

  private static let common: [SQL] =
    [
      "create table \(table: "_meta") (format bigint not null, catalog_version bigint not null)",
      """
      insert into \(table: "_meta") (format, catalog_version) values (\(.integer(format)), \
      \(.integer(0)))
      """,
      """
      create table \(table: "_schema") (name text collate "C" not null, definition text not null, \
      constraint "_schema:key" primary key (name))
      """,
      """
      create table \(table: "_file") (schema text collate "C" not null, record text collate "C" \
      not null, field text collate "C" not null, piece bigint not null, bytes bytea not null, \
      constraint "_file:key" primary key (schema, record, field, piece))
      """,
      """
      create table \(table: "_session") (token_hash bytea not null, \(name: "user") text collate "C" \
      not null, created timestamptz not null, expires timestamptz not null, \
      constraint "_session:key" primary key (token_hash))
      """,
      """
      create table \(table: "_changes") (number bigint not null, time timestamptz not null, \
      \(name: "user") text, program text not null, steps text not null, \
      constraint "_changes:key" primary key (number))
      """,
      "create index \"_session:user\" on \(table: "_session") (\(name: "user"))",
    ]

  /// The tables in which a deletion marks the records to delete and those to change.
  static let deletionMarks = ["_doomed", "_touched"]

  private static func deletionMarksSQL(in dialect: PostgresDialect) -> [SQL] {
    deletionMarks.flatMap { name in
      [
        """
        create table \(table: name) (schema integer not null, id text collate "C" not null, \
        round integer, constraint \(name: PhysicalNames.key(name)) primary key (schema, id))
        """
      ] + dialect.distributionSQL(name, .colocated(by: "id"))
    }
  }
}
