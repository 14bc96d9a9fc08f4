/// The versions of the schemas that a request was validated against. The store rejects the request
/// if it depends on a schema that has changed since.
package struct SchemaVersions: Hashable, Sendable {
  /// The version of a schema: the version that the catalog had after the most recent change to the
  /// schema.
  package struct Entry: Hashable, Sendable {
    package var name: String
    package var version: Int64

    package init(name: String, version: Int64) {
      self.name = name
      self.version = version
    }
  }

  /// The version of the catalog when the request was validated. If the store still has this
  /// version, no schema has changed.
  package var catalog: Int64
  /// The versions of the schemas that the request depends on, sorted by name.
  package var schemas: [Entry]

  package init(catalog: Int64, schemas: [Entry] = []) {
    self.catalog = catalog
    self.schemas = schemas
  }
}
