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

  package func carryOut(
    _ plan: SchemaPlan, end: SaveRequest.End, wait: WriteWait
  ) async throws(DataError) {
    try await write(wait: wait, end: end) { [coding, namespace] (connection) throws(DataError) in
      if try !connection.isStore() {
        connection.later("create schema if not exists \(name: namespace)")
        for statement in OwnTables.making { connection.later(statement) }
      }
      try PlanRun(coding: coding, connection: connection).carryOut(plan)
    }
  }
}
