package import DataModel
package import DataStore

extension PostgresStore {
  package func catalog() throws(DataError) -> StoredCatalog {
    do throws(DataError) {
      let stored = try ask { [coding] (connection) throws(DataError) in
        try connection.catalog(coding)
      }
      known = stored
      return stored
    } catch {
      guard error.code == .storeNotFound, access == .writing else { throw error }
      return StoredCatalog(Catalog(), version: 0)
    }
  }

  package func schema(named name: String) throws(DataError) -> Schema? {
    do throws(DataError) {
      return try ask { [coding] (connection) throws(DataError) in
        try connection.schema(named: name, coding)
      }
    } catch {
      guard error.code == .storeNotFound, access == .writing else { throw error }
      return nil
    }
  }

  package func carryOut(_ request: PlanRequest) async throws(DataError) {
    try await write(wait: request.wait, end: request.end) {
      [coding] (connection) throws(DataError) in
      try PlanRun(request, coding).carryOut(on: connection)
    }
  }

  package func log() throws(DataError) -> [AppliedPlan] {
    do throws(DataError) {
      return try ask { (connection) throws(DataError) in try connection.log() }
    } catch {
      guard error.code == .storeNotFound, access == .writing else { throw error }
      return []
    }
  }
}
