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
    case .function(let function, let arguments, let range):
      return try call(function, arguments, range)
    case .coalesce(let left, let right, let range):
      var (first, second) = try pair(left, right) { other in
        other.isText || other.relation?.isMany == false
          ? .text : other.isTime || other == .boolean ? other : nil
      }
      if second.type.isExact { first = decimal(left) ?? first }
      if first.type.isExact { second = decimal(right) ?? second }
      guard let type = first.type.common(with: second.type) else {
        throw ConditionError(
          "coalesce() needs values of one kind, found \(first.type.nameWithArticle) and "
            + second.type.nameWithArticle, range)
      }
      return (.coalesce(first.expression, second.expression, as: type), type)
    case .negated(let argument, _):
      let (operand, type) = try number(argument)
      return (.negated(operand), type.sumType)
    case .arithmetic(let operation, let left, let right):
      var (first, second) = try pair(left, right) { other in
        operation == .subtract && other.isTime ? other : nil
      }
      if operation != .subtract || !first.type.isTime || !second.type.isTime {
        try checkIsNumber(first.type, left.range)
        try checkIsNumber(second.type, right.range)
      }
      if second.type.isExact, operation != .divide { first = decimal(left) ?? first }
      if first.type.isExact, operation != .divide { second = decimal(right) ?? second }
      if operation == .divide, case .value = first.expression,
        case .value(let divisor) = second.expression, divisor.double == 0
      {
        throw ConditionError("division by zero", right.range)
      }
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
    try checkIsNumber(type, syntax.range)
    return (expression, type)
  }

  private func checkIsNumber(_ type: FieldType, _ range: Range<Int>) throws(ConditionError) {
    guard !type.isNumeric else { return }
    throw ConditionError(
      "expected a number, found \(type.nameWithArticle)", range,
      hint: type == .datetime || type == .date ? "add a duration to a datetime: due + 7d" : nil)
  }

  /// Validates two operands. A literal has the type that the other operand requires.
  ///
  /// - Parameter type: Returns the type of a literal, for the type of the other operand. Returns nil
  ///   if the literal is a number.
  private mutating func pair(
    _ left: ExpressionSyntax, _ right: ExpressionSyntax, type: (FieldType) -> FieldType?
  ) throws(ConditionError) -> (first: Operand, second: Operand) {
    if case .literal(let literal) = left, !literal.isNow {
      let second = try expression(right)
      return (try operand(literal, type(second.type)), second)
    }
    let first = try expression(left)
    guard case .literal(let literal) = right else { return (first, try expression(right)) }
    return (first, try operand(literal, type(first.type)))
  }

  private typealias Operand = (expression: Expression, type: FieldType)

  private mutating func operand(
    _ literal: Literal, _ type: FieldType?
  ) throws(ConditionError) -> Operand {
    switch (literal.kind, type) {
    case (.now, _), (.number, _), (_, nil): return try expression(literal)
    case (.text(let text), .date?) where (try? CalendarDate(parsing: text.utf8.span)) == nil:
      return (.value(try value(literal, .datetime, "the datetime")), .datetime)
    case (_, let type?): return (.value(try value(literal, type, "the value")), type)
    }
  }

  /// Validates a call of a function.
  private mutating func call(
    _ function: ScalarFunction, _ arguments: [ExpressionSyntax], _ range: Range<Int>
  ) throws(ConditionError) -> Operand {
    var operands = [
      function.isTimePart ? try datetime(arguments[0]) : try expression(arguments[0])
    ]
    for (index, argument) in arguments.enumerated().dropFirst() {
      let operand = try expression(argument)
      guard operand.type == .integer else {
        throw ConditionError(
          "expected an integer, found \(operand.type.nameWithArticle)", argument.range)
      }
      if let least = function.leastValue(ofArgument: index),
        case .value(.integer(let integer)) = operand.expression, integer < least
      {
        throw ConditionError(
          least == 1 ? "the first character has the number 1" : "a length cannot be negative",
          argument.range)
      }
      if function == .round {
        guard case .value(.integer(let digits)) = operand.expression,
          0...ScalarFunction.maxRoundedDigits ~= digits
        else {
          throw ConditionError(
            "round() keeps 0 to \(ScalarFunction.maxRoundedDigits) digits after the point",
            argument.range, hint: "write their number: round(price, 2)")
        }
      }
      operands.append(operand)
    }
    guard let type = function.type(of: operands.map(\.expression), operands.map(\.type)) else {
      let type = operands[0].type
      throw ConditionError(
        "\(function.rawValue)() cannot be used with \(type.nameWithArticle)", range,
        hint: function == .length && type.relation?.isMany == true ? "use count()" : nil)
    }
    if function.isTimePart, let zone {
      operands[0].expression = .local(operands[0].expression, zone.offsets)
    }
    return (.function(function, operands.map(\.expression)), type)
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
    case .parameter where isDeferred(literal):
      // Zero would make the parameter invalid as a divisor or as the position in a text.
      return (.value(.integer(1)), .integer)
    case .parameter:
      let value = try value(literal, .number, "the number")
      guard case .number(let number) = value, let integer = Int64(exactly: number) else {
        return (.value(value), .number)
      }
      return (.value(.integer(integer)), .integer)
    case .now: return (.value(try value(literal, .datetime, "now()")), .datetime)
    case .text(let text): return (.value(.text(text)), .text)
    case .duration(_, let text): throw ConditionError(unexpectedDuration: text, literal.range)
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

extension Catalog {
  /// Returns the microseconds of the unit in which an expression counts a difference of times: days
  /// or seconds. Returns nil for other expressions.
  func unit(ofDifference expression: Expression, from schema: Schema) -> Int64? {
    switch expression {
    case .arithmetic(let operation, let left, let right):
      if operation == .subtract,
        let types = try? resolved([left, right], from: schema).map(\.type),
        types.allSatisfy(\.isTime)
      {
        return types == [.date, .date] ? CalendarDate.microsecondsPerDay : 1_000_000
      }
      guard operation == .add || operation == .subtract else { return nil }
      return unit(ofDifference: left, from: schema) ?? unit(ofDifference: right, from: schema)
    case .negated(let operand), .coalesce(let operand, _, _):
      return unit(ofDifference: operand, from: schema)
    case .aggregate(_, let term, let path):
      return (try? toManyHop(path, from: schema).target).flatMap {
        unit(ofDifference: term, from: $0)
      }
    case .function(let function, let arguments):
      return [.abs, .round].contains(function)
        ? unit(ofDifference: arguments[0], from: schema) : nil
    case .path, .json, .count, .distance, .referrers, .element, .value, .shifted, .local:
      return nil
    }
  }
}

extension FieldType {
  fileprivate var isArray: Bool { if case .array = self { true } else { false } }
}
