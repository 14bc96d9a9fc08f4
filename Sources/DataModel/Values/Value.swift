import JSONText

/// A value of a record's field.
///
/// Text values are equal if their UTF-8 bytes are equal, as in the stores. In contrast, `String ==`
/// treats composed and decomposed letters as equal.
public enum Value: Sendable {
  /// No value.
  case null
  /// Text, an id, or the id in a to-one relation.
  case text(String)
  /// A 64-bit integer.
  case integer(Int64)
  /// A 64-bit floating-point number.
  case number(Double)
  /// An exact decimal number.
  case decimal(DecimalValue)
  /// True or false.
  case boolean(Bool)
  /// A day without a time.
  case date(CalendarDate)
  /// A point in time.
  case datetime(Timestamp)
  /// A latitude and a longitude.
  case geopoint(GeoPoint)
  /// The metadata of a file.
  case file(FileReference)
  /// A JSON value, as text without insignificant whitespace.
  case json(String)
  /// The values of an array, or the ids in a to-many relation.
  case list([Value])
}

extension Value: Hashable {
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.text(let left), .text(let right)), (.json(let left), .json(let right)):
      left.utf8.elementsEqual(right.utf8)
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.decimal(let left), .decimal(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.datetime(let left), .datetime(let right)): left == right
    case (.geopoint(let left), .geopoint(let right)): left == right
    case (.file(let left), .file(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (_, _): false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .text(let text), .json(let text): for byte in text.utf8 { hasher.combine(byte) }
    case .integer(let integer): hasher.combine(integer)
    case .number(let number): hasher.combine(number)
    case .decimal(let decimal): hasher.combine(decimal)
    case .boolean(let boolean): hasher.combine(boolean)
    case .date(let date): hasher.combine(date)
    case .datetime(let timestamp): hasher.combine(timestamp)
    case .geopoint(let point): hasher.combine(point)
    case .file(let file): hasher.combine(file)
    case .list(let values): hasher.combine(values)
    }
  }
}

/// The metadata of a file in a `file` field. The content is kept in the store.
public struct FileReference: Hashable, Sendable {
  /// The file name, without a directory.
  public var name: String
  /// The media type, such as `image/png`.
  public var type: String
  /// The size in bytes.
  public var size: Int64
  /// The SHA-256 hash of the content, as 64 lowercase hexadecimal digits.
  public var sha256: String

  /// Creates a file reference.
  ///
  /// - Parameters:
  ///   - name: The file name, without a directory.
  ///   - type: The media type.
  ///   - size: The size in bytes.
  ///   - sha256: The SHA-256 hash of the content, as 64 lowercase hexadecimal digits.
  public init(name: String, type: String, size: Int64, sha256: String) {
    self.name = name
    self.type = type
    self.size = size
    self.sha256 = sha256
  }
}

extension Value {
  /// The type of the fields that have such values: `text` for ids too. Nil for null and lists.
  package var type: FieldType? {
    switch self {
    case .text: .text
    case .integer: .integer
    case .number: .number
    case .decimal(let decimal): DecimalDigits.computed(scale: decimal.scale).map(FieldType.decimal)
    case .boolean: .boolean
    case .date: .date
    case .datetime: .datetime
    case .geopoint: .geopoint
    case .file: .file
    case .json: .json
    case .null, .list: nil
    }
  }

  /// A number as a double; nil for other values.
  package var double: Double? {
    if case .integer(let integer) = self { return Double(integer) }
    if case .number(let number) = self { return number }
    if case .decimal(let decimal) = self { return decimal.double }
    return nil
  }

  /// An integer or a decimal as a decimal; nil for other values.
  var exactDecimal: DecimalValue? {
    if case .integer(let integer) = self { return DecimalValue(integer) }
    if case .decimal(let decimal) = self { return decimal }
    return nil
  }

  /// Appends the text form of a scalar, without the quotes of JSON.
  package func appendText(to output: inout [UInt8]) {
    switch self {
    case .text(let text), .json(let text): output.append(contentsOf: text.utf8)
    case .integer(let integer): NumberText.write(integer, to: &output)
    case .number(let number): NumberText.write(number, to: &output)
    case .decimal(let decimal): decimal.write(to: &output)
    case .boolean(let boolean): output.append(contentsOf: (boolean ? "true" : "false").utf8)
    case .date(let date): date.write(to: &output)
    case .datetime(let time): time.write(to: &output)
    case .file(let file): file.append(to: &output)
    case .list(let values): ListText.append(values, to: &output)
    case .null, .geopoint: preconditionFailure("not a scalar")
    }
  }

  /// The text form of a scalar, without the quotes of JSON.
  package var text: String {
    if case .text(let text) = self { return text }
    var bytes: [UInt8] = []
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value as JSON text, in the form that schema files use. A file becomes null, because schema
  /// files cannot contain files.
  package var jsonText: String {
    switch self {
    case .null, .file: return "null"
    case .json(let text): return text
    case .geopoint(let point):
      let (latitude, longitude) = (point.latitude, point.longitude)
      return """
        {"lat": \(NumberText.text(latitude)), "lon": \(NumberText.text(longitude))}
        """
    case .list(let values): return "[\(values.map(\.jsonText).joined(separator: ", "))]"
    case .text, .integer, .number, .decimal, .boolean, .date, .datetime:
      var bytes: [UInt8] = []
      ListText.append(self, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
