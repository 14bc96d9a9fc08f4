package import DataModel
internal import PostgresStore
internal import SQLiteStore

/// The SQL engines that store records in tables.
package enum TableEngine: String, CaseIterable, Sendable {
  case sqlite
  case postgres

  /// Creates the engine of the store at the given address. Returns nil for a temporary store and for
  /// a server, because no other program can use their tables.
  package init?(of address: StoreAddress) {
    switch address.kind {
    case .file: self = .sqlite
    case .postgres: self = .postgres
    case .memory, .server: return nil
    }
  }

  /// Returns the `CREATE` statements for the tables and indexes of the given schemas.
  package func definition(of schemas: [Schema]) -> String {
    switch self {
    case .sqlite: return SQLiteStore.definition(of: schemas)
    case .postgres: return PostgresStore.definition(of: schemas)
    }
  }
}
