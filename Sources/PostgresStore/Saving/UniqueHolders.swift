import DataModel
import DataStore

/// Maintains the side tables of unique values. Their primary keys enforce uniqueness on engines
/// where an index cannot.
struct UniqueValueTables {
  private let layout: TableLayout
  private let slots: [Int]
  private let connection: Connection

  init(_ layout: TableLayout, on connection: Connection) {
    self.layout = layout
    self.connection = connection
    slots = layout.sideTableSlots(in: connection.dialect)
  }

  /// Deletes the values that records release, and inserts their new ones.
  func write(
    _ changes: [(row: Int, slots: [Int], old: Int?)], of chunk: Rows, over old: Rows
  ) throws(DataError) {
    for slot in slots {
      let changed = changes.filter { $0.slots.contains(slot) }
      let type = layout.schema.type(of: slot)
      let released = changed.compactMap(\.old).map { old.value(old[$0, slot], of: type) }
        .filter { $0 != .null }
      if !released.isEmpty {
        connection.enqueue(
          "delete from \(layout.sideTable(slot)) where value = any(\(values: released, of: type))")
      }
      var writer = RowWriter(valuesOf: slot, layout, on: connection)
      try writer.insert(changed.map(\.row).filter { chunk[$0, slot].hasValue }, of: chunk)
    }
  }
}
