import DataModel
import DataStore

/// Checks whether the unique values of a row are already used by other stored records.
struct UniqueChecks {
  private struct Check {
    let slot: Int
    let shared: SharedStatement
  }

  private let layout: TableLayout
  private var checks: [Check] = []

  init(_ layout: TableLayout, on connection: borrowing Connection) throws(DataError) {
    self.layout = layout
    for slot in layout.uniqueSlots {
      let column: SQL = layout.column(slot)
      checks.append(
        Check(
          slot: slot,
          shared: SharedStatement(
            try Statement(
              """
              select \(layout.key) from \(layout.table) where \(column) = \(SQL.parameter) \
              and \(layout.key) <> \(SQL.parameter) limit 1
              """, on: connection))))
    }
  }

  var isEmpty: Bool { checks.isEmpty }

  /// Returns a problem for each unique value of a row that another stored record already has.
  func problems(
    of row: Int, in chunk: RowChanges, slots: [Int]
  ) throws(DataError) -> [Problem] {
    let schema = layout.schema
    let rows = chunk.rows
    let key = rows.text(rows[row, schema.keySlot])
    var problems: [Problem] = []
    for check in checks where slots.contains(check.slot) && rows[row, check.slot].hasValue {
      let statement = check.shared
      let value = rows.value(rows[row, check.slot], of: schema.type(of: check.slot))
      try statement.statement.bind(value, at: 1)
      try statement.statement.bind(key, at: 2)
      defer { statement.statement.reset() }
      guard try statement.statement.step(), let other = statement.statement.text(0) else {
        continue
      }
      problems.append(
        .notUnique(
          value, slot: check.slot, of: schema, id: key, holder: other, line: chunk.lines[row]))
    }
    return problems
  }
}
