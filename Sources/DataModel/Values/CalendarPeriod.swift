/// A day, month or year in UTC.
package struct CalendarPeriod: Hashable, Sendable {
  /// The first instant of the period.
  package let first: Timestamp
  /// The last instant of the period, one microsecond before the next period.
  package let last: Timestamp

  /// Parses a period in one of the forms `2026`, `2026-11` and `2026-11-20`. Returns nil for any
  /// other text, and for a day that does not exist.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count <= 3, parts[0].count == 4, parts.dropFirst().allSatisfy({ $0.count == 2 }),
      parts.allSatisfy({ $0.allSatisfy { $0 &- 48 < 10 } })
    else { return nil }
    let numbers = parts.map { part in part.reduce(0) { $0 * 10 + Int($1) - 48 } }
    var day = CalendarDay(
      year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1,
      day: numbers.count > 2 ? numbers[2] : 1)
    guard day.year >= 1, day.exists else { return nil }
    let start = day.daysSince1970
    switch numbers.count {
    case 1: day.year += 1
    case 2: (day.year, day.month) = (day.year + day.month / 12, day.month % 12 + 1)
    default: break
    }
    let end = numbers.count == 3 ? start + 1 : day.daysSince1970
    let microsecondsPerDay: Int64 = 86_400_000_000
    guard let first = Timestamp(microseconds: Int64(start) * microsecondsPerDay),
      let last = Timestamp(microseconds: Int64(end) * microsecondsPerDay - 1)
    else { return nil }
    self.first = first
    self.last = last
  }
}
