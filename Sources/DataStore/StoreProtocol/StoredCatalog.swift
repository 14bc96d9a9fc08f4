package import DataModel

/// The schemas of a store, with their versions.
package struct StoredCatalog: Sendable {
  package var catalog: Catalog
  /// A number that increases with every change of a schema.
  package var version: Int64
  /// The versions of the schemas, in the order of `catalog.schemas`.
  private let schemaVersions: [Int64]

  /// Creates a stored catalog.
  ///
  /// - Parameter schemaVersions: The versions of the schemas, by name. A schema without a version
  ///   gets the version of the catalog, so every change of any schema counts as a change of this
  ///   schema.
  package init(
    _ catalog: Catalog, version: Int64, schemaVersions: [SchemaVersions.Entry] = []
  ) {
    self.catalog = catalog
    self.version = version
    var versions = Array(repeating: version, count: catalog.schemas.count)
    for entry in schemaVersions {
      if let index = catalog.index(of: entry.name) { versions[index] = entry.version }
    }
    self.schemaVersions = versions
  }

  /// Creates a catalog of the schemas that a store contains. Throws an error if they contradict each
  /// other, or if the store has no version, because then another program has changed its tables.
  package init(
    reading schemas: [Schema], version: Int64?, schemaVersions: [SchemaVersions.Entry],
    of store: String
  ) throws(DataError) {
    func damage(_ message: String) -> DataError {
      DataError(
        .storeDamaged, "\(store): \(message)",
        hint: "another program has changed the tables of the store: restore it from a backup")
    }
    guard let version else { throw damage("the table _meta is empty") }
    let catalog: Catalog
    do throws(DataError) {
      catalog = try Catalog(checking: schemas)
    } catch {
      let problem = error.problems[0]
      throw damage([problem.schema, problem.message].compactMap(\.self).joined(separator: ": "))
    }
    self.init(catalog, version: version, schemaVersions: schemaVersions)
  }

  /// Returns the versions of the schemas that a request for records of the given schemas depends
  /// on. These are the given schemas, all schemas that they refer to directly or indirectly, and
  /// all schemas that refer to them directly or indirectly.
  package func versions(concerning schemas: [Schema]) -> SchemaVersions {
    let targets = catalog.schemas.map { schema in
      schema.fields.compactMap { field in
        field.type.relation.flatMap { catalog.index(of: $0.target) }
      }
    }
    var referrers: [[Int]] = Array(repeating: [], count: targets.count)
    for (index, targets) in targets.enumerated() {
      for target in targets { referrers[target].append(index) }
    }
    let starts = schemas.compactMap { catalog.index(of: $0.name) }
    var isConcerned = Array(repeating: false, count: targets.count)
    for next in [targets, referrers] {
      var isReached = Array(repeating: false, count: targets.count)
      var open = starts
      while let index = open.popLast() {
        guard !isReached[index] else { continue }
        isReached[index] = true
        isConcerned[index] = true
        open += next[index]
      }
    }
    return SchemaVersions(
      catalog: version,
      schemas: isConcerned.indices.filter { isConcerned[$0] }.map { index in
        SchemaVersions.Entry(
          name: catalog.schemas[index].name, version: schemaVersions[index])
      })
  }

  /// Returns the versions of the schemas that a request for records of a schema depends on.
  package func versions(concerning schema: Schema) -> SchemaVersions {
    versions(concerning: [schema])
  }

  /// Throws `schemaChanged` if a schema that a request depends on has changed since the request was
  /// validated.
  package func check(_ versions: SchemaVersions, of schemas: [Schema]) throws(DataError) {
    guard
      versions.catalog == version || versions.schemas == self.versions(concerning: schemas).schemas
    else { throw .schemaChanged }
  }
}
