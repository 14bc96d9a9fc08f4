import DataModel
import DataStore

/// How the cells of rows travel to the columns of a table, in PostgreSQL's binary form.
struct RowEncoding: Sendable {
  private enum Form: UInt8, BitwiseCopyable {
    case bytes
    case list
    case integer
    case boolean
    case datetime
    case latitude
    case longitude
    case cell
  }

  private struct Place: BitwiseCopyable {
    let slot: Int32
    let form: Form
    let type: WireType
  }

  private let places: [Place]

  init(_ columns: [TableLayout.Column]) {
    places = columns.map { column in
      Place(slot: Int32(column.slot), form: Self.form(of: column), type: WireType(column.type))
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
    // A double travels as the bits that its cell has.
    case .integer, .number: return .integer
    case .boolean: return .boolean
    case .datetime: return .datetime
    }
  }

  /// Appends a row as COPY takes it.
  func append(_ row: Int, of rows: Rows, to bytes: inout [UInt8]) {
    bytes.append(bigEndian: Int16(truncatingIfNeeded: places.count))
    for place in places { append(place, row, of: rows, to: &bytes) }
  }

  /// The columns of some rows, an array each.
  func arrays(_ chosen: [Int], of rows: Rows) -> [WireValue] {
    places.map { place in
      var bytes: [UInt8] = []
      bytes.beginArray(of: place.type, count: chosen.count, hasNull: true)
      for row in chosen { append(place, row, of: rows, to: &bytes) }
      return WireValue(place.type.array, bytes)
    }
  }

  @inline(__always)
  private func append(_ place: Place, _ row: Int, of rows: Rows, to bytes: inout [UInt8]) {
    let cell = rows.cells[row &* rows.width &+ Int(place.slot)]
    guard cell.hasValue else {
      bytes.append(bigEndian: Int32(-1))
      return
    }
    switch place.form {
    case .bytes:
      bytes.append(bigEndian: Int32(bitPattern: cell.length))
      append(cell, of: rows, to: &bytes)
    case .list:
      bytes.append(bigEndian: Int32(bitPattern: cell.length) + 1)
      bytes.append(1)
      append(cell, of: rows, to: &bytes)
    case .integer: append(eight: Int64(bitPattern: cell.bits), to: &bytes)
    case .boolean:
      bytes.append(bigEndian: Int32(1))
      bytes.append(cell.integer == 0 ? 0 : 1)
    case .datetime: append(eight: cell.integer - WireType.epoch, to: &bytes)
    case .latitude, .longitude, .cell: append(place.form, ofPoint: cell, of: rows, to: &bytes)
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
  private func append(eight value: Int64, to bytes: inout [UInt8]) {
    bytes.append(bigEndian: Int32(8))
    bytes.append(bigEndian: value)
  }

  private func append(_ form: Form, ofPoint cell: Cell, of rows: Rows, to bytes: inout [UInt8]) {
    guard let point = rows.withBytes(of: cell, { GeoPoint(bytes: $0) }) else {
      preconditionFailure("a cell of a point holds its numbers")
    }
    switch form {
    case .latitude: append(eight: Int64(bitPattern: point.latitude.bitPattern), to: &bytes)
    case .longitude: append(eight: Int64(bitPattern: point.longitude.bitPattern), to: &bytes)
    case .cell, .bytes, .list, .integer, .boolean, .datetime: append(eight: point.cell, to: &bytes)
    }
  }
}
