import JSONText

/// An exact decimal number of at most 38 digits, such as `12.50`.
///
/// Two numbers are equal if their values are: 12.5 equals 12.50. The scale, the number of digits
/// after the point, determines how a number is printed.
public struct DecimalValue: Sendable {
  /// The number without its point: 1250 for `12.50`.
  package let coefficient: Int128
  /// The number of digits after the point.
  public let scale: Int

  /// The maximum number of digits, and the maximum scale.
  package static let maxDigits = 38

  /// Creates the number `coefficient / 10^scale`.
  package init(coefficient: Int128, scale: Int) {
    self.coefficient = coefficient
    self.scale = scale
  }

  /// Creates a number from an integer.
  public init(_ integer: Int64) {
    self.init(coefficient: Int128(integer), scale: 0)
  }

  /// Creates a number from text in the syntax of a JSON number, such as `12.50` or `-1e3`. Returns
  /// nil for other text, and for a number that needs more than 38 digits.
  public init?(_ text: String) {
    guard NumberText.isJSONNumber(text.utf8.span) else { return nil }
    self.init(number: text.utf8.span)
  }

  /// Creates a number from the text of a JSON number, with as many digits after the point as the
  /// text has. Returns nil if the number needs more than 38 digits.
  package init?(number text: Span<UInt8>) {
    var coefficient: Int128 = 0
    var (scale, exponent) = (0, 0)
    var hasPoint = false
    var index = 0
    while index < text.count {
      let byte = text[index]
      index += 1
      if UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
        let (product, overflows) = coefficient.multipliedReportingOverflow(by: 10)
        // Zeros after the point that do not fit are no digits of the value.
        if overflows || product > Self.limit {
          guard hasPoint, byte == UInt8(ascii: "0") else { return nil }
          continue
        }
        coefficient = product + Int128(byte - UInt8(ascii: "0"))
        guard coefficient <= Self.limit else { return nil }
        if hasPoint { scale += 1 }
      } else if byte == UInt8(ascii: ".") {
        hasPoint = true
      } else if byte | 0x20 == UInt8(ascii: "e") {
        guard coefficient != 0 else { break }
        let digits = String(decoding: text.extracting(index..<text.count))
        guard let given = Int(digits), abs(given) <= 400 else { return nil }
        exponent = given
        break
      }
    }
    if text[0] == UInt8(ascii: "-") { coefficient = -coefficient }
    self.init(coefficient: coefficient, scale: scale, exponent: exponent)
  }

  private init?(coefficient: Int128, scale: Int, exponent: Int) {
    var (coefficient, scale) = (coefficient, scale - exponent)
    while scale < 0 {
      let (product, overflows) = coefficient.multipliedReportingOverflow(by: 10)
      guard !overflows, product.magnitude <= Self.limit.magnitude else { return nil }
      (coefficient, scale) = (product, scale + 1)
    }
    while scale > Self.maxDigits {
      guard coefficient % 10 == 0 else { return nil }
      (coefficient, scale) = (coefficient / 10, scale - 1)
    }
    self.init(coefficient: coefficient, scale: scale)
  }

  /// Returns a number with at most 20 digits after the point that a field has the same values above
  /// and below as for a JSON number of more than 38 digits. Returns nil if the number has more digits
  /// before the point than a field.
  package static func shortened(_ number: Span<UInt8>) -> DecimalValue? {
    do throws(NumberText.ParseError) {
      guard try NumberText.double(number).magnitude < 1e18 else { return nil }
    } catch {
      guard error == .becomesZero else { return nil }
    }
    let text = String(decoding: number)
    let parts = text.split(whereSeparator: { $0 == "e" || $0 == "E" })
    let digits = parts[0].utf8.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let fraction = parts[0].split(separator: ".").dropFirst().first?.utf8.count ?? 0
    // The place of the last digit: 0 is the one before the point. An exponent that is no integer is
    // so small that all digits are lost.
    let last = parts.count == 1 ? -fraction : (Int(parts[1]) ?? -1_000_000) - fraction
    var coefficient: Int128 = 0
    var hasRest = false
    for (index, digit) in digits.enumerated() where digit != UInt8(ascii: "0") {
      let place = last + digits.count - 1 - index
      if place < -19 {
        hasRest = true
      } else {
        coefficient += Int128(digit - UInt8(ascii: "0")) * power(place + 20)
      }
    }
    if hasRest { coefficient += 1 }
    let isNegative = number[0] == UInt8(ascii: "-")
    return DecimalValue(coefficient: isNegative ? -coefficient : coefficient, scale: 20)
  }

  /// The largest coefficient: 38 times the digit 9.
  private static let limit = power(38) - 1

  /// The largest number without digits after the point.
  static let largest = DecimalValue(coefficient: limit, scale: 0)

  /// Returns whether a coefficient has at most 38 digits.
  package static func hasFewDigits(_ coefficient: Int128) -> Bool {
    coefficient.magnitude <= limit.magnitude
  }

  /// Returns 10 to the given power, which must be at most 38.
  package static func power(_ exponent: Int) -> Int128 { powers[exponent] }

  private static let powers: [Int128] = (0..<maxDigits).reduce(into: [1]) { powers, _ in
    powers.append((powers.last ?? 1) * 10)
  }
}

extension DecimalValue {
  /// Returns the greatest number with the given scale that is at most this one, as a coefficient, and
  /// whether the numbers are equal. Returns nil if the coefficient does not fit in 128 bits.
  package func floor(scale newScale: Int) -> (coefficient: Int128, isExact: Bool)? {
    if newScale >= scale {
      let (product, overflows) = coefficient.multipliedReportingOverflow(
        by: Self.power(newScale - scale))
      return overflows ? nil : (product, true)
    }
    let (quotient, remainder) = coefficient.quotientAndRemainder(
      dividingBy: Self.power(scale - newScale))
    return (remainder < 0 ? quotient - 1 : quotient, remainder == 0)
  }

  /// Returns the greatest number with the given scale that is at most a double, as a coefficient, and
  /// whether the numbers are equal. Returns nil if the coefficient has more than 38 digits.
  static func floor(of number: Double, scale: Int) -> (coefficient: Int128, isExact: Bool)? {
    guard number.isFinite, number.magnitude < 1e38 else { return nil }
    // The fraction of a negative number would be rounded.
    if number < 0 {
      return floor(of: -number, scale: scale).map { positive in
        (positive.isExact ? -positive.coefficient : -positive.coefficient - 1, positive.isExact)
      }
    }
    let whole = number.rounded(.down)
    guard let floor = DecimalValue(coefficient: Int128(whole), scale: 0).floor(scale: scale) else {
      return nil
    }
    // The fraction is an integer of at most 53 bits, divided by a power of two. Its product with a
    // power of ten has less than 256 bits.
    let fraction = number - whole
    guard fraction != 0 else { return floor }
    let bits = 1074 - max(Int(fraction.exponentBitPattern), 1) + 1
    let significand =
      fraction.significandBitPattern | (fraction.exponentBitPattern > 0 ? 1 << 52 : 0)
    let product = UInt128(significand).multipliedFullWidth(by: power(scale).magnitude)
    let (digits, isExact) = shifted(product, right: bits)
    return (floor.coefficient + Int128(digits), isExact)
  }

  /// Returns an integer of 256 bits shifted to the right, and whether only zeros were lost.
  private static func shifted(
    _ integer: (high: UInt128, low: UInt128), right bits: Int
  ) -> (result: UInt128, isExact: Bool) {
    if bits >= 256 { return (0, integer.high == 0 && integer.low == 0) }
    let low = bits < 128 ? integer.low >> UInt128(bits) : 0
    let high =
      bits < 128 ? integer.high << UInt128(128 - bits) : integer.high >> UInt128(bits - 128)
    let lostLow = bits < 128 ? integer.low << UInt128(128 - bits) : integer.low
    let lostHigh = bits <= 128 ? 0 : integer.high << UInt128(256 - bits)
    return (low | high, lostLow == 0 && lostHigh == 0)
  }

  /// Returns the number with the given scale; a half is rounded away from zero. Returns nil if the
  /// result has more than 38 digits.
  package func rounded(toScale newScale: Int) -> DecimalValue? {
    guard newScale < scale else { return checked(floor(scale: newScale)?.coefficient, newScale) }
    let divisor = Self.power(scale - newScale)
    var (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor)
    if remainder.magnitude >= divisor.magnitude - remainder.magnitude {
      quotient += remainder < 0 ? -1 : 1
    }
    return DecimalValue(coefficient: quotient, scale: newScale)
  }

  /// Returns the same number with the given scale, or this one if it has no such form.
  func withScale(_ newScale: Int) -> DecimalValue {
    guard let floor = floor(scale: newScale), floor.isExact else { return self }
    return checked(floor.coefficient, newScale) ?? self
  }

  private func checked(_ coefficient: Int128?, _ scale: Int) -> DecimalValue? {
    guard let coefficient, Self.hasFewDigits(coefficient), scale <= Self.maxDigits else {
      return nil
    }
    return DecimalValue(coefficient: coefficient, scale: scale)
  }

  /// The number with the smallest scale that keeps its value.
  private var normalized: DecimalValue {
    var (coefficient, scale) = (coefficient, scale)
    while scale > 0, coefficient % 10 == 0 { (coefficient, scale) = (coefficient / 10, scale - 1) }
    return DecimalValue(coefficient: coefficient, scale: scale)
  }

  /// Appends the number with exactly `scale` digits after the point.
  package func write(to output: inout [UInt8]) {
    if scale == 0, let integer = Int64(exactly: coefficient) {
      return NumberText.write(integer, to: &output)
    }
    let digits = Array(String(coefficient.magnitude).utf8)
    let padded =
      Array(repeating: UInt8(ascii: "0"), count: max(scale + 1 - digits.count, 0)) + digits
    if coefficient < 0 { output.append(UInt8(ascii: "-")) }
    output += padded.dropLast(scale)
    if scale > 0 {
      output.append(UInt8(ascii: "."))
      output += padded.suffix(scale)
    }
  }
}

extension DecimalValue: Comparable, Hashable, CustomStringConvertible {
  public static func == (left: DecimalValue, right: DecimalValue) -> Bool {
    let (left, right) = (left.normalized, right.normalized)
    return left.coefficient == right.coefficient && left.scale == right.scale
  }

  public func hash(into hasher: inout Hasher) {
    let normalized = normalized
    hasher.combine(normalized.coefficient)
    hasher.combine(normalized.scale)
  }

  public static func < (left: DecimalValue, right: DecimalValue) -> Bool {
    let scale = max(left.scale, right.scale)
    // A number that does not fit with the other's scale is further from zero than the other one.
    guard let first = left.floor(scale: scale) else { return left.coefficient < 0 }
    guard let second = right.floor(scale: scale) else { return right.coefficient > 0 }
    return first.coefficient < second.coefficient
  }

  public var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Exact arithmetic. The scale of a sum is the larger one of the operands, and the scale of a product
/// is the sum of their scales.
extension DecimalValue {
  /// Returns the sum. It must have at most 38 digits, including those after the point.
  public static func + (left: DecimalValue, right: DecimalValue) -> DecimalValue {
    inRange(left.adding(right))
  }

  /// Returns the difference. It must have at most 38 digits, including those after the point.
  public static func - (left: DecimalValue, right: DecimalValue) -> DecimalValue {
    inRange(left.adding(-right))
  }

  /// Returns the product. It must have at most 38 digits, including those after the point.
  public static func * (left: DecimalValue, right: DecimalValue) -> DecimalValue {
    inRange(left.multiplied(by: right))
  }

  /// Returns the number with the opposite sign.
  public static prefix func - (number: DecimalValue) -> DecimalValue {
    DecimalValue(coefficient: -number.coefficient, scale: number.scale)
  }

  private static func inRange(_ result: DecimalValue?) -> DecimalValue {
    guard let result else { preconditionFailure("the result has more than 38 digits") }
    return result
  }

  /// Returns the sum, or nil if it has more than 38 digits.
  func adding(_ other: DecimalValue) -> DecimalValue? {
    let (coarse, fine) = scale <= other.scale ? (self, other) : (other, self)
    // Digits with the larger scale are added last, so that a sum which fits does not overflow.
    let unit = Self.power(fine.scale - coarse.scale)
    let (quotient, remainder) = fine.coefficient.quotientAndRemainder(dividingBy: unit)
    let (whole, overflows) = coarse.coefficient.addingReportingOverflow(quotient)
    let (product, exceeds) = whole.multipliedReportingOverflow(by: unit)
    let (sum, isTooLarge) = product.addingReportingOverflow(remainder)
    return overflows || exceeds || isTooLarge ? nil : checked(sum, fine.scale)
  }

  /// Returns the product, or nil if it has more than 38 digits.
  func multiplied(by other: DecimalValue) -> DecimalValue? {
    let (product, overflows) = coefficient.multipliedReportingOverflow(by: other.coefficient)
    return overflows ? nil : checked(product, scale + other.scale)
  }

  /// The nearest double.
  public var double: Double {
    // Every decimal is in the range of doubles.
    (try? NumberText.double(description.utf8.span)) ?? 0
  }

  /// Creates the number that a double is printed as, which has at most 17 digits. Returns nil if the
  /// number is not finite or has more than 38 digits.
  public init?(_ number: Double) {
    guard number.isFinite else { return nil }
    self.init(NumberText.text(number))
  }
}
