import DataModel

/// A store to which nobody writes at the moment, read from its file alone.
///
/// Whoever reads a journalled database makes the journal and its index and removes them again, which
/// is a tenth of a `get`. Where there is no journal, everything that was ever committed is in the
/// file, and a writer makes a journal before the file changes. So the file is read without it, and
/// the answer counts only if the file was not written to meanwhile. Nobody waits for anybody: there
/// is no lock, and whoever is overtaken by a writer asks again in the usual way.
final class QuietStore {
  /// How many seconds must lie behind the last change, so that the next one has another time even
  /// where a file system counts in steps of two seconds.
  private static let leastAge: Int64 = 3

  private let path: StorePath
  private let state: FileState
  private let connection: Connection

  /// Opens the store; nil if it is no store, or if it may be changing.
  init?(_ path: StorePath) throws(DataError) {
    guard let state = Platform.state(of: path.name), state.size > 0,
      state.changed <= Platform.seconds - Self.leastAge,
      !Platform.exists(path.journal), !Platform.exists(path.rollbackJournal),
      let connection = try Connection.looking(at: path)
    else { return nil }
    self.path = path
    self.state = state
    self.connection = connection
  }

  /// Reads something; nil if the store was changed, or is about to be.
  func look<Result>(
    _ body: (borrowing Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result? {
    guard !Platform.exists(path.journal) else { return nil }
    do throws(DataError) {
      let result = try body(connection)
      return isUnchanged ? result : nil
    } catch {
      // What was read while it changed can look like anything.
      if isUnchanged { throw error }
      return nil
    }
  }

  /// Whether nothing was written since the store was opened.
  private var isUnchanged: Bool { Platform.state(of: path.name) == state }
}
