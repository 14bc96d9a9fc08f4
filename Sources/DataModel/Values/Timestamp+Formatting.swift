import JSONText

extension Timestamp {
  /// The maximum length of the text that datactl prints for a timestamp, in bytes.
  @inlinable
  package static var maxTextLength: Int { 27 }

  /// Appends the timestamp in the format that datactl prints: in UTC, with milliseconds, or with
  /// microseconds if milliseconds are not precise enough.
  package func write(to output: inout [UInt8]) {
    output.append(addingCapacity: Self.maxTextLength) { $0.append(time: self) }
  }
}

extension OutputSpan<UInt8> {
  /// Appends a timestamp in the format that datactl prints: in UTC, with milliseconds, or with
  /// microseconds if milliseconds are not precise enough.
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

    // Appending whole words is faster: when timestamps were appended byte by byte, they took a
    // tenth of the time to list records.
    let month: UInt64 =
      digits(date.year / 100) | digits(date.year % 100) << 16 | dash << 32
      | digits(date.month) << 40 | dash << 56
    let minute: UInt64 =
      digits(date.day) | byte("T") << 16 | digits(minutes / 60) << 24 | colon << 40
      | digits(minutes % 60) << 48
    let millisecond: UInt64 =
      colon | digits(seconds % 60) << 8 | byte(".") << 24 | digit(milliseconds / 100) << 32
      | digits(milliseconds % 100) << 40
    let last = rest == 0 ? byte("Z") : digit(rest / 100)
    append(words: [month, minute, millisecond | last << 56])
    guard rest != 0 else { return }
    append(UInt8(truncatingIfNeeded: digit(rest / 10 % 10)))
    append(UInt8(truncatingIfNeeded: digit(rest % 10)))
    append(UInt8(ascii: "Z"))
  }
}

private let dash = byte("-")
private let colon = byte(":")

@inline(__always)
private func byte(_ character: Unicode.Scalar) -> UInt64 { UInt64(UInt8(ascii: character)) }

@inline(__always)
private func digit(_ number: UInt32) -> UInt64 { UInt64(number &+ 48) }

/// Returns the two ASCII digits of a number below 100, with the first digit in the lowest byte.
@inline(__always)
private func digits(_ number: some BinaryInteger) -> UInt64 {
  let number = UInt32(truncatingIfNeeded: number)
  return digit(number / 10) | digit(number % 10) << 8
}
