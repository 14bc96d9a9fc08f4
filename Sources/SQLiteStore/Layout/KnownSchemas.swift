import DataModel
import DataStore

/// The schemas of one transaction, read only as far as queries need them.
///
/// Each schema that is read adds to the time of a short command. A query that follows no relation
/// needs only its own schema.
struct SchemaCache: Sendable {
  private let coding: SchemaCoding
  private let version: Int64
  /// The whole catalog, once it has been read.
  private(set) var loaded: StoredCatalog?

  /// Starts with a catalog that was read before, if its version is still current.
  init(
    on connection: borrowing Connection, _ coding: SchemaCoding, previous: StoredCatalog?
  ) throws(DataError) {
    self.coding = coding
    version = try connection.integer("select catalog_version from _meta") ?? 0
    loaded = previous?.version == version ? previous : nil
  }

  /// The whole catalog.
  mutating func all(on connection: borrowing Connection) throws(DataError) -> StoredCatalog {
    if let loaded { return loaded }
    let stored = try connection.catalog(coding)
    loaded = stored
    return stored
  }

  /// Returns the catalog that a query needs. It may be empty if the query follows no relation.
  ///
  /// - Throws: `DataError.schemaChanged` if the query was checked against another version.
  mutating func catalog(
    for schema: Schema, version asked: Int64?, followsRelations: Bool,
    on connection: borrowing Connection
  ) throws(DataError) -> Catalog {
    if let asked, asked != version { throw .schemaChanged }
    if !followsRelations && loaded == nil {
      if asked == nil, try !isStored(schema, on: connection) { throw .schemaChanged }
      return Catalog()
    }
    let stored = try all(on: connection)
    guard stored.catalog[schema.name] == schema else { throw .schemaChanged }
    return stored.catalog
  }

  /// Whether the store has the schema. The encoded text is mostly equal and need not be decoded.
  private func isStored(
    _ schema: Schema, on connection: borrowing Connection
  ) throws(DataError) -> Bool {
    let statement = try Statement(
      "select definition from _schema where name = \(.text(schema.name))", on: connection)
    guard try statement.step(), let definition = statement.bytes(0) else { return false }
    if definition == coding.encode(schema) { return true }
    return try coding.decode(definition) == schema
  }
}
