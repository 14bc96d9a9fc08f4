import DataModel
import DataStore

/// Writes the targets of one to-many relation, in order.
struct LinkWriter {
  let slot: Int
  private let removal: SharedStatement
  private let insertion: SharedStatement

  init(_ slot: Int, of layout: TableLayout, on connection: borrowing Connection) throws(DataError) {
    self.slot = slot
    removal = SharedStatement(
      try Statement(
        "delete from \(layout.link(slot)) where source = \(SQL.parameter)", on: connection))
    insertion = SharedStatement(
      try Statement(
        """
        insert into \(layout.link(slot)) (source, position, target) values \
        (\(SQL.parameter), \(SQL.parameter), \(SQL.parameter))
        """, on: connection))
  }

  /// Replaces the targets of a record with those in its row.
  func write(_ row: Int, of chunk: RowChanges, isNew: Bool) throws(DataError) {
    let schema = chunk.schema
    let source = chunk.rows.text(chunk.rows[row, schema.keySlot])
    if !isNew {
      try removal.statement.bind(source, at: 1)
      try removal.statement.run()
    }
    let ids = chunk.rows.value(chunk.rows[row, slot], of: schema.type(of: slot)).texts
    guard !ids.isEmpty else { return }
    try insertion.statement.bind(source, at: 1)
    for (position, id) in ids.enumerated() {
      try insertion.statement.bind(Int64(position), at: 2)
      try insertion.statement.bind(id, at: 3)
      try insertion.statement.run()
    }
  }
}
