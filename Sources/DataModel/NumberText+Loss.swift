extension NumberText {
  /// What can hold a number so that nothing of it is lost.
  package enum Holder: Hashable, Sendable {
    /// An integer of 64 bits, written as digits alone; as a double, some print all of them too.
    case integer(isDouble: Bool)
    /// A double, written with a point or an exponent, or too large for 64 bits; some of them are
    /// whole numbers of 64 bits.
    case number(isInteger: Bool)
    /// Neither: it has more digits than a double keeps, or is beyond all doubles.
    case text
  }

  /// The most digits with which programs write doubles: what has no more of them is meant as one.
  private static let mostDigits = 17

  /// Finds what can hold a number that is well-formed by the grammar of JSON.
  package static func holder(of text: Span<UInt8>) -> Holder {
    let isWritten = isWrittenAsInteger(text)
    let integer = try? self.integer(text)
    if isWritten, let integer {
      return .integer(
        isDouble: integer.magnitude <= 1 << 53 || isEqual(text, text: self.text(Double(integer))))
    }
    guard let double = try? double(text) else { return .text }
    let isKept =
      isWritten || Decimal(text).significantDigits > mostDigits
      ? isEqual(text, text: self.text(double)) : true
    return isKept ? .number(isInteger: integer != nil) : .text
  }

  /// Whether a number that is well-formed loses digits as a double: it would be printed as another
  /// number, and not only in another spelling. What is beyond all doubles is not rounded.
  package static func isRounded(asDouble text: Span<UInt8>) -> Bool {
    guard let double = try? double(text) else { return false }
    return !isEqual(text, text: self.text(double))
  }

  /// Whether the number is digits alone, with or without a sign.
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
