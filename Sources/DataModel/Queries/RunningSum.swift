/// A running sum of values. Nulls are ignored.
///
/// The sum is exact, and only the result is rounded. Therefore, the order of the values does not
/// affect the result, even if intermediate sums exceed 64-bit integers or the largest double.
package struct RunningSum: Sendable {
  private var integers: Int128 = 0
  private var decimals: DecimalSum?
  private var numbers = ExactSum()
  private var hasNumbers = false
  private var isInfinite = false
  private var count = 0

  package init() {}

  package mutating func add(_ value: Value) {
    if case .integer(let integer) = value { add(integer) }
    if case .number(let number) = value { add(number) }
    if case .decimal(let decimal) = value { add(decimal) }
  }

  /// Adds a decimal. All values that are added must be decimals with the same scale.
  package mutating func add(_ decimal: DecimalValue) {
    var sum = decimals ?? DecimalSum(scale: decimal.scale)
    sum.add(decimal.coefficient)
    decimals = sum
    count += 1
  }

  package mutating func add(_ integer: Int64) {
    integers += Int128(integer)
    count += 1
  }

  package mutating func add(_ number: Double) {
    if number.isFinite {
      numbers.add(number)
    } else {
      isInfinite = true
    }
    hasNumbers = true
    count += 1
  }

  /// The sum, or `Value.null` if no values were added. If the sum exceeds 64-bit integers, 38 digits
  /// or the largest double, it is an infinite double.
  package var total: Value {
    if count == 0 { return .null }
    if let decimals {
      return decimals.total.map(Value.decimal)
        ?? .number(decimals.isNegative ? -.infinity : .infinity)
    }
    if hasNumbers { return rounded(dividedBy: 1) }
    return Int64(exactly: integers).map(Value.integer)
      ?? .number(integers < 0 ? -.infinity : .infinity)
  }

  /// The average, or `Value.null` if no values were added.
  package var average: Value {
    if count == 0 { return .null }
    if let decimals { return .number(decimals.average(count: count)) }
    // A quotient of two integers that doubles represent exactly is rounded only once.
    if !hasNumbers, integers.magnitude <= 1 << 53 {
      return .number(Double(integers) / Double(count))
    }
    return rounded(dividedBy: UInt64(count))
  }

  /// The mean of one or two values, or `Value.null` if no values were added. The mean of decimals is
  /// exact, with one more digit after the point. It is null if it has more than 38 digits.
  package var middle: Value {
    guard let decimals else { return average }
    guard let total = decimals.total, let type = DecimalDigits.middle(scale: total.scale) else {
      return .null
    }
    let (product, overflows) = total.coefficient.multipliedReportingOverflow(by: 10)
    let mean = product / Int128(count)
    guard !overflows, DecimalValue.hasFewDigits(mean) else { return .null }
    return .decimal(DecimalValue(coefficient: mean, scale: type.scale))
  }

  private func rounded(dividedBy divisor: UInt64) -> Value {
    if isInfinite { return .number(.infinity) }
    var sum = numbers
    sum.add(integers)
    return .number(sum.rounded(dividedBy: divisor))
  }
}
