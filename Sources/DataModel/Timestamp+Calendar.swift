/// A day of the proleptic Gregorian calendar.
struct CalendarDay {
  var year: Int
  var month: Int
  var day: Int

  /// The number of days since January 1, 1970.
  ///
  /// Years are counted from March, so that the leap day is the last day of a year and the days
  /// before each month follow a linear formula.
  var daysSince1970: Int {
    let isAfterFebruary = month > 2
    let years = isAfterFebruary ? year : year &- 1
    let months = isAfterFebruary ? month &- 3 : month &+ 9
    let daysBeforeMonth = (months &* 153 &+ 2) / 5
    return years &* 365 &+ years / 4 &- years / 100 &+ years / 400 &+ daysBeforeMonth &+ day
      &- 719_469
  }

  /// Whether the calendar has this day.
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
