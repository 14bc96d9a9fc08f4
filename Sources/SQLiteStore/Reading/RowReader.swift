import CSQLite
import DataModel
import DataStore

/// Takes rows of a statement's answer straight into the cells of a batch.
struct RowReader: Sendable {
  private let targets: [Selection.Target]
  /// How many cells a row has.
  let width: Int

  init(_ selection: Selection) {
    targets = selection.targets
    width = selection.width
  }

  /// Adds the row that the statement stands at.
  func read(_ statement: borrowing Statement, into rows: inout Rows) throws(DataError) {
    rows.addRow()
    let start = rows.cells.count - width
    var column: Int32 = 0
    for target in targets {
      let value = unsafe ColumnValue(statement, column)
      let cell: Cell
      switch (value.kind, target.form) {
      case (SQLITE_NULL, .point):
        cell = .null
        column += 1
      case (SQLITE_NULL, _): cell = .null
      case (SQLITE_TEXT, .bytes), (SQLITE_TEXT, .list):
        let offset = rows.arena.count
        value.appendBytes(to: &rows.arena)
        cell = .arena(offset..<rows.arena.count)
      case (SQLITE_INTEGER, .integer), (SQLITE_INTEGER, .boolean), (SQLITE_INTEGER, .datetime):
        cell = .integer(value.integer)
      case (SQLITE_FLOAT, .number): cell = .number(value.number)
      case (SQLITE_FLOAT, .point):
        guard
          let point = try? GeoPoint(
            latitude: value.number, longitude: statement.number(column + 1))
        else { throw statement.damage }
        cell = rows.cell(for: .geopoint(point))
        column += 1
      default: throw statement.damage
      }
      rows.cells[start + Int(target.slot)] = cell
      column += 1
    }
  }
}
