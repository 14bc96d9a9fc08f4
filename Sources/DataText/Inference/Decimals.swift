import DataModel

/// How numbers in cells write their fractions: `3.10` beside `3.1` is no number, but the name of a
/// version, while `3.10` beside `2.25` is a price.
struct Decimals: Sendable {
  private var fewest = Int.max
  private var most = 0
  /// The first number that ends with a zero which says nothing of its value.
  private(set) var surplus: String?

  mutating func add(_ number: Span<UInt8>) {
    guard let point = number.indices.first(where: { number[$0] == UInt8(ascii: ".") }) else {
      return
    }
    for index in number.indices where number[index] | 0x20 == UInt8(ascii: "e") { return }
    let count = number.count - point - 1
    fewest = min(fewest, count)
    most = max(most, count)
    if count > 1, number[number.count - 1] == UInt8(ascii: "0"), surplus == nil {
      surplus = String(decoding: number)
    }
  }

  /// Whether something that was written would be lost if they were numbers.
  var areNames: Bool { surplus != nil && fewest != most }
}
