import DataModel
import DataStore

/// Encodes the values of rows for the given columns of a table, in PostgreSQL's binary format.
struct RowEncoding: Sendable {
  private struct ColumnEncoding: BitwiseCopyable {
    let slot: Int32
    let part: TableLayout.Column.Part
    let storage: Storage
    /// Whether the value is an array, which is stored as `jsonb`.
    let isList: Bool
    /// The number of digits after the point of a decimal, or nil for other values.
    let scale: Int?
    let type: WireType
  }

  private let encodings: [ColumnEncoding]

  init(_ columns: [TableLayout.Column]) {
    encodings = columns.map { column in
      ColumnEncoding(
        slot: Int32(column.slot), part: column.part, storage: column.type.descriptor.storage,
        isList: column.type.isList, scale: column.type.descriptor.scale, type: WireType(column.type)
      )
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
    guard encoding.part == .whole else {
      return append(encoding.part, ofPoint: cell, of: rows, to: &bytes)
    }
    switch encoding.storage {
    case .bytes, .point:
      bytes.append(bigEndian: Int32(bitPattern: cell.length) + (encoding.isList ? 1 : 0))
      // The first byte of a binary `jsonb` value is its format version.
      if encoding.isList { bytes.append(1) }
      append(cell, of: rows, to: &bytes)
    case .integer where encoding.scale != nil:
      let offset = bytes.count
      bytes.append(bigEndian: Int32(0))
      bytes.append(numeric: Int128(cell.integer), scale: encoding.scale ?? 0)
      bytes.setLength(at: offset)
    // A `Cell` contains the bits of a double, so a double is encoded like an integer.
    case .integer, .number: append(eightBytes: Int64(bitPattern: cell.bits), to: &bytes)
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

  private func append(
    _ part: TableLayout.Column.Part, ofPoint cell: Cell, of rows: Rows, to bytes: inout [UInt8]
  ) {
    guard let point = rows.withBytes(of: cell, { GeoPoint(bytes: $0) }) else {
      preconditionFailure("a geopoint cell must contain two numbers")
    }
    switch part {
    case .latitude: append(eightBytes: Int64(bitPattern: point.latitude.bitPattern), to: &bytes)
    case .longitude: append(eightBytes: Int64(bitPattern: point.longitude.bitPattern), to: &bytes)
    case .cell, .whole:
      append(eightBytes: point.cell, to: &bytes)
    }
  }
}
