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

  /// Reads one schema without reading the others.
  func schema(named name: String, _ coding: SchemaCoding) throws(DataError) -> Schema? {
    let statement = try Statement(
      "select definition from _schema where name = \(.text(name))", on: self)
    guard try statement.step(), let definition = statement.bytes(0) else { return nil }
    return try coding.decode(definition, of: name, in: store)
  }

  /// Returns the catalog of a version, from `cachedCatalog` if that is the same version.
  ///
  /// - Throws: `DataError.schemaChanged` if the store has another version.
  func catalog(
    _ version: Int64, cachedCatalog: StoredCatalog?, _ coding: SchemaCoding
  ) throws(DataError) -> Catalog {
    try checkCatalog(version: version)
    if let cachedCatalog, cachedCatalog.version == version { return cachedCatalog.catalog }
    return try catalog(coding).catalog
  }

  /// Throws if the catalog has changed since the command read it.
  func checkCatalog(version: Int64) throws(DataError) {
    guard try integer("select catalog_version from _meta") == version else {
      throw .schemaChanged
    }
  }
}

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
