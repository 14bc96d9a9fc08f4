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
      if NumberText.isDigit(byte) {
        let (product, overflows) = coefficient.multipliedReportingOverflow(by: 10)
        // Zeros after the point that do not fit are no digits of the value.
        if overflows || product > Self.limit {
          guard hasPoint, byte == NumberText.zero else { return nil }
          continue
        }
        coefficient = product + Int128(byte - NumberText.zero)
        guard coefficient <= Self.limit else { return nil }
        if hasPoint { scale += 1 }
      } else if byte == NumberText.point {
        hasPoint = true
      } else if byte | 0x20 == NumberText.exponentMark {
        guard coefficient != 0 else { break }
        let digits = String(decoding: text.extracting(index..<text.count))
        guard let given = Int(digits), abs(given) <= 400 else { return nil }
        exponent = given
        break
      }
    }
    if text[0] == NumberText.minus { coefficient = -coefficient }
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

  /// The largest coefficient: 38 times the digit 9.
  private static let limit = power(38) - 1

  /// Returns 10 to the given power, which must be at most 38.
  package static func power(_ exponent: Int) -> Int128 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}

extension DecimalValue {
  /// How digits that do not fit are removed.
  package enum Rounding: Sendable {
    case down
    case up
    /// To the nearest number; a half is rounded away from zero.
    case nearest
  }

  /// Returns the number with the given scale, or nil if it then has more than 38 digits.
  package func rounded(_ rounding: Rounding, toScale newScale: Int) -> DecimalValue? {
    guard newScale < scale else {
      let (product, overflows) = coefficient.multipliedReportingOverflow(
        by: Self.power(newScale - scale))
      guard !overflows, product.magnitude <= Self.limit.magnitude else { return nil }
      return DecimalValue(coefficient: product, scale: newScale)
    }
    let divisor = Self.power(scale - newScale)
    var (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor)
    switch rounding {
    case .down: if remainder < 0 { quotient -= 1 }
    case .up: if remainder > 0 { quotient += 1 }
    case .nearest:
      if remainder.magnitude >= divisor.magnitude - remainder.magnitude {
        quotient += remainder < 0 ? -1 : 1
      }
    }
    return DecimalValue(coefficient: quotient, scale: newScale)
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
    let padded = Array(repeating: NumberText.zero, count: max(scale + 1 - digits.count, 0)) + digits
    if coefficient < 0 { output.append(NumberText.minus) }
    output += padded.dropLast(scale)
    if scale > 0 {
      output.append(NumberText.point)
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
    guard let first = left.rounded(.down, toScale: scale) else { return left.coefficient < 0 }
    guard let second = right.rounded(.down, toScale: scale) else { return right.coefficient > 0 }
    return first.coefficient < second.coefficient
  }

  public var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
