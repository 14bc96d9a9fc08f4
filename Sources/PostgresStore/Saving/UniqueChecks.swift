import DataModel
import DataStore

/// Checks for many rows at once whether another record already has one of their unique values.
struct UniqueChecks {
  private let layout: TableLayout
  private let slots: [Int]
  private let connection: Connection
  /// For each unique value in the rows to check, the id of the record that has the value. The keys
  /// are slots and values. `assign` keeps the ids up to date while the rows are processed.
  private var owners: [Int: [Value: String]] = [:]
  /// Whether a row gets a unique value that an earlier row gives up. If so, the rows must be
  /// written in order.
  private(set) var movesValues = false
  private var released: [Int: Set<Value>] = [:]

  init(_ layout: TableLayout, on connection: Connection) {
    self.layout = layout
    self.connection = connection
    slots = layout.uniqueSlots
  }

  var isEmpty: Bool { slots.isEmpty }

  /// For each value of a unique field in the rows, looks up the stored record that has this value.
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
      let groups = type.isText ? connection.grouped(byShard: values) : [values]
      try connection.forEachRow(
        groups.map { values in
          "select \(key), \(column) from \(table) where \(column) = any(\(values: values, of: type))"
        }, [.id, type]
      ) { values in
        if case .text(let id) = values[0] { found[values[1]] = id }
      }
      owners[slot] = found
    }
  }

  /// Returns a problem for each unique value of the row that already belongs to another record.
  /// Takes the changes of earlier rows into account.
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

  /// Assigns the unique values of a row to its record, and releases the previous values of the
  /// record. Later rows can use the released values, but not the assigned ones.
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

/// Maintains the side tables of unique fields. The primary key of a side table is the value of the
/// field, which makes the values unique. Side tables are needed on engines where a unique index of
/// a distributed table cannot cover the records on all servers.
struct UniqueValueTables {
  private let layout: TableLayout
  private let slots: [Int]
  private let connection: Connection

  init(_ layout: TableLayout, on connection: Connection) {
    self.layout = layout
    self.connection = connection
    slots = layout.sideTableSlots(in: connection.dialect)
  }

  /// Updates the side tables: deletes the previous unique values of the changed records, and
  /// inserts the new values.
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
