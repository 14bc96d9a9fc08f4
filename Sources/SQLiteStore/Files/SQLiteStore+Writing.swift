import CSQLite
import DataModel
import DataStore

extension SQLiteStore {
  /// Does what changes the store: under the lock, in one transaction, all of it or nothing.
  func write<Result>(
    wait: WriteWait, end: SaveRequest.End = .commit,
    _ body: (borrowing Connection) throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    try checkWritable()
    let lock = try await WriteLock.taken(path, wait: wait)
    let shared = try connection()
    return try lock.holding { () throws(DataError) in
      try shared.value.transaction(end: end, wait: wait, body)
    }
  }

  /// Refuses to write where nothing may be written.
  func checkWritable() throws(DataError) {
    guard access != .reading else { throw .readOnly(path.given) }
    guard try isThere() || access == .writing(creates: true) else {
      // Opening says what is wrong.
      _ = try connection()
      return
    }
  }
}

extension Connection {
  /// Above so many bytes, the journal is copied into the database.
  private static let longestJournal = 4 << 20

  /// Runs a transaction; whoever calls it holds the write lock.
  func transaction<Result>(
    end: SaveRequest.End, wait: WriteWait,
    _ body: (borrowing Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    try begin(wait: wait)
    do throws(DataError) {
      let result = try body(self)
      switch end {
      case .commit: try commit()
      case .rollBack: rollBack()
      }
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Begins to write; only somebody without the lock, another program, can be in the way.
  func begin(wait: WriteWait) throws(DataError) {
    try waitForLocks(seconds: max(wait.seconds, 0.1))
    try run("begin immediate")
  }

  /// Makes everything durable.
  func commit() throws(DataError) {
    try CommitStage.hear(committing) { () throws(DataError) in try run("commit") }
    shortenJournal()
  }

  /// Takes everything back that has not been committed.
  func rollBack() {
    guard unsafe sqlite3_get_autocommit(handle) == 0 else { return }
    // SQLite rolls back by itself when the connection closes, if this should fail.
    try? run("rollback")
  }

  /// Copies a long journal into the database, as far as no reader is in the way.
  ///
  /// What was committed is safe before and after, so that no failure here matters.
  private func shortenJournal() {
    guard let name = unsafe sqlite3_filename_wal(sqlite3_db_filename(handle, "main")),
      Platform.size(of: unsafe String(cString: name)) > Self.longestJournal
    else { return }
    var length: Int32 = 0
    var copied: Int32 = 0
    unsafe sqlite3_busy_timeout(handle, 0)
    let code = unsafe sqlite3_wal_checkpoint_v2(
      handle, nil, SQLITE_CHECKPOINT_PASSIVE, &length, &copied)
    if code == SQLITE_OK && length == copied {
      unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
  }
}
