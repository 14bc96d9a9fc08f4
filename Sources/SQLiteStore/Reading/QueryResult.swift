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
      while try shared.statement.step() {
        try reader.read(shared.statement, into: &chunk)
        remaining = remaining.map { $0 - 1 }
        if chunkSize.isFull(chunk) { break reading }
      }
      statement = nil
      index += 1
    }
    chunkSize.grow()
    return chunk.count > 0 ? chunk : nil
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

  /// Throws an error if an aggregated value, or a sum in the current row, is out of range. A sum out
  /// of range is infinite. The error names the column.
  private func checkForOverflow() throws(DataError) {
    if let index = compiled.outOfRangeIndex {
      let found = unsafe ColumnValue(statement, Int32(index))
      if found.kind == SQLITE_INTEGER {
        throw .termOutOfRange(compiled.columns[Int(found.integer)], of: compiled.schema)
      }
    }
    for (index, column) in compiled.columns.enumerated() {
      guard case .sum = column.source else { continue }
      let value = unsafe ColumnValue(statement, Int32(index))
      guard value.kind == SQLITE_FLOAT, !value.number.isFinite else { continue }
      throw .sumTooLarge(column, of: compiled.schema)
    }
  }
}
