import PostgresHarness

extension Place {
  /// A place whose store is a database of its own on the server of the test run.
  static func onPostgres() throws -> (place: Place, database: String) {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    return (try Place(store: server.address(database)), database)
  }
}
