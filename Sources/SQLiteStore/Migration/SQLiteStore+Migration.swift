import CSQLite
package import DataModel
package import DataStore
import Platform

extension SQLiteStore {
  package func apply(_ request: PlanRequest) async throws(DataError) {
    try checkWritable()
    if try !exists() {
      try checkFolder()
      switch request.end {
      case .commit: break
      case .rollBack: return try dryRun(request)
      }
    }
    let lock = try await WriteLock.acquired(path, wait: request.wait, alarm: alarm)
    try lock.withLock { () throws(DataError) in
      guard try exists() else { return try create(with: request) }
      let shared = try connection()
      // With foreign keys off, tables that refer to each other can be dropped in any order.
      try shared.value.enableForeignKeys(false)
      try shared.value.enableViews(true)
      defer {
        try? shared.value.enableForeignKeys(true)
        try? shared.value.enableViews(false)
      }
      do throws(DataError) {
        try shared.value.transaction(end: request.end, wait: request.wait) {
          (connection) throws(DataError) in
          try PlanExecutor(request, coding).execute(on: connection)
        }
      } catch {
        throw shared.value.diagnosed(planError: error, coding)
      }
    }
  }

  package func log() throws(DataError) -> [AppliedPlan] {
    guard try exists() || access != .writing(creates: true) else { return [] }
    let shared = try connection()
    let hasLog = try shared.value.hasRow("select 1 from sqlite_schema where name = '_changes'")
    return hasLog ? try shared.value.log() : []
  }

  /// Throws an error if the folder of a new store does not exist or is not writable. Call this
  /// before a file is created in the folder.
  func checkFolder() throws(DataError) {
    guard try StoreFile.kind(of: path.folder) == .folder else {
      throw DataError(
        .storeUnreachable, "\(path.given): the folder \(path.folder) does not exist",
        hint: "create the folder first")
    }
    if let error = FileSystem.writeError(path.folder) {
      if error.isNotPermitted { throw .readOnly(path.given) }
      throw DataError(.storeUnreachable, "\(path.given): cannot be created: \(error.text)")
    }
  }

  /// Executes a migration plan on a new in-memory store. This is the dry run of a plan that would
  /// create the store.
  private func dryRun(_ request: PlanRequest) throws(DataError) {
    try make(request, on: try Connection.inMemory(of: path, alarm: alarm))
  }

  private func make(
    _ request: PlanRequest, on connection: borrowing Connection
  ) throws(DataError) {
    try connection.transaction(end: .commit, wait: request.wait) {
      (connection) throws(DataError) in
      for statement in InternalTables.creationSQL { try connection.run(statement) }
      try PlanExecutor(request, coding).execute(on: connection)
    }
  }

  private func create(with request: PlanRequest) throws(DataError) {
    do throws(DataError) {
      let connection = try unfinished()
      try make(request, on: connection)
      do throws(DataError) {
        try connection.enableWAL()
      } catch {
        throw error.rolledBack()
      }
    } catch {
      discardUnfinished()
      throw error
    }
    do throws(DataError) {
      try publish()
    } catch {
      discardUnfinished()
      throw error.rolledBack()
    }
  }

  /// Creates the database of a new store under a temporary name, so that other processes never see
  /// a partial store.
  func unfinished() throws(DataError) -> Connection {
    discardUnfinished()
    do throws(DataError) {
      return try Connection.created(path, alarm: alarm)
    } catch {
      discardUnfinished()
      throw error.rolledBack()
    }
  }

  /// Removes the incomplete database of a new store. The connection to it must be closed.
  func discardUnfinished() { StoreFile.removeUnfinished(path) }

  /// Renames the complete database of a new store from its temporary name to its final name. The
  /// connection to the database must be closed.
  func publish() throws(DataError) {
    try CommitStage.report(commitListener) { () throws(DataError) in
      try StoreFile.publish(path)
    }
  }
}

extension SQLiteStore {
  /// Returns the SQL text of the statements that create the tables and indexes for the schemas.
  package static func definition(of schemas: [Schema]) -> String {
    schemas.map { schema in
      TableLayout(schema).creationSQL(separator: ",\n  ").map { RenderedSQL($0).text + ";\n" }
        .joined()
    }.joined(separator: "\n")
  }
}
