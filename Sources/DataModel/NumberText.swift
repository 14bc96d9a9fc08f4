/// Reads and writes numbers as JSON has them.
@usableFromInline
package enum NumberText {
  /// Why a text does not give the number that is wanted.
  package enum Fault: Error, Hashable, Sendable {
    /// The text is not a number as JSON writes it, or not an integer's digits.
    case notANumber
    /// An integer is wanted, and the number is not whole.
    case fraction
    /// The integer needs more than 64 bits.
    case beyond64Bits
    /// The number is beyond the largest double.
    case beyondLargest
    /// The number is not zero, but nearer to zero than to any other double.
    case becomesZero
  }

  /// Tells whether the whole text is a number by the grammar of JSON.
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
