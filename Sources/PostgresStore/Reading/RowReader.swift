import DataModel
import DataStore

/// Decodes the rows of a result directly into the cells of a chunk.
struct RowReader: Sendable {
  let targets: [SelectList.Target]
  /// The index of each target's column; a point uses the next column, too.
  let columnIndexes: [Int]
  /// The number of cells in a row.
  let width: Int
  let store: String
  /// The schema of the records; nil for other rows.
  let schema: Schema?

  init(_ selectList: SelectList, store: String) {
    var next = 0
    columnIndexes = selectList.targets.map { target in
      defer { next += target.form == .point ? 2 : 1 }
      return next
    }
    targets = selectList.targets
    width = selectList.width
    schema = selectList.schema
    self.store = store
  }

  /// Creates a reader for records from all columns of their table, in any order. Returns nil if
  /// some values of the records are in another table.
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
    targets = selectList.targets
    width = selectList.width
    schema = layout.schema
    store = connection.store
  }

  /// Returns the index of a slot's column, if the slot is read.
  func column(of slot: Int) -> Int? {
    targets.firstIndex { $0.slot == Int32(slot) }.map { columnIndexes[$0] }
  }

  /// Decodes a row and appends it. The column types are checked at the first row.
  func read(_ row: Int, of resultSet: ResultSet, into rows: inout Rows) throws(DataError) {
    if row == 0 { try checkTypes(of: resultSet) }
    rows.addRow()
    let start = rows.cells.count - width
    for (target, column) in zip(targets, columnIndexes) {
      let cell: Cell
      if resultSet.isNull(row, column) {
        cell = .null
      } else {
        switch target.form {
        case .bytes: cell = resultSet.withBytes(row, column) { rows.store($0) }
        case .list:
          guard let values = list(row, column, of: resultSet, target.element) else {
            throw damage(target, rows)
          }
          cell = rows.cell(for: .list(values))
        case .integer: cell = .integer(try integer(row, column, of: resultSet))
        case .boolean: cell = .integer(resultSet.integer(row, column))
        case .datetime:
          guard let time = resultSet.time(row, column) else { throw damage(target, rows) }
          cell = .integer(time.microseconds)
        case .number:
          let number = resultSet.number(row, column)
          guard number.isFinite else { throw damage(target, rows) }
          cell = .number(number)
        case .point:
          guard
            let point = try? GeoPoint(
              latitude: resultSet.number(row, column), longitude: resultSet.number(row, column + 1))
          else { throw damage(target, rows) }
          cell = rows.cell(for: .geopoint(point))
        }
      }
      rows.cells[start + Int(target.slot)] = cell
    }
  }

  /// Decodes a list, which PostgreSQL formats with spaces and with its own notation of numbers.
  private func list(
    _ row: Int, _ column: Int, of resultSet: ResultSet, _ element: ElementType
  ) -> [Value]? {
    // The first byte of `jsonb` is its version number.
    let isBinary = resultSet.type(of: column) == WireType.jsonb.rawValue
    return resultSet.withBytes(row, column) { bytes in
      ListText.values(in: bytes, from: isBinary ? 1 : 0, of: element)
    }
  }

  private func integer(
    _ row: Int, _ column: Int, of resultSet: ResultSet
  ) throws(DataError) -> Int64 {
    guard resultSet.type(of: column) == WireType.numeric.rawValue else {
      return resultSet.integer(row, column)
    }
    guard let integer = resultSet.withBytes(row, column, { Self.integer(ofNumeric: $0) }) else {
      throw DataError(.invalid, Self.tooLarge)
    }
    return integer
  }

  /// The message for a sum beyond 64 bits, until the column is known.
  static let tooLarge = "the sum does not fit in 64 bits"

  /// Decodes a sum in the binary format of `numeric`: digits in base 10,000, and the weight of the
  /// first one. Returns nil beyond 64 bits.
  private static func integer(ofNumeric bytes: Span<UInt8>) -> Int64? {
    func word(_ index: Int) -> Int {
      Int(Int16(bitPattern: UInt16(bytes[index * 2]) << 8 | UInt16(bytes[index * 2 + 1])))
    }
    let (count, weight, sign) = (word(0), word(1), word(2))
    guard weight < 6 else { return nil }
    var sum: Int128 = 0
    for index in 0..<max(weight + 1, 0) {
      sum = sum * 10_000 + Int128(index < count ? word(4 + index) : 0)
    }
    return Int64(exactly: sign == 0x4000 ? -sum : sum)
  }
}

/// Detection of columns and values that another tool has changed, which could not be decoded
/// correctly.
extension RowReader {
  /// Throws an error if a column has another type than datactl gave it.
  func checkTypes(of resultSet: ResultSet) throws(DataError) {
    for (target, column) in zip(targets, columnIndexes) {
      guard target.form.wireTypes.contains(resultSet.type(of: column)),
        target.form != .point || resultSet.type(of: column + 1) == resultSet.type(of: column)
      else {
        guard let (slot, schema) = field(of: target) else { throw .damaged(store) }
        throw .wrongColumnType(slot, of: schema)
      }
    }
  }

  /// Returns the error for a value, in the current row, that datactl would not have written.
  func damage(_ target: SelectList.Target, _ rows: Rows) -> DataError {
    var id: String?
    if let schema {
      let cell = rows[rows.count - 1, schema.keySlot]
      if cell.hasValue { id = rows.text(cell) }
    }
    guard let (slot, schema) = field(of: target) else { return .damaged(store) }
    let record = id.map { ", in \(Excerpt.quoted($0))" } ?? ""
    return DataError(
      Problem(
        .storeDamaged, "the stored value is invalid\(record)",
        hint: "correct it with psql, or restore the store from a backup", schema: schema.name,
        id: id, field: schema.name(of: slot)))
  }

  /// Returns the field that a target belongs to, if it is one of a schema.
  private func field(of target: SelectList.Target) -> (slot: Int, schema: Schema)? {
    guard let schema, Int(target.slot) < schema.width else { return nil }
    return (Int(target.slot), schema)
  }
}

extension SelectList.Form {
  /// The OIDs of the types in which values of this form are received, from columns and from
  /// aggregates.
  fileprivate var wireTypes: [UInt32] {
    let types: [WireType] =
      switch self {
      case .bytes: [.text, .json, .varchar]
      case .list: [.jsonb, .json, .text]
      case .integer: [.bigint, .numeric, .integer]
      case .boolean: [.boolean]
      case .datetime: [.timestamp]
      case .number, .point: [.double]
      }
    return types.map(\.rawValue)
  }
}
