import DataModel
import DataStore

/// Updates existing records: only the columns whose values have changed.
struct RowUpdates {
  private struct Update {
    let binding: RowBinding
    let shared: SharedStatement
  }

  /// The number of statements to cache; records from one source mostly change the same fields.
  private static let cacheLimit = 64

  private let layout: TableLayout
  private let systemSlots: [Int]
  private var updates: [[Int]: Update] = [:]

  init(_ layout: TableLayout, _ policy: SavePolicy) {
    self.layout = layout
    systemSlots = SystemField.allCases.filter { field in
      switch field {
      case .createdAt, .createdBy: policy.systemFields == .given
      case .modifiedAt, .modifiedBy, .revision: true
      }
    }.map { layout.schema.slot($0) }
  }

  /// Updates the given slots of a row and returns the result code.
  mutating func update(
    _ row: Int, of rows: Rows, slots: [Int], on connection: borrowing Connection
  ) throws(DataError) -> Int32 {
    let update = try prepared(slots, on: connection)
    return try unsafe rows.withMemory { (memory) throws(DataError) -> Int32 in
      let code = unsafe update.binding.bind(
        row, of: rows, in: memory, to: update.shared.statement)
      try update.shared.statement.check(code)
      return update.shared.statement.stepThrough()
    }
  }

  private mutating func prepared(
    _ slots: [Int], on connection: borrowing Connection
  ) throws(DataError) -> Update {
    if let update = updates[slots] { return update }
    let schema = layout.schema
    let columns = (slots + systemSlots).flatMap { TableLayout.columns(of: $0, in: schema) }
    let assignments = columns.map { column -> SQL in "\(name: column.name) = \(SQL.parameter)" }
    let update = Update(
      binding: RowBinding(columns + TableLayout.columns(of: schema.keySlot, in: schema)),
      shared: SharedStatement(
        try Statement(
          """
          update \(layout.table) set \(SQL.list(assignments)) where \(layout.key) = \(SQL.parameter)
          """, on: connection)))
    if updates.count >= Self.cacheLimit { updates.removeAll() }
    updates[slots] = update
    return update
  }
}
