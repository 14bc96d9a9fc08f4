import DataModel
import DataStore

extension Connection {
  /// Reads all schemas and the catalog version in one statement, so that they are consistent.
  func catalog(_ coding: SchemaCoding) throws(DataError) -> StoredCatalog {
    let statement = try Statement(
      """
      select catalog_version, null, null from _meta \
      union all select null, definition, name from _schema
      """, on: self)
    var version: Int64 = 0
    var schemas: [Schema] = []
    while try statement.step() {
      if let definition = statement.bytes(1) {
        schemas.append(try coding.decode(definition, of: statement.text(2) ?? "", in: store))
      } else {
        version = statement.integer(0)
      }
    }
    return StoredCatalog(try Catalog(checking: schemas), version: version)
  }

  /// Returns the schema with the given name, or nil if it does not exist. No other schema is read.
  func schema(named name: String, _ coding: SchemaCoding) throws(DataError) -> Schema? {
    let statement = try Statement(
      "select definition from _schema where name = \(.text(name))", on: self)
    guard try statement.step(), let definition = statement.bytes(0) else { return nil }
    return try coding.decode(definition, of: name, in: store)
  }

  /// Returns the catalog, which must have the given version. If `cachedCatalog` has that version,
  /// it is returned and nothing is read.
  ///
  /// - Throws: `DataError.schemaChanged` if the store has another version.
  func catalog(
    _ version: Int64, cachedCatalog: StoredCatalog?, _ coding: SchemaCoding
  ) throws(DataError) -> Catalog {
    try checkCatalog(version: version)
    if let cachedCatalog, cachedCatalog.version == version { return cachedCatalog.catalog }
    return try catalog(coding).catalog
  }

  /// Throws an error if the store's catalog version is not the given version, because another
  /// process has changed schemas.
  func checkCatalog(version: Int64) throws(DataError) {
    guard try integer("select catalog_version from _meta") == version else {
      throw .schemaChanged
    }
  }
}

/// The schemas that are current in one transaction, read only when a query needs them.
///
/// Reading all schemas would make short commands slower, and a query that follows no relation needs
/// only its own schema.
struct SchemaCache: Sendable {
  private let coding: SchemaCoding
  private let version: Int64
  /// The whole catalog, or nil before it has been read.
  private(set) var loaded: StoredCatalog?

  /// Creates a cache. If `previous` has the current catalog version, it is used and the catalog is
  /// not read again.
  init(
    on connection: borrowing Connection, _ coding: SchemaCoding, previous: StoredCatalog?
  ) throws(DataError) {
    self.coding = coding
    version = try connection.integer("select catalog_version from _meta") ?? 0
    loaded = previous?.version == version ? previous : nil
  }

  /// Returns the whole catalog, and reads it if needed.
  mutating func all(on connection: borrowing Connection) throws(DataError) -> StoredCatalog {
    if let loaded { return loaded }
    let stored = try connection.catalog(coding)
    loaded = stored
    return stored
  }

  /// Returns a catalog for compiling a query. If the query follows no relation, the catalog may be
  /// empty, because only the schema of the query is needed.
  ///
  /// - Throws: `DataError.schemaChanged` if `asked`, the catalog version that the query was checked
  ///   against, or `schema` is no longer current.
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

  /// Returns whether the store contains the same schema. The encoded schemas are compared first:
  /// they are usually equal, so the stored one need not be decoded.
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
