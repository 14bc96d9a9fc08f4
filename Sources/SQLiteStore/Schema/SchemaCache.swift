import DataModel
import DataStore

extension Connection {
  /// Reads all schemas and their versions in one statement, so that they are consistent.
  ///
  /// The columns of `_schema` are selected with `*`, because a store of format 1 has no column
  /// `version`.
  func catalog(_ coding: SchemaCoding) throws(DataError) -> StoredCatalog {
    let statement = try Statement(
      "select catalog_version, _schema.* from _meta left join _schema on true", on: self)
    var version: Int64?
    var schemas: [Schema] = []
    var versions: [SchemaVersions.Entry] = []
    while try statement.step() {
      version = statement.integer(0)
      guard let name = statement.text(1), let definition = statement.bytes(2) else { continue }
      schemas.append(try decode(definition, of: name, coding))
      if statement.columnCount > 3 {
        versions.append(SchemaVersions.Entry(name: name, version: statement.integer(3)))
      }
    }
    return try StoredCatalog(
      reading: schemas, version: version, schemaVersions: versions, of: store)
  }

  /// Returns the schema with the given name, or nil if it does not exist. No other schemas are
  /// read.
  func schema(named name: String, _ coding: SchemaCoding) throws(DataError) -> Schema? {
    let statement = try Statement(
      "select definition from _schema where name = \(.text(name))", on: self)
    guard try statement.step(), let definition = statement.bytes(0) else { return nil }
    return try decode(definition, of: name, coding)
  }

  /// Decodes the stored definition of a schema.
  fileprivate func decode(
    _ definition: [UInt8], of name: String, _ coding: SchemaCoding
  ) throws(DataError) -> Schema {
    // Another program may have changed the format after the connection was opened.
    try coding.decode(
      definition, of: name, in: store, format: (try? integer("pragma user_version")) ?? format)
  }

  /// Returns the catalog. If `cachedCatalog` still has the current version, returns it without
  /// reading the schemas.
  ///
  /// - Throws: `DataError.schemaChanged` if a schema that the request depends on has changed since
  ///   the request was validated.
  func catalog(
    for schemas: [Schema], validatedAgainst versions: SchemaVersions, cachedCatalog: StoredCatalog?,
    _ coding: SchemaCoding
  ) throws(DataError) -> StoredCatalog {
    var cache = try SchemaCache(on: self, coding, previous: cachedCatalog)
    let stored = try cache.all(on: self)
    try stored.check(versions, of: schemas)
    return stored
  }
}

/// The schemas as one transaction sees them. They are read only when a query needs them: reading
/// all schemas would make short commands slower, and a query that follows no relation needs only
/// its own schema.
struct SchemaCache: Sendable {
  private let coding: SchemaCoding
  private let version: Int64
  /// The whole catalog, or nil before it has been read.
  private(set) var loaded: StoredCatalog?

  /// Creates a cache.
  ///
  /// - Parameter previous: The catalog that was read most recently. If its version is still
  ///   current, the cache uses it, and does not read the catalog again.
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

  /// Returns a catalog with the schemas that are needed to compile a query, besides `schema`
  /// itself. If the query follows no relation, no other schema is needed, and the catalog may be
  /// empty.
  ///
  /// - Parameter asked: The schema versions that the query was validated against.
  /// - Throws: `DataError.schemaChanged` if `schema`, or another schema in `asked`, has changed.
  mutating func catalog(
    for schema: Schema, validatedAgainst asked: SchemaVersions?, followsRelations: Bool,
    on connection: borrowing Connection
  ) throws(DataError) -> Catalog {
    if let asked, asked.catalog != version { try all(on: connection).check(asked, of: [schema]) }
    if !followsRelations && loaded == nil {
      if asked == nil, try !isStored(schema, on: connection) { throw .schemaChanged }
      return Catalog()
    }
    let stored = try all(on: connection)
    guard stored.catalog[schema.name] == schema else { throw .schemaChanged }
    return stored.catalog
  }

  /// Returns whether the stored schema equals the given schema. The encoded schemas are compared
  /// first. They are usually equal, so the stored schema rarely has to be decoded.
  private func isStored(
    _ schema: Schema, on connection: borrowing Connection
  ) throws(DataError) -> Bool {
    let statement = try Statement(
      "select definition from _schema where name = \(.text(schema.name))", on: connection)
    guard try statement.step(), let definition = statement.bytes(0) else { return false }
    if definition == coding.encode(schema) { return true }
    return try connection.decode(definition, of: schema.name, coding) == schema
  }
}
