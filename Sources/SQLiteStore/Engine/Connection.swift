import CSQLite
import DataModel
import DataStore

/// An open database, which closes itself.
///
/// It is told not to lock itself against threads: the actor that holds it lets one in at a time.
@safe
struct Connection: ~Copyable {
  let handle: OpaquePointer
  /// The store as messages name it.
  let store: String
  /// Who hears of its commits.
  var committing: CommitListener?

  /// Nobody asks how much memory SQLite holds; to count it takes a lock for each piece, which is a
  /// fortieth of what a `get` costs. A program that has used SQLite before goes on counting.
  private static let countsNoMemory = csqlite_count_no_memory() == SQLITE_OK

  /// Opens the file that a name in SQLite's sense stands for.
  init(name: String, flags: Int32, store: String) throws(DataError) {
    _ = Self.countsNoMemory
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

  /// What a result code other than success means, as an error.
  func failure(_ code: Int32) -> DataError {
    unsafe DataError(sqlite: code, database: handle, store: store)
  }

  /// Throws if a result code is not success.
  func check(_ code: Int32) throws(DataError) {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Runs a statement that gives no rows.
  func run(_ sql: SQL) throws(DataError) {
    try Statement(sql, on: self).run()
  }

  /// The integer that a statement gives first, or nil without a row.
  func integer(_ sql: SQL) throws(DataError) -> Int64? {
    let statement = try Statement(sql, on: self)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Whether a statement gives a row.
  func hasRow(_ sql: SQL) throws(DataError) -> Bool {
    try Statement(sql, on: self).step()
  }

  /// How many rows the last statement inserted, changed or deleted.
  var changeCount: Int { unsafe Int(sqlite3_changes64(handle)) }

  /// How long SQLite waits for a lock of its own, in seconds.
  func waitForLocks(seconds: Double) throws(DataError) {
    let milliseconds = Int32(min(max(seconds * 1_000, 0), 2_000_000_000))
    try check(unsafe sqlite3_busy_timeout(handle, milliseconds))
  }
}
