import DataModel

/// Comparisons of the year of a field with constants, such as `year(due) >= 2026`.
extension ConditionChecker {
  /// The maximum number of years in a list that are converted to ranges.
  private static var maxYears: Int { 10 }

  /// Returns a condition on the times of a field that is equivalent to a test of their year. Unlike
  /// the computed year, ranges of times can be found in an index. Returns nil for any other test.
  func rangeCondition(_ expression: Expression, _ criterion: Criterion) -> Condition? {
    if case .value(let value) = expression,
      case .compareExpression(let comparison, let other) = criterion
    {
      return rangeCondition(other, .compare(comparison.flipped, value))
    }
    guard case .function(.year, var operand) = expression else { return nil }
    if case .local(let inner, _) = operand { operand = inner }
    guard case .path(let path) = operand,
      let type = try? catalog.resolved(operand, from: schema).type, type.isTime
    else { return nil }
    func ranges(_ year: Value) -> [(low: Value, high: Value)]? {
      guard case .integer(let year) = year, (1...9_999).contains(year),
        let period = CalendarPeriod(String(String(10_000 + year).dropFirst()))
      else { return nil }
      if type == .date {
        return period.instants(in: nil).map { range in
          (.date(CalendarDate(range.lowerBound)), .date(CalendarDate(range.upperBound)))
        }
      }
      return period.instants(in: zone?.rules).map { range in
        (.datetime(range.lowerBound), .datetime(range.upperBound))
      }
    }
    /// Returns the only range of a year. If clocks are set back across the start or the end of the
    /// year, earlier and later years are not separated by one time, and the result is nil.
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
