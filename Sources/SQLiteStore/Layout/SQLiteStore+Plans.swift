package import DataModel
package import DataStore

extension SQLiteStore {
  package func carryOut(_ plan: SchemaPlan, wait: WriteWait) async throws(DataError) {
    try checkWritable()
    let lock = try await WriteLock.taken(path, wait: wait)
    try lock.holding { () throws(DataError) in
      guard try isThere() else { return try create(with: plan, wait: wait) }
      let shared = try connection()
      // Tables that refer to each other can be dropped in any order then.
      try shared.value.enforcesReferences(false)
      defer { try? shared.value.enforcesReferences(true) }
      try shared.value.transaction(end: .commit, wait: wait) { (connection) throws(DataError) in
        try PlanRun(coding: coding).carryOut(plan, on: connection)
      }
    }
  }

  /// Makes the store with its first schemas under another name, and gives it its own when it is
  /// whole: nobody ever sees half a store.
  private func create(with plan: SchemaPlan, wait: WriteWait) throws(DataError) {
    for name in [path.unfinished, path.unfinished + "-journal", path.unfinished + "-wal"] {
      Platform.remove(name)
    }
    do throws(DataError) {
      let connection = try Connection.created(path)
      try connection.transaction(end: .commit, wait: wait) { (connection) throws(DataError) in
        for statement in OwnTables.making { try connection.run(statement) }
        try PlanRun(coding: coding).carryOut(plan, on: connection)
      }
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
