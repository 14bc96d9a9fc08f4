import DataModel
import JSONText

/// Validation of expressions, such as `price * amount`.
extension ConditionChecker {
  /// Validates an expression, and returns it with its type. A constant expression is evaluated
  /// immediately. If its value is out of range, it is an error.
  mutating func expression(
    _ syntax: ExpressionSyntax
  ) throws(ConditionError) -> (expression: Expression, type: FieldType) {
    let (expression, type) = try validated(syntax)
    if case .value = expression { return (expression, type) }
    guard expression.paths.isEmpty else { return (expression, type) }
    guard let value = try? expression.constantValue, value != .null else {
      throw ConditionError(
        "a computed value is out of range", syntax.range,
        hint: "integers have 64 bits, decimals 38 digits, and datetimes are in the years 1 to 9999")
    }
    return (.value(value), type)
  }

  private mutating func validated(
    _ syntax: ExpressionSyntax
  ) throws(ConditionError) -> (expression: Expression, type: FieldType) {
    switch syntax {
    case .path(let path):
      let (resolvedPath, fieldPath) = try resolvedPath(path)
      let subject = Subject(resolvedPath: resolvedPath, syntax: path)
      if resolvedPath.type == .json {
        throw ConditionError(
          "\(subject.name) is json, which cannot be part of an expression", path.range)
      }
      if !resolvedPath.type.isArray { try checkIsSingle(resolvedPath, subject) }
      return (.path(fieldPath), resolvedPath.type)
    case .literal(let literal): return try expression(literal)
    case .count(let path, let range):
      let (relation, hop, target) = try relation(path)
      try withinRelated(hop, target, range) { _ in }
      return (.count(relation), .integer)
    case .element(_, let range):
      throw ConditionError(
        "each() can only be a key of groups, or the values of --distinct", range)
    case .aggregate(let function, let term, let range):
      return try aggregate(function, of: term, range)
    case .distance(let syntax, let literal, _):
      let (resolvedPath, path) = try resolvedPath(syntax)
      guard resolvedPath.type == .geopoint else {
        throw ConditionError(
          "distance() cannot be used with \(resolvedPath.type.nameWithArticle)", syntax.range)
      }
      try checkIsSingle(resolvedPath, Subject(resolvedPath: resolvedPath, syntax: syntax))
      guard case .geopoint(let point) = try pointValue(literal) else {
        throw ConditionError("expected a point, such as (47.37, 8.54)", literal.range)
      }
      return (.distance(path, to: point), .number)
    case .function(let function, let argument, let range):
      var (operand, type) =
        function.isTimePart ? try datetime(argument) : try expression(argument)
      let isApplicable =
        function.isTimePart
        ? type == .datetime || type == .date && function != .hour
        : type.isText || type.relation != nil || function == .length && type.isArray
      guard isApplicable else {
        throw ConditionError(
          "\(function.rawValue)() cannot be used with \(type.nameWithArticle)", range,
          hint: function == .length && type.relation?.isMany == true ? "use count()" : nil)
      }
      if function.isTimePart, let zone { operand = .local(operand, zone.offsets) }
      return (.function(function, operand), function == .lower ? .text : .integer)
    case .negated(let argument, _):
      let (operand, type) = try number(argument)
      return (.negated(operand), type.sumType)
    case .arithmetic(let operation, let left, let right):
      var (first, second) = (try number(left), try number(right))
      if second.type.isExact { first = decimal(left) ?? first }
      if first.type.isExact { second = decimal(right) ?? second }
      guard let type = operation.type(first.type, second.type) else {
        throw ConditionError(ArithmeticOperator.scaleMessage, syntax.range)
      }
      return (.arithmetic(operation, first.expression, second.expression), type)
    case .shifted(let argument, let microseconds, let range):
      let (operand, type) = try datetime(argument)
      guard type == .datetime || type == .date else {
        throw ConditionError(
          "a duration can be added to a datetime, but not to \(type.nameWithArticle)", range)
      }
      if type == .date { try checkIsDays(microseconds, range) }
      return (.shifted(operand, microseconds: microseconds), type)
    }
  }

  /// Validates an expression that must be a datetime. A literal is converted to a datetime. For any
  /// other expression, the caller must check the returned type.
  private mutating func datetime(
    _ syntax: ExpressionSyntax
  ) throws(ConditionError) -> (expression: Expression, type: FieldType) {
    guard case .literal(let literal) = syntax else { return try expression(syntax) }
    return (.value(try value(literal, .datetime, "the datetime")), .datetime)
  }

  /// Validates an operand of an arithmetic operation, which must be a number.
  private mutating func number(
    _ syntax: ExpressionSyntax
  ) throws(ConditionError) -> (expression: Expression, type: FieldType) {
    let (expression, type) = try expression(syntax)
    guard type.isNumeric else {
      throw ConditionError(
        "expected a number, found \(type.nameWithArticle)", syntax.range,
        hint: type == .datetime || type == .date ? "add a duration to a datetime: due + 7d" : nil)
    }
    return (expression, type)
  }

  /// Returns a literal with a fraction, such as 1.081, as a decimal with its own digits. Returns nil
  /// for any other operand, and for a number with an exponent.
  private mutating func decimal(
    _ syntax: ExpressionSyntax
  ) -> (expression: Expression, type: FieldType)? {
    if case .negated(let argument, _) = syntax {
      return decimal(argument).map { (.negated($0.expression), $0.type) }
    }
    guard case .literal(let literal) = syntax, let text = numberText(literal),
      text.contains("."), !text.contains(where: { $0 == "e" || $0 == "E" }),
      let value = DecimalValue(text), let digits = DecimalDigits.computed(scale: value.scale)
    else { return nil }
    return (.value(.decimal(value)), .decimal(digits))
  }

  /// Validates a literal in an expression, and returns it with its type. The value of a parameter
  /// must be a number.
  private mutating func expression(
    _ literal: Literal
  ) throws(ConditionError) -> (expression: Expression, type: FieldType) {
    switch literal.kind {
    case .number(let text):
      let isInteger = (try? NumberText.integer(text.utf8.span)) != nil
      let type: FieldType = isInteger ? .integer : .number
      return (.value(try value(literal, type, "the number")), type)
    case .parameter:
      let value = try value(literal, .number, "the number")
      guard case .number(let number) = value, let integer = Int64(exactly: number) else {
        return (.value(value), .number)
      }
      return (.value(.integer(integer)), .integer)
    case .now: return (.value(try value(literal, .datetime, "now()")), .datetime)
    case .text(let text): return (.value(.text(text)), .text)
    case .boolean, .null, .point, .json:
      throw ConditionError("expected a field or a number", literal.range)
    }
  }

  /// Throws an error if a duration that is added to a date is not a whole number of days.
  func checkIsDays(_ microseconds: Int64, _ range: Range<Int>) throws(ConditionError) {
    guard !microseconds.isMultiple(of: CalendarDate.microsecondsPerDay) else { return }
    throw ConditionError("only days (d) and weeks (w) can be added to a date", range)
  }

  func checkIsSingle(
    _ resolvedPath: ResolvedPath, _ subject: Subject
  ) throws(ConditionError) {
    guard !resolvedPath.isSingle else { return }
    throw ConditionError(
      "\(subject.name) may have several values, so it cannot be part of an expression",
      subject.range, hint: subject.type.relation == nil ? nil : "use count(\(subject.text))")
  }

  /// Returns a criterion for each range of times that belongs to a day, month or year. The value
  /// must be in one of the ranges. There is usually one range, but two if clocks are set back at
  /// midnight.
  mutating func during(
    _ literal: Literal, _ subject: Subject
  ) throws(ConditionError) -> [Criterion] {
    guard case .text(var text) = try value(literal, .text, subject.name) else {
      throw ConditionError("expected a day, month or year as text", literal.range)
    }
    // The parameter has no value yet. Any period can replace it, because the condition is only
    // validated.
    if isDeferred(literal) { text = "2000" }
    guard let period = CalendarPeriod(text) else {
      throw ConditionError(
        "\(subject.name): expected a day, month or year, such as 2026-11-20, 2026-11 or 2026, "
          + "found \(Excerpt.quoted(text))", literal.range)
    }
    if subject.type.elementOrSelf == .date {
      return period.instants(in: nil).map { range in
        .between(.date(CalendarDate(range.lowerBound)), .date(CalendarDate(range.upperBound)))
      }
    }
    return period.instants(in: zone?.rules).map { range in
      .between(.datetime(range.lowerBound), .datetime(range.upperBound))
    }
  }
}

/// The time zone in which a query interprets days and components of datetimes.
struct QueryZone: Sendable {
  let rules: TimeZoneRules
  let offsets: TimeZoneOffsets

  init(_ rules: TimeZoneRules) {
    self.rules = rules
    offsets = TimeZoneOffsets(rules)
  }
}

extension FieldType {
  fileprivate var isArray: Bool { if case .array = self { true } else { false } }
}
