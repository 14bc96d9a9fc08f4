/// A day, month or year, such as `2026-11`, which covers a range of times.
package struct CalendarPeriod: Hashable, Sendable {
  /// The range of local times in the period, in seconds since 1970-01-01T00:00:00 local time.
  private let seconds: Range<Int64>

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
    seconds = Int64(start) * 86_400..<Int64(end) * 86_400
  }

  /// Returns the ranges of points in time that the period covers in the given time zone, or in UTC
  /// if `zone` is nil. There is usually one range. There are two if clocks are set back across the
  /// start or the end of the period, and none if they skip the whole period.
  package func instants(in zone: TimeZoneRules?) -> [ClosedRange<Timestamp>] {
    (zone?.instants(ofLocal: seconds) ?? [seconds]).compactMap { range in
      let first = max(range.lowerBound * 1_000_000, Timestamp.earliest.microseconds)
      let last = min(range.upperBound * 1_000_000 - 1, Timestamp.latest.microseconds)
      guard let start = Timestamp(microseconds: first), let end = Timestamp(microseconds: last),
        first <= last
      else { return nil }
      return start...end
    }
  }
}
