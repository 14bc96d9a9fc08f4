extension Timestamp {
  /// Appends the moment as datactl prints it: in UTC, with three digits of the second, or six where
  /// they are needed.
  package func write(to output: inout [UInt8]) {
    let sinceEarliest = UInt64(bitPattern: microseconds &- Timestamp.earliest.microseconds)
    let days = sinceEarliest / 86_400_000_000
    let ofDay = sinceEarliest &- days &* 86_400_000_000
    let date = CalendarDay(daysSince1970: Int(truncatingIfNeeded: days) &- 719_162)
    let seconds = UInt32(truncatingIfNeeded: ofDay / 1_000_000)
    let fraction = UInt32(truncatingIfNeeded: ofDay &- UInt64(seconds) &* 1_000_000)
    let milliseconds = fraction / 1_000
    let rest = fraction &- milliseconds &* 1_000
    let minutes = seconds / 60

    output.append(addingCapacity: 27) { text in
      text.append(digits: UInt32(truncatingIfNeeded: date.year / 100))
      text.append(digits: UInt32(truncatingIfNeeded: date.year % 100))
      text.append(UInt8(ascii: "-"))
      text.append(digits: UInt32(truncatingIfNeeded: date.month))
      text.append(UInt8(ascii: "-"))
      text.append(digits: UInt32(truncatingIfNeeded: date.day))
      text.append(UInt8(ascii: "T"))
      text.append(digits: minutes / 60)
      text.append(UInt8(ascii: ":"))
      text.append(digits: minutes % 60)
      text.append(UInt8(ascii: ":"))
      text.append(digits: seconds % 60)
      text.append(UInt8(ascii: "."))
      text.append(threeDigits: milliseconds)
      if rest != 0 { text.append(threeDigits: rest) }
      text.append(UInt8(ascii: "Z"))
    }
  }
}

extension OutputSpan<UInt8> {
  fileprivate mutating func append(digits number: UInt32) {
    append(UInt8(truncatingIfNeeded: number / 10 &+ 48))
    append(UInt8(truncatingIfNeeded: number % 10 &+ 48))
  }

  fileprivate mutating func append(threeDigits number: UInt32) {
    append(UInt8(truncatingIfNeeded: number / 100 &+ 48))
    append(digits: number % 100)
  }
}
