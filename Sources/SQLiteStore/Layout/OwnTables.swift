import DataModel
import DataStore

/// The internal tables of a store. Names of schemas cannot begin with an underscore.
enum InternalTables {
  static let creationSQL: [SQL] = [
    "create table _meta (catalog_version integer not null) strict",
    "insert into _meta values (0)",
    """
    create table _schema (name text not null primary key, definition text not null) \
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
    "create index _session_user on _session (user)",
    TableLayout(.function).tableCreationSQL,
  ]
}
