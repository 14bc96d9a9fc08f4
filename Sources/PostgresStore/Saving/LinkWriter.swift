import DataModel
import DataStore

/// Writes the ids of one to-many relation, in their order.
struct LinkWriter {
  let slot: Int
  private let layout: TableLayout
  private let connection: Connection

  init(_ slot: Int, of layout: TableLayout, on connection: Connection) {
    self.slot = slot
    self.layout = layout
    self.connection = connection
  }

  /// Inserts the ids in the given rows, after deleting the previous ids of the records in
  /// `replaced`.
  func write(_ rows: [Int], of chunk: RowChanges, replacing replaced: [Int]) throws(DataError) {
    let schema = chunk.schema
    let key = schema.keySlot
    if !replaced.isEmpty {
      let sources = replaced.map { Value.text(chunk.rows.text(chunk.rows[$0, key])) }
      connection.enqueue(
        "delete from \(layout.link(slot)) where source = any(\(values: sources, of: .id))")
    }
    var sources: [Value] = []
    var positions: [Value] = []
    var targets: [Value] = []
    for row in rows {
      let ids = chunk.rows.value(chunk.rows[row, slot], of: schema.type(of: slot)).texts
      if ids.isEmpty { continue }
      let source = Value.text(chunk.rows.text(chunk.rows[row, key]))
      for (position, id) in ids.enumerated() {
        sources.append(source)
        positions.append(.integer(Int64(position)))
        targets.append(.text(id))
      }
    }
    guard !sources.isEmpty else { return }
    connection.enqueue(
      """
      insert into \(layout.link(slot)) (source, position, target) select * from \
      unnest(\(values: sources, of: .id), \(values: positions, of: .integer), \
      \(values: targets, of: .id))
      """)
  }
}
