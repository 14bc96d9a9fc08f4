/// A point in time with microsecond precision, in UTC, from year 1 to year 9999.
public struct Timestamp: Sendable, Hashable {
  /// The microseconds since the Unix epoch; negative for earlier times.
  public let microseconds: Int64

  /// The first microsecond of year 1.
  public static let earliest = Timestamp(unchecked: -62_135_596_800_000_000)

  /// The last microsecond of year 9999.
  public static let latest = Timestamp(unchecked: 253_402_300_799_999_999)

  /// Creates a timestamp from microseconds since the Unix epoch. Returns nil if the time is not in
  /// the years 1 to 9999.
  public init?(microseconds: Int64) {
    guard microseconds >= Self.earliest.microseconds, microseconds <= Self.latest.microseconds
    else { return nil }
    self.microseconds = microseconds
  }

  private init(unchecked microseconds: Int64) {
    self.microseconds = microseconds
  }
}

extension Timestamp: Comparable {
  /// Returns whether the first timestamp is earlier than the second.
  public static func < (first: Timestamp, second: Timestamp) -> Bool {
    first.microseconds < second.microseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// The timestamp in the format that datactl prints, such as `2026-11-20T03:05:00.000Z`.
  public var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A year, month and day in the proleptic Gregorian calendar. It can be a date that does not exist,
/// such as February 30.
struct CalendarDay {
  var year: Int
  var month: Int
  var day: Int

  /// The number of days from January 1, 1970 to this date.
  ///
  /// In the computation, years begin in March, so that the leap day is the last day of a year and
  /// the number of days before each month follows a linear formula.
  var daysSince1970: Int {
    let isAfterFebruary = month > 2
    let years = isAfterFebruary ? year : year &- 1
    let months = isAfterFebruary ? month &- 3 : month &+ 9
    let daysBeforeMonth = (months &* 153 &+ 2) / 5
    return years &* 365 &+ years / 4 &- years / 100 &+ years / 400 &+ daysBeforeMonth &+ day
      &- 719_469
  }

  /// Whether the date exists; false, for example, for February 30.
  var exists: Bool {
    day >= 1 && month >= 1 && month <= 12 && (day <= 28 || day <= daysInMonth)
  }

  private var daysInMonth: Int {
    if month == 2 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      return isLeap ? 29 : 28
    }
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
  }
}

extension CalendarDay {
  /// Creates the day that is the given number of days after January 1, 1970. The result must not be
  /// before year 1.
  init(daysSince1970: Int) {
    let days = UInt32(truncatingIfNeeded: daysSince1970 &+ 719_468)
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let leapDays = dayOfEra / 1_460 &- dayOfEra / 36_524 &+ dayOfEra / 146_096
    let yearOfEra = (dayOfEra &- leapDays) / 365
    let dayOfYear = dayOfEra &- (yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100)
    let months = (dayOfYear &* 5 &+ 2) / 153
    let isAfterDecember = months >= 10
    year = Int(era &* 400 &+ yearOfEra) &+ (isAfterDecember ? 1 : 0)
    month = Int(months) &+ (isAfterDecember ? -9 : 3)
    day = Int(dayOfYear &- (months &* 153 &+ 2) / 5) &+ 1
  }
}

extension Timestamp {
  /// The reason why text is not a valid timestamp.
  package enum ParseError: Error, Hashable, Sendable {
    /// The text does not have the form that RFC 3339 specifies.
    case notADateTime
    /// The text has a time of day, but no `Z` or UTC offset.
    case missingOffset
    /// The day does not exist, as in `2013-02-31`.
    case noSuchDay
    /// The time does not exist (hour 24, second 60), or the UTC offset is greater than 23:59.
    case noSuchTime
    /// The text has no UTC offset, and clocks in the assumed zone skip this time.
    case skippedTime(zone: String)
    /// The seconds have more than six decimal places.
    case tooPrecise
    /// The year, as written or after conversion to UTC, is not between 1 and 9999.
    case outOfRange
  }

  /// Parses an RFC 3339 timestamp, or a date, which is interpreted as midnight UTC.
  ///
  /// Seconds with more than six decimal places are rounded to microseconds if `roundsTimes` is
  /// true, and rejected if it is false.
  package init(parsing text: Span<UInt8>, roundsTimes: Bool = false) throws(ParseError) {
    if let plain = Timestamp(plain: text) {
      self = plain
    } else {
      var reader = TimestampReader(roundsTimes: roundsTimes)
      self = try reader.read(text)
    }
  }

  /// Parses a date with an optional time of day and UTC offset. Returns the microseconds since
  /// 1970-01-01T00:00:00 local time, and the offset in seconds (nil if the text has none).
  static func local(
    parsing text: Span<UInt8>, roundsTimes: Bool, needsSeconds: Bool
  ) throws(ParseError) -> (microseconds: Int64, offset: Int?) {
    var reader = TimestampReader(roundsTimes: roundsTimes)
    return try reader.readLocal(text, needsSeconds: needsSeconds, needsOffset: false)
  }

  /// Parses the 24-byte UTC format that datactl prints. Most timestamps in the input have this
  /// format, and it can be parsed faster than the others. Returns nil for any other text.
  private init?(plain text: Span<UInt8>) {
    guard text.count == 24, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      text[19] == UInt8(ascii: "."), text[23] == UInt8(ascii: "Z")
    else { return nil }
    var highest: UInt8 = 0
    func digit(_ position: Int) -> Int {
      let digit = text[position] &- 48
      highest = max(highest, digit)
      return Int(digit)
    }
    let date = CalendarDay(
      year: digit(0) &* 1_000 &+ digit(1) &* 100 &+ digit(2) &* 10 &+ digit(3),
      month: digit(5) &* 10 &+ digit(6), day: digit(8) &* 10 &+ digit(9))
    let hour = digit(11) &* 10 &+ digit(12)
    let minute = digit(14) &* 10 &+ digit(15)
    let second = digit(17) &* 10 &+ digit(18)
    let millisecond = digit(20) &* 100 &+ digit(21) &* 10 &+ digit(22)
    guard highest <= 9, date.year >= 1, date.exists, hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds = date.daysSince1970 &* 86_400 &+ hour &* 3_600 &+ minute &* 60 &+ second
    self.init(microseconds: Int64((seconds &* 1_000 &+ millisecond) &* 1_000))
  }
}

/// Parses timestamps in all supported formats, component by component. If the text is invalid,
/// throws an error that explains why.
private struct TimestampReader {
  let roundsTimes: Bool
  private var position = 0

  init(roundsTimes: Bool) {
    self.roundsTimes = roundsTimes
  }

  mutating func read(_ text: Span<UInt8>) throws(Timestamp.ParseError) -> Timestamp {
    let local = try readLocal(text, needsSeconds: true, needsOffset: true)
    let microseconds = local.microseconds - Int64(local.offset ?? 0) * 1_000_000
    guard let timestamp = Timestamp(microseconds: microseconds) else { throw .outOfRange }
    return timestamp
  }

  /// Parses a date with an optional time of day and UTC offset. A date without a time means
  /// midnight UTC.
  mutating func readLocal(
    _ text: Span<UInt8>, needsSeconds: Bool, needsOffset: Bool
  ) throws(Timestamp.ParseError) -> (microseconds: Int64, offset: Int?) {
    if isYearOutOfRange(text) { throw .outOfRange }
    let date = try day(text)
    if position == text.count {
      guard date.exists else { throw .noSuchDay }
      return (try microseconds(date, seconds: 0, microseconds: 0), 0)
    }
    guard consume("T", text) || consume("t", text) || consume(" ", text) else {
      throw .notADateTime
    }
    let hour = try number(of: 2, text)
    try expect(":", text)
    let minute = try number(of: 2, text)
    var (second, fractionalPart) = (0, 0)
    if consume(":", text) {
      second = try number(of: 2, text)
      fractionalPart = try fraction(text)
    } else if needsSeconds {
      throw .notADateTime
    }
    guard position < text.count || !needsOffset else { throw .missingOffset }
    let offset = position < text.count ? try offsetInSeconds(text) : nil
    guard position == text.count else { throw .notADateTime }
    guard date.exists else { throw .noSuchDay }
    guard hour < 24, minute < 60, second < 60 else { throw .noSuchTime }
    let seconds = hour * 3_600 + minute * 60 + second
    return (try microseconds(date, seconds: seconds, microseconds: fractionalPart), offset)
  }

  private func microseconds(
    _ date: CalendarDay, seconds: Int, microseconds: Int
  ) throws(Timestamp.ParseError) -> Int64 {
    guard date.year >= 1 else { throw .outOfRange }
    return Int64((date.daysSince1970 * 86_400 + seconds) * 1_000_000 + microseconds)
  }

  /// Returns whether the text begins with a year that is negative or has more than four digits.
  /// Such a year is reported as out of range instead of as a syntax error.
  private func isYearOutOfRange(_ text: Span<UInt8>) -> Bool {
    let start = text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0
    var end = start
    while end < text.count, text[end] >= 48, text[end] <= 57 { end += 1 }
    guard end < text.count, text[end] == UInt8(ascii: "-") else { return false }
    return end - start > 4 || (start == 1 && end - start == 4)
  }

  private mutating func day(_ text: Span<UInt8>) throws(Timestamp.ParseError) -> CalendarDay {
    let year = try number(of: 4, text)
    try expect("-", text)
    let month = try number(of: 2, text)
    try expect("-", text)
    return CalendarDay(year: year, month: month, day: try number(of: 2, text))
  }

  private mutating func fraction(_ text: Span<UInt8>) throws(Timestamp.ParseError) -> Int {
    guard consume(".", text) else { return 0 }
    let start = position
    var microseconds = 0
    while position < text.count, text[position] >= 48, text[position] <= 57 {
      if position - start < 6 { microseconds = microseconds * 10 + Int(text[position] - 48) }
      position += 1
    }
    let count = position - start
    guard count > 0 else { throw .notADateTime }
    guard count > 6 else { return (count..<6).reduce(microseconds) { sum, _ in sum * 10 } }
    guard roundsTimes else { throw .tooPrecise }
    return text[start + 6] >= UInt8(ascii: "5") ? microseconds + 1 : microseconds
  }

  private mutating func offsetInSeconds(_ text: Span<UInt8>) throws(Timestamp.ParseError) -> Int {
    if consume("Z", text) || consume("z", text) { return 0 }
    let isWest = consume("-", text)
    if !isWest { try expect("+", text) }
    let hours = try number(of: 2, text)
    try expect(":", text)
    let minutes = try number(of: 2, text)
    guard hours < 24, minutes < 60 else { throw .noSuchTime }
    return (hours * 3_600 + minutes * 60) * (isWest ? -1 : 1)
  }

  private mutating func number(
    of digits: Int, _ text: Span<UInt8>
  ) throws(Timestamp.ParseError) -> Int {
    var number = 0
    for _ in 0..<digits {
      guard position < text.count, text[position] >= 48, text[position] <= 57 else {
        throw .notADateTime
      }
      number = number * 10 + Int(text[position] - 48)
      position += 1
    }
    return number
  }

  private mutating func expect(
    _ mark: Unicode.Scalar, _ text: Span<UInt8>
  ) throws(Timestamp.ParseError) {
    guard consume(mark, text) else { throw .notADateTime }
  }

  private mutating func consume(_ mark: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: mark) else { return false }
    position += 1
    return true
  }
}
