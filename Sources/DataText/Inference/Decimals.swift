import DataModel

/// The decimal places of the numbers in a CSV column.
///
/// Programs format all numbers of a column the same way: `1.0` and `2.25`, or `3.10` and `2.25`. A
/// mixture such as `3.10` and `3.1`, or `6.0` and `7`, was written by hand and means version
/// numbers, which must stay text.
struct Decimals: Sendable {
  private var fewest = Int.max
  private var most = 0
  private var hasWhole = false
  private var hasLongSurplus = false
  /// The first number with a trailing zero that does not change its value.
  private(set) var surplus: String?

  mutating func add(_ number: Span<UInt8>) {
    for index in number.indices where number[index] | 0x20 == UInt8(ascii: "e") { return }
    guard let point = number.indices.first(where: { number[$0] == UInt8(ascii: ".") }) else {
      hasWhole = true
      return
    }
    let count = number.count - point - 1
    fewest = min(fewest, count)
    most = max(most, count)
    if number[number.count - 1] == UInt8(ascii: "0") {
      if count > 1, !hasLongSurplus { (surplus, hasLongSurplus) = (String(decoding: number), true) }
      if surplus == nil { surplus = String(decoding: number) }
    }
  }

  /// Whether converting the numbers would lose information, so that the column must be text.
  var areNames: Bool { hasLongSurplus && fewest != most || surplus != nil && hasWhole }
}
