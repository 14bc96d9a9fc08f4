package import DataModel
package import DataStore

extension SQLiteStore {
  package func snapshot() throws(DataError) -> any StoreReader {
    try snapshot(endsTransaction: false)
  }

  private func snapshot(endsTransaction: Bool) throws(DataError) -> SQLiteSnapshot {
    try SQLiteSnapshot(
      of: path, coding, previous: cachedCatalog, endsTransaction: endsTransaction, by: executor)
  }

  package func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) throws(DataError) -> FoundRecords {
    try readOnce { (connection) throws(DataError) in
      // One record is one statement; several need a transaction to be consistent.
      guard ids.count > 1 else { return try connection.find(ids, in: schema, slots: slots) }
      return try connection.reading { (connection) throws(DataError) in
        try connection.find(ids, in: schema, slots: slots)
      }
    }
  }

  package func records(_ query: Query) async throws(DataError) -> any RecordStream {
    try await snapshot(endsTransaction: true).records(query)
  }

  package func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream {
    try await snapshot(endsTransaction: true).groups(query)
  }

  package func count(_ query: Query) throws(DataError) -> Int {
    try read(query) { (connection, catalog) throws(DataError) in
      try connection.count(query, in: catalog)
    }
  }

  package func explain(_ query: Query) throws(DataError) -> Explanation {
    try read(query) { (connection, catalog) throws(DataError) in
      try connection.explain(query, in: catalog)
    }
  }

  /// Runs a closure in a read transaction, with the catalog that the query needs.
  func read<Result>(
    _ query: Query, _ body: (borrowing Connection, Catalog) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    try connection().value.reading { (connection) throws(DataError) in
      var schemas = try SchemaCache(on: connection, coding, previous: cachedCatalog)
      let catalog = try schemas.catalog(
        for: query.schema, version: query.catalogVersion,
        followsRelations: query.followsRelations, on: connection)
      cachedCatalog = schemas.loaded
      return try body(connection, catalog)
    }
  }
}
