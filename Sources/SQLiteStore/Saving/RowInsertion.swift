import DataModel
import DataStore

/// Inserts new records: one at a time if each may violate a constraint, otherwise many in one
/// statement.
struct RowInsertion: ~Copyable {
  /// The number of rows in one statement. They share the cost of a step, 0.45 µs.
  static let maximumRows = 64

  private let binding: RowBinding
  private let one: Statement
  private let rowCount: Int
  private let head: SQL
  private let row: SQL
  /// Prepared when there are enough rows to fill it, since preparing it takes longer than inserting
  /// a few rows.
  private var many: SharedStatement?

  init(
    _ layout: TableLayout, _ request: SaveRequest, on connection: borrowing Connection
  ) throws(DataError) {
    var bound: [TableLayout.Column] = []
    let values = layout.columns.map { column -> SQL in
      if let value = Self.constant(column.slot, of: layout.schema, request) { return "\(value)" }
      bound.append(column)
      return .parameter
    }
    let row: SQL = "(\(SQL.list(values)))"
    let names = layout.columns.map { column -> SQL in "\(name: column.name)" }
    let columns: SQL = "into \(layout.table) (\(SQL.list(names))) values "
    // SQLite allows at least 32,766 parameters.
    let rowCount = max(1, min(Self.maximumRows, 32_000 / layout.columns.count))
    let one = try Statement("insert " + columns + row, on: connection)
    // A failed insert of many rows rolls back the whole transaction. With `or rollback`, SQLite
    // needs no statement journal, which is a third of what a bulk load writes.
    self.head = "insert or rollback " + columns
    self.row = row
    binding = RowBinding(bound)
    self.rowCount = rowCount
    self.one = one
  }

  /// The value that a system field has in every new record, unless records bring their own.
  private static func constant(_ slot: Int, of schema: Schema, _ request: SaveRequest) -> Value? {
    guard request.policy.systemFields == .kept, slot >= schema.fields.count else { return nil }
    switch SystemField.allCases[slot - schema.fields.count] {
    case .createdAt, .modifiedAt: return .datetime(request.stamp.time)
    case .createdBy, .modifiedBy: return request.stamp.user.map(Value.text) ?? .null
    case .revision: return .integer(1)
    }
  }

  /// Inserts one row and returns the result code.
  func insert(_ row: Int, of rows: borrowing Rows) throws(DataError) -> Int32 {
    let rows = copy rows
    return try unsafe rows.withMemory { (memory) throws(DataError) -> Int32 in
      try one.check(unsafe binding.bind(row, of: rows, in: memory, to: one))
      return one.stepThrough()
    }
  }

  /// Inserts rows that cannot violate a constraint.
  mutating func insert(
    all rowIndexes: [Int], of rows: borrowing Rows, on connection: borrowing Connection
  ) throws(DataError) {
    if many == nil && rowIndexes.count >= rowCount {
      let sql = head + SQL.list(Array(repeating: row, count: rowCount))
      many = SharedStatement(try Statement(sql, on: connection))
    }
    let many = many
    let rows = copy rows
    try unsafe rows.withMemory { (memory) throws(DataError) in
      var next = 0
      while let many, rowIndexes.count - next >= rowCount {
        var code: Int32 = 0
        for offset in 0..<rowCount {
          code |= unsafe binding.bind(
            rowIndexes[next + offset], of: rows, in: memory, to: many.statement,
            from: offset * binding.count)
        }
        try many.statement.check(code)
        try many.statement.run()
        next += rowCount
      }
      for rowIndex in rowIndexes[next...] {
        try one.check(unsafe binding.bind(rowIndex, of: rows, in: memory, to: one))
        try one.run()
      }
    }
  }
}
