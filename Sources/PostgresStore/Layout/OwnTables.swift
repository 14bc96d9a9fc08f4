import DataModel
import DataStore

/// The tables that datactl keeps for itself; no schema's name begins with an underscore.
enum OwnTables {
  /// The form of these tables; another one needs another datactl.
  static let format: Int64 = 1

  static let making: [SQL] =
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
    ] + functions + [TableLayout(.function).makingTable]

  /// What `SpherePoint` and `Degrees` do, operation by operation: PostgreSQL refuses a product that
  /// is too small for a double, and such angles make no difference.
  private static let functions: [SQL] = [
    """
    create function \(table: "_sine_series")(degrees double precision) returns double precision \
    language sql immutable strict parallel safe as $$ select case when degrees < 1e-100 then 0 \
    when degrees < 1e-9 then angle else angle + angle * (square * (((((((((\
    -1.0::float8 / 121645100408832000::float8) * square + 1.0::float8 / 355687428096000::float8) \
    * square + -1.0::float8 / 1307674368000::float8) * square + 1.0::float8 / 6227020800::float8) \
    * square + -1.0::float8 / 39916800::float8) * square + 1.0::float8 / 362880::float8) \
    * square + -1.0::float8 / 5040::float8) * square + 1.0::float8 / 120::float8) \
    * square + -1.0::float8 / 6::float8)) end from (select angle, angle * angle as square from \
    (select case when degrees < 1e-100 then 0 else degrees * 0.017453292519943295::float8 end \
    as angle) as a) as b $$
    """,
    """
    create function \(table: "_cosine_series")(degrees double precision) returns double precision \
    language sql immutable strict parallel safe as $$ select case when degrees < 1e-9 then 1 \
    else 1 + square * (((((((((-1.0::float8 / 6402373705728000::float8) * square \
    + 1.0::float8 / 20922789888000::float8) * square + -1.0::float8 / 87178291200::float8) \
    * square + 1.0::float8 / 479001600::float8) * square + -1.0::float8 / 3628800::float8) \
    * square + 1.0::float8 / 40320::float8) * square + -1.0::float8 / 720::float8) \
    * square + 1.0::float8 / 24::float8) * square + -1.0::float8 / 2::float8) end \
    from (select case when degrees < 1e-9 then 0 else (degrees * 0.017453292519943295::float8) \
    * (degrees * 0.017453292519943295::float8) end as square) as a $$
    """,
    """
    create function \(table: "_sine")(degrees double precision) returns double precision \
    language sql immutable strict parallel safe as $$ select case when degrees < 0 then -sine \
    else sine end from (select case when upper <= 45 then \(table: "_sine_series")(upper) \
    else \(table: "_cosine_series")(90 - upper) end as sine from (select case when abs(degrees) > 90 \
    then 180 - abs(degrees) else abs(degrees) end as upper) as a) as b $$
    """,
    """
    create function \(table: "_cosine")(degrees double precision) returns double precision \
    language sql immutable strict parallel safe as $$ select case when abs(degrees) > 90 \
    then -cosine else cosine end from (select case when upper <= 45 \
    then \(table: "_cosine_series")(upper) else \(table: "_sine_series")(90 - upper) end as cosine \
    from (select case when abs(degrees) > 90 then 180 - abs(degrees) else abs(degrees) end \
    as upper) as a) as b $$
    """,
    """
    create function \(table: "_squared_chord")(latitude double precision, \
    longitude double precision, x double precision, y double precision, z double precision) \
    returns double precision language sql immutable strict parallel safe as $$ \
    select case when abs(dx) < 1e-150 then 0 else dx * dx end + case when abs(dy) < 1e-150 then 0 \
    else dy * dy end + case when abs(dz) < 1e-150 then 0 else dz * dz end from \
    (select radius * \(table: "_cosine")(longitude) - x as dx, \
    case when longitude = 0 or radius = 0 then 0 \
    else radius * \(table: "_sine")(longitude) end - y as dy, sine - z as dz \
    from (select \(table: "_cosine")(latitude) as radius, \(table: "_sine")(latitude) as sine) \
    as a) as b $$
    """,
  ]
}
