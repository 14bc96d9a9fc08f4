/// A running sum of values. Integers are added exactly, numbers are added as doubles, and nulls are
/// ignored.
///
/// The order of integers does not affect the result, even if intermediate sums exceed 64 bits.
/// Numbers are added with error compensation, so that their order has almost no effect.
package struct RunningSum: Sendable {
  private var integers: Int128 = 0
  private var numbers = CompensatedSum()
  /// The sum of all added numbers, each multiplied by the small factor `scale`, so that the sum
  /// cannot overflow.
  private var smallNumbers = CompensatedSum()
  private var hasNumbers = false
  private var count = 0

  private static let scale = 0x1p-64

  package init() {}

  package mutating func add(_ value: Value) {
    switch value {
    case .integer(let integer): add(integer)
    case .number(let number): add(number)
    case .null, .text, .boolean, .date, .datetime, .geopoint, .file, .json, .list: break
    }
  }

  package mutating func add(_ integer: Int64) {
    integers += Int128(integer)
    count += 1
  }

  package mutating func add(_ number: Double) {
    numbers.add(number)
    smallNumbers.add(number * Self.scale)
    hasNumbers = true
    count += 1
  }

  /// The sum, or `Value.null` if no values were added. Nil if the sum exceeds 64 bits or the
  /// largest double.
  package var total: Value? {
    if count == 0 { return .null }
    return hasNumbers ? sum(overCount: 1) : Int64(exactly: integers).map(Value.integer)
  }

  /// The average, or `Value.null` if no values were added. Nil if the average exceeds the largest
  /// double.
  package var average: Value? {
    if count == 0 { return .null }
    return hasNumbers
      ? sum(overCount: Double(count)) : .number(Double(integers) / Double(count))
  }

  private func sum(overCount count: Double) -> Value? {
    let sum =
      numbers.total.isFinite
      ? numbers.total / count : smallNumbers.total / count / Self.scale
    return sum.isFinite ? .number(sum) : nil
  }
}

/// A sum of doubles that compensates for rounding errors (Kahan-Babuška-Neumaier). It has about
/// twice the precision of a double.
private struct CompensatedSum {
  private var sum = 0.0
  private var compensation = 0.0

  mutating func add(_ number: Double) {
    let next = sum + number
    compensation +=
      sum.magnitude >= number.magnitude ? (sum - next) + number : (number - next) + sum
    sum = next
  }

  var total: Double { sum + compensation }
}
