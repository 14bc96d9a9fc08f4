public import FoundationEssentials

/// Stores a date in a `datetime` field, rounded to the microsecond.
extension Date: FieldValue {
  static var sample: Date? { Date(timeIntervalSince1970: 0) }

  static func canRepresent(_ type: FieldType) -> Bool { Timestamp.canRepresent(type) }

  init?(form: DraftValue.Form) {
    guard let time = Timestamp(form: form) else { return nil }
    self.init(time)
  }

  /// The date as a datetime. A date outside the years 1 to 9999 becomes text, which validation then
  /// reports as invalid.
  var form: DraftValue.Form {
    guard let time = Timestamp(self) else {
      return .value(.text("\(timeIntervalSinceReferenceDate) seconds after 2001-01-01"))
    }
    return .value(.datetime(time))
  }

  /// The number of seconds from 1970 to 2001, Foundation's reference date.
  fileprivate static var offset: Int64 { 978_307_200 }
}

extension Date {
  /// Creates a date from a timestamp.
  public init(_ time: Timestamp) {
    let seconds = time.microseconds / 1_000_000
    let remainder = time.microseconds % 1_000_000
    self.init(
      timeIntervalSinceReferenceDate: Double(seconds - Self.offset) + Double(remainder) / 1e6)
  }
}

extension Timestamp {
  /// Creates a timestamp from a date, rounded to the microsecond. Returns nil if the date is outside
  /// the years 1 to 9999.
  public init?(_ date: Date) {
    let microseconds = (date.timeIntervalSinceReferenceDate * 1e6).rounded()
    guard let sinceReference = Int64(exactly: microseconds) else { return nil }
    let (sum, overflows) = sinceReference.addingReportingOverflow(Date.offset * 1_000_000)
    guard !overflows else { return nil }
    self.init(microseconds: sum)
  }

  /// The current time.
  public static var now: Timestamp { Timestamp(Date()) ?? .latest }
}

/// Stores a decimal number in a `decimal` field, exactly.
extension Decimal: FieldValue {
  static var sample: Decimal? { 0 }

  static func canRepresent(_ type: FieldType) -> Bool { DecimalValue.canRepresent(type) }

  init?(form: DraftValue.Form) {
    guard let value = DecimalValue(form: form) else { return nil }
    self.init(value)
  }

  var form: DraftValue.Form { .value(isFinite ? .json(description) : .text(description)) }

  /// Creates a number with the same value.
  public init(_ value: DecimalValue) {
    let magnitude = value.coefficient.magnitude
    let (high, low) = magnitude.quotientAndRemainder(dividingBy: 1 << 64)
    let significand =
      Decimal(UInt64(high)) * (Decimal(UInt64.max) + 1) + Decimal(UInt64(low))
    self.init(
      sign: value.coefficient < 0 ? .minus : .plus, exponent: -value.scale, significand: significand
    )
  }
}

extension DecimalValue {
  /// Creates a number with the same value. Returns nil for NaN, and for a number that needs more
  /// than 38 digits.
  public init?(exactly decimal: Decimal) { self.init(decimal.description) }
}

/// Stores a UUID as lowercase text in a `text`, `id` or relation field.
extension UUID: FieldValue {
  static var sample: UUID? { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

  static func canRepresent(_ type: FieldType) -> Bool { RecordID.canRepresent(type) }

  init?(form: DraftValue.Form) {
    guard let text = String(form: form) else { return nil }
    self.init(uuidString: text)
  }

  var form: DraftValue.Form { .value(.text(uuidString.lowercased())) }
}

/// Stores a URL in a `text` field.
extension URL: FieldValue {
  static var sample: URL? { URL(filePath: "/") }

  static func canRepresent(_ type: FieldType) -> Bool { type == .text || type == .json }

  init?(form: DraftValue.Form) {
    guard let text = String(form: form) else { return nil }
    self.init(string: text)
  }

  var form: DraftValue.Form { .value(.text(absoluteString)) }
}

/// Stores data as Base64 in a `text` field. For large data, use a `NewFile` in a `file` field.
extension Data: FieldValue {
  static var sample: Data? { Data() }

  static func canRepresent(_ type: FieldType) -> Bool { type == .text || type == .json }

  init?(form: DraftValue.Form) {
    guard let text = String(form: form) else { return nil }
    self.init(base64Encoded: text)
  }

  var form: DraftValue.Form { .value(.text(base64EncodedString())) }
}
