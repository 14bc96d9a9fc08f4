import DataModel

/// How numbers in cells write their fractions.
///
/// Programs write all numbers of a column alike, as `1.0` beside `2.25`, or `3.10` beside `2.25`;
/// `3.10` beside `3.1`, or `6.0` beside `7`, was written by hand and is the name of a version.
struct Decimals: Sendable {
  private var fewest = Int.max
  private var most = 0
  private var hasWhole = false
  private var hasLongSurplus = false
  /// The first number that ends with a zero which says nothing of its value.
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

  /// Whether something that was written would be lost if they were numbers.
  var areNames: Bool { hasLongSurplus && fewest != most || surplus != nil && hasWhole }
}
