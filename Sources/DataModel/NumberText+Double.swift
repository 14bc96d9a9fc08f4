extension NumberText {
  /// Returns the double nearest to a valid JSON number.
  ///
  /// Negative zero becomes zero.
  package static func double(_ text: Span<UInt8>) throws(ParseError) -> Double {
    let decimal = Decimal(text)
    guard decimal.significantDigits > 0 else { return 0 }
    if let exact = exactDouble(decimal) { return exact }
    guard let value = Double(string(text)) else { throw .notANumber }
    guard value.isFinite else { throw .beyondLargest }
    guard value != 0 else { throw .becomesZero }
    return value
  }

  /// Returns the double if it can be computed with one operation on two exact doubles, which rounds
  /// once and therefore correctly; nil for other numbers.
  private static func exactDouble(_ decimal: Decimal) -> Double? {
    guard decimal.significantDigits <= 19, decimal.mantissa <= 1 << 53,
      decimal.power >= -22, decimal.power <= 22
    else { return nil }
    let mantissa = Double(decimal.mantissa)
    let value =
      decimal.power < 0
      ? mantissa / powersOfTen[0 &- decimal.power] : mantissa * powersOfTen[decimal.power]
    return decimal.isNegative ? -value : value
  }

  private static func string(_ text: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    for index in text.indices { bytes.append(text[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The powers of ten that a double represents exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
