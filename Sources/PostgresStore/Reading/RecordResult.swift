import DataModel
import DataStore

/// The result of a query for records or groups. Each SQL statement of the query is read through a
/// cursor, so several results can be read concurrently, and none of them is completely in memory.
/// The only exception is a query for a previous page, which reads backward: all of its rows are
/// read before the first chunk is returned.
final class RecordResult {
  /// The maximum number of rows in a chunk.
  private static let maximumRows: Int64 = 4_096
  /// The approximate maximum number of bytes in a chunk.
  private static let maximumBytes = 256 << 10

  private let statements: [SQL]
  private let isReversed: Bool
  private let reader: RowReader
  private let connection: Connection
  private let groups: CompiledGroupQuery?
  private let name: String
  private var statementIndex = 0
  private var isOpen = false
  /// The number of rows that were requested from the cursor and not decoded yet; nil if none were.
  private var requestedCount: Int64?
  /// The requested rows, once they have been received.
  private var received: ResultSet?
  /// The number of rows to fetch next. It is small at first, so that the first rows arrive quickly.
  private var fetchSize: Int64 = 64
  /// The number of records that may still be read, or nil if the query has no limit.
  private var remaining: Int?
  /// For a query that reads backward: the chunks that have not been returned yet. The last element
  /// is the next chunk to return. Nil until the query has been run.
  private var reversedChunks: [Rows]?

  init(_ compiled: CompiledQuery, limit: Int?, number: Int, on connection: Connection) {
    statements = (0..<compiled.count).map { compiled.statement($0, limit: limit) }
    isReversed = compiled.isReversed
    reader = RowReader(
      compiled.selectList, store: connection.store, invalidValues: .marked)
    groups = nil
    remaining = limit
    name = "_answer_\(number)"
    self.connection = connection
  }

  init(_ compiled: CompiledGroupQuery, number: Int, on connection: Connection) {
    statements = [compiled.statement]
    isReversed = false
    reader = RowReader(
      compiled.selectList, store: connection.store, invalidValues: .marked)
    groups = compiled
    name = "_answer_\(number)"
    self.connection = connection
  }

  func next(reusing rows: consuming Rows) throws(DataError) -> Rows? {
    guard isReversed else { return try read(reusing: rows) }
    if reversedChunks == nil {
      var chunks: [Rows] = []
      while let chunk = try read(reusing: Rows(width: reader.width)) {
        chunks.append(chunk.reversedRows())
      }
      reversedChunks = chunks
    }
    return reversedChunks?.popLast()
  }

  private func read(reusing rows: consuming Rows) throws(DataError) -> Rows? {
    var chunk = rows
    if chunk.width != reader.width { chunk = Rows(width: reader.width) }
    chunk.removeAll()
    while chunk.count == 0, statementIndex < statements.count, remaining ?? 1 > 0 {
      let requested = requestedCount ?? request()
      try connection.checkInterruption()
      if received == nil { try connection.drain() }
      guard let resultSet = received else { throw connection.lost() }
      (requestedCount, received) = (nil, nil)
      remaining = remaining.map { $0 - resultSet.count }
      if resultSet.count < requested {
        connection.enqueue("close \(name: name)")
        isOpen = false
        statementIndex += 1
      } else if remaining ?? 1 > 0 {
        _ = request()
        try connection.flush()
      }
      for row in 0..<resultSet.count { try read(row, of: resultSet, into: &chunk) }
      adjustFetchSize(after: chunk)
    }
    return chunk.count > 0 ? chunk : nil
  }

  /// Enqueues a request for the next rows of the current statement, and returns their number. If it
  /// is sent before the previous rows are decoded, the server reads while the client prints.
  private func request() -> Int64 {
    if !isOpen {
      connection.enqueue(
        "declare \(name: name) no scroll cursor for \(statements[statementIndex])")
      isOpen = true
    }
    let count = min(fetchSize, Int64(remaining ?? .max))
    requestedCount = count
    connection.enqueue("fetch \(number: count) from \(name: name)") { [weak self] in
      self?.received = $0
    }
    return count
  }

  private func read(_ row: Int, of resultSet: ResultSet, into chunk: inout Rows) throws(DataError) {
    if let groups {
      if let index = groups.outOfRangeIndex, !resultSet.isNull(row, index) {
        throw .termOutOfRange(
          groups.columns[Int(resultSet.integer(row, index))], of: groups.schema)
      }
      for (index, column) in groups.columns.enumerated() {
        guard case .sum = column.source, reader.isOutOfRange(row, index, of: resultSet) else {
          continue
        }
        throw .sumTooLarge(column, of: groups.schema)
      }
    }
    try reader.read(row, of: resultSet, into: &chunk)
  }

  /// Sets `fetchSize` so that the next chunk has about the maximum number of bytes, given the
  /// average size of the rows in the chunk that was just read. `fetchSize` is at most doubled.
  private func adjustFetchSize(after chunk: borrowing Rows) {
    guard chunk.count > 0 else { return }
    let bytes = max(1, (chunk.arena.count + chunk.cells.count * 8) / chunk.count)
    fetchSize = min(fetchSize * 2, Self.maximumRows, max(16, Int64(Self.maximumBytes / bytes)))
  }
}
