import DataModel

/// One column of what is written: which cell, and how its value looks.
struct RecordColumn: BitwiseCopyable, Sendable {
  /// How the value of a cell is written.
  enum Form: BitwiseCopyable {
    case text
    case integer
    case number
    case boolean
    case datetime
    case geopoint
    case file
    /// The cell holds JSON.
    case json

    init(_ type: FieldType) {
      switch type {
      case .id, .text, .password: self = .text
      case .integer: self = .integer
      case .number: self = .number
      case .boolean: self = .boolean
      case .datetime: self = .datetime
      case .geopoint: self = .geopoint
      case .file: self = .file
      case .json, .array: self = .json
      case .relation(let relation): self = relation.isMany ? .json : .text
      }
    }
  }

  var slot: Int
  var form: Form
  var prefixStart: Int
  var prefixEnd: Int
  var nullEnd: Int

  /// Appends a value, which is there, as JSON.
  func appendJSON(_ cell: Cell, of rows: Rows, to output: inout [UInt8]) {
    switch form {
    case .text:
      if cell.kind == .input {
        JSONQuote.append(rows.input.span.extracting(cell.range), to: &output)
      } else {
        JSONQuote.append(rows.arena.span.extracting(cell.range), to: &output)
      }
    case .datetime:
      output.append(UInt8(ascii: "\""))
      appendScalar(cell, to: &output)
      output.append(UInt8(ascii: "\""))
    case .integer, .number, .boolean: appendScalar(cell, to: &output)
    case .geopoint: appendPoint(cell, of: rows, to: &output)
    case .file, .json: appendBytes(cell, of: rows, to: &output)
    }
  }

  /// Appends the value as a cell of CSV: nothing for null, quotes for the empty text.
  func appendCSV(_ cell: Cell, of rows: Rows, to output: inout [UInt8]) {
    guard cell.hasValue else { return }
    switch form {
    case .text, .file, .json:
      if cell.kind == .input {
        CSVCell.append(rows.input.span.extracting(cell.range), to: &output)
      } else {
        CSVCell.append(rows.arena.span.extracting(cell.range), to: &output)
      }
    case .geopoint:
      var point: [UInt8] = []
      appendPoint(cell, of: rows, to: &point)
      CSVCell.append(point.span, to: &output)
    case .integer, .number, .boolean, .datetime: appendScalar(cell, to: &output)
    }
  }

  /// Appends the bytes of the cell as they are.
  func appendBytes(_ cell: Cell, of rows: Rows, to output: inout [UInt8]) {
    if cell.kind == .input {
      output.append(copying: rows.input.span.extracting(cell.range))
    } else {
      output.append(copying: rows.arena.span.extracting(cell.range))
    }
  }

  private func appendScalar(_ cell: Cell, to output: inout [UInt8]) {
    switch form {
    case .integer: NumberText.write(cell.integer, to: &output)
    case .number: NumberText.write(cell.number, to: &output)
    case .boolean: output.append(copying: cell.integer == 0 ? Self.no.span : Self.yes.span)
    case .datetime: Timestamp(microseconds: cell.integer)?.write(to: &output)
    case .text, .geopoint, .file, .json: break
    }
  }

  private func appendPoint(_ cell: Cell, of rows: Rows, to output: inout [UInt8]) {
    let point = rows.withBytes(of: cell) { GeoPoint(bytes: $0) }
    guard let point else { return output.append(copying: Self.null.span) }
    output.append(copying: Self.latitude.span)
    NumberText.write(point.latitude, to: &output)
    output.append(copying: Self.longitude.span)
    NumberText.write(point.longitude, to: &output)
    output.append(UInt8(ascii: "}"))
  }

  private static let null = Array("null".utf8)
  private static let yes = Array("true".utf8)
  private static let no = Array("false".utf8)
  private static let latitude = Array("{\"lat\":".utf8)
  private static let longitude = Array(",\"lon\":".utf8)
}
