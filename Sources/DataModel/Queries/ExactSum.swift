/// An exact sum of doubles and integers, which is rounded only once: when its value or its quotient
/// is read.
///
/// The sum is represented as an integer multiple of the smallest positive double. Only the digits
/// that additions have reached are stored. All other digits are 0.
struct ExactSum: Sendable {
  /// The smallest positive double is 2 to the power of this exponent.
  private static let smallestExponent = -1074
  private static let bitsPerDigit = 32
  private static let digitMask: UInt64 = 0xFFFF_FFFF
  /// The maximum number of additions between two propagations of carries. An addition changes a
  /// digit by less than 2^33, so this many additions cannot overflow its 64 bits.
  private static let maxPending = 1 << 28

  /// The digits of the sum in base 2^32, the least significant one first. Until the carries are
  /// propagated, a digit can be negative or longer than 32 bits.
  private var digits: [Int64] = []
  /// The number of digits of the sum that are less significant than the first stored digit. These
  /// digits are all 0.
  private var start = 0
  /// The number of additions since the carries were last propagated.
  private var pending = 0

  /// Adds a finite number.
  mutating func add(_ number: Double) {
    let exponent = Int(number.exponentBitPattern)
    let implicitBit: UInt64 = exponent > 0 ? 1 << 52 : 0
    add(number.significandBitPattern | implicitBit, at: max(exponent, 1) - 1, number.sign)
  }

  mutating func add(_ integer: Int128) {
    let magnitude = integer.magnitude
    let sign: FloatingPointSign = integer < 0 ? .minus : .plus
    add(UInt64(truncatingIfNeeded: magnitude), at: -Self.smallestExponent, sign)
    add(UInt64(truncatingIfNeeded: magnitude >> 64), at: 64 - Self.smallestExponent, sign)
  }

  /// Shifts an integer to the left by the given number of bits, and adds it to the sum. If the sign
  /// is negative, subtracts it instead.
  private mutating func add(_ magnitude: UInt64, at shift: Int, _ sign: FloatingPointSign) {
    guard magnitude != 0 else { return }
    let (position, offset) = shift.quotientAndRemainder(dividingBy: Self.bitsPerDigit)
    reserve(position...position + 2)
    let low = (magnitude & Self.digitMask) << UInt64(offset)
    let high = (magnitude >> 32) << UInt64(offset)
    let parts = (low & Self.digitMask, (low >> 32) + (high & Self.digitMask), high >> 32)
    let index = position - start
    switch sign {
    case .plus:
      digits[index] += Int64(parts.0)
      digits[index + 1] += Int64(parts.1)
      digits[index + 2] += Int64(parts.2)
    case .minus:
      digits[index] -= Int64(parts.0)
      digits[index + 1] -= Int64(parts.1)
      digits[index + 2] -= Int64(parts.2)
    }
    pending += 1
    if pending == Self.maxPending { propagateCarries() }
  }

  /// Extends `digits` with zeros, so that it contains the digits at the given positions.
  private mutating func reserve(_ positions: ClosedRange<Int>) {
    if digits.isEmpty { start = positions.lowerBound }
    if positions.lowerBound < start {
      digits.insert(contentsOf: repeatElement(0, count: start - positions.lowerBound), at: 0)
      start = positions.lowerBound
    }
    let missing = positions.upperBound + 1 - start - digits.count
    if missing > 0 { digits.append(contentsOf: repeatElement(0, count: missing)) }
  }

  /// Makes every digit except the most significant one a number from 0 to 2^32 - 1. The most
  /// significant digit then has the sign of the sum.
  private mutating func propagateCarries() {
    pending = 0
    var carry: Int64 = 0
    for index in digits.indices {
      let digit = digits[index] + carry
      digits[index] = digit & Int64(Self.digitMask)
      carry = digit >> 32
    }
    digits.append(carry)
  }

  /// Returns the double that is nearest to the sum divided by `divisor`. The result is infinite if
  /// the quotient exceeds the largest double.
  ///
  /// - Parameter divisor: A positive number below 2^63.
  func rounded(dividedBy divisor: UInt64 = 1) -> Double {
    var sum = self
    sum.propagateCarries()
    let isNegative = sum.digits.last.map { $0 < 0 } ?? false
    if isNegative {
      for index in sum.digits.indices { sum.digits[index].negate() }
      sum.propagateCarries()
    }
    guard let top = sum.digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    // The quotient needs enough digits for the 53 bits of a double and a bit for rounding. The
    // digit before position 0 has the fraction of the smallest double.
    let lowest = max(-1, min(0, top - 5) + sum.start)
    let count = top + 1 + sum.start - lowest
    var quotient: [UInt64] = Array(repeating: 0, count: count)
    var remainder: UInt64 = 0
    for index in (0..<count).reversed() {
      let source = index + lowest - sum.start
      let digit = source < 0 ? 0 : UInt64(sum.digits[source])
      (quotient[index], remainder) = divisor.dividingFullWidth(
        (remainder >> 32, remainder << 32 | digit))
    }
    let number = Self.rounded(quotient, from: lowest, isExact: remainder == 0)
    return isNegative && number != 0 ? -number : number
  }

  /// Returns the double that is nearest to a number. If two doubles are equally near, returns the
  /// one whose significand is even.
  ///
  /// - Parameters:
  ///   - digits: The digits of the number in base 2^32, the least significant one first.
  ///   - lowest: The position of the first digit. A digit at position n is multiplied by
  ///     2^(32 * n - 1074).
  ///   - isExact: False if less significant digits of the number have been left out.
  private static func rounded(_ digits: [UInt64], from lowest: Int, isExact: Bool) -> Double {
    guard let top = digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    let width = (top + 1) * bitsPerDigit - (digits[top].leadingZeroBitCount - bitsPerDigit)
    // The lowest bit of the result, which cannot be less than the smallest double.
    let lowestBit = max(width - 53, -lowest * bitsPerDigit, 0)
    var significand = bits(of: digits, from: lowestBit)
    if lowestBit > 0 {
      let (index, offset) = (lowestBit - 1).quotientAndRemainder(dividingBy: bitsPerDigit)
      let digit = index < digits.count ? digits[index] : 0
      let half: UInt64 = 1 << UInt64(offset)
      let isAboveHalf =
        !isExact || digit & (half - 1) != 0
        || digits.prefix(index).contains { digit in digit != 0 }
      if digit & half != 0, isAboveHalf || !significand.isMultiple(of: 2) { significand += 1 }
    }
    return Double(
      sign: .plus, exponent: lowestBit + lowest * bitsPerDigit + smallestExponent,
      significand: Double(significand))
  }

  /// Returns the bits of a number from `lowestBit` to the most significant one, as an integer.
  /// The integer must have at most 53 bits, the size of the significand of a double.
  private static func bits(of digits: [UInt64], from lowestBit: Int) -> UInt64 {
    let (index, offset) = lowestBit.quotientAndRemainder(dividingBy: bitsPerDigit)
    func digit(_ index: Int) -> UInt64 { index < digits.count ? digits[index] : 0 }
    let low = digit(index) | digit(index + 1) << 32
    // In Swift, a shift by 64 bits yields zero.
    return low >> UInt64(offset) | digit(index + 2) << UInt64(64 - offset)
  }
}
