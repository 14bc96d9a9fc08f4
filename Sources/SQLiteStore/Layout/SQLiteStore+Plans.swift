import CSQLite
package import DataModel
package import DataStore

extension SQLiteStore {
  package func carryOut(_ request: PlanRequest) async throws(DataError) {
    try checkWritable()
    if try !isThere() {
      try checkFolder()
      switch request.end {
      case .commit: break
      case .rollBack: return try rehearse(request)
      }
    }
    let lock = try await WriteLock.taken(path, wait: request.wait)
    try lock.holding { () throws(DataError) in
      guard try isThere() else { return try create(with: request) }
      let shared = try connection()
      // Tables that refer to each other can be dropped in any order then.
      try shared.value.enforcesReferences(false)
      try shared.value.looksIntoViews(true)
      defer {
        try? shared.value.enforcesReferences(true)
        try? shared.value.looksIntoViews(false)
      }
      try shared.value.transaction(end: request.end, wait: request.wait) {
        (connection) throws(DataError) in
        try PlanRun(coding: coding, request: request).carryOut(on: connection)
      }
    }
  }

  /// Refuses to make a store where it could not stand, before anything is made beside it.
  private func checkFolder() throws(DataError) {
    guard try Platform.kind(of: path.folder) == .folder else {
      throw DataError(
        .storeUnreachable, "\(path.given): the folder \(path.folder) is not there",
        hint: "make the folder first")
    }
    guard Platform.isWritable(path.folder) else { throw .readOnly(path.given) }
  }

  /// Carries a plan out on a store that never reaches the disk.
  private func rehearse(_ request: PlanRequest) throws(DataError) {
    let connection = try Connection(
      name: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, store: path.given)
    try make(request, on: connection)
  }

  private func make(
    _ request: PlanRequest, on connection: borrowing Connection
  ) throws(DataError) {
    try connection.transaction(end: .commit, wait: request.wait) {
      (connection) throws(DataError) in
      for statement in OwnTables.making { try connection.run(statement) }
      try PlanRun(coding: coding, request: request).carryOut(on: connection)
    }
  }

  /// Makes the store with its first schemas under another name, and gives it its own when it is
  /// whole: nobody ever sees half a store.
  private func create(with request: PlanRequest) throws(DataError) {
    for name in [path.unfinished, path.unfinished + "-journal", path.unfinished + "-wal"] {
      Platform.remove(name)
    }
    do throws(DataError) {
      let connection = try Connection.created(path)
      try make(request, on: connection)
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
