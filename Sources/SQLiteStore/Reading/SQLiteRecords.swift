import DataModel
import DataStore

/// The answer to a query, out of a snapshot of its own, however long it takes to read.
actor SQLiteRecords: RecordStream {
  /// How many bytes make a batch.
  private static let batchSize = 256 << 10
  /// How many rows make a batch at the most, however short they are.
  private static let greatestCount = 4_096

  private let width: Int
  private let reader: RowReader
  private let executor: StoreExecutor
  private let connection: Connection
  private let statement: Statement
  private var isAtEnd = false
  /// How many rows make the next batch: few at first, since somebody waits for the first.
  private var batchCount = 64

  init(_ query: Query, on connection: consuming Connection, by executor: StoreExecutor)
    throws(DataError)
  {
    let layout = TableLayout(query.schema)
    width = query.schema.width
    reader = RowReader(layout, slots: query.slots)
    statement = try Statement(
      try query.sql(selecting: reader.selection, in: layout), on: connection)
    self.connection = connection
    self.executor = executor
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  func next(reusing rows: consuming Rows) throws(DataError) -> Rows? {
    var batch = rows.width == width ? rows : Rows(width: width)
    batch.removeAll()
    var count = 0
    while !isAtEnd, batch.arena.count < Self.batchSize, count < batchCount {
      if try statement.step() {
        try reader.read(statement, into: &batch)
        count += 1
      } else {
        isAtEnd = true
        // Letting go of the snapshot lets writers empty the journal.
        statement.reset()
      }
    }
    batchCount = min(batchCount * 2, Self.greatestCount)
    return count > 0 ? batch : nil
  }
}
