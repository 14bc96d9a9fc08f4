/// Parses and formats numbers in JSON syntax.
@usableFromInline
package enum NumberText {
  /// The reason why text cannot be converted to the requested type of number.
  package enum ParseError: Error, Hashable, Sendable {
    /// The text is not a JSON number. In functions that accept only digits, this also applies to
    /// numbers such as `1e3`.
    case notANumber
    /// The number has a fractional part, but an integer is required.
    case fraction
    /// The integer does not fit in 64 bits.
    case beyond64Bits
    /// The number exceeds the largest double.
    case beyondLargest
    /// The number is not zero, but rounds to zero as a double.
    case becomesZero
  }

  /// Returns whether the whole text is a valid JSON number.
  package static func isJSONNumber(_ text: Span<UInt8>) -> Bool {
    var offset = 0
    if text.count > 0, text[0] == minus { offset = 1 }
    guard offset < text.count else { return false }
    if text[offset] == zero {
      offset += 1
    } else if !skipDigits(text, &offset) {
      return false
    }
    if offset < text.count, text[offset] == point {
      offset += 1
      guard skipDigits(text, &offset) else { return false }
    }
    if offset < text.count, text[offset] | 0x20 == exponentMark {
      offset += 1
      if offset < text.count, text[offset] == minus || text[offset] == plus { offset += 1 }
      guard skipDigits(text, &offset) else { return false }
    }
    return offset == text.count
  }

  private static func skipDigits(_ text: Span<UInt8>, _ offset: inout Int) -> Bool {
    let start = offset
    while offset < text.count, isDigit(text[offset]) { offset &+= 1 }
    return offset > start
  }

  @inlinable package static var minus: UInt8 { UInt8(ascii: "-") }
  @inlinable package static var plus: UInt8 { UInt8(ascii: "+") }
  @inlinable package static var point: UInt8 { UInt8(ascii: ".") }
  @inlinable package static var zero: UInt8 { UInt8(ascii: "0") }
  @inlinable package static var exponentMark: UInt8 { UInt8(ascii: "e") }

  @inlinable
  package static func isDigit(_ byte: UInt8) -> Bool {
    byte &- zero < 10
  }
}

extension NumberText {
  /// A number split into its sign, significant digits, and power of ten.
  struct Decimal {
    private(set) var isNegative = false

    /// The significant digits as an integer: those from the first to the last nonzero digit. If
    /// there are more than 19, only the first 19 are included.
    private(set) var mantissa: UInt64 = 0

    /// The number of digits from the first to the last nonzero digit; 0 for zero.
    private(set) var significantDigits = 0

    /// The exponent: the significant digits are multiplied by 10 to this power.
    private(set) var power = 0

    /// Splits the text of a number, which must be valid JSON.
    init(_ text: Span<UInt8>) {
      var offset = 0
      if text.count > 0, text[0] == minus {
        isNegative = true
        offset = 1
      }
      var pendingZeros = 0
      var hasPoint = false
      var shift = 0
      while offset < text.count {
        let byte = text[offset]
        if isDigit(byte) {
          if hasPoint { shift &-= 1 }
          if byte == zero {
            if significantDigits > 0 { pendingZeros &+= 1 }
          } else {
            append(zeros: pendingZeros, then: byte &- zero)
            pendingZeros = 0
          }
        } else if byte == point {
          hasPoint = true
        } else {
          shift &+= Self.exponent(text, from: offset &+ 1)
          break
        }
        offset &+= 1
      }
      power = significantDigits == 0 ? 0 : shift &+ pendingZeros
    }

    private mutating func append(zeros: Int, then digit: UInt8) {
      let remainingDigits = 19 &- significantDigits
      significantDigits &+= zeros &+ 1
      guard remainingDigits > 0 else { return }
      for _ in 0..<min(zeros, remainingDigits) { mantissa &*= 10 }
      if zeros < remainingDigits { mantissa = mantissa &* 10 &+ UInt64(digit) }
    }

    /// Parses the digits of an exponent. To avoid an overflow, stops once the exponent is so large
    /// that the number is out of range.
    private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int {
      var exponent = 0
      for offset in start..<text.count where isDigit(text[offset]) {
        if exponent < 1 << 58 { exponent = exponent &* 10 &+ Int(text[offset] &- zero) }
      }
      return start < text.count && text[start] == minus ? 0 &- exponent : exponent
    }
  }
}

extension NumberText {
  /// Appends the canonical form of a number: the significant digits, followed by the power of ten
  /// with which they are multiplied.
  ///
  /// Equal numbers have the same canonical form, and no digits are lost. The text must be a valid
  /// JSON number.
  static func appendCanonical(_ text: Span<UInt8>, to output: inout [UInt8]) {
    let decimal = Decimal(text)
    guard decimal.significantDigits > 0 else { return output.append(zero) }
    if decimal.isNegative { output.append(minus) }
    var remaining = decimal.significantDigits
    var hasBegun = false
    for offset in text.indices where remaining > 0 && isDigit(text[offset]) {
      if text[offset] != zero { hasBegun = true }
      guard hasBegun else { continue }
      output.append(text[offset])
      remaining -= 1
    }
    guard decimal.power != 0 else { return }
    output.append(exponentMark)
    write(Int64(decimal.power), to: &output)
  }
}

extension NumberText {
  /// Converts a valid JSON number to a 64-bit integer: `5`, `5.0`, and `1e3` are integers. Throws
  /// an error for other numbers, such as `5.5`.
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

  /// Returns the 64-bit integers nearest to a valid JSON number: the largest one that is not above
  /// the number, and the smallest one that is not below it. Each is nil if no such integer exists.
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

  /// Parses an integer of at most 18 digits, which cannot overflow. Returns nil for any other text.
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

  /// Returns the integer with the given magnitude and sign, or throws an error if it does not fit
  /// in 64 bits.
  private static func signed(_ magnitude: UInt64, isNegative: Bool) throws(ParseError) -> Int64 {
    guard magnitude <= Int64.max.magnitude &+ (isNegative ? 1 : 0) else { throw .beyond64Bits }
    return isNegative
      ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(truncatingIfNeeded: magnitude)
  }
}

extension NumberText {
  /// Returns the double nearest to a valid JSON number.
  ///
  /// Negative zero becomes zero. Throws an error if the number exceeds the largest double, or if it
  /// is so small that it would become zero.
  package static func double(_ text: Span<UInt8>) throws(ParseError) -> Double {
    let decimal = Decimal(text)
    guard decimal.significantDigits > 0 else { return 0 }
    if let exact = exactDouble(decimal) { return exact }
    guard let value = Double(string(text)) else { throw .notANumber }
    guard value.isFinite else { throw .beyondLargest }
    guard value != 0 else { throw .becomesZero }
    return value
  }

  /// Computes the double with a single multiplication or division of two exact doubles, so that the
  /// result is rounded only once. Returns nil if this is not possible.
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
