import DataModel
import DataStore

/// The tables that datactl needs for its own purposes. Their names begin with an underscore, which
/// is not allowed in names of schemas.
enum InternalTables {
  /// Returns the statements that create the tables and SQL functions.
  ///
  /// On Citus, tables that are joined with records are distributed by record id, like the records.
  /// The other tables (such as schemas, log and sessions) are not distributed and stay on the
  /// coordinator.
  static func creationSQL(in dialect: PostgresDialect) -> [SQL] {
    var creationSQL = meta + common
    switch dialect.engine {
    case .postgres: break
    case .citus:
      creationSQL += colocationSQL(in: dialect) + deletionMarksSQL(in: dialect)
    }
    creationSQL += dialect.distributionSQL("_file", .colocated(by: "record"))
    return creationSQL + functions
      + TableLayout(.function).creationSQL(in: dialect)
  }

  private static var meta: [SQL] {
    [
      """
      create table \(table: "_meta") (format bigint not null, catalog_version bigint not null, \
      minimum_program text not null, id text)
      """,
      """
      insert into \(table: "_meta") (format, catalog_version, minimum_program, id) values \
      (\(.integer(StoreFormat.current)), \(.integer(0)), \(.text(StoreFormat.minimumProgram)), \
      \(.text(StoreID.random())))
      """,
    ]
  }

  private static let common: [SQL] =
    [
      """
      create table \(table: "_schema") (name text collate "C" not null, definition text not null, \
      version bigint not null, constraint "_schema:key" primary key (name))
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
      sessionIndex.creationSQL,
    ]

  private static let sessionIndex = TableLayout.IndexDefinition(
    name: "_session:user",
    creationSQL: "create index \"_session:user\" on \(table: "_session") (\(name: "user"))")

  /// Returns the tables and their columns in every format of a store.
  static func layout(on engine: Engine) -> [InternalTable] {
    let layout = [
      InternalTable("_meta", ["format", "catalog_version"]),
      InternalTable("_schema", ["name", "definition"]),
      InternalTable("_file", ["schema", "record", "field", "piece", "bytes"]),
      InternalTable(
        "_session", ["token_hash", "user", "created", "expires"], indexes: [sessionIndex]),
      InternalTable("_changes", ["number", "time", "user", "program", "steps"]),
    ]
    return switch engine {
    case .postgres: layout
    case .citus:
      layout + [InternalTable(colocationTable, ["id"])]
        + deletionMarks.map { InternalTable($0, ["schema", "id", "round"]) }
    }
  }

  /// The name of an empty table that Citus distributes by record id. All other tables that are
  /// distributed by record id are colocated with it: rows with the same id are on the same worker.
  static let colocationTable = "_staging"

  private static func colocationSQL(in dialect: PostgresDialect) -> [SQL] {
    [
      """
      create table \(table: colocationTable) (id text collate "C" not null, \
      constraint \(name: PhysicalNames.key(colocationTable)) primary key (id))
      """
    ] + dialect.distributionSQL(colocationTable, .distributed(by: "id"))
  }

  /// Returns the statements that upgrade a store from format 1 to the current format.
  ///
  /// On Citus, they also give the colocation table a replica identity, which it did not have in
  /// format 1: Citus moves a table to a new worker only if the table has a primary key or another
  /// replica identity.
  static func upgradeSQL(on engine: Engine) -> [SQL] {
    switch engine {
    case .postgres: formatSQL
    case .citus:
      ["alter table \(table: colocationTable) replica identity full"] + formatSQL
    }
  }

  private static let formatSQL: [SQL] = [
    "alter table \(table: "_schema") add column version bigint not null default 0",
    """
    update \(table: "_schema") set version = (select catalog_version from \(table: "_meta"))
    """,
    "alter table \(table: "_meta") add column minimum_program text not null default ''",
    """
    update \(table: "_meta") set format = \(.integer(StoreFormat.current)), \
    minimum_program = \(.text(StoreFormat.minimumProgram))
    """,
  ]

  /// The tables in which a deletion marks records: `_doomed` contains the ids of the records to
  /// delete, and `_touched` contains the ids of the records whose references are cleared.
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

/// Creates SQL functions that compute exactly the same results as `SpherePoint` and `Degrees`, by
/// performing the same operations in the same order.
///
/// PostgreSQL raises an error if a product is too small for a double. Very small angles and
/// differences are therefore treated as zero, which does not change the result.
///
/// The functions are written in PL/pgSQL, which is parsed once per connection. Functions written in
/// SQL would be planned again for every record, which takes a thousand times as long as the
/// computation.
extension InternalTables {
  /// The name of the SQL function that returns the squared distance of two points. Queries call
  /// only this function. The other SQL functions that datactl creates are its helpers.
  static let distanceFunction = "_squared_chord"

  static let functions: [SQL] =
    [
      """
      create function \(table: "_sine_series")(degrees double precision) \
      returns double precision \(functionAttributes) as $$ \
      declare angle double precision; square double precision; \
      begin if degrees < 1e-100 then return 0::float8; end if; \
      angle := degrees * 0.017453292519943295::float8; \
      if degrees < 1e-9 then return angle; end if; \
      square := angle * angle; \
      return angle + angle * (square * (((((((((\
      -1.0::float8 / 121645100408832000::float8) * square + 1.0::float8 / 355687428096000::float8) \
      * square + -1.0::float8 / 1307674368000::float8) * square + 1.0::float8 / 6227020800::float8) \
      * square + -1.0::float8 / 39916800::float8) * square + 1.0::float8 / 362880::float8) \
      * square + -1.0::float8 / 5040::float8) * square + 1.0::float8 / 120::float8) \
      * square + -1.0::float8 / 6::float8)); end $$
      """,
      """
      create function \(table: "_cosine_series")(degrees double precision) \
      returns double precision \(functionAttributes) as $$ \
      declare angle double precision; square double precision; \
      begin if degrees < 1e-9 then return 1::float8; end if; \
      angle := degrees * 0.017453292519943295::float8; square := angle * angle; \
      return 1 + square * (((((((((-1.0::float8 / 6402373705728000::float8) * square \
      + 1.0::float8 / 20922789888000::float8) * square + -1.0::float8 / 87178291200::float8) \
      * square + 1.0::float8 / 479001600::float8) * square + -1.0::float8 / 3628800::float8) \
      * square + 1.0::float8 / 40320::float8) * square + -1.0::float8 / 720::float8) \
      * square + 1.0::float8 / 24::float8) * square + -1.0::float8 / 2::float8); end $$
      """,
      """
      create function \(table: "_sine")(degrees double precision) returns double precision \
      \(functionAttributes) as $$ \
      declare upper double precision := abs(degrees); sine double precision; \
      begin if upper > 90 then upper := 180 - upper; end if; \
      if upper <= 45 then sine := \(table: "_sine_series")(upper); \
      else sine := \(table: "_cosine_series")(90 - upper); end if; \
      if degrees < 0 then return -sine; end if; return sine; end $$
      """,
      """
      create function \(table: "_cosine")(degrees double precision) returns double precision \
      \(functionAttributes) as $$ \
      declare upper double precision := abs(degrees); cosine double precision; \
      begin if upper > 90 then upper := 180 - upper; end if; \
      if upper <= 45 then cosine := \(table: "_cosine_series")(upper); \
      else cosine := \(table: "_sine_series")(90 - upper); end if; \
      if abs(degrees) > 90 then return -cosine; end if; return cosine; end $$
      """,
      """
      create function \(table: distanceFunction)(latitude double precision, \
      longitude double precision, x double precision, y double precision, z double precision) \
      returns double precision \(functionAttributes)\(cost) as $$ \
      declare radius double precision := \(table: "_cosine")(latitude); \
      dx double precision := radius * \(table: "_cosine")(longitude) - x; \
      dy double precision := 0::float8; \
      dz double precision := \(table: "_sine")(latitude) - z; \
      begin if longitude <> 0 and radius <> 0 \
      then dy := radius * \(table: "_sine")(longitude); end if; \
      dy := dy - y; \
      if abs(dx) < 1e-150 then dx := 0::float8; end if; \
      if abs(dy) < 1e-150 then dy := 0::float8; end if; \
      if abs(dz) < 1e-150 then dz := 0::float8; end if; \
      return dx * dx + dy * dy + dz * dz; end $$
      """,
    ]

  /// The attributes in the definitions of the SQL functions.
  private static let functionAttributes: SQL =
    "language plpgsql immutable strict parallel safe"

  /// The `cost` clause of the distance function. The cost is about 300 times the cost of a
  /// comparison. So the planner tests the distance of a point last, after cheaper conditions such as
  /// its grid cell.
  private static let cost: SQL = " cost 300"
}
