extension NumberText {
  /// The maximum length of the text of a formatted number, in bytes.
  @inlinable
  package static var maxTextLength: Int { 32 }

  /// Appends the integer in decimal.
  package static func write(_ value: Int64, to output: inout [UInt8]) {
    output.append(addingCapacity: maxTextLength) { $0.append(integer: value) }
  }

  /// Appends the shortest text that parses to the same double.
  package static func write(_ value: Double, to output: inout [UInt8]) {
    output.append(addingCapacity: maxTextLength) { $0.append(number: value) }
  }

  fileprivate static func digitCount(_ magnitude: UInt64) -> Int {
    var count = 1
    var limit: UInt64 = 10
    while magnitude >= limit {
      count &+= 1
      guard count < 20 else { break }
      limit &*= 10
    }
    return count
  }
}

extension NumberText {
  /// Returns the shortest text that parses to the same double.
  package static func text(_ value: Double) -> String {
    var bytes: [UInt8] = []
    write(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension OutputSpan<UInt8> {
  /// Appends the integer in decimal.
  package mutating func append(integer value: Int64) {
    var magnitude = value.magnitude
    if value < 0 { append(NumberText.minus) }
    append(repeating: NumberText.zero, count: NumberText.digitCount(magnitude))
    var index = count
    while magnitude >= 10 {
      index &-= 1
      let tenth = magnitude / 10
      self[index] = UInt8(truncatingIfNeeded: magnitude &- tenth &* 10) &+ NumberText.zero
      magnitude = tenth
    }
    self[index &- 1] = UInt8(truncatingIfNeeded: magnitude) &+ NumberText.zero
  }

  /// Appends the integer divided by a power of ten, with exactly `scale` digits after the point.
  /// The scale must be positive.
  package mutating func append(decimal value: Int64, scale: Int) {
    var magnitude = value.magnitude
    if value < 0 { append(NumberText.minus) }
    let digitCount = max(NumberText.digitCount(magnitude), scale &+ 1)
    append(repeating: NumberText.zero, count: digitCount &+ 1)
    let point = count &- scale &- 1
    var index = count
    while magnitude > 0 || index > point {
      index &-= 1
      if index == point {
        self[index] = NumberText.point
        continue
      }
      let tenth = magnitude / 10
      self[index] = UInt8(truncatingIfNeeded: magnitude &- tenth &* 10) &+ NumberText.zero
      magnitude = tenth
    }
  }

  /// Appends the shortest text that parses to the same double, without characters that JSON does
  /// not require: `100`, not `100.0`, and `1e16`, not `1e+16`.
  package mutating func append(number value: Double) {
    precondition(value.isFinite, "the number must be finite")
    if value.magnitude < 0x1p53, case let integer = Int64(value), value == Double(integer) {
      return append(integer: integer)
    }
    if let decimal = ShortDecimal(value) { return append(decimal) }
    let start = count
    let description = value.description
    let digits = description.utf8.span
    var isExponentEmpty = false
    for index in digits.indices {
      let byte = digits[index]
      if isExponentEmpty, byte == NumberText.plus || byte == NumberText.zero { continue }
      append(byte)
      if byte != NumberText.minus { isExponentEmpty = byte == NumberText.exponentMark }
    }
    if count > start &+ 2, self[count &- 1] == NumberText.zero,
      self[count &- 2] == NumberText.point
    {
      removeLast(2)
    }
  }

  private mutating func append(_ decimal: ShortDecimal) {
    if decimal.isNegative { append(NumberText.minus) }
    append(integer: decimal.units / decimal.scale)
    append(NumberText.point)
    var scale = decimal.scale / 10
    while scale > 0 {
      append(UInt8(truncatingIfNeeded: decimal.units / scale % 10) &+ NumberText.zero)
      scale /= 10
    }
  }
}

/// A decimal number with few digits, such as a price, represented as `units` divided by `scale`.
///
/// Different decimals with at most 15 digits are different doubles. Therefore, if a double is equal
/// to `units` divided by `scale`, this decimal is the shortest text for the double. The division is
/// five times as fast as a search for the shortest text.
private struct ShortDecimal {
  let isNegative: Bool
  var units: Int64
  /// The divisor of `units`: a power of ten, such as 100 for two decimal places.
  var scale: Int64

  /// Creates a decimal from a double that has at most six decimal places and is printed without an
  /// exponent. Returns nil for other doubles.
  init?(_ value: Double) {
    guard value.magnitude >= 0.001, value.magnitude < 1e9 else { return nil }
    isNegative = value < 0
    units = Int64(value.magnitude * 1e6 + 0.5)
    scale = 1_000_000
    guard Double(units) / 1e6 == value.magnitude else { return nil }
    while units % 10 == 0 {
      units /= 10
      scale /= 10
    }
  }
}
