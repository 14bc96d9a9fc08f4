import PostgresHarness

extension Place {
  /// Creates a test folder whose store is a new database on the shared server.
  static func onPostgres() throws -> (place: Place, database: String) {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    return (try Place(store: server.address(database)), database)
  }
}
