import DataModel

/// Comparisons of the year or the day of a field with constants, such as `year(due) >= 2026`.
extension ConditionChecker {
  /// The maximum number of years in a list that are converted to ranges.
  private static var maxYears: Int { 10 }

  /// Returns a condition on the times of a field that is equivalent to a test of their year or day.
  /// Unlike the computed value, ranges of times can be found in an index. Returns nil for any other
  /// test.
  func rangeCondition(_ expression: Expression, _ criterion: Criterion) -> Condition? {
    if case .value(let value) = expression,
      case .compareExpression(let comparison, let other) = criterion
    {
      return rangeCondition(other, .compare(comparison.flipped, value))
    }
    guard case .function(let function, let arguments) = expression,
      function == .year || function == .date, var operand = arguments.first
    else { return nil }
    if case .local(let inner, _) = operand { operand = inner }
    guard case .path(let path) = operand,
      let type = try? catalog.resolved(operand, from: schema).type, type.isTime
    else { return nil }
    func period(_ value: Value) -> CalendarPeriod? {
      if case .date = value { return CalendarPeriod(value.text) }
      guard case .integer(let year) = value, (1...9_999).contains(year) else { return nil }
      return CalendarPeriod(String(String(10_000 + year).dropFirst()))
    }
    func ranges(_ value: Value) -> [(low: Value, high: Value)]? {
      guard let period = period(value) else { return nil }
      if type == .date {
        return period.instants(in: nil).map { range in
          (.date(CalendarDate(range.lowerBound)), .date(CalendarDate(range.upperBound)))
        }
      }
      return period.instants(in: zone?.rules).map { range in
        (.datetime(range.lowerBound), .datetime(range.upperBound))
      }
    }
    /// Returns the only range of a year or day. If clocks are set back across its start or its end,
    /// earlier and later times are not separated by one time, and the result is nil.
    func range(_ year: Value) -> (low: Value, high: Value)? {
      guard let ranges = ranges(year), ranges.count == 1 else { return nil }
      return ranges[0]
    }
    func isDuring(_ year: Value) -> [Condition]? {
      ranges(year)?.map { .test(path, .between($0.low, $0.high)) }
    }
    switch criterion {
    case .compare(.equal, let year): return isDuring(year).map(Condition.some)
    case .compare(.less, let year):
      return range(year).map { .test(path, .compare(.less, $0.low)) }
    case .compare(.lessOrEqual, let year):
      return range(year).map { .test(path, .compare(.lessOrEqual, $0.high)) }
    case .compare(.greater, let year):
      return range(year).map { .test(path, .compare(.greater, $0.high)) }
    case .compare(.greaterOrEqual, let year):
      return range(year).map { .test(path, .compare(.greaterOrEqual, $0.low)) }
    case .between(let first, let last):
      guard let first = range(first), let last = range(last) else { return nil }
      return .test(path, .between(first.low, last.high))
    case .isIn(let years):
      let conditions = years.count <= Self.maxYears ? years.map(isDuring) : [nil]
      return conditions.contains { $0 == nil } ? nil : .some(conditions.flatMap { $0 ?? [] })
    case .isNull, .isEmpty, .comparePath, .compareExpression, .like, .contains, .withinCircle,
      .withinBox:
      return nil
    }
  }
}
