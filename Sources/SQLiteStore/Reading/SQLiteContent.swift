import DataModel
import DataStore

/// The bytes of a file, piece by piece, out of a snapshot of its own.
actor SQLiteContent: ContentStream {
  private let executor: StoreExecutor
  private let connection: Connection
  private let statement: Statement
  private var isAtEnd = false

  /// Begins to read; nil if the record or the file is not there.
  init?(
    of slot: Int, id: String, in schema: Schema, on connection: consuming Connection,
    by executor: StoreExecutor
  ) throws(DataError) {
    let layout = TableLayout(schema)
    let field = schema.name(of: slot)
    // One snapshot for both questions: that there is a file, and what it holds.
    try connection.run("begin")
    guard
      try connection.hasRow(
        """
        select 1 from \(layout.table) where \(layout.key) = \(.text(id)) \
        and \(layout.column(slot)) is not null
        """)
    else { return nil }
    statement = try Statement(
      """
      select bytes from _file where schema = \(.text(schema.name)) and record = \(.text(id)) \
      and field = \(.text(field)) order by piece
      """, on: connection)
    self.connection = connection
    self.executor = executor
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  func next() throws(DataError) -> [UInt8]? {
    guard !isAtEnd, try statement.step() else {
      isAtEnd = true
      return nil
    }
    return statement.bytes(0)
  }
}
