package import DataModel
internal import PostgresStore
internal import SQLiteStore

/// The engines that keep records in tables.
package enum TableEngine: String, CaseIterable, Sendable {
  case sqlite
  case postgres

  /// The engine of the store at an address; nil if it keeps no tables that one could reach.
  package init?(of address: StoreAddress) {
    switch address.kind {
    case .file: self = .sqlite
    case .cluster: self = .postgres
    case .memory, .server: return nil
    }
  }

  /// The statements by which the engine makes the tables and indexes of schemas.
  package func definition(of schemas: [Schema]) -> String {
    switch self {
    case .sqlite: return SQLiteStore.definition(of: schemas)
    case .postgres: return PostgresStore.definition(of: schemas)
    }
  }
}
