package import DataModel
package import DataStore

extension SQLiteStore {
  package func delete(_ request: DeleteRequest) async throws(DataError) -> DeleteSummary {
    try await write(wait: request.wait, end: request.end) {
      [coding, known] (connection) throws(DataError) in
      let catalog = try connection.catalog(request.catalogVersion, known: known, coding)
      return try Deletion(request, catalog: catalog).run(on: connection)
    }
  }
}
