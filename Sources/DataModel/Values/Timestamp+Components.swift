extension Timestamp {
  /// The year, month, day and time of day of a timestamp, in UTC or with an offset from UTC.
  package struct Components: Hashable, Sendable {
    package var year = 1970
    package var month = 1
    package var day = 1
    package var hour = 0
    package var minute = 0
    package var second = 0
    package var microsecond = 0
    /// The offset from UTC in seconds.
    package var offset = 0

    package init() {}
  }

  /// Creates a timestamp from components. Returns nil if the day or the time does not exist, or if
  /// the time is not in the years 1 to 9999.
  package init?(_ components: Components) {
    let date = CalendarDay(
      year: components.year, month: components.month, day: components.day)
    guard 1...9_999 ~= components.year, date.exists, 0..<24 ~= components.hour,
      0..<60 ~= components.minute, 0..<60 ~= components.second,
      0..<1_000_000 ~= components.microsecond, components.offset.magnitude < 86_400
    else { return nil }
    let seconds =
      date.daysSince1970 * 86_400 + components.hour * 3_600 + components.minute * 60
      + components.second - components.offset
    self.init(microseconds: Int64(seconds * 1_000_000 + components.microsecond))
  }

  /// The year, month, day and time of day in UTC.
  package var components: Components {
    let sinceEarliest = Int(microseconds - Timestamp.earliest.microseconds)
    let ofDay = sinceEarliest % 86_400_000_000
    let date = CalendarDay(daysSince1970: sinceEarliest / 86_400_000_000 - 719_162)
    var components = Components()
    (components.year, components.month, components.day) = (date.year, date.month, date.day)
    components.hour = ofDay / 3_600_000_000
    components.minute = ofDay / 60_000_000 % 60
    components.second = ofDay / 1_000_000 % 60
    components.microsecond = ofDay % 1_000_000
    return components
  }

  /// The day of the week in UTC, from 0 for Sunday to 6 for Saturday.
  package var weekday: Int {
    let days = Int(microseconds - Timestamp.earliest.microseconds) / 86_400_000_000
    // January 1 of year 1 is a Monday.
    return (days + 1) % 7
  }
}
