import PostgresHarness

extension TestFolder {
  /// Creates a test folder whose store is a new database on the shared server.
  static func onPostgres() throws -> (folder: TestFolder, database: String) {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    return (try TestFolder(store: server.address(database)), database)
  }
}
