import CSQLite
package import DataModel
package import DataStore

extension SQLiteStore {
  package func carryOut(
    _ plan: SchemaPlan, end: SaveRequest.End, wait: WriteWait
  ) async throws(DataError) {
    try checkWritable()
    if try !isThere() {
      try checkFolder()
      switch end {
      case .commit: break
      case .rollBack: return try rehearse(plan, wait: wait)
      }
    }
    let lock = try await WriteLock.taken(path, wait: wait)
    try lock.holding { () throws(DataError) in
      guard try isThere() else { return try create(with: plan, wait: wait) }
      let shared = try connection()
      // Tables that refer to each other can be dropped in any order then.
      try shared.value.enforcesReferences(false)
      defer { try? shared.value.enforcesReferences(true) }
      try shared.value.transaction(end: end, wait: wait) { (connection) throws(DataError) in
        try PlanRun(coding: coding).carryOut(plan, on: connection)
      }
    }
  }

  /// Refuses to make a store where it could not stand, before anything is made beside it.
  func checkFolder() throws(DataError) {
    guard try Platform.kind(of: path.folder) == .folder else {
      throw DataError(
        .storeUnreachable, "\(path.given): the folder \(path.folder) is not there",
        hint: "make the folder first")
    }
    guard Platform.isWritable(path.folder) else { throw .readOnly(path.given) }
  }

  /// Carries a plan out on a store that never reaches the disk.
  private func rehearse(_ plan: SchemaPlan, wait: WriteWait) throws(DataError) {
    try make(plan, on: try Connection.inMemory(of: path), wait: wait)
  }

  private func make(
    _ plan: SchemaPlan, on connection: borrowing Connection, wait: WriteWait
  ) throws(DataError) {
    try connection.transaction(end: .commit, wait: wait) { (connection) throws(DataError) in
      for statement in OwnTables.making { try connection.run(statement) }
      try PlanRun(coding: coding).carryOut(plan, on: connection)
    }
  }

  private func create(with plan: SchemaPlan, wait: WriteWait) throws(DataError) {
    try create { (connection) throws(DataError) in
      try make(plan, on: connection, wait: wait)
    }
  }

  /// Makes the store with its first content under another name, and gives it its own when it is
  /// whole: nobody ever sees half a store.
  func create(
    _ fill: (borrowing Connection) throws(DataError) -> Void
  ) throws(DataError) {
    for name in [path.unfinished, path.unfinished + "-journal", path.unfinished + "-wal"] {
      Platform.remove(name)
    }
    do throws(DataError) {
      let connection = try Connection.created(path)
      try fill(connection)
      guard try connection.hasRow("pragma journal_mode = wal") else {
        throw .readOnly(path.given)
      }
    } catch {
      Platform.remove(path.unfinished)
      throw error
    }
    try Platform.publish(path.unfinished, as: path.name, in: path.folder)
  }
}
