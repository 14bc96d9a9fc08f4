import DataModel
import DataStore

/// The schemas as one transaction has them, read as far as questions need them.
///
/// A short command pays for each schema that is read: a question that follows no relation does
/// without those of others.
struct KnownSchemas: Sendable {
  private let coding: SchemaCoding
  private let version: Int64
  /// All of them, once they were read.
  private(set) var loaded: StoredCatalog?

  /// Begins with those that were read before, if they are still the same.
  init(
    on connection: borrowing Connection, _ coding: SchemaCoding, before: StoredCatalog?
  ) throws(DataError) {
    self.coding = coding
    version = try connection.integer("select catalog_version from _meta") ?? 0
    loaded = before?.version == version ? before : nil
  }

  /// All of them.
  mutating func all(on connection: borrowing Connection) throws(DataError) -> StoredCatalog {
    if let loaded { return loaded }
    let stored = try connection.catalog(coding)
    loaded = stored
    return stored
  }

  /// Those by which a question about records of a schema is answered; one that was made by other
  /// schemas is refused.
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

  /// Whether the store has the schema: mostly its text is the same, and need not be read.
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
