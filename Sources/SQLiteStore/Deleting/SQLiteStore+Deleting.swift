package import DataModel
package import DataStore

extension SQLiteStore {
  package func delete(_ request: DeleteRequest) async throws(DataError) -> DeleteSummary {
    try await write(wait: request.wait, end: request.end) {
      [coding] (connection) throws(DataError) in
      let stored = try connection.catalog(coding)
      guard stored.version == request.catalogVersion else {
        throw .schemaChanged
      }
      return try Deletion(request, catalog: stored.catalog).run(on: connection)
    }
  }
}
