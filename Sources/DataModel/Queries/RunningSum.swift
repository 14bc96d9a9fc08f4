/// Adds up values: integers exactly, numbers as doubles, and nulls not at all.
///
/// The order in which integers come makes no difference, whatever they come to on the way.
package struct RunningSum: Sendable {
  private var integers: Int128 = 0
  private var numbers = 0.0
  private var hasNumbers = false
  private var count = 0

  package init() {}

  package mutating func add(_ value: Value) {
    switch value {
    case .integer(let integer): add(integer)
    case .number(let number): add(number)
    case .null, .text, .boolean, .datetime, .geopoint, .file, .json, .list: break
    }
  }

  package mutating func add(_ integer: Int64) {
    integers += Int128(integer)
    count += 1
  }

  package mutating func add(_ number: Double) {
    numbers += number
    hasNumbers = true
    count += 1
  }

  /// The sum, null of nothing; nil if it is beyond 64 bits or the largest double.
  package var total: Value? {
    if count == 0 { return .null }
    if hasNumbers { return numbers.isFinite ? .number(numbers) : nil }
    return Int64(exactly: integers).map(Value.integer)
  }

  /// The sum over the count, null of nothing; nil if the sum is beyond the largest double.
  package var average: Value? {
    if count == 0 { return .null }
    let sum = hasNumbers ? numbers : Double(integers)
    return sum.isFinite ? .number(sum / Double(count)) : nil
  }
}
