import DataModel
import DataStore

/// Encodes the values of rows for the given columns of a table, in PostgreSQL's binary format.
struct RowEncoding: Sendable {
  private enum Form: UInt8, BitwiseCopyable {
    case bytes
    case list
    case integer
    case boolean
    case date
    case datetime
    case latitude
    case longitude
    case cell
  }

  private struct ColumnEncoding: BitwiseCopyable {
    let slot: Int32
    let form: Form
    let type: WireType
  }

  private let encodings: [ColumnEncoding]

  init(_ columns: [TableLayout.Column]) {
    encodings = columns.map { column in
      ColumnEncoding(
        slot: Int32(column.slot), form: Self.form(of: column), type: WireType(column.type))
    }
  }

  private static func form(of column: TableLayout.Column) -> Form {
    switch column.part {
    case .latitude: return .latitude
    case .longitude: return .longitude
    case .cell: return .cell
    case .whole: break
    }
    switch column.type {
    case .id, .text, .file, .json, .password, .relation, .geopoint: return .bytes
    case .array: return .list
    // A `Cell` contains the bits of a double, so a double is encoded like an integer.
    case .integer, .number: return .integer
    case .boolean: return .boolean
    case .date: return .date
    case .datetime: return .datetime
    }
  }

  /// Appends a row in the binary format of `COPY`: the number of values, and then the values.
  func append(_ row: Int, of rows: Rows, to bytes: inout [UInt8]) {
    bytes.append(bigEndian: Int16(truncatingIfNeeded: encodings.count))
    for encoding in encodings { append(encoding, row, of: rows, to: &bytes) }
  }

  /// Returns one PostgreSQL array for each column. Each array contains the values that the chosen
  /// rows have in that column.
  func arrays(_ chosen: [Int], of rows: Rows) -> [WireValue] {
    encodings.map { encoding in
      var bytes: [UInt8] = []
      bytes.beginArray(of: encoding.type, count: chosen.count, hasNull: true)
      for row in chosen { append(encoding, row, of: rows, to: &bytes) }
      return WireValue(encoding.type.array, bytes)
    }
  }

  @inline(__always)
  private func append(
    _ encoding: ColumnEncoding, _ row: Int, of rows: Rows, to bytes: inout [UInt8]
  ) {
    let cell = rows.cells[row &* rows.width &+ Int(encoding.slot)]
    guard cell.hasValue else {
      bytes.append(bigEndian: Int32(-1))
      return
    }
    switch encoding.form {
    case .bytes:
      bytes.append(bigEndian: Int32(bitPattern: cell.length))
      append(cell, of: rows, to: &bytes)
    case .list:
      bytes.append(bigEndian: Int32(bitPattern: cell.length) + 1)
      bytes.append(1)
      append(cell, of: rows, to: &bytes)
    case .integer: append(eightBytes: Int64(bitPattern: cell.bits), to: &bytes)
    case .boolean:
      bytes.append(bigEndian: Int32(1))
      bytes.append(cell.integer == 0 ? 0 : 1)
    case .date:
      guard let date = rows.withBytes(of: cell, { try? CalendarDate(parsing: $0) }) else {
        preconditionFailure("a date cell must contain a date")
      }
      bytes.append(bigEndian: Int32(4))
      bytes.append(bigEndian: Int32(date.days - WireType.epochDays))
    case .datetime: append(eightBytes: cell.integer - WireType.epoch, to: &bytes)
    case .latitude, .longitude, .cell: append(encoding.form, ofPoint: cell, of: rows, to: &bytes)
    }
  }

  @inline(__always)
  private func append(_ cell: Cell, of rows: Rows, to bytes: inout [UInt8]) {
    let source = cell.kind == .input ? rows.input : rows.arena
    unsafe source.withUnsafeBufferPointer { source in
      unsafe bytes.append(contentsOf: source.extracting(cell.range))
    }
  }

  @inline(__always)
  private func append(eightBytes value: Int64, to bytes: inout [UInt8]) {
    bytes.append(bigEndian: Int32(8))
    bytes.append(bigEndian: value)
  }

  private func append(_ form: Form, ofPoint cell: Cell, of rows: Rows, to bytes: inout [UInt8]) {
    guard let point = rows.withBytes(of: cell, { GeoPoint(bytes: $0) }) else {
      preconditionFailure("a geopoint cell must contain two numbers")
    }
    switch form {
    case .latitude: append(eightBytes: Int64(bitPattern: point.latitude.bitPattern), to: &bytes)
    case .longitude: append(eightBytes: Int64(bitPattern: point.longitude.bitPattern), to: &bytes)
    case .cell, .bytes, .list, .integer, .boolean, .date, .datetime:
      append(eightBytes: point.cell, to: &bytes)
    }
  }
}
