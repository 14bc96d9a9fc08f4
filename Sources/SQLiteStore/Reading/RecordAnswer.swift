import CSQLite
import DataModel
import DataStore

/// How many rows make a batch.
struct BatchSize {
  /// How many bytes make one.
  private static let most = 256 << 10
  /// How many rows make one at the most, however short they are.
  private static let greatestCount = 4_096

  /// How many rows make the next one: few at first, since somebody waits for the first.
  private var count = 64

  func isFull(_ rows: borrowing Rows) -> Bool {
    rows.arena.count >= Self.most || rows.count >= count
  }

  mutating func grow() { count = min(count * 2, Self.greatestCount) }
}

/// The records of a query, statement after statement.
final class RecordAnswer: Answer {
  private let answering: Answering
  private let reader: RowReader
  private var place = 0
  /// How many records may still come.
  private var rest: Int?
  private var statement: SharedStatement?
  private var batchSize = BatchSize()
  /// What was read backwards, as long as not all of it is given.
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

  /// The statement that has the next record; nil behind the last.
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

/// The rows about groups.
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

  /// Refuses a sum that is beyond what its column can hold, where the statement stands.
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
