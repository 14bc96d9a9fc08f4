import CSQLite
import DataModel
import DataStore

/// Reads the result rows of a statement, and appends them to a chunk of rows.
struct RowReader: Sendable {
  private let targets: [SelectList.Target]
  /// The number of cells in each row. The cell of a field that is not selected has no value.
  let width: Int
  /// The columns to select, as SQL, in the order in which they are read.
  let selectList: SQL
  /// The schema of the records, or nil if the rows are not records.
  private let schema: Schema?
  private let invalidValues: SelectList.InvalidValues

  init(_ selectList: SelectList, invalidValues: SelectList.InvalidValues = .rejected) {
    self.invalidValues = invalidValues
    targets = selectList.targets
    width = selectList.width
    self.selectList = selectList.columns
    schema = selectList.schema
  }

  /// Creates a reader for the given slots. The primary key is always read, and a password is never
  /// read.
  init(
    _ layout: TableLayout, slots: [Int], invalidValues: SelectList.InvalidValues = .rejected
  ) {
    self.init(SelectList(layout, slots: slots, SQLiteDialect()), invalidValues: invalidValues)
  }

  /// Appends the current row of the statement to `rows`.
  func read(_ statement: borrowing Statement, into rows: inout Rows) throws(DataError) {
    // The arena is moved to a local variable while cells are written. If it were accessed through
    // `rows`, each append would check both arrays, cells and arena, for unique ownership.
    var arena = exchange(&rows.arena, with: [])
    defer { rows.arena = arena }
    try rows.cells.append(addingCapacity: width) { (cells) throws(DataError) in
      var column: Int32 = 0
      for target in targets {
        while cells.count < target.slot { cells.append(.missing) }
        if let cell = cell(of: statement, at: &column, as: target.storage, &arena)
          ?? computedDecimal(of: statement, at: column - 1, as: target, &arena)
        {
          cells.append(cell)
        } else {
          switch invalidValues {
          case .rejected: throw damage(target, statement)
          case .marked: cells.append(target.storage.invalidCell(in: &arena))
          }
        }
      }
      while cells.count < width { cells.append(.missing) }
    }
  }

  /// Reads one value from the current row, and advances `column` past it. A point is read from two
  /// columns. Returns nil if the value does not have the SQLite type in which datactl stores it.
  @inline(__always)
  private func cell(
    of statement: borrowing Statement, at column: inout Int32, as storage: Storage,
    _ arena: inout [UInt8]
  ) -> Cell? {
    let value = unsafe ColumnValue(statement, column)
    defer { column += storage.columnCount }
    let kind = value.kind
    guard kind != SQLITE_NULL else { return .null }
    guard kind == storage.kind else { return nil }
    let start = arena.count
    switch storage {
    case .bytes, .date: value.appendBytes(to: &arena)
    case .integer, .boolean, .datetime: return .integer(value.integer)
    case .number: return .number(value.number)
    case .point:
      guard
        let point = try? GeoPoint(
          latitude: value.number, longitude: statement.number(column + 1))
      else { return nil }
      point.append(to: &arena)
    }
    return .arena(start..<arena.count)
  }

  /// Reads a computed decimal from the current row. Returns nil if the column contains another value.
  private func computedDecimal(
    of statement: borrowing Statement, at column: Int32, as target: SelectList.Target,
    _ arena: inout [UInt8]
  ) -> Cell? {
    let value = unsafe ColumnValue(statement, column)
    guard let scale = target.scale, value.kind == SQLITE_BLOB else { return nil }
    var bytes: [UInt8] = []
    value.appendBytes(to: &bytes)
    guard let decimal = ComputedDecimal.value(bytes.span, scale: scale) else { return nil }
    let start = arena.count
    decimal.write(to: &arena)
    return .arena(start..<arena.count)
  }

  /// Returns the error for an invalid value in the current row of the statement.
  private func damage(
    _ target: SelectList.Target, _ statement: borrowing Statement
  ) -> DataError {
    guard let schema, Int(target.slot) < schema.width else { return statement.damage }
    var column: Int32 = 0
    for other in targets {
      if Int(other.slot) == schema.keySlot { break }
      column += other.storage.columnCount
    }
    return DataError(
      .invalidStoredValue(
        of: schema.name(of: Int(target.slot)), id: statement.text(column), schema: schema.name))
  }
}

extension Storage {
  /// The type that the value has in SQLite (`sqlite3_value_type`), such as `SQLITE_INTEGER` for a
  /// boolean.
  @inline(__always)
  fileprivate var kind: Int32 {
    switch self {
    case .bytes, .date: SQLITE_TEXT
    case .integer, .boolean, .datetime: SQLITE_INTEGER
    case .number, .point: SQLITE_FLOAT
    }
  }

  /// The number of columns in which SQLite stores the value: two for a point, one for any other.
  @inline(__always)
  fileprivate var columnCount: Int32 { if case .point = self { 2 } else { 1 } }
}
