import CSQLite
import DataModel
import DataStore

/// Determines when a chunk is full: when it has a maximum number of rows, or when it reaches the
/// maximum size in bytes. The maximum number of rows doubles with each chunk.
struct ChunkSize {
  /// The number of bytes at which a chunk is full.
  private static let maximumBytes = 256 << 10
  /// The maximum number of rows in a chunk.
  private static let maximumRows = 4_096

  /// The maximum number of rows in the current chunk. The first chunk is small, so that the first
  /// rows arrive quickly.
  private var count = 64

  func isFull(_ rows: borrowing Rows) -> Bool {
    rows.arena.count >= Self.maximumBytes || rows.count >= count
  }

  mutating func grow() { count = min(count * 2, Self.maximumRows) }
}

/// The records of a query in chunks. A query can be compiled to several statements, which are
/// executed in order.
final class RecordResult: QueryResult {
  private let compiled: CompiledQuery
  private let reader: RowReader
  private var index = 0
  /// The number of records that can still be returned before the limit of the query is reached; nil
  /// if the query has no limit.
  private var remaining: Int?
  private var statement: SharedStatement?
  /// The number of rows that the statement has returned.
  private var rowCount = 0
  /// Whether `statement` is a slower replacement for a statement that failed. The replacement tests
  /// the records in the order of the query, so that records after the limit cause no error.
  private var testsInOrder = false
  private var chunkSize = ChunkSize()
  /// The chunks of a query that reads backward, without those already returned. The last chunk in
  /// the array is the next one to return. Nil until the query has been run, and for queries that
  /// read forward.
  private var reversedRows: [Rows]?

  init(
    _ query: Query, in catalog: Catalog, on connection: borrowing Connection
  ) throws(DataError) {
    compiled = try connection.compiled(query, in: catalog)
    reader = RowReader(compiled.selectList, invalidValues: .marked)
    remaining = query.limit
  }

  func next(
    reusing rows: consuming Rows, on connection: borrowing Connection
  ) throws(DataError) -> Rows? {
    guard compiled.isReversed else { return try read(reusing: rows, on: connection) }
    if reversedRows == nil {
      var chunks: [Rows] = []
      while let chunk = try read(reusing: Rows(width: reader.width), on: connection) {
        chunks.append(chunk.reversedRows())
      }
      reversedRows = chunks
    }
    return reversedRows?.popLast()
  }

  private func read(
    reusing rows: consuming Rows, on connection: borrowing Connection
  ) throws(DataError) -> Rows? {
    var chunk = rows
    if chunk.width != reader.width { chunk = Rows(width: reader.width) }
    chunk.removeAll()
    reading: while let shared = try current(on: connection) {
      while let row = try nextRow(of: shared, on: connection) {
        try reader.read(row.statement, into: &chunk)
        rowCount += 1
        remaining = remaining.map { $0 - 1 }
        if chunkSize.isFull(chunk) { break reading }
      }
      statement = nil
      index += 1
      (rowCount, testsInOrder) = (0, false)
    }
    chunkSize.grow()
    return chunk.count > 0 ? chunk : nil
  }

  /// Advances the statement to its next row, and returns the statement. Returns nil after the last
  /// row.
  ///
  /// The statement may compute values for records after the limit of the query, and fail if such a
  /// value is out of range. It is then replaced by a slower statement, which sorts the records
  /// first and stops at the limit.
  private func nextRow(
    of shared: SharedStatement, on connection: borrowing Connection
  ) throws(DataError) -> SharedStatement? {
    let current = statement ?? shared
    do throws(DataError) {
      return try current.statement.step() ? current : nil
    } catch {
      guard error.code == .invalid, !testsInOrder,
        let sql = compiled.statementInOrder(index, limit: remaining, from: rowCount)
      else { throw error }
      testsInOrder = true
      let replacement = SharedStatement(try Statement(sql, on: connection))
      statement = replacement
      return try replacement.statement.step() ? replacement : nil
    }
  }

  /// Returns the statement that is being executed. If it has ended, prepares and returns the next
  /// one. Returns nil after the last statement, or when the limit is reached.
  private func current(
    on connection: borrowing Connection
  ) throws(DataError) -> SharedStatement? {
    if let statement { return statement }
    guard index < compiled.count, remaining ?? 1 > 0 else { return nil }
    statement = SharedStatement(
      try Statement(compiled.statement(index, limit: remaining), on: connection))
    return statement
  }
}

/// The result rows of a query for groups, in chunks.
final class GroupResult: QueryResult {
  private let compiled: CompiledGroupQuery
  private let reader: RowReader
  private let statement: Statement
  private var isAtEnd = false
  private var chunkSize = ChunkSize()

  init(
    _ query: GroupQuery, in catalog: Catalog, on connection: borrowing Connection
  ) throws(DataError) {
    compiled = try connection.compiled(query, in: catalog)
    reader = RowReader(compiled.selectList, invalidValues: .marked)
    statement = try Statement(compiled.statement, on: connection)
  }

  func next(
    reusing rows: consuming Rows, on connection: borrowing Connection
  ) throws(DataError) -> Rows? {
    var chunk = rows
    if chunk.width != reader.width { chunk = Rows(width: reader.width) }
    chunk.removeAll()
    while !isAtEnd, !chunkSize.isFull(chunk) {
      guard try statement.step() else {
        isAtEnd = true
        break
      }
      try checkForOverflow()
      try reader.read(statement, into: &chunk)
    }
    chunkSize.grow()
    return chunk.count > 0 ? chunk : nil
  }

  /// Throws an error if a sum in the current row is infinite, because it exceeded the range of its
  /// type. The error names the column.
  private func checkForOverflow() throws(DataError) {
    for (index, column) in compiled.columns.enumerated() {
      guard case .sum = column.source else { continue }
      let value = unsafe ColumnValue(statement, Int32(index))
      guard value.kind == SQLITE_FLOAT, !value.number.isFinite else { continue }
      throw .sumTooLarge(column, of: compiled.schema)
    }
  }
}
