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
  /// - Returns: The path of the replaced file.
  /// - Throws: An error if other processes use the store for longer than `wait`. Nothing is changed
  ///   then.
  package func replaceStore(
    at other: String, keepingAs suffix: String, wait: WriteWait,
    monitor: @Sendable () throws(DataError) -> Void
  ) async throws(DataError) -> String {
    let target = try StorePath(other)
    let file: FileReplacement
    do throws(SystemCallError) {
      file = try FileReplacement(of: target.name, permissions: .copied, as: .visible)
    } catch {
      throw DataError(.storeUnreachable, "\(target.given): cannot be replaced: \(error.text)")
    }
    // The journals that remain of a killed process would be applied to the new file.
    for suffix in ["-journal", "-wal", "-shm"] {
      FileSystem.removeFile(file.temporaryPath + suffix)
    }
    _ = try await backUp(
      to: file.temporaryPath, shown: target.given, checking: .quick, monitor: monitor)
    try Connection.endSessions(
      in: StorePath(unpublished: file.temporaryPath, given: target.given), alarm: alarm)
    let deadline = ContinuousClock.now + .seconds(wait.seconds)
    while true {
      // Writers need not wait for the readers, so the lock is released between two attempts.
      let lock = try await WriteLock.acquired(target, wait: wait, alarm: alarm)
      do throws(DataError) {
        let replaced = try Connection.exclusive(target, alarm: alarm)
        return try lock.withLock { () throws(DataError) in
          try file.publish(replacing: replaced, of: target, keptAs: target.name + suffix)
        }
      } catch {
        guard error.code == .storeBusy else { throw error }
        if Alarm.isRaised(alarm) { throw .interrupted }
        guard ContinuousClock.now < deadline else {
          throw DataError(
            .storeBusy, "\(target.given): another program uses the store; nothing was changed",
            hint: "stop programs such as datactl serve, or pass --wait SECONDS to wait longer")
        }
      }
      await Alarm.sleep(seconds: 0.05, unless: alarm)
    }
  }
}

extension FileReplacement {
  /// Gives the replaced file, which is locked, a second name, and then replaces it. Returns the second
  /// name.
  fileprivate func publish(
    replacing replaced: borrowing Connection, of target: StorePath, keptAs second: String
  ) throws(DataError) -> String {
    do throws(SystemCallError) {
      try FileSystem.addName(second, of: target.name)
    } catch {
      replaced.rollBack()
      try? replaced.enableWAL()
      throw DataError(
        .storeUnreachable, "\(target.given): cannot be kept as \(second): \(error.text)")
    }
    do throws(SystemCallError) {
      try publish()
    } catch {
      // A program that used the store by its second name would have another WAL.
      FileSystem.removeFile(second)
      replaced.rollBack()
      try? replaced.enableWAL()
      throw DataError(.storeUnreachable, "\(target.given): cannot be replaced: \(error.text)")
    }
    replaced.rollBack()
    return second
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
