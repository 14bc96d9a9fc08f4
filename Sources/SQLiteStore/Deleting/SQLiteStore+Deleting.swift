package import DataModel
package import DataStore

extension SQLiteStore {
  package func delete(_ request: DeleteRequest) async throws(DataError) -> DeleteSummary {
    try await write(wait: request.wait, end: request.end) {
      [coding, cachedCatalog] (connection) throws(DataError) in
      let catalog = try connection.catalog(
        request.catalogVersion, cachedCatalog: cachedCatalog, coding)
      return try Deletion(request, catalog: catalog).run(on: connection)
    }
  }
}
