extension NumberText {
  /// How many bytes a number has at most.
  package static let longestText = 32

  /// Appends an integer's digits.
  package static func write(_ value: Int64, to output: inout [UInt8]) {
    output.append(addingCapacity: longestText) { $0.append(integer: value) }
  }

  /// Appends the shortest text that reads back as the same double.
  package static func write(_ value: Double, to output: inout [UInt8]) {
    output.append(addingCapacity: longestText) { $0.append(number: value) }
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
  /// The shortest text of a number that reads back equal.
  package static func text(_ value: Double) -> String {
    var bytes: [UInt8] = []
    write(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension OutputSpan<UInt8> {
  /// Appends an integer's digits.
  package mutating func append(integer value: Int64) {
    var magnitude = value.magnitude
    if value < 0 { append(NumberText.minus) }
    append(repeating: NumberText.zero, count: NumberText.digitCount(magnitude))
    var place = count
    while magnitude >= 10 {
      place &-= 1
      let tenth = magnitude / 10
      self[place] = UInt8(truncatingIfNeeded: magnitude &- tenth &* 10) &+ NumberText.zero
      magnitude = tenth
    }
    self[place &- 1] = UInt8(truncatingIfNeeded: magnitude) &+ NumberText.zero
  }

  /// Appends the shortest text that reads back as the same double, without what JSON does not need:
  /// `100`, not `100.0`, and `1e16`, not `1e+16`.
  package mutating func append(number value: Double) {
    precondition(value.isFinite, "a number is finite, or it was not read by datactl")
    if value.magnitude < 0x1p53, value == value.rounded(.towardZero) {
      return append(integer: Int64(value))
    }
    let start = count
    let description = value.description
    let digits = description.utf8.span
    var isExponentEmpty = false
    for place in digits.indices {
      let byte = digits[place]
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
}
