import DataModel
import JSONText

/// How many decimal places the values in a CSV column or an XML element have. This shows whether
/// the values really are numbers.
///
/// Programs format all numbers of a column in the same way: `1.0` and `2.25`, or `3.10` and `2.25`.
/// If formats are mixed, as in `3.10` and `3.1`, or in `6.0` and `7`, a person typed the values.
/// They are then probably version numbers, which must be stored as text.
struct DecimalPlaces: Sendable {
  private var fewest = Int.max
  private var most = 0
  private var hasInteger = false
  private var hasExponent = false
  /// The largest number of digits before the decimal point.
  private var mostWhole = 0
  private var hasLongTrailingZero = false
  /// The first number that ends with a zero after the decimal point. Numbers with more than one
  /// decimal place, such as `3.10`, take precedence over numbers such as `2.0`.
  private(set) var trailingZeroNumber: String?
  /// The first number whose point may separate thousands, such as `1.200`.
  private var groupedNumber: String?
  /// Whether a number, such as `1.25`, has a point that does not separate thousands.
  private var hasDecimalPoint = false
  /// Whether another column of the table has decimal commas.
  var isAmongDecimalCommas = false

  mutating func add(_ number: Span<UInt8>) {
    for index in number.indices where number[index] | 0x20 == UInt8(ascii: "e") {
      hasDecimalPoint = true
      hasExponent = true
      return
    }
    guard let point = number.indices.first(where: { number[$0] == UInt8(ascii: ".") }) else {
      hasInteger = true
      return
    }
    let count = number.count - point - 1
    fewest = min(fewest, count)
    most = max(most, count)
    let start = number[0] == UInt8(ascii: "-") ? 1 : 0
    mostWhole = max(mostWhole, point - start)
    if count == 3, point - start <= 3, number[start] != UInt8(ascii: "0") {
      if groupedNumber == nil { groupedNumber = String(decoding: number) }
    } else {
      hasDecimalPoint = true
    }
    if number[number.count - 1] == UInt8(ascii: "0") {
      if count > 1, !hasLongTrailingZero {
        (trailingZeroNumber, hasLongTrailingZero) = (String(decoding: number), true)
      }
      if trailingZeroNumber == nil { trailingZeroNumber = String(decoding: number) }
    }
  }

  /// Whether storing the values as numbers would lose information, so that the column must be text.
  var mustBeText: Bool {
    ambiguousNumber != nil || hasLongTrailingZero && fewest != most
      || trailingZeroNumber != nil && hasInteger
  }

  /// The digits of a decimal field for the values, such as prices. Nil unless all values have the
  /// same number of digits after the point, from 2 to 4.
  var digits: DecimalDigits? {
    guard !mustBeText, !hasInteger, !hasExponent, fewest == most, 2...4 ~= most else { return nil }
    return DecimalDigits(digits: max(12, mostWhole + most), scale: most)
  }

  /// A number such as `1.200` that may mean 1.2 or 1200, or nil if there is none. The meaning is in
  /// doubt if another column has decimal commas and every point in this column may separate
  /// thousands.
  var ambiguousNumber: String? {
    isAmongDecimalCommas && !hasDecimalPoint ? groupedNumber : nil
  }

  /// Returns whether a text is a number with a decimal comma, such as `4,50` or `1.234,56`.
  static func hasDecimalComma(_ text: Span<UInt8>) -> Bool {
    var digits = 0
    var commas = 0
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: ",") where digits > 0:
        commas += 1
        digits = 0
      case UInt8(ascii: ".") where digits > 0 && commas == 0: digits = 0
      case UInt8(ascii: "-") where index == 0: break
      default: return false
      }
    }
    return commas == 1 && digits > 0
  }
}
