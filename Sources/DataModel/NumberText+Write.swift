extension NumberText {
  /// Appends an integer's digits.
  package static func write(_ value: Int64, to output: inout [UInt8]) {
    var magnitude = value.magnitude
    let digits = digitCount(magnitude)
    output.append(addingCapacity: 20) { text in
      if value < 0 { text.append(minus) }
      text.append(repeating: zero, count: digits)
      var place = text.count
      while magnitude >= 10 {
        place &-= 1
        let tenth = magnitude / 10
        text[place] = UInt8(truncatingIfNeeded: magnitude &- tenth &* 10) &+ zero
        magnitude = tenth
      }
      text[place &- 1] = UInt8(truncatingIfNeeded: magnitude) &+ zero
    }
  }

  /// Appends the shortest text that reads back as the same double, without what JSON does not need:
  /// `100`, not `100.0`, and `1e16`, not `1e+16`.
  package static func write(_ value: Double, to output: inout [UInt8]) {
    precondition(value.isFinite, "a number is finite, or it was not read by datactl")
    if value.magnitude < 0x1p53, value == value.rounded(.towardZero) {
      return write(Int64(value), to: &output)
    }
    let description = value.description
    let digits = description.utf8.span
    output.append(addingCapacity: digits.count) { text in
      var isExponentEmpty = false
      for place in digits.indices {
        let byte = digits[place]
        if isExponentEmpty, byte == plus || byte == zero { continue }
        text.append(byte)
        if byte != minus { isExponentEmpty = byte == exponentMark }
      }
      if text.count > 2, text[text.count &- 1] == zero, text[text.count &- 2] == point {
        text.removeLast(2)
      }
    }
  }

  private static func digitCount(_ magnitude: UInt64) -> Int {
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
