import CSQLite
import DataModel
import DataStore
import Platform

extension SQLiteStore {
  /// Acquires the write lock and calls a closure in a write transaction.
  func write<Result>(
    wait: WriteWait, _ body: (borrowing Connection) throws(DataError) -> Result
  ) async throws(DataError) -> Result {
    try checkWritable()
    let lock = try await WriteLock.acquired(path, wait: wait, alarm: alarm)
    let shared = try connection()
    return try lock.withLock { () throws(DataError) in
      try shared.value.transaction(end: .commit, wait: wait, body)
    }
  }

  /// Throws an error if the store is open only for reading, or if it does not exist and may not be
  /// created.
  func checkWritable() throws(DataError) {
    guard access != .reading else { throw .readOnly(path.given) }
    guard try exists() || access == .writing(creates: true) else {
      // The missing file cannot be opened, so this throws an error that names the cause.
      _ = try connection()
      return
    }
  }
}

extension Connection {
  /// The size in bytes above which the WAL is checkpointed after a commit.
  private static let maximumWALSize = 4 << 20

  /// Calls a closure in a write transaction, and then commits the transaction or rolls it back,
  /// depending on `end`. The caller must hold the write lock.
  func transaction<Result>(
    end: WriteRequest.End, wait: WriteWait,
    _ body: (borrowing Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    do throws(DataError) {
      try begin(wait: wait)
      let result = try body(self)
      switch end {
      case .commit: try commit()
      case .rollBack: rollBack()
      }
      return result
    } catch {
      rollBack()
      throw error.rolledBack()
    }
  }

  /// Begins a write transaction. The caller must hold the write lock, so SQLite waits only for
  /// programs that do not use this lock, such as `sqlite3`.
  func begin(wait: WriteWait) throws(DataError) {
    try waitForLocks(seconds: max(wait.seconds, 0.1))
    try run("begin immediate")
    // A new database has no tables yet, or all of them.
    guard !isUnpublished else { return }
    do throws(DataError) {
      if format < StoreFormat.current { try upgrade() }
      if !hasID { try addID() }
    } catch {
      rollBack()
      throw error
    }
  }

  /// Whether the store has an id: see `StoreID`. If the table `_meta` is missing, the value is true,
  /// and the statement that needs the table reports that. This compiles no statement, because each
  /// write transaction needs it.
  private var hasID: Bool { metaHasColumn("id") || !metaHasColumn("catalog_version") }

  private func metaHasColumn(_ name: String) -> Bool {
    unsafe sqlite3_table_column_metadata(handle, "main", "_meta", name, nil, nil, nil, nil, nil)
      == SQLITE_OK
  }

  /// Adds an id, unless another process has added one since the connection read the tables.
  private func addID() throws(DataError) {
    if try hasRow("select 1 from pragma_table_info('_meta') where name = 'id'") { return }
    try run("alter table _meta add column id text")
    try run("update _meta set id = \(.text(StoreID.random()))")
  }

  /// Upgrades a store of an older format as part of the open transaction, unless another process
  /// has done so since the connection was opened.
  private func upgrade() throws(DataError) {
    guard let format = try integer("pragma user_version"), format < StoreFormat.current else {
      return
    }
    for statement in InternalTables.upgradeSQL { try run(statement) }
  }

  /// Commits the transaction, and then runs a checkpoint if the WAL is large. If the program was
  /// asked to stop, throws an error without committing.
  func commit() throws(DataError) {
    try checkInterruption()
    try CommitStage.report(commitListener) { () throws(DataError) in
      let code = try Statement("commit", on: self).stepThrough()
      guard code == SQLITE_OK else { throw commitFailure(code) }
    }
    checkpointIfLarge()
  }

  /// Returns the error for a commit that failed with a result code.
  ///
  /// SQLite may write the commit to the WAL, and then fail to sync the WAL or to update its index.
  /// The outcome is then unknown: the next process finds the commit in the WAL, unless this process
  /// can still remove the WAL.
  private func commitFailure(_ code: Int32) -> DataError {
    let error = failure(code)
    let isCertain =
      switch code & 0xFF {
      case SQLITE_IOERR: code == csqlite_io_write
      case SQLITE_CANTOPEN, SQLITE_NOMEM: false
      default: true
      }
    if isUnpublished || isCertain { return error }
    return .unknownOutcome("\(error.problems[0].message); the outcome of the commit is unknown")
  }

  /// Rolls back the open transaction, if there is one.
  func rollBack() {
    guard unsafe sqlite3_get_autocommit(handle) == 0 else { return }
    // If this fails, SQLite rolls back when the connection closes.
    try? run("rollback")
  }

  /// Runs a checkpoint if the WAL is large. A checkpoint copies as much of the WAL to the database
  /// file as open read transactions allow. If it copies the whole WAL, the WAL is truncated.
  ///
  /// A checkpoint does not affect the durability of commits, so its errors are ignored.
  private func checkpointIfLarge() {
    guard let name = unsafe sqlite3_filename_wal(sqlite3_db_filename(handle, "main")),
      let status = try? FileStatus(unsafe String(cString: name)), status.size > Self.maximumWALSize
    else { return }
    var length: Int32 = 0
    var copied: Int32 = 0
    guard (try? waitForLocks(seconds: 0)) != nil else { return }
    let code = unsafe sqlite3_wal_checkpoint_v2(
      handle, nil, SQLITE_CHECKPOINT_PASSIVE, &length, &copied)
    if code == SQLITE_OK && length == copied {
      unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
  }
}

extension Connection: SQLTransaction {
  func rows(_ sql: SQL, _ selectList: SelectList) throws(DataError) -> Rows {
    let statement = try Statement(sql, on: self)
    let reader = RowReader(selectList, invalidValues: .marked)
    var rows = Rows(width: selectList.width)
    while try statement.step() { try reader.read(statement, into: &rows) }
    return rows
  }

  var dialect: any Dialect { SQLiteDialect() }

  func execute(_ sql: SQL) throws(DataError) -> Int {
    // Many short statements do not reach the number of instructions after which SQLite checks this.
    try checkInterruption()
    try run(sql)
    return changeCount
  }

  func enqueue(_ sql: SQL) throws(DataError) { try run(sql) }

  func forEachRow(
    _ sql: SQL, _ types: [FieldType], _ body: ([Value]) -> Void
  ) throws(DataError) {
    let statement = try Statement(sql, on: self)
    let reader = RowReader(SelectList(types))
    var rows = Rows(width: types.count)
    while try statement.step() {
      rows.removeAll()
      try reader.read(statement, into: &rows)
      body(types.indices.map { rows.value(rows[0, $0], of: types[$0]) })
    }
  }
}
