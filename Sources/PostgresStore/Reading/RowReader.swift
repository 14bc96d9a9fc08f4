import DataModel
import DataStore
import JSONText

/// Decodes the rows of a PostgreSQL result, and appends them to a chunk.
struct RowReader: Sendable {
  let targets: [SelectList.Target]
  /// For each selected value, the index of the result column that contains it. A geopoint is read
  /// from this column and the next one.
  let columnIndexes: [Int]
  /// The number of values in each row that the reader appends.
  let width: Int
  let store: String
  /// The schema of the records, or nil if the rows are not records, but groups for example.
  let schema: Schema?
  private let invalidValues: SelectList.InvalidValues

  init(
    _ selectList: SelectList, store: String,
    invalidValues: SelectList.InvalidValues = .rejected
  ) {
    self.invalidValues = invalidValues
    var next = 0
    columnIndexes = selectList.targets.map { target in
      defer { next += target.storage == .point ? 2 : 1 }
      return next
    }
    targets = selectList.targets
    width = selectList.width
    schema = selectList.schema
    self.store = store
  }

  /// Creates a reader that decodes whole records from a result. `columns` contains the names of the
  /// columns of the result, in any order. Returns nil if a field has no column in the result, for
  /// example because its values are stored in another table.
  init?(_ layout: TableLayout, _ columns: [String], on connection: Connection) {
    let selectList = SelectList(
      layout, slots: Array(0..<layout.schema.width), connection.dialect)
    var columnIndexes: [Int] = []
    for target in selectList.targets {
      let own = TableLayout.columns(of: Int(target.slot), in: layout.schema).first
      guard let own, let index = columns.firstIndex(of: own.name) else { return nil }
      columnIndexes.append(index)
    }
    self.columnIndexes = columnIndexes
    invalidValues = .marked
    targets = selectList.targets
    width = selectList.width
    schema = layout.schema
    store = connection.store
  }

  /// Returns the index of a slot's column in the result, or nil if the slot is not read.
  func column(of slot: Int) -> Int? {
    targets.firstIndex { $0.slot == Int32(slot) }.map { columnIndexes[$0] }
  }

  /// Decodes a row of a result and appends it to `rows`. For the first row, also checks whether the
  /// columns have the types that datactl created.
  func read(_ row: Int, of resultSet: ResultSet, into rows: inout Rows) throws(DataError) {
    if row == 0 { try checkTypes(of: resultSet) }
    rows.addRow()
    let start = rows.cells.count - width
    for (target, column) in zip(targets, columnIndexes) {
      let cell: Cell
      if resultSet.isNull(row, column) {
        cell = .null
      } else {
        switch target.storage {
        case .bytes where target.isScalar:
          cell = rows.cell(
            for: resultSet.withBytes(row, column) { Value.json(String(decoding: $0)).jsonScalar })
        case .bytes where target.scale != nil:
          let value = decimal(row, column, of: resultSet, scale: target.scale ?? 0)
          cell =
            if let value { rows.store(value.description) } else { try invalidCell(target, &rows) }
        case .bytes:
          // Invalid lists are detected when they are printed, as in other engines.
          let values = target.element.flatMap { list(row, column, of: resultSet, $0) }
          cell =
            values.map { rows.cell(for: .list($0)) }
            ?? resultSet.withBytes(row, column) { rows.store($0) }
        case .integer: cell = .integer(try integer(row, column, of: resultSet, target.scale))
        case .boolean: cell = .integer(resultSet.integer(row, column))
        case .date:
          if let date = resultSet.date(row, column) {
            cell = rows.cell(for: .date(date))
          } else {
            cell = try invalidCell(target, &rows)
          }
        case .datetime:
          cell =
            if let time = resultSet.time(row, column) {
              .integer(time.microseconds)
            } else {
              try invalidCell(target, &rows)
            }
        case .number:
          // An infinite number can be a sort key: a number in JSON that is too large for a double.
          // In a field, it is damage, which is found when the record is printed.
          let number = resultSet.number(row, column)
          let isValid = number.isFinite || number.isInfinite && invalidValues == .marked
          cell = isValid ? .number(number) : try invalidCell(target, &rows)
        case .point:
          let point = try? GeoPoint(
            latitude: resultSet.number(row, column), longitude: resultSet.number(row, column + 1))
          cell =
            if let point {
              rows.cell(for: .geopoint(point))
            } else {
              try invalidCell(target, &rows)
            }
        }
      }
      rows.cells[start + Int(target.slot)] = cell
    }
  }

  /// Decodes an array from JSON. Returns nil if it is not a valid array of the given element type.
  /// Each element is parsed, because PostgreSQL uses its own spaces and notation of numbers in the
  /// text of `jsonb`.
  private func list(
    _ row: Int, _ column: Int, of resultSet: ResultSet, _ element: ElementType
  ) -> [Value]? {
    // The first byte of a binary `jsonb` value is its format version.
    let isBinary = resultSet.type(of: column) == WireType.jsonb.rawValue
    return resultSet.withBytes(row, column) { bytes in
      ListText.values(in: bytes, from: isBinary ? 1 : 0, of: element)
    }
  }

  private func integer(
    _ row: Int, _ column: Int, of resultSet: ResultSet, _ scale: Int?
  ) throws(DataError) -> Int64 {
    guard resultSet.type(of: column) == WireType.numeric.rawValue else {
      return resultSet.integer(row, column)
    }
    let value = decimal(row, column, of: resultSet, scale: scale ?? 0)
    guard let value, let integer = Int64(exactly: value.coefficient) else {
      throw DataError(.invalid, "the sum does not fit in 64 bits")
    }
    return integer
  }

  private func decimal(
    _ row: Int, _ column: Int, of resultSet: ResultSet, scale: Int
  ) -> DecimalValue? {
    resultSet.withBytes(row, column) { DecimalValue(numeric: $0, scale: scale) }
  }

  /// Returns whether a sum is out of range: an integer that does not fit in 64 bits, a decimal of more
  /// than 38 digits, or an infinite number.
  ///
  /// - Parameter index: The index of the sum among the selected values.
  func isOutOfRange(_ row: Int, _ index: Int, of resultSet: ResultSet) -> Bool {
    let column = columnIndexes[index]
    if resultSet.isNull(row, column) { return false }
    if resultSet.type(of: column) == WireType.numeric.rawValue {
      let sum = decimal(row, column, of: resultSet, scale: targets[index].scale ?? 0)
      guard targets[index].storage == .integer else { return sum == nil }
      return sum.flatMap { Int64(exactly: $0.coefficient) } == nil
    }
    return targets[index].storage == .number && !resultSet.number(row, column).isFinite
  }
}

/// Detects columns and values that cannot be decoded, because another tool has changed them.
extension RowReader {
  /// Throws an error if the type of a column is no longer the one that datactl created.
  func checkTypes(of resultSet: ResultSet) throws(DataError) {
    for (target, column) in zip(targets, columnIndexes) {
      guard target.wireTypes.contains(resultSet.type(of: column)),
        target.storage != .point || resultSet.type(of: column + 1) == resultSet.type(of: column)
      else {
        guard let (slot, schema) = field(of: target) else { throw .damaged(store) }
        throw .wrongColumnType(slot, of: schema)
      }
    }
  }

  /// Returns a cell that marks a stored value as invalid, or throws an error if the reader rejects
  /// invalid values. A value is invalid if datactl cannot have written it.
  private func invalidCell(
    _ target: SelectList.Target, _ rows: inout Rows
  ) throws(DataError) -> Cell {
    switch invalidValues {
    case .rejected: throw damage(target, rows)
    case .marked: target.storage.invalidCell(in: &rows.arena)
    }
  }

  /// Returns the error for an invalid value in the row that is being decoded.
  func damage(_ target: SelectList.Target, _ rows: Rows) -> DataError {
    var id: String?
    if let schema {
      let cell = rows[rows.count - 1, schema.keySlot]
      if cell.hasValue { id = rows.text(cell) }
    }
    guard let (slot, schema) = field(of: target) else { return .damaged(store) }
    return DataError(
      .invalidStoredValue(of: schema.name(of: slot), id: id, schema: schema.name))
  }

  /// Returns the field from which a selected value comes. Returns nil if it is not the value of a
  /// field, but for example a computed value.
  private func field(of target: SelectList.Target) -> (slot: Int, schema: Schema)? {
    guard let schema, Int(target.slot) < schema.width else { return nil }
    return (Int(target.slot), schema)
  }
}

extension SelectList.Target {
  /// The OIDs of the PostgreSQL types that can be decoded to this kind of value. For example, an
  /// integer can be decoded from a `bigint` or, if it is a sum, from a `numeric`.
  fileprivate var wireTypes: [UInt32] {
    let types: [WireType] =
      switch storage {
      case .bytes:
        scale != nil
          ? [.numeric]
          : isScalar
            ? [.json] : element == nil ? [.text, .json, .varchar] : [.jsonb, .json, .text]
      case .integer: [.bigint, .numeric, .integer]
      case .boolean: [.boolean]
      case .date: [.date]
      case .datetime: [.timestamp]
      case .number, .point: [.double]
      }
    return types.map(\.rawValue)
  }
}
