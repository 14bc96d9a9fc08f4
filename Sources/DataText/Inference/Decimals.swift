import DataModel

/// The decimal places of the numbers in a CSV column.
///
/// Programs format all numbers of a column the same way: `1.0` and `2.25`, or `3.10` and `2.25`. A
/// mixture such as `3.10` and `3.1`, or `6.0` and `7`, was written by hand and means version
/// numbers, which must stay text.
struct DecimalPlaces: Sendable {
  private var fewest = Int.max
  private var most = 0
  private var hasInteger = false
  private var hasLongTrailingZero = false
  /// The first number with a trailing zero that does not change its value.
  private(set) var trailingZeroNumber: String?

  mutating func add(_ number: Span<UInt8>) {
    for index in number.indices where number[index] | 0x20 == UInt8(ascii: "e") { return }
    guard let point = number.indices.first(where: { number[$0] == UInt8(ascii: ".") }) else {
      hasInteger = true
      return
    }
    let count = number.count - point - 1
    fewest = min(fewest, count)
    most = max(most, count)
    if number[number.count - 1] == UInt8(ascii: "0") {
      if count > 1, !hasLongTrailingZero {
        (trailingZeroNumber, hasLongTrailingZero) = (String(decoding: number), true)
      }
      if trailingZeroNumber == nil { trailingZeroNumber = String(decoding: number) }
    }
  }

  /// Whether converting the numbers would lose information, so that the column must be text.
  var mustBeText: Bool {
    hasLongTrailingZero && fewest != most || trailingZeroNumber != nil && hasInteger
  }
}
