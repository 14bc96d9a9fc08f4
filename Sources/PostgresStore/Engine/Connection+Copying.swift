import CPostgres
import DataModel
import DataStore

/// COPY, by which many rows come at once.
extension Connection {
  /// Begins to send rows into a table.
  func beginCopying(_ sql: SQL) throws(DataError) {
    try catchUp()
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

  /// Sends rows in the binary form of COPY.
  func copy(_ bytes: borrowing [UInt8]) throws(DataError) {
    let sent = unsafe bytes.span.withUnsafeBytes { bytes in
      unsafe library.putCopyData(
        handle, bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count))
    }
    guard sent == 1 else { throw lost() }
  }

  /// Ends the rows. Whether they were taken is looked at before the next statement: meanwhile the
  /// server works on them.
  func endCopying() throws(DataError) {
    guard unsafe library.putCopyEnd(handle, nil) == 1 else { throw lost() }
  }

  /// Looks whether the rows of a COPY were taken.
  func finishCopying() throws(DataError) {
    guard isCopying else { return }
    isCopying = false
    _ = try lastAnswer()
  }
}
