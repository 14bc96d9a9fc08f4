import CSQLite
package import DataModel
package import DataStore
import Platform

extension SQLiteStore {
  /// Replaces the file of another store with a copy of this store, and ends all sessions of the
  /// copy. The replaced file gets a second name.
  ///
  /// The file is replaced only while no other process has it open: the journal of a process that
  /// still uses the replaced file would damage the new one.
  ///
  /// - Parameters:
  ///   - other: The path of the other store.
  ///   - suffix: What is added to the path of the replaced file.
  ///   - monitor: A closure that is called between parts of the copy. It throws an error if the
  ///     copy must stop.
  /// - Throws: An error if other processes use the store for longer than `wait`. Nothing is changed
  ///   then.
  package func replaceStore(
    at other: String, keepingAs suffix: String, wait: WriteWait,
    monitor: @Sendable () throws(DataError) -> Void
  ) async throws(DataError) {
    let target = try StorePath(other)
    func failure(_ error: SystemCallError) -> DataError {
      DataError(.storeUnreachable, "\(target.given): cannot be replaced: \(error.text)")
    }
    let file: FileReplacement
    do throws(SystemCallError) {
      file = try FileReplacement(of: target.name, permissions: .copied, as: .visible)
    } catch {
      throw failure(error)
    }
    // The journals that remain of a killed process would be applied to the new file.
    for suffix in ["-journal", "-wal", "-shm"] {
      FileSystem.removeFile(file.temporaryPath + suffix)
    }
    _ = try await backUp(
      to: file.temporaryPath, shown: target.given, checking: .quick, monitor: monitor)
    try Connection.endSessions(
      in: StorePath(unpublished: file.temporaryPath, given: target.given), alarm: alarm)
    let lock = try await WriteLock.acquired(target, wait: wait, alarm: alarm)
    let second = target.name + suffix
    let replaced = try await Connection.exclusive(target, wait: wait, alarm: alarm)
    do throws(DataError) {
      try lock.withLock { () throws(DataError) in
        do throws(SystemCallError) {
          try FileSystem.addName(second, of: target.name)
        } catch {
          throw failure(error)
        }
        do throws(SystemCallError) {
          try file.publish()
        } catch {
          // A program that used the store by its second name would have another WAL.
          FileSystem.removeFile(second)
          throw failure(error)
        }
      }
      replaced.rollBack()
    } catch {
      replaced.rollBack()
      try? replaced.enableWAL()
      throw error
    }
  }
}

extension Connection {
  /// Deletes all sessions in a database that no other process uses.
  fileprivate static func endSessions(in path: StorePath, alarm: Int32?) throws(DataError) {
    let connection = try Connection(
      name: path.name, flags: SQLITE_OPEN_READWRITE, store: path.given, alarm: alarm)
    try connection.run("delete from _session")
  }

  /// Opens a database that no other process has open, and locks it until the connection is closed.
  /// Its changes are moved from the WAL to its file, and the WAL is removed: only a connection that
  /// is alone can leave WAL mode.
  fileprivate static func exclusive(
    _ path: StorePath, wait: WriteWait, alarm: Int32?
  ) async throws(DataError) -> Connection {
    let deadline = ContinuousClock.now + .seconds(wait.seconds)
    while true {
      do throws(DataError) {
        return try exclusive(path, alarm: alarm)
      } catch {
        guard error.code == .storeBusy else { throw error }
        if Alarm.isRaised(alarm) { throw .interrupted }
        guard ContinuousClock.now < deadline else {
          throw DataError(
            .storeBusy, "\(path.given): another program uses the store; nothing was changed",
            hint: "stop programs such as datactl serve, or pass --wait SECONDS to wait longer")
        }
      }
      await Alarm.sleep(seconds: 0.05, unless: alarm)
    }
  }

  private static func exclusive(
    _ path: StorePath, alarm: Int32?
  ) throws(DataError) -> Connection {
    let connection = try Connection(
      name: path.name, flags: SQLITE_OPEN_READWRITE, store: path.given, alarm: alarm)
    try connection.waitForLocks(seconds: 0)
    try connection.run("pragma journal_mode = delete")
    try connection.run("begin exclusive")
    // Another process may have begun to use a WAL before the file was locked.
    guard try connection.hasRow("select 1 from pragma_journal_mode where journal_mode = 'delete'")
    else { throw .busy(path.given) }
    return connection
  }
}
