extension NumberText {
  /// The type that represents a number without loss.
  package enum LosslessType: Hashable, Sendable {
    /// A 64-bit integer, written as digits only. `isDouble` is true if it is also exact as a
    /// double.
    case integer(isDouble: Bool)
    /// A double, written with a decimal point or an exponent, or too large for 64 bits. `isInteger`
    /// is true if its value is also a 64-bit integer.
    case number(isInteger: Bool)
    /// Neither: the number has more digits than a double keeps, or exceeds the range of doubles.
    case text
  }

  /// The maximum number of significant digits that programs print for a double; a number with no
  /// more digits is assumed to have been one.
  private static let maxDigits = 17

  /// Returns the type that represents a valid JSON number without loss.
  package static func losslessType(of text: Span<UInt8>) -> LosslessType {
    let isWritten = isWrittenAsInteger(text)
    let integer = try? self.integer(text)
    if isWritten, let integer {
      return .integer(
        isDouble: integer.magnitude <= 1 << 53 || isEqual(text, text: self.text(Double(integer))))
    }
    guard let double = try? double(text) else { return .text }
    let isKept =
      isWritten || Decimal(text).significantDigits > maxDigits
      ? isEqual(text, text: self.text(double)) : true
    return isKept ? .number(isInteger: integer != nil) : .text
  }

  /// Returns whether a valid JSON number changes its value when it is converted to a double and
  /// printed. False for numbers outside the range of doubles, which are not rounded but rejected.
  package static func isRounded(asDouble text: Span<UInt8>) -> Bool {
    guard let double = try? double(text) else { return false }
    return !isEqual(text, text: self.text(double))
  }

  /// Returns whether the number is written with digits only, apart from a sign.
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
