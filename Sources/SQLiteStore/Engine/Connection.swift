import CSQLite
import DataModel
import DataStore
import Platform

/// An open SQLite database, closed on deinitialization.
///
/// It is opened with `SQLITE_OPEN_NOMUTEX`, because the actor that owns the connection already
/// serializes access to it.
@safe
struct Connection: ~Copyable {
  let handle: OpaquePointer
  /// The path of the store, for error messages.
  let store: String
  /// A file descriptor that becomes readable when the program must stop. Running statements are
  /// then interrupted.
  let alarm: Int32?
  /// The error of the last system call that failed when the database was opened, or nil if none
  /// did.
  let openError: SystemCallError?
  /// The limit on the time that SQLite waits for its own locks. datactl's own lock is `WriteLock`.
  private let lockWait: LockWait
  /// Called when a commit begins, and when it has succeeded or failed.
  var commitListener: CommitListener?
  /// A shared lock on the lock file of the store, which keeps other processes of datactl from
  /// writing. It replaces SQLite's own locks if the index of the WAL cannot be created.
  var readLock: OpenFile?
  /// Whether the database is invisible to other processes, because it is in memory or does not have
  /// its final name yet. A failed commit then changes nothing for other processes.
  var isUnpublished = false
  /// Whether the connection sees what other processes commit, so that it can be used for one
  /// snapshot after another.
  var isReusable = false
  /// The prepared statements that are kept for later use, or nil if none are kept.
  var idleStatements: IdleStatements?
  /// The format of the store's internal tables when the connection was opened.
  var format = StoreFormat.current

  /// The number of virtual machine instructions after which SQLite checks whether the program must
  /// stop. They take less than a millisecond, and the check takes about a thousandth of that time.
  private static let instructionsPerCheck: Int32 = 10_000

  /// Whether SQLite's memory statistics were switched off (`SQLITE_CONFIG_MEMSTATUS`).
  ///
  /// datactl never reads the statistics, and updating them requires a lock for each allocation,
  /// which takes about 1/40 of the time of a `get`. SQLite does not allow this change after it has
  /// been initialized in the process. In that case the value is false, and SQLite is only slower.
  private static let memoryStatisticsAreOff = csqlite_disable_memory_statistics() == SQLITE_OK

  /// How long a connection waits for SQLite's own locks by default, in seconds.
  static let lockTimeout = 10.0

  /// Opens a database by file name or URI with `sqlite3_open_v2`.
  init(name: String, flags: Int32, store: String, alarm: Int32?) throws(DataError) {
    try SQLiteStore.checkLibrary(sqlite3_libversion_number())
    _ = Self.memoryStatisticsAreOff
    var opened: OpaquePointer?
    var number: Int32 = 0
    let code = unsafe csqlite_open(name, &opened, flags | SQLITE_OPEN_NOMUTEX, &number)
    guard let handle = unsafe opened else { throw DataError(.failed, "out of memory") }
    guard code == SQLITE_OK else {
      let error = unsafe DataError(
        sqlite: code, database: handle, store: store, alarm: alarm,
        newFile: flags & SQLITE_OPEN_CREATE == 0 ? nil : name)
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe self.handle = handle
    self.store = store
    self.alarm = alarm
    openError = SystemCallError(nonzero: number)
    lockWait = LockWait(alarm: alarm)
    // The pointer stays valid: `deinit` closes the database before it releases the object.
    unsafe sqlite3_progress_handler(
      handle, Self.instructionsPerCheck,
      { context in
        guard let context = unsafe context else { return 0 }
        let wait = unsafe Unmanaged<LockWait>.fromOpaque(context).takeUnretainedValue()
        return Alarm.isRaised(wait.alarm) ? 1 : 0
      }, Unmanaged.passUnretained(lockWait).toOpaque())
  }

  deinit {
    idleStatements?.removeAll()
    unsafe sqlite3_close_v2(handle)
  }

  /// Returns the error for a result code other than `SQLITE_OK`. Its message names the store and
  /// the cause.
  func failure(_ code: Int32) -> DataError {
    unsafe DataError(sqlite: code, database: handle, store: store, alarm: alarm)
  }

  /// Throws an error if the program was asked to stop, or if the task is canceled.
  func checkInterruption() throws(DataError) {
    if Alarm.isRaised(alarm) { throw .interrupted }
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

  /// The number of rows that the most recent statement inserted, updated or deleted
  /// (`sqlite3_changes64`).
  var changeCount: Int { unsafe Int(sqlite3_changes64(handle)) }

  /// Sets how long SQLite waits for its own locks, in seconds (`sqlite3_busy_handler`).
  func waitForLocks(seconds: Double) throws(DataError) {
    lockWait.seconds = seconds
    let code = unsafe sqlite3_busy_handler(
      handle,
      { context, count in
        guard let context = unsafe context else { return 0 }
        let wait = unsafe Unmanaged<LockWait>.fromOpaque(context).takeUnretainedValue()
        return wait.pause(after: count) ? 1 : 0
      }, Unmanaged.passUnretained(lockWait).toOpaque())
    try check(code)
  }
}

/// Limits how long a connection waits for SQLite's own locks while another program has them.
private final class LockWait {
  /// The number of seconds between two attempts to get a lock.
  private static let interval = 0.01

  let alarm: Int32?
  var seconds = 0.0

  init(alarm: Int32?) {
    self.alarm = alarm
  }

  /// Waits before the next attempt to get a lock. Returns false if the wait timed out or the
  /// program was asked to stop.
  func pause(after count: Int32) -> Bool {
    guard Double(count) * Self.interval < seconds else { return false }
    _ = try? Descriptor.wait(for: .input, of: -1, alarm: alarm, seconds: Self.interval)
    return !Alarm.isRaised(alarm)
  }
}
