import CSQLite
import DataModel
import DataStore

/// An open SQLite database, closed on deinitialization.
///
/// It is opened with `SQLITE_OPEN_NOMUTEX`, because the actor that owns the connection already
/// serializes access to it.
@safe
struct Connection: ~Copyable {
  let handle: OpaquePointer
  /// The path of the store, for error messages.
  let store: String
  /// The listener that is notified of commits.
  var commitListener: CommitListener?
  /// The format of the store's internal tables when the connection was opened.
  var format = StoreFormat.current

  /// Whether SQLite's memory statistics are switched off (`SQLITE_CONFIG_MEMSTATUS`).
  ///
  /// datactl never reads the statistics, and updating them requires a lock for each allocation,
  /// which takes about 1/40 of the time of a `get`. Switching them off fails if the process has
  /// already initialized SQLite. The statistics are then kept, which is harmless.
  private static let memoryStatisticsAreOff = csqlite_disable_memory_statistics() == SQLITE_OK

  /// Opens a database by file name or URI with `sqlite3_open_v2`.
  init(name: String, flags: Int32, store: String) throws(DataError) {
    _ = Self.memoryStatisticsAreOff
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard let handle = unsafe opened else { throw DataError(.failed, "out of memory") }
    guard code == SQLITE_OK else {
      let error = unsafe DataError(sqlite: code, database: handle, store: store)
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe self.handle = handle
    self.store = store
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Returns the error for a result code other than `SQLITE_OK`.
  func failure(_ code: Int32) -> DataError {
    unsafe DataError(sqlite: code, database: handle, store: store)
  }

  /// Throws an error if a result code is not `SQLITE_OK`.
  func check(_ code: Int32) throws(DataError) {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Runs a statement that returns no rows.
  func run(_ sql: SQL) throws(DataError) {
    try Statement(sql, on: self).run()
  }

  /// Returns the first column of the first row as an integer, or nil if there is no row.
  func integer(_ sql: SQL) throws(DataError) -> Int64? {
    let statement = try Statement(sql, on: self)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Returns whether a query has at least one row.
  func hasRow(_ sql: SQL) throws(DataError) -> Bool {
    try Statement(sql, on: self).step()
  }

  /// The number of rows that the last statement inserted, updated or deleted (`sqlite3_changes64`).
  var changeCount: Int { unsafe Int(sqlite3_changes64(handle)) }

  /// Sets how long SQLite waits for its own locks, in seconds (`sqlite3_busy_timeout`).
  func waitForLocks(seconds: Double) throws(DataError) {
    let milliseconds = Int32(min(max(seconds * 1_000, 0), 2_000_000_000))
    try check(unsafe sqlite3_busy_timeout(handle, milliseconds))
  }
}
