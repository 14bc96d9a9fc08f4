import CPostgres
import DataModel
import DataStore

/// Inserts many rows efficiently with the `COPY` statement.
extension Connection {
  /// Runs the enqueued statements, and then starts a `COPY … FROM STDIN`.
  func beginCopying(_ sql: SQL) throws(DataError) {
    try drain()
    failure = nil
    try send(rendered(sql))
    guard let result = unsafe try nextResult() else { throw lost() }
    do throws(DataError) {
      _ = try unsafe checked(result)
    } catch {
      while failure != .connectionLost, let rest = unsafe try nextResult() {
        unsafe library.clear(rest)
      }
      throw error
    }
    isCopying = true
  }

  /// Sends data of a `COPY` in PostgreSQL's binary format. Wraps `PQputCopyData`.
  func copy(_ bytes: borrowing [UInt8]) throws(DataError) {
    let sent = unsafe bytes.span.withUnsafeBytes { bytes in
      unsafe library.putCopyData(
        handle, bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count))
    }
    guard sent == 1 else { throw lost() }
  }

  /// Marks the end of the data of a `COPY` with `PQputCopyEnd`.
  ///
  /// Does not wait for the result, so that the client can continue while the server works. The
  /// result is read before the next statement is run.
  ///
  /// - Parameter count: The number of rows that were sent.
  func endCopying(rows count: Int) throws(DataError) {
    copiedRows = count
    guard unsafe library.putCopyEnd(handle, nil) == 1 else { throw lost() }
  }

  /// Reads the result of a `COPY` whose data was sent completely, and counts the rows that the
  /// server discarded. Does nothing if there is no such `COPY`.
  func finishCopying() throws(DataError) {
    guard isCopying else { return }
    isCopying = false
    if let resultSet = try lastResult() { discardedRows += copiedRows - resultSet.changedRows }
  }
}
