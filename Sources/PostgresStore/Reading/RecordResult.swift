import DataModel
import DataStore

/// The result of a query for records or groups. Each SQL statement of the query is read through a
/// cursor, so several results can be read concurrently, and none of them is completely in memory.
/// The only exception is a backward query: all of its rows are read before the first chunk is
/// returned.
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
  /// The number of rows to fetch next. It is small at first, so that the first rows arrive quickly.
  private var fetchSize: Int64 = 64
  /// The number of records that may still be read, or nil if the query has no limit.
  private var remaining: Int?
  /// The chunks of a backward query that have not been returned yet. The last chunk in the array is
  /// the next one to return. Nil until the query has been run.
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
      if !isOpen {
        connection.enqueue(
          "declare \(name: name) no scroll cursor for \(statements[statementIndex])")
        isOpen = true
      }
      let requested = min(fetchSize, Int64(remaining ?? .max))
      let resultSet = try fetch(requested)
      for row in 0..<resultSet.count { try read(row, of: resultSet, into: &chunk) }
      remaining = remaining.map { $0 - resultSet.count }
      if resultSet.count < requested {
        connection.enqueue("close \(name: name)")
        isOpen = false
        statementIndex += 1
      }
      adjustFetchSize(after: chunk)
    }
    return chunk.count > 0 ? chunk : nil
  }

  private func fetch(_ count: Int64) throws(DataError) -> ResultSet {
    do throws(DataError) {
      return try connection.run("fetch \(number: count) from \(name: name)")
    } catch {
      if connection.failure == .outOfRange, let error = tooLargeSum { throw error }
      throw error
    }
  }

  private func read(_ row: Int, of resultSet: ResultSet, into chunk: inout Rows) throws(DataError) {
    do throws(DataError) {
      try reader.read(row, of: resultSet, into: &chunk)
    } catch {
      guard let groups, let index = reader.tooLargeInteger(in: row, of: resultSet) else {
        throw error
      }
      throw .sumTooLarge(groups.columns[index], of: groups.schema)
    }
  }

  /// The error for a sum or an average of doubles that is out of range. The server does not report
  /// which column is the cause, so the error names all columns that may be. Returns nil if the
  /// query has no such column.
  private var tooLargeSum: DataError? {
    guard let groups else { return nil }
    let columns = groups.columns.filter { column in
      switch column.source {
      case .sum: column.type == .number
      case .average: true
      case .key, .count, .median, .minimum, .maximum: false
      }
    }
    guard var column = columns.first else { return nil }
    column.name = columns.map(\.name).joined(separator: " or ")
    return .sumTooLarge(column, of: groups.schema)
  }

  /// Adjusts `fetchSize` to the average size of the rows in the last chunk, so that the next chunk
  /// has about the maximum number of bytes. `fetchSize` is at most doubled.
  private func adjustFetchSize(after chunk: borrowing Rows) {
    guard chunk.count > 0 else { return }
    let bytes = max(1, (chunk.arena.count + chunk.cells.count * 8) / chunk.count)
    fetchSize = min(fetchSize * 2, Self.maximumRows, max(16, Int64(Self.maximumBytes / bytes)))
  }
}
