import DataModel
import Platform

/// Reads a store from its database file alone, without locks, while no process writes to it.
///
/// The first reader of a database in WAL mode creates the WAL and its index and removes them again,
/// which takes 1/10 of the time of a `get`. Without a WAL, every commit is in the database file,
/// and a writer creates a WAL before the file changes. So the file is opened as immutable, and a
/// result counts only if the file did not change meanwhile; if it did, the caller reads again
/// through an ordinary connection.
final class LockFreeReader {
  /// The minimum age in seconds of the last change to the file. A later change then has a different
  /// timestamp even on file systems that store times in steps of two seconds.
  private static let minimumAge: Int64 = 3

  private let path: StorePath
  private let status: FileStatus
  private let connection: Connection

  /// Opens the store, or returns nil if the file does not exist or may be changing.
  init?(_ path: StorePath) throws(DataError) {
    guard let status = StoreFile.status(of: path.name), status.size > 0,
      status.changed <= SystemClock.fileSeconds - Self.minimumAge,
      !FileSystem.exists(path.wal), !FileSystem.exists(path.rollbackJournal),
      let connection = try Connection.lockFree(at: path)
    else { return nil }
    self.path = path
    self.status = status
    self.connection = connection
  }

  /// Reads from the file. Returns nil if the store has changed or is about to change.
  func readOnce<Result>(
    _ body: (borrowing Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result? {
    guard !FileSystem.exists(path.wal) else { return nil }
    do throws(DataError) {
      let result = try body(connection)
      return isUnchanged ? result : nil
    } catch {
      // A read during a change can fail in any way, so its error means nothing.
      if isUnchanged { throw error }
      return nil
    }
  }

  /// Whether the file is the same as when it was opened.
  private var isUnchanged: Bool { StoreFile.status(of: path.name) == status }
}
