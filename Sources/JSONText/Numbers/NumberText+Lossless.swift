extension NumberText {
  /// The type in which a number can be stored without loss.
  package enum LosslessType: Hashable, Sendable {
    /// A 64-bit integer, written with digits only. `isDouble` is true if a double also represents
    /// the number without loss.
    case integer(isDouble: Bool)
    /// A double: a number with a decimal point or an exponent, or an integer too large for 64 bits.
    /// `isInteger` is true if a 64-bit integer has the same value.
    case number(isInteger: Bool)
    /// No numeric type: the number has more digits than a double keeps, or exceeds the range of
    /// doubles.
    case text
  }

  /// The maximum number of significant digits that programs print for a double.
  private static let maxDigits = 17

  /// Returns the type in which a valid JSON number can be stored without loss.
  package static func losslessType(of text: Span<UInt8>) -> LosslessType {
    let isWritten = isWrittenAsInteger(text)
    let integer = try? self.integer(text)
    if isWritten, let integer {
      return .integer(
        isDouble: integer.magnitude <= 1 << 53 || isEqual(text, text: self.text(Double(integer))))
    }
    guard let double = try? double(text) else { return .text }
    let isKept =
      isEqual(text, text: self.text(double))
      || !isWritten && Decimal(text).isRounding(of: double, toAtMost: maxDigits)
    return isKept ? .number(isInteger: integer != nil) : .text
  }

  /// Returns whether a valid JSON number changes its value when it is converted to a double and
  /// printed. Returns false for numbers outside the range of doubles, because these are rejected
  /// instead of rounded.
  package static func isRounded(asDouble text: Span<UInt8>) -> Bool {
    guard let double = try? double(text) else { return false }
    return !isEqual(text, text: self.text(double))
  }

  /// Returns whether the number is written with digits only, apart from a minus sign.
  package static func isWrittenAsInteger(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where !isDigit(text[index]) && text[index] != minus { return false }
    return true
  }

  private static func isEqual(_ number: Span<UInt8>, text: String) -> Bool {
    let (left, right) = (Decimal(number), Decimal(text.utf8.span))
    return left.isNegative == right.isNegative && left.mantissa == right.mantissa
      && left.significantDigits == right.significantDigits && left.power == right.power
  }
}

extension NumberText.Decimal {
  /// Returns whether rounding the double to as many digits as this number has gives this number.
  /// Programs print doubles in this way, for example with `%.17g` in C. Such a number can be stored
  /// as the double without loss.
  ///
  /// Returns false if the number has more than `maxDigits` significant digits.
  fileprivate func isRounding(of double: Double, toAtMost maxDigits: Int) -> Bool {
    guard significantDigits <= maxDigits else { return false }
    if mantissa == 0 { return double == 0 }
    let implicitBit: UInt64 = double.exponentBitPattern > 0 ? 1 << 52 : 0
    let exponent = max(Int(double.exponentBitPattern), 1) - 1_075
    // The error of rounding is at most half a unit of the last digit. Both numbers and the unit are
    // multiplied by powers of 2 and 10 that make them integers.
    var value = WideInteger((double.significandBitPattern | implicitBit) << 1)
    value.multiply(by: 2, count: max(exponent, 0))
    value.multiply(by: 10, count: max(-power, 0))
    var unit = WideInteger(1)
    unit.multiply(by: 2, count: max(-exponent, 0))
    unit.multiply(by: 10, count: max(power, 0))
    var (least, greatest) = (unit, unit)
    least.multiply(by: 2 * mantissa - 1)
    greatest.multiply(by: 2 * mantissa + 1)
    return least <= value && value <= greatest
  }
}

/// A nonnegative integer of any size.
private struct WideInteger {
  /// The digits in base 2^64, from the least significant one.
  private var digits: [UInt64]

  init(_ integer: UInt64) { digits = [integer] }

  mutating func multiply(by factor: UInt64) {
    var carry: UInt64 = 0
    for index in digits.indices {
      let product = digits[index].multipliedFullWidth(by: factor)
      let (low, overflow) = product.low.addingReportingOverflow(carry)
      digits[index] = low
      carry = product.high + (overflow ? 1 : 0)
    }
    if carry > 0 { digits.append(carry) }
  }

  mutating func multiply(by factor: UInt64, count: Int) {
    for _ in 0..<count { multiply(by: factor) }
  }

  static func <= (left: WideInteger, right: WideInteger) -> Bool {
    // The most significant digit is not zero, unless the integer is zero.
    guard left.digits.count == right.digits.count else {
      return left.digits.count < right.digits.count
    }
    for (left, right) in zip(left.digits, right.digits).reversed() where left != right {
      return left < right
    }
    return true
  }
}
