/// Parses and formats numbers in JSON syntax.
@usableFromInline
package enum NumberText {
  /// The reason why a text cannot be converted to the requested type of number.
  package enum Fault: Error, Hashable, Sendable {
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
    var place = 0
    if text.count > 0, text[0] == minus { place = 1 }
    guard place < text.count else { return false }
    if text[place] == zero {
      place += 1
    } else if !skipDigits(text, &place) {
      return false
    }
    if place < text.count, text[place] == point {
      place += 1
      guard skipDigits(text, &place) else { return false }
    }
    if place < text.count, text[place] | 0x20 == exponentMark {
      place += 1
      if place < text.count, text[place] == minus || text[place] == plus { place += 1 }
      guard skipDigits(text, &place) else { return false }
    }
    return place == text.count
  }

  private static func skipDigits(_ text: Span<UInt8>, _ place: inout Int) -> Bool {
    let start = place
    while place < text.count, isDigit(text[place]) { place &+= 1 }
    return place > start
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
