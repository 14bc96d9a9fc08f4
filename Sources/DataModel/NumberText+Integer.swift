extension NumberText {
  /// Returns a valid JSON number as a 64-bit integer: `5`, `5.0`, and `1e3` are integers, `5.5` is
  /// not.
  package static func integer(_ text: Span<UInt8>) throws(ParseError) -> Int64 {
    if let short = shortInteger(text) { return short }
    let decimal = Decimal(text)
    guard decimal.significantDigits > 0 else { return 0 }
    guard decimal.power >= 0 else { throw .fraction }
    guard decimal.significantDigits &+ decimal.power <= 19 else { throw .beyond64Bits }
    var magnitude = decimal.mantissa
    for _ in 0..<decimal.power { magnitude &*= 10 }
    return try signed(magnitude, isNegative: decimal.isNegative)
  }

  /// Returns the largest 64-bit integer that is less than or equal to a valid JSON number, and the
  /// smallest that is greater than or equal to it; nil where no such integer exists.
  package static func integers(around text: Span<UInt8>) -> (below: Int64?, above: Int64?) {
    let decimal = Decimal(text)
    if let exact = try? integer(text) { return (exact, exact) }
    let wholeDigits = decimal.significantDigits &+ decimal.power
    var magnitude = UInt64.max
    if decimal.power < 0, wholeDigits <= 19 {
      magnitude = decimal.mantissa
      let kept = max(wholeDigits, 0)
      for _ in 0..<(min(decimal.significantDigits, 19) - kept) { magnitude /= 10 }
    }
    let nearer = Int64.max.magnitude
    if decimal.isNegative {
      return magnitude > nearer
        ? (nil, .min) : (-Int64(magnitude) - 1, -Int64(magnitude))
    }
    return magnitude >= nearer ? (.max, nil) : (Int64(magnitude), Int64(magnitude) + 1)
  }

  /// Parses an integer in JSON syntax: no plus sign, no leading zeros, no spaces.
  package static func integer(fromDigits text: Span<UInt8>) throws(ParseError) -> Int64 {
    let start = text.count > 0 && text[0] == minus ? 1 : 0
    let count = text.count &- start
    guard count > 0, text[start] != zero || count == 1 else { throw .notANumber }
    var magnitude: UInt64 = 0
    for index in start..<text.count {
      guard isDigit(text[index]) else { throw .notANumber }
      if index &- start < 19 { magnitude = magnitude &* 10 &+ UInt64(text[index] &- zero) }
    }
    guard count <= 19 else { throw .beyond64Bits }
    return try signed(magnitude, isNegative: start == 1)
  }

  /// Parses an integer of at most 18 digits, which cannot overflow; nil for other texts.
  private static func shortInteger(_ text: Span<UInt8>) -> Int64? {
    let start = text.count > 0 && text[0] == minus ? 1 : 0
    guard text.count > start, text.count &- start <= 18 else { return nil }
    var magnitude: Int64 = 0
    for index in start..<text.count {
      let digit = text[index] &- zero
      guard digit < 10 else { return nil }
      magnitude = magnitude &* 10 &+ Int64(digit)
    }
    return start == 1 ? 0 &- magnitude : magnitude
  }

  /// Applies the sign to a magnitude of at most 19 digits.
  private static func signed(_ magnitude: UInt64, isNegative: Bool) throws(ParseError) -> Int64 {
    guard magnitude <= Int64.max.magnitude &+ (isNegative ? 1 : 0) else { throw .beyond64Bits }
    return isNegative
      ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(truncatingIfNeeded: magnitude)
  }
}
