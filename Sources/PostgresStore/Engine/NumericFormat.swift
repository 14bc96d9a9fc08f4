import DataModel

/// Encodes and decodes decimals in the binary format of `numeric`: the number of digits in base 10,000,
/// the exponent of the first one (in PostgreSQL's terms, its weight), the sign, the scale, and the
/// digits.
extension [UInt8] {
  /// Appends the number `coefficient / 10^scale`.
  mutating func append(numeric coefficient: Int128, scale: Int) {
    let groups = (scale + 3) / 4
    var rest = coefficient.magnitude
    var digits: [Int16] = []
    if scale > 0 {
      // The last digit in base 10,000 contains one to four of those after the point, and zeros.
      let last = DecimalValue.power(scale - (groups - 1) * 4).magnitude
      digits.append(Int16(rest % last * (10_000 / last)))
      rest /= last
    }
    while rest > 0 {
      digits.append(Int16(rest % 10_000))
      rest /= 10_000
    }
    append(bigEndian: Int16(digits.count))
    append(bigEndian: Int16(digits.count - groups - 1))
    append(bigEndian: coefficient < 0 ? 0x4000 : Int16(0))
    append(bigEndian: Int16(scale))
    for digit in digits.reversed() { append(bigEndian: digit) }
  }
}

extension DecimalValue {
  /// Decodes a number. Digits after the scale are ignored. Returns nil if the number has more than 38
  /// digits, or is NaN or infinite.
  init?(numeric bytes: Span<UInt8>, scale: Int) {
    func word(_ index: Int) -> Int {
      Int(Int16(bitPattern: UInt16(bytes[index * 2]) << 8 | UInt16(bytes[index * 2 + 1])))
    }
    guard bytes.count >= 8 else { return nil }
    let (count, weight, sign) = (word(0), word(1), word(2))
    guard sign == 0 || sign == 0x4000, count >= 0, bytes.count >= 8 + count * 2 else { return nil }
    var coefficient: Int128 = 0
    for index in 0..<count {
      // The power of ten by which the digit is multiplied in the coefficient.
      let exponent = (weight - index) * 4 + scale
      let digit = Int128(word(4 + index))
      guard digit > 0, exponent > -4 else { continue }
      guard exponent <= Self.maxDigits else { return nil }
      let (summand, overflows) =
        exponent >= 0
        ? digit.multipliedReportingOverflow(by: Self.power(exponent))
        : (digit / Self.power(-exponent), false)
      let (sum, exceeds) = coefficient.addingReportingOverflow(summand)
      guard !overflows, !exceeds else { return nil }
      coefficient = sum
    }
    guard Self.hasFewDigits(coefficient) else { return nil }
    self.init(coefficient: sign == 0 ? coefficient : -coefficient, scale: scale)
  }
}
