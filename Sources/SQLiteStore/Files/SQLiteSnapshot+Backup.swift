import CSQLite
import DataModel
import DataStore

/// How thoroughly the copy of a store is checked.
package enum BackupCheck: Sendable {
  /// The structure of the database is checked (`pragma quick_check`).
  case quick
  /// The structure and the indexes are checked (`pragma integrity_check`), and then the references
  /// between records.
  case complete
}

extension SQLiteSnapshot {
  /// Copies the pages of the database to an empty file. See `Connection.copyPages`.
  func copyPages(
    to target: StorePath, monitor: @Sendable () throws(DataError) -> Void
  ) throws(DataError) {
    try connection.copyPages(to: target, monitor: monitor)
  }

  /// Throws an error if a check of the database fails.
  ///
  /// - Parameter store: The name of the store in error messages.
  func verify(_ check: BackupCheck, of store: String) throws(DataError) {
    let pragma: SQL =
      switch check {
      case .quick: "pragma quick_check(1)"
      case .complete: "pragma integrity_check(1)"
      }
    let statement = try Statement(pragma, on: connection)
    guard try statement.step(), statement.text(0) == "ok" else { throw .damaged(store) }
    guard check == .complete else { return }
    for schema in try catalog().catalog.schemas {
      for table in TableLayout(schema).tableNames {
        let count = try connection.count(
          "select count(*) from pragma_foreign_key_check(\(.text(table)))")
        guard count > 0 else { continue }
        throw DataError(
          Problem(
            .storeDamaged, "\(store): records have references to records that do not exist",
            hint: "correct the references, or do not verify them", schema: schema.name))
      }
    }
  }
}

extension Connection {
  /// The number of pages that are copied before the program checks whether it must stop: 8 MB.
  private static let pagesPerStep: Int32 = 1_000

  /// Copies the database to an empty file (`sqlite3_backup_step`). The connection must be in a read
  /// transaction: without it, SQLite begins again whenever another process commits. The copy is not
  /// flushed to the disk.
  fileprivate func copyPages(
    to path: StorePath, monitor: () throws(DataError) -> Void
  ) throws(DataError) {
    let target = try Connection(
      name: path.name, flags: SQLITE_OPEN_READWRITE, store: path.given, alarm: alarm)
    // An incomplete copy is never used, so it needs no journal after a crash.
    try target.run("pragma journal_mode = memory")
    try target.run("pragma synchronous = off")
    guard let backup = unsafe sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw target.failure(unsafe sqlite3_errcode(target.handle))
    }
    var stop: DataError?
    var code = unsafe sqlite3_backup_step(backup, Self.pagesPerStep)
    while code == SQLITE_OK, stop == nil {
      do throws(DataError) {
        try monitor()
        code = unsafe sqlite3_backup_step(backup, Self.pagesPerStep)
      } catch {
        stop = error
      }
    }
    let result = unsafe sqlite3_backup_finish(backup)
    if let stop { throw stop }
    guard code != SQLITE_DONE || result != SQLITE_OK else { return }
    // SQLite keeps no error number of a full disk.
    let number = unsafe csqlite_last_error_number(target.handle)
    throw code & 0xFF == SQLITE_FULL || number != 0 ? target.failure(code) : failure(code)
  }
}
