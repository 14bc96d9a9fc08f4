extension Timestamp {
  /// How many bytes a moment has at most.
  package static let longestText = 27

  /// Appends the moment as datactl prints it: in UTC, with three digits of the second, or six where
  /// they are needed.
  package func write(to output: inout [UInt8]) {
    output.append(addingCapacity: Self.longestText) { $0.append(time: self) }
  }
}

extension OutputSpan<UInt8> {
  /// Appends a moment as datactl prints it.
  package mutating func append(time: Timestamp) {
    let sinceEarliest = UInt64(bitPattern: time.microseconds &- Timestamp.earliest.microseconds)
    let days = sinceEarliest / 86_400_000_000
    let ofDay = sinceEarliest &- days &* 86_400_000_000
    let date = CalendarDay(daysSince1970: Int(truncatingIfNeeded: days) &- 719_162)
    let seconds = UInt32(truncatingIfNeeded: ofDay / 1_000_000)
    let fraction = UInt32(truncatingIfNeeded: ofDay &- UInt64(seconds) &* 1_000_000)
    let milliseconds = fraction / 1_000
    let rest = fraction &- milliseconds &* 1_000
    let minutes = seconds / 60

    append(digits: UInt32(truncatingIfNeeded: date.year / 100))
    append(digits: UInt32(truncatingIfNeeded: date.year % 100))
    append(UInt8(ascii: "-"))
    append(digits: UInt32(truncatingIfNeeded: date.month))
    append(UInt8(ascii: "-"))
    append(digits: UInt32(truncatingIfNeeded: date.day))
    append(UInt8(ascii: "T"))
    append(digits: minutes / 60)
    append(UInt8(ascii: ":"))
    append(digits: minutes % 60)
    append(UInt8(ascii: ":"))
    append(digits: seconds % 60)
    append(UInt8(ascii: "."))
    append(threeDigits: milliseconds)
    if rest != 0 { append(threeDigits: rest) }
    append(UInt8(ascii: "Z"))
  }

  @inline(__always)
  private mutating func append(digits number: UInt32) {
    append(UInt8(truncatingIfNeeded: number / 10 &+ 48))
    append(UInt8(truncatingIfNeeded: number % 10 &+ 48))
  }

  @inline(__always)
  private mutating func append(threeDigits number: UInt32) {
    append(UInt8(truncatingIfNeeded: number / 100 &+ 48))
    append(digits: number % 100)
  }
}
