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
