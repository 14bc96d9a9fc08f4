/// Parses and formats numbers in JSON syntax.
@usableFromInline
package enum NumberText {
  /// The reason why a text cannot be converted to the requested type of number.
  package enum ParseError: Error, Hashable, Sendable {
    /// The text is not a JSON number, or not an integer literal.
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

  static let minus = UInt8(ascii: "-")
  static let plus = UInt8(ascii: "+")
  static let point = UInt8(ascii: ".")
  static let zero = UInt8(ascii: "0")
  static let exponentMark = UInt8(ascii: "e")

  static func isDigit(_ byte: UInt8) -> Bool {
    byte &- zero < 10
  }
}
