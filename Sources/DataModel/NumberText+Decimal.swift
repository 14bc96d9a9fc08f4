extension NumberText {
  /// A number as sign, significant digits, and power of ten.
  struct Decimal {
    private(set) var isNegative = false

    /// The significant digits, from the first to the last nonzero digit, as an integer; only the
    /// first 19 if there are more.
    private(set) var mantissa: UInt64 = 0

    /// The number of digits from the first to the last nonzero digit; 0 for zero.
    private(set) var significantDigits = 0

    /// The exponent of the power of ten by which the last significant digit is multiplied.
    private(set) var power = 0

    /// Parses a number that is valid JSON.
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

    /// Parses the exponent, which saturates at a value that no number of digits can compensate.
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
  /// Appends the canonical form of a number: the significant digits and the exponent of the last
  /// one.
  ///
  /// Equal numbers have the same canonical form. The text must be a valid JSON number; all digits
  /// are kept.
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
