package import DataModel
package import DataStore

extension PostgresStore {
  package func delete(_ request: DeleteRequest) async throws(DataError) -> DeleteSummary {
    try await write(wait: request.wait, end: request.end, to: request.schema) {
      [coding] (connection) throws(DataError) in
      connection.lockSchema(request.schema)
      let stored = try connection.catalog(coding)
      guard stored.version == request.catalogVersion else { throw .schemaChanged }
      return try Deletion(request, catalog: stored.catalog).run(on: connection)
    }
  }
}

extension Connection {
  /// Locks the schema of records against changes until the transaction ends; plans that change it
  /// wait.
  func lockSchema(_ schema: Schema) {
    switch engine {
    case .postgres: enqueue("lock table \(TableLayout(schema).table) in row exclusive mode")
    case .citus, .cockroach, .yugabyte:
      enqueue("select 1 from \(table: "_schema") where name = \(.text(schema.name)) for share")
    }
  }
}
