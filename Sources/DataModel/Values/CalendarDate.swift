/// A date in the Gregorian calendar, from year 1 to year 9999, without a time or a time zone.
public struct CalendarDate: Sendable, Hashable {
  /// The number of days since January 1, 1970; negative for earlier days.
  package let days: Int

  /// January 1 of year 1.
  public static let earliest = CalendarDate(unchecked: -719_162)

  /// December 31 of year 9999.
  public static let latest = CalendarDate(unchecked: 2_932_896)

  /// Creates a date from a year, a month and a day. Returns nil if the day does not exist, or if it
  /// is not in the years 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    let date = CalendarDay(year: year, month: month, day: day)
    guard 1...9_999 ~= year, date.exists else { return nil }
    days = date.daysSince1970
  }

  /// Creates a date from the number of days since January 1, 1970. Returns nil if the date is not
  /// in the years 1 to 9999.
  package init?(days: Int) {
    guard Self.earliest.days...Self.latest.days ~= days else { return nil }
    self.days = days
  }

  /// Creates the date of a point in time, in UTC.
  package init(_ time: Timestamp) {
    let sinceEarliest = time.microseconds - Timestamp.earliest.microseconds
    days = Int(sinceEarliest / Self.microsecondsPerDay) + Self.earliest.days
  }

  private init(unchecked days: Int) {
    self.days = days
  }

  /// The year, from 1 to 9999.
  public var year: Int { calendarDay.year }

  /// The month, from 1 to 12.
  public var month: Int { calendarDay.month }

  /// The day of the month, from 1 to 31.
  public var day: Int { calendarDay.day }

  /// The day of the week, from 1 for Monday to 7 for Sunday.
  public var weekday: Int { (days - Self.earliest.days) % 7 + 1 }

  /// Midnight UTC at the start of the date.
  public var start: Timestamp {
    Timestamp(microseconds: Int64(days) * Self.microsecondsPerDay) ?? .earliest
  }

  /// Returns the date after adding a duration, which is truncated to whole days. Returns nil if the
  /// result is not in the years 1 to 9999.
  package func shifted(microseconds: Int64) -> CalendarDate? {
    CalendarDate(days: days + Int(microseconds / Self.microsecondsPerDay))
  }

  private var calendarDay: CalendarDay { CalendarDay(daysSince1970: days) }

  package static let microsecondsPerDay: Int64 = 86_400_000_000
}

extension CalendarDate: Comparable {
  /// Returns whether the first date is earlier than the second.
  public static func < (first: CalendarDate, second: CalendarDate) -> Bool {
    first.days < second.days
  }
}

extension CalendarDate: CustomStringConvertible {
  /// The date in the format that datactl prints, such as `2026-11-20`.
  public var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the date in the format that datactl prints.
  package func write(to output: inout [UInt8]) {
    let date = calendarDay
    func append(_ number: Int, _ unit: Int) {
      var unit = unit
      while unit > 0 {
        output.append(UInt8(truncatingIfNeeded: 48 + number / unit % 10))
        unit /= 10
      }
    }
    append(date.year, 1_000)
    output.append(UInt8(ascii: "-"))
    append(date.month, 10)
    output.append(UInt8(ascii: "-"))
    append(date.day, 10)
  }
}

extension CalendarDate {
  /// The reason why text is not a valid date.
  package enum ParseError: Error, Hashable, Sendable {
    /// The text does not have the form `2026-11-20`.
    case notADate
    /// The text has a time of day.
    case hasTime
    /// The day does not exist, as in `2013-02-31`.
    case noSuchDay
    /// The year is not between 1 and 9999.
    case outOfRange
  }

  /// Parses a date in the form `2026-11-20`.
  package init(parsing text: Span<UInt8>) throws(ParseError) {
    var numbers = (0, 0, 0)
    guard Self.read(text, into: &numbers) else {
      do throws(Timestamp.ParseError) {
        _ = try Timestamp(parsing: text, roundsTimes: true)
      } catch {
        switch error {
        case .missingOffset, .noSuchTime, .skippedTime, .tooPrecise: throw .hasTime
        case .notADateTime: throw .notADate
        case .noSuchDay: throw .noSuchDay
        case .outOfRange: throw .outOfRange
        }
      }
      throw .hasTime
    }
    let date = CalendarDay(year: numbers.0, month: numbers.1, day: numbers.2)
    guard date.year >= 1 else { throw .outOfRange }
    guard date.exists else { throw .noSuchDay }
    days = date.daysSince1970
  }

  /// Reads the year, month and day of a date. Returns false if the text does not have the form
  /// `2026-11-20`.
  private static func read(_ text: Span<UInt8>, into numbers: inout (Int, Int, Int)) -> Bool {
    guard text.count == 10 else { return false }
    for index in text.indices {
      let digit = Int(text[index]) - 48
      switch index {
      case 4, 7:
        guard text[index] == UInt8(ascii: "-") else { return false }
        continue
      default: guard 0...9 ~= digit else { return false }
      }
      switch index {
      case 0...3: numbers.0 = numbers.0 * 10 + digit
      case 5, 6: numbers.1 = numbers.1 * 10 + digit
      default: numbers.2 = numbers.2 * 10 + digit
      }
    }
    return true
  }
}
