import CPostgres
import DataModel
import DataStore

/// COPY, which inserts many rows with little overhead.
extension Connection {
  /// Starts a `COPY … FROM STDIN`.
  func beginCopying(_ sql: SQL) throws(DataError) {
    try drain()
    failure = nil
    try send(rendered(sql))
    guard let result = unsafe try nextResult() else { throw lost() }
    do throws(DataError) {
      _ = try unsafe checked(result)
    } catch {
      while failure != .lost, let rest = unsafe try nextResult() { unsafe library.clear(rest) }
      throw error
    }
    isCopying = true
  }

  /// Sends data in the binary format of COPY. Wraps `PQputCopyData`.
  func copy(_ bytes: borrowing [UInt8]) throws(DataError) {
    let sent = unsafe bytes.span.withUnsafeBytes { bytes in
      unsafe library.putCopyData(
        handle, bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count))
    }
    guard sent == 1 else { throw lost() }
  }

  /// Ends a COPY of the given number of rows with `PQputCopyEnd`.
  ///
  /// The result is read before the next statement, so that the client can continue while the server
  /// works.
  func endCopying(rows count: Int) throws(DataError) {
    copiedRows = count
    guard unsafe library.putCopyEnd(handle, nil) == 1 else { throw lost() }
  }

  /// Reads the result of a COPY that was ended, and counts the rows that the server discarded.
  func finishCopying() throws(DataError) {
    guard isCopying else { return }
    isCopying = false
    if let resultSet = try lastResult() { discardedRows += copiedRows - resultSet.changedRows }
  }
}
