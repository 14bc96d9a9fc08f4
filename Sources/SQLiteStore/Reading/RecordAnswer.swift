import CSQLite
import DataModel
import DataStore

/// Decides how many rows are returned in one chunk.
struct BatchSize {
  /// The number of bytes that fill a chunk.
  private static let most = 256 << 10
  /// The maximum number of rows in a chunk.
  private static let greatestCount = 4_096

  /// The number of rows in the next chunk. It starts small, so that the first rows arrive quickly.
  private var count = 64

  func isFull(_ rows: borrowing Rows) -> Bool {
    rows.arena.count >= Self.most || rows.count >= count
  }

  mutating func grow() { count = min(count * 2, Self.greatestCount) }
}

/// The records of a query, which may take several statements, in chunks.
final class RecordAnswer: Answer {
  private let answering: Answering
  private let reader: RowReader
  private var place = 0
  /// How many more records the limit allows.
  private var rest: Int?
  private var statement: SharedStatement?
  private var batchSize = BatchSize()
  /// The chunks of a backward query in reverse order, as long as some remain.
  private var turned: [Rows]?

  init(_ query: Query, in catalog: Catalog) throws(DataError) {
    answering = try Answering(query, in: catalog, SQLiteDialect())
    reader = RowReader(answering.selection)
    rest = query.limit
  }

  func next(
    reusing rows: consuming Rows, on connection: borrowing Connection
  ) throws(DataError) -> Rows? {
    guard answering.isBackwards else { return try read(reusing: rows, on: connection) }
    if turned == nil {
      var batches: [Rows] = []
      while let batch = try read(reusing: Rows(width: reader.width), on: connection) {
        batches.append(batch.turned())
      }
      turned = batches
    }
    return turned?.popLast()
  }

  private func read(
    reusing rows: consuming Rows, on connection: borrowing Connection
  ) throws(DataError) -> Rows? {
    var batch = rows
    if batch.width != reader.width { batch = Rows(width: reader.width) }
    batch.removeAll()
    reading: while let shared = try current(on: connection) {
      while try shared.statement.step() {
        try reader.read(shared.statement, into: &batch)
        rest = rest.map { $0 - 1 }
        if batchSize.isFull(batch) { break reading }
      }
      statement = nil
      place += 1
    }
    batchSize.grow()
    return batch.count > 0 ? batch : nil
  }

  /// Returns the statement with the next record, or nil after the last.
  private func current(
    on connection: borrowing Connection
  ) throws(DataError) -> SharedStatement? {
    if let statement { return statement }
    guard place < answering.count, rest ?? 1 > 0 else { return nil }
    statement = SharedStatement(
      try Statement(answering.statement(place, limit: rest), on: connection))
    return statement
  }
}

/// The rows of a group query, in chunks.
final class GroupAnswer: Answer {
  private let answering: GroupAnswering
  private let reader: RowReader
  private let statement: Statement
  private var isAtEnd = false
  private var batchSize = BatchSize()

  init(
    _ query: GroupQuery, in catalog: Catalog, on connection: borrowing Connection
  ) throws(DataError) {
    answering = try GroupAnswering(query, in: catalog, SQLiteDialect())
    reader = RowReader(answering.selection)
    statement = try Statement(answering.statement, on: connection)
  }

  func next(
    reusing rows: consuming Rows, on connection: borrowing Connection
  ) throws(DataError) -> Rows? {
    var batch = rows
    if batch.width != reader.width { batch = Rows(width: reader.width) }
    batch.removeAll()
    while !isAtEnd, !batchSize.isFull(batch) {
      guard try statement.step() else {
        isAtEnd = true
        break
      }
      try checkSums()
      try reader.read(statement, into: &batch)
    }
    batchSize.grow()
    return batch.count > 0 ? batch : nil
  }

  /// Throws if a sum in the current row exceeds the range of its type.
  private func checkSums() throws(DataError) {
    for (place, column) in answering.columns.enumerated() {
      switch column.source {
      case .sum, .average:
        guard unsafe ColumnValue(statement, Int32(place)).kind != SQLITE_TEXT else {
          throw .sumTooLarge(column, of: answering.schema)
        }
      case .key, .count, .least, .greatest: continue
      }
    }
  }
}
