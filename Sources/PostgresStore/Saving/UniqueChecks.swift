import DataModel
import DataStore

/// Detects unique values that another record already has, for many rows at once.
struct UniqueChecks {
  private let layout: TableLayout
  private let slots: [Int]
  private let connection: Connection
  /// For each slot and each unique value, the id of the record that has the value. The changes of
  /// earlier rows are taken into account.
  private var owners: [Int: [Value: String]] = [:]
  /// Whether a unique value moved from one of the rows to another, so that the rows must be written
  /// in order.
  private(set) var movesValues = false
  private var released: [Int: Set<Value>] = [:]

  init(_ layout: TableLayout, on connection: Connection) {
    self.layout = layout
    self.connection = connection
    slots = layout.uniqueSlots
  }

  var isEmpty: Bool { slots.isEmpty }

  /// Looks up the stored records that already have one of the unique values of the rows.
  mutating func lookUp(for rows: [(row: Int, slots: [Int])], of chunk: RowChanges) throws(DataError)
  {
    owners = [:]
    released = [:]
    movesValues = false
    for slot in slots {
      let type = layout.schema.type(of: slot)
      let values = rows.filter { $0.slots.contains(slot) }.map { row in
        chunk.rows.value(chunk.rows[row.row, slot], of: type)
      }.filter { $0 != .null }
      guard !values.isEmpty else { continue }
      var found: [Value: String] = [:]
      let isApart = layout.sideTableSlots(in: connection.dialect).contains(slot)
      let (table, key, column): (SQL, SQL, SQL) =
        isApart
        ? (layout.sideTable(slot), "id", "value") : (layout.table, layout.key, layout.column(slot))
      try connection.forEachRow(
        "select \(key), \(column) from \(table) where \(column) = any(\(values: values, of: type))",
        [.id, type]
      ) { values in
        if case .text(let id) = values[0] { found[values[1]] = id }
      }
      owners[slot] = found
    }
  }

  /// Returns a problem for each unique value of a row that another record has. The changes of
  /// earlier rows are taken into account.
  func problems(of row: Int, in chunk: RowChanges, slots changed: [Int]) -> [Problem] {
    let schema = layout.schema
    let id = chunk.rows.text(chunk.rows[row, schema.keySlot])
    var problems: [Problem] = []
    for slot in slots where changed.contains(slot) {
      let value = chunk.rows.value(chunk.rows[row, slot], of: schema.type(of: slot))
      guard value != .null, let holder = owners[slot]?[value],
        !holder.utf8.elementsEqual(id.utf8)
      else { continue }
      problems.append(
        .notUnique(
          value, slot: slot, of: schema, id: id, holder: holder, line: chunk.lines[row]))
    }
    return problems
  }

  /// Records the unique values of a row as values of its record, and releases the record's previous
  /// values. Later rows are checked against the result.
  mutating func assign(
    _ row: Int, in chunk: RowChanges, slots changed: [Int], old: (rows: Rows, row: Int)?
  ) {
    let schema = layout.schema
    for slot in slots where changed.contains(slot) {
      let type = schema.type(of: slot)
      if let old {
        let before = old.rows.value(old.rows[old.row, slot], of: type)
        owners[slot]?[before] = nil
        released[slot, default: []].insert(before)
      }
      let value = chunk.rows.value(chunk.rows[row, slot], of: type)
      guard value != .null else { continue }
      if released[slot]?.contains(value) == true { movesValues = true }
      owners[slot]?[value] = chunk.rows.text(chunk.rows[row, schema.keySlot])
    }
  }
}

/// Maintains the side tables of unique fields. A side table contains the values of a field as its
/// primary key, which enforces uniqueness on engines where an index of a distributed table cannot.
struct UniqueValueTables {
  private let layout: TableLayout
  private let slots: [Int]
  private let connection: Connection

  init(_ layout: TableLayout, on connection: Connection) {
    self.layout = layout
    self.connection = connection
    slots = layout.sideTableSlots(in: connection.dialect)
  }

  /// Deletes the previous unique values of the changed records from the side tables, and inserts
  /// the new values.
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
