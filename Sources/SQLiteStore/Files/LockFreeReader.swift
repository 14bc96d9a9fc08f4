import DataModel
import Platform

/// Reads a store from its database file alone, without locks, while no process writes to it.
///
/// The purpose is speed. If an ordinary reader is the only user of a database in WAL mode, it
/// creates the WAL and its index when it opens the database, and removes them when it closes the
/// database. That takes 1/10 of the time of a `get`.
///
/// A lock-free reader relies on two facts about WAL mode: while no WAL exists, the database file
/// contains every commit; and a writer creates a WAL before it changes the database file. So the
/// reader opens the file as immutable, and checks after each read that there is no WAL and that the
/// file has not changed. If the check fails, the caller discards the result, and reads again
/// through an ordinary connection.
final class LockFreeReader {
  /// The minimum age of the last change to the file, in seconds. If the last change is older, any
  /// new change gets a different timestamp, even on file systems that store times in steps of two
  /// seconds.
  private static let minimumAge: Int64 = 3

  private let path: StorePath
  private let status: FileStatus
  private let connection: Connection

  /// Opens the store. Returns nil if the file does not exist, is not in WAL mode, has changed
  /// recently, or has a WAL or a rollback journal.
  init?(_ path: StorePath, alarm: Int32?) throws(DataError) {
    let now = SystemClock.fileSeconds
    guard let status = StoreFile.status(of: path.name), status.size > 0,
      now >= Self.minimumAge, status.changed <= now - Self.minimumAge,
      !FileSystem.exists(path.wal), !FileSystem.exists(path.rollbackJournal),
      let connection = try Connection.lockFree(at: path, alarm: alarm)
    else { return nil }
    self.path = path
    self.status = status
    self.connection = connection
  }

  /// Calls a closure that reads from the file, and returns the result of the closure. Returns nil
  /// if the file has changed since it was opened. Also returns nil if a WAL exists, because a
  /// writer creates a WAL before it changes the file.
  func readOnce<Result>(
    _ body: (borrowing Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result? {
    guard !FileSystem.exists(path.wal) else { return nil }
    do throws(DataError) {
      let result = try body(connection)
      return isUnchanged ? result : nil
    } catch {
      // A read can fail in any way if the file changes at the same time, so its error is then
      // ignored.
      if isUnchanged { throw error }
      return nil
    }
  }

  /// Whether the file is the same as when it was opened.
  private var isUnchanged: Bool { StoreFile.status(of: path.name) == status }
}
