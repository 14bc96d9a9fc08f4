import JSONText

/// An exact sum of decimals that have the same scale. Intermediate sums may have more than 38 digits.
struct DecimalSum: Sendable {
  private static let base = DecimalValue.power(19)

  let scale: Int
  /// The sum of the coefficients is `high * 10^19 + low`.
  private var (high, low): (Int128, Int128) = (0, 0)

  init(scale: Int) {
    self.scale = scale
  }

  mutating func add(_ coefficient: Int128) {
    let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: Self.base)
    high += quotient
    low += remainder
  }

  /// The parts of the sum, with the same sign: `high * 10^19 + low`. `low` has at most 19 digits.
  private var parts: (high: Int128, low: Int128) {
    var (carry, rest) = low.quotientAndRemainder(dividingBy: Self.base)
    carry += high
    if carry > 0, rest < 0 { (carry, rest) = (carry - 1, rest + Self.base) }
    if carry < 0, rest > 0 { (carry, rest) = (carry + 1, rest - Self.base) }
    return (carry, rest)
  }

  /// The sum, or nil if it has more than 38 digits.
  var total: DecimalValue? {
    let parts = parts
    let (product, overflows) = parts.high.multipliedReportingOverflow(by: Self.base)
    let (sum, exceeds) = product.addingReportingOverflow(parts.low)
    guard !overflows, !exceeds, DecimalValue.hasFewDigits(sum) else { return nil }
    return DecimalValue(coefficient: sum, scale: scale)
  }

  /// Whether the sum is less than zero.
  var isNegative: Bool { parts.high < 0 || parts.low < 0 }

  /// Returns the double that is nearest to the sum divided by a count.
  func average(count: Int) -> Double {
    let parts = parts
    let lower = String(parts.low.magnitude)
    let zeros = String(repeating: "0", count: 19 - lower.utf8.count)
    // Digits after the last one that a double distinguishes are one digit that is not zero.
    let digits = Array((String(parts.high.magnitude) + zeros + lower).utf8)
    var quotient: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    var remainder: UInt128 = 0
    for digit in digits + Array(repeating: UInt8(ascii: "0"), count: 80) {
      remainder = remainder * 10 + UInt128(digit - UInt8(ascii: "0"))
      quotient.append(UInt8(ascii: "0") + UInt8(remainder / UInt128(count)))
      remainder %= UInt128(count)
    }
    quotient.append(remainder == 0 ? UInt8(ascii: "0") : UInt8(ascii: "0") + 1)
    quotient += Array("e-\(scale + 81)".utf8)
    return (try? NumberText.double(quotient.span)) ?? 0
  }
}
