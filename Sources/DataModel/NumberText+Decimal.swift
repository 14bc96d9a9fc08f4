extension NumberText {
  /// A number's sign, digits and power of ten, without the zeros that say nothing.
  struct Decimal {
    private(set) var isNegative = false

    /// The digits from the first that is not zero to the last that is not zero, as one integer; the
    /// first 19 of them if there are more.
    private(set) var mantissa: UInt64 = 0

    /// How many digits there are from the first to the last that is not zero; none for zero.
    private(set) var significantDigits = 0

    /// The power of ten by which the last significant digit counts.
    private(set) var power = 0

    /// Takes apart a number that is well-formed by the grammar of JSON.
    init(_ text: Span<UInt8>) {
      var place = 0
      if text.count > 0, text[0] == minus {
        isNegative = true
        place = 1
      }
      var pendingZeros = 0
      var hasPoint = false
      var shift = 0
      while place < text.count {
        let byte = text[place]
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
          shift &+= Self.exponent(text, from: place &+ 1)
          break
        }
        place &+= 1
      }
      power = significantDigits == 0 ? 0 : shift &+ pendingZeros
    }

    private mutating func append(zeros: Int, then digit: UInt8) {
      let room = 19 &- significantDigits
      significantDigits &+= zeros &+ 1
      guard room > 0 else { return }
      for _ in 0..<min(zeros, room) { mantissa &*= 10 }
      if zeros < room { mantissa = mantissa &* 10 &+ UInt64(digit) }
    }

    /// Reads the exponent, which stops growing where no text is long enough to make up for it.
    private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int {
      var exponent = 0
      for place in start..<text.count where isDigit(text[place]) {
        if exponent < 1 << 58 { exponent = exponent &* 10 &+ Int(text[place] &- zero) }
      }
      return start < text.count && text[start] == minus ? 0 &- exponent : exponent
    }
  }
}

extension NumberText {
  /// Appends the one text that all numbers worth the same have: the digits that say something, and
  /// the power of ten by which the last of them counts.
  ///
  /// The number is well-formed by the grammar of JSON; no digit is lost, however many there are.
  static func appendCanonical(_ text: Span<UInt8>, to output: inout [UInt8]) {
    let decimal = Decimal(text)
    guard decimal.significantDigits > 0 else { return output.append(zero) }
    if decimal.isNegative { output.append(minus) }
    var remaining = decimal.significantDigits
    var hasBegun = false
    for place in text.indices where remaining > 0 && isDigit(text[place]) {
      if text[place] != zero { hasBegun = true }
      guard hasBegun else { continue }
      output.append(text[place])
      remaining -= 1
    }
    guard decimal.power != 0 else { return }
    output.append(exponentMark)
    write(Int64(decimal.power), to: &output)
  }
}
