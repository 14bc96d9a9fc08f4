import CSQLite
import DataModel
import DataStore

/// Takes rows of a statement's answer straight into the cells of a batch.
struct RowReader: Sendable {
  private let targets: [Selection.Target]
  /// How many cells a row has.
  let width: Int
  /// What is to be selected, in the order of the targets.
  let selection: SQL

  init(_ selection: Selection) {
    targets = selection.targets
    width = selection.width
    self.selection = selection.columns
  }

  /// Reads these slots; the key always comes along, a password never.
  init(_ layout: TableLayout, slots: [Int]) {
    self.init(Selection(layout, slots: slots, SQLiteDialect()))
  }

  /// Adds the row that the statement stands at.
  func read(_ statement: borrowing Statement, into rows: inout Rows) throws(DataError) {
    // The cells are written one after the other, and their bytes to an arena that is held apart for
    // the while: looked at as parts of the rows, both would be asked whether they are shared.
    var arena = exchange(&rows.arena, with: [])
    defer { rows.arena = arena }
    try rows.cells.append(addingCapacity: width) { (cells) throws(DataError) in
      var column: Int32 = 0
      for target in targets {
        while cells.count < target.slot { cells.append(.missing) }
        cells.append(try cell(of: statement, at: &column, as: target.form, &arena))
      }
      while cells.count < width { cells.append(.missing) }
    }
  }

  /// Reads the cell of one column, or of two for a point.
  @inline(__always)
  private func cell(
    of statement: borrowing Statement, at column: inout Int32, as form: Selection.Form,
    _ arena: inout [UInt8]
  ) throws(DataError) -> Cell {
    let value = unsafe ColumnValue(statement, column)
    defer { column += form.columnCount }
    let kind = value.kind
    guard kind != SQLITE_NULL else { return .null }
    guard kind == form.kind else { throw statement.damage }
    let start = arena.count
    switch form {
    case .bytes, .list: value.appendBytes(to: &arena)
    case .integer, .boolean, .datetime: return .integer(value.integer)
    case .number: return .number(value.number)
    case .point:
      guard
        let point = try? GeoPoint(
          latitude: value.number, longitude: statement.number(column + 1))
      else { throw statement.damage }
      point.append(to: &arena)
    }
    return .arena(start..<arena.count)
  }
}

extension Selection.Form {
  /// How SQLite keeps such values.
  @inline(__always)
  fileprivate var kind: Int32 {
    switch self {
    case .bytes, .list: SQLITE_TEXT
    case .integer, .boolean, .datetime: SQLITE_INTEGER
    case .number, .point: SQLITE_FLOAT
    }
  }

  /// How many columns a value takes.
  @inline(__always)
  fileprivate var columnCount: Int32 {
    switch self {
    case .bytes, .list, .integer, .boolean, .datetime, .number: 1
    case .point: 2
    }
  }
}
