package import DataModel
import DataStore

/// The PostgreSQL types of the values that are exchanged with the server. The raw values are the
/// OIDs of the types.
package enum WireType: UInt32, BitwiseCopyable, Sendable {
  case unknown = 0
  case boolean = 16
  case bytes = 17
  case bigint = 20
  case integer = 23
  case text = 25
  case json = 114
  case double = 701
  case varchar = 1043
  case date = 1082
  case timestamp = 1184
  case numeric = 1700
  case numerics = 1231
  case jsonb = 3802
  case booleans = 1000
  case texts = 1009
  case bigints = 1016
  case doubles = 1022
  case dates = 1182
  case timestamps = 1185
  case jsons = 199
  case jsonbs = 3807

  /// Creates the PostgreSQL type of the column for a field. A geopoint is stored in two columns of
  /// this type.
  package init(_ type: FieldType) {
    self = Self.named[type.descriptor.postgresType] ?? .text
  }

  private static let named: [String: WireType] = [
    "bigint": .bigint, "double precision": .double, "boolean": .boolean, "date": .date,
    "timestamptz": .timestamp, "json": .json, "jsonb": .jsonb, "numeric": .numeric,
  ]

  /// The PostgreSQL type of an array with elements of this type.
  package var array: WireType {
    switch self {
    case .boolean: .booleans
    case .bigint: .bigints
    case .double: .doubles
    case .numeric: .numerics
    case .date: .dates
    case .timestamp: .timestamps
    case .json: .jsons
    case .jsonb: .jsonbs
    case .text, .unknown, .bytes, .integer, .varchar, .numerics, .booleans, .texts, .bigints,
      .doubles, .dates, .timestamps, .jsons, .jsonbs:
      .texts
    }
  }

  /// The name of the type in a column definition. Text types have the collation "C", which compares
  /// strings byte by byte.
  var sqlName: SQL {
    switch self {
    case .boolean: "boolean"
    case .bigint: "bigint"
    case .double: "double precision"
    case .date: "date"
    case .timestamp: "timestamptz"
    case .json: "json"
    case .jsonb: "jsonb"
    case .bytes: "bytea"
    case .numeric: "numeric"
    case .integer: "integer"
    case .text, .unknown, .varchar, .numerics, .booleans, .texts, .bigints, .doubles, .dates,
      .timestamps, .jsons, .jsonbs:
      "text collate \"C\""
    }
  }

  /// The number of microseconds from 1970 to 2000. PostgreSQL counts time from 2000, but
  /// `Timestamp` counts it from 1970.
  static let epoch: Int64 = 946_684_800_000_000

  /// The number of days from 1970 to 2000.
  static let epochDays = 10_957
}

/// A value to bind to a parameter of a statement, in PostgreSQL's binary format.
package struct WireValue: Hashable, Sendable {
  package var type: WireType
  /// The encoded bytes; nil for null.
  package var bytes: [UInt8]?

  package init(_ type: WireType, _ bytes: [UInt8]?) {
    self.type = type
    self.bytes = bytes
  }

  package init(_ value: Value) {
    var bytes: [UInt8] = []
    type = Self.append(value, to: &bytes)
    self.bytes = value == .null ? nil : bytes
  }

  /// Encodes several values of a field as one PostgreSQL array.
  package init(_ values: [Value], of type: FieldType) {
    let element = WireType(type)
    var bytes: [UInt8] = []
    bytes.beginArray(of: element, count: values.count, hasNull: false)
    for value in values {
      let offset = bytes.count
      bytes.append(bigEndian: Int32(0))
      _ = Self.append(value, to: &bytes)
      bytes.setLength(at: offset)
    }
    self.init(element.array, bytes)
  }

  private static func append(_ value: Value, to bytes: inout [UInt8]) -> WireType {
    switch value {
    case .null: return .unknown
    case .text, .json, .file: value.appendText(to: &bytes)
    case .integer(let integer): bytes.append(bigEndian: integer)
    case .number(let number): bytes.append(bigEndian: number.bitPattern)
    case .decimal(let decimal):
      bytes.append(numeric: decimal.coefficient, scale: decimal.scale)
      return .numeric
    case .boolean(let boolean): bytes.append(boolean ? 1 : 0)
    case .date(let date): bytes.append(bigEndian: Int32(date.days - WireType.epochDays))
    case .datetime(let time): bytes.append(bigEndian: time.microseconds - WireType.epoch)
    case .list(let values):
      bytes.append(1)
      ListText.append(values, to: &bytes)
      return .jsonb
    case .geopoint: preconditionFailure("a geopoint is bound as two values")
    }
    return value.type.map(WireType.init) ?? .unknown
  }
}

extension [UInt8] {
  /// Appends an integer in big-endian order.
  @inline(__always)
  mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
    var shift = Number.bitWidth
    while shift > 0 {
      shift -= 8
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Appends the header of a one-dimensional PostgreSQL array in the binary format.
  mutating func beginArray(of type: WireType, count: Int, hasNull: Bool) {
    append(bigEndian: Int32(count == 0 ? 0 : 1))
    append(bigEndian: Int32(hasNull ? 1 : 0))
    append(bigEndian: type.rawValue)
    if count == 0 { return }
    append(bigEndian: Int32(count))
    append(bigEndian: Int32(1))
  }

  /// Writes a length in the four bytes at `offset`, which were reserved for it. The length is the
  /// number of bytes that follow these four.
  mutating func setLength(at offset: Int) {
    let length = UInt32(truncatingIfNeeded: count - offset - 4)
    for index in 0..<4 {
      self[offset + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index))
    }
  }
}
