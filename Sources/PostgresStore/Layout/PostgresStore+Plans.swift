package import DataModel
package import DataStore

extension PostgresStore {
  package func catalog() throws(DataError) -> StoredCatalog {
    let stored = try withExistingStore { [coding] (connection) throws(DataError) in
      try connection.catalog(coding)
    }
    cachedCatalog = stored
    return stored ?? StoredCatalog(Catalog(), version: 0)
  }

  package func schema(named name: String) throws(DataError) -> Schema? {
    let schema = try withExistingStore { [coding] (connection) throws(DataError) in
      try connection.schema(named: name, coding)
    }
    return schema ?? nil
  }

  package func apply(_ request: PlanRequest) async throws(DataError) {
    var isTooWide = false
    do throws(DataError) {
      try await write(wait: request.wait, .backOff, end: request.end) {
        [coding] (connection) throws(DataError) in
        defer { isTooWide = connection.failure == .tooWide }
        try connection.checkColumns(for: request.plan)
        try PlanExecutor(request, coding).execute(on: connection)
      }
    } catch {
      guard isTooWide else { throw error }
      throw tooWide(request.plan)
    }
  }

  /// Returns the error for a plan after which a record would have more values than fit into a page.
  /// The server does not report which record, so the error names the widest one.
  private func tooWide(_ plan: SchemaPlan) -> DataError {
    let changed = plan.stages.compactMap { stage in
      if case .change(let alteration) = stage { alteration } else { nil as Alteration? }
    }
    guard changed.count == 1 else { return .tooWide(.incompatibleData) }
    let widest = try? probe { (connection) throws(DataError) in
      try connection.widest(of: TableLayout(changed[0].from))
    }
    return .tooWide(.incompatibleData, changed[0].to, widest: widest)
  }

  package func log() throws(DataError) -> [AppliedPlan] {
    try withExistingStore { (connection) throws(DataError) in try connection.log() } ?? []
  }

  /// Runs a query on the store, or returns nil if the store does not exist and the first plan would
  /// create it.
  private func withExistingStore<Result>(
    _ body: (Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result? {
    do throws(DataError) {
      return try withConnection(body)
    } catch {
      // Another program has created the store since it was checked.
      if error.code == .schemaChanged { return try withConnection(body) }
      guard error.code == .storeNotFound, access == .writing else { throw error }
      return nil
    }
  }
}
