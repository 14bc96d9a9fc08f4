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
    try await write(wait: request.wait, .steppingBack, end: request.end) {
      [coding] (connection) throws(DataError) in
      try connection.checkColumns(for: request.plan)
      do throws(DataError) {
        try PlanRun(coding: coding, request: request, connection: connection).carryOut()
      } catch {
        throw connection.failure == .tooWide ? .tooWide(request.plan) : error
      }
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

extension Connection {
  fileprivate func log() throws(DataError) -> [AppliedPlan] {
    let answer = try run(
      """
      select time, \(name: "user"), program, steps from \(table: "_changes") order by number
      """)
    return (0..<answer.count).map { row in
      AppliedPlan(
        time: answer.time(row, 0) ?? .earliest,
        user: answer.text(row, 1), program: answer.text(row, 2) ?? "",
        steps: answer.text(row, 3) ?? "[]")
    }
  }

  /// Writes into the log that a plan was carried out.
  func addToLog(_ plan: AppliedPlan) {
    later(
      """
      insert into \(table: "_changes") (number, time, \(name: "user"), program, steps) select \
      coalesce(max(number), 0) + 1, \(.datetime(plan.time)), \
      \(plan.user.map(Value.text) ?? .null)::text, \(.text(plan.program)), \(.text(plan.steps)) \
      from \(table: "_changes")
      """)
  }
}
