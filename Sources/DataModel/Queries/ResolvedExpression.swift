/// An expression whose paths have been resolved.
package struct ResolvedExpression: Hashable, Sendable {
  package let expression: Expression
  /// The values that are read from the store to compute the expression, in the order in which they
  /// occur in the expression.
  package let operands: [Expression.Operand]
  package let type: FieldType
}

extension Catalog {
  /// Resolves the paths of an expression that is computed from records of `schema`. Throws an error
  /// if a path cannot be resolved.
  package func resolved(
    _ expression: Expression, from schema: Schema
  ) throws(PathError) -> ResolvedExpression {
    var operands: [Expression.Operand] = []
    let type = try type(of: expression, from: schema, adding: &operands)
    return ResolvedExpression(expression: expression, operands: operands, type: type)
  }

  /// Resolves the paths of expressions that are computed from records of `schema`. Throws an error
  /// if a path cannot be resolved.
  package func resolved(
    _ expressions: [Expression], from schema: Schema
  ) throws(DataError) -> [ResolvedExpression] {
    var resolved: [ResolvedExpression] = []
    do throws(PathError) {
      for expression in expressions {
        resolved.append(try self.resolved(expression, from: schema))
      }
    } catch {
      throw DataError(error)
    }
    return resolved
  }

  private func type(
    of expression: Expression, from schema: Schema, adding operands: inout [Expression.Operand]
  ) throws(PathError) -> FieldType {
    switch expression {
    case .path(let path):
      let resolvedPath = try resolvedPath(path, from: schema)
      operands.append(.path(resolvedPath))
      return resolvedPath.type
    case .count(let path):
      operands.append(.count(try toManyHop(path, from: schema).hop))
      return .integer
    case .aggregate(let function, let term, let path):
      let (hop, target) = try toManyHop(path, from: schema)
      let operand = Expression.Operand.aggregate(
        function, try resolved(term, from: target), of: hop)
      operands.append(operand)
      return operand.type
    case .distance(let path, _):
      for part in ["lat", "lon"] {
        operands.append(
          .path(try resolvedPath(FieldPath(names: path.names + [part]), from: schema)))
      }
      return .number
    case .referrers(let path):
      let operand = Expression.Operand.referrers(try toManyHop(path, from: schema).hop)
      operands.append(operand)
      return operand.type
    case .element(let path):
      let operand = Expression.Operand.element(try resolvedPath(path, from: schema))
      operands.append(operand)
      return operand.type
    case .value(let value): return value.expressionType
    case .json(let form, let operand):
      _ = try type(of: operand, from: schema, adding: &operands)
      return form.type
    case .function(let function, let arguments):
      var types: [FieldType] = []
      for argument in arguments {
        types.append(try type(of: argument, from: schema, adding: &operands))
      }
      return function.type(of: arguments, types) ?? .text
    case .coalesce(let first, let second, let type):
      for value in [first, second] { _ = try self.type(of: value, from: schema, adding: &operands) }
      return type
    case .negated(let operand):
      return try type(of: operand, from: schema, adding: &operands).sumType
    case .shifted(let operand, _), .local(let operand, _):
      return try type(of: operand, from: schema, adding: &operands)
    case .arithmetic(let operation, let left, let right):
      let first = try type(of: left, from: schema, adding: &operands)
      let second = try type(of: right, from: schema, adding: &operands)
      guard let type = operation.type(first, second) else {
        throw PathError(index: 0, message: ArithmeticOperator.scaleMessage, schema: schema.name)
      }
      return type
    }
  }
}

extension Value {
  /// The type of a constant in an expression. Null counts as a number.
  fileprivate var expressionType: FieldType {
    type.flatMap { $0.isNumeric || $0.isTime || [.text, .boolean].contains($0) ? $0 : nil }
      ?? .number
  }
}

extension ResolvedExpression {
  /// Computes the expression for a record in memory. Throws an error if a JSON value has a type that
  /// is not supported.
  package func value(
    from rows: Rows, _ row: Int, _ records: some RecordLookup
  ) throws(DataError) -> Value {
    try value(of: operandValues(from: rows, row, records))
  }

  /// Returns whether the value of a record in memory is null because it is out of range.
  package func isOutOfRange(
    in rows: Rows, _ row: Int, _ records: some RecordLookup
  ) throws(DataError) -> Bool {
    guard expression.mayBeOutOfRange, try value(from: rows, row, records) == .null else {
      return false
    }
    return try isDefined(in: rows, row, records)
  }

  /// Returns whether the value of a record in memory is null only if it is out of range: the values
  /// from which it is computed are not null, and no divisor is zero. For an aggregate, this must hold
  /// for the expression that it aggregates, for at least one related record.
  private func isDefined(
    in rows: Rows, _ row: Int, _ records: some RecordLookup
  ) throws(DataError) -> Bool {
    let values = try operandValues(from: rows, row, records)
    var areDefined = values.map { $0 != .null }
    for case (let index, .aggregate(_, let term, let hop)) in operands.enumerated() {
      for target in hop.records(of: rows, row, records) where !areDefined[index] {
        areDefined[index] = try term.isDefined(in: target, 0, records)
      }
    }
    var next = 0
    return try Self.isDefined(expression, values, areDefined, &next)
  }

  private static func isDefined(
    _ expression: Expression, _ values: [Value], _ areDefined: [Bool], _ next: inout Int
  ) throws(DataError) -> Bool {
    /// Returns whether an argument is defined and its value, which is null if it is not an integer or
    /// a number.
    func argument(_ expression: Expression) throws(DataError) -> (isDefined: Bool, value: Double?) {
      var start = next
      let isDefined = try isDefined(expression, values, areDefined, &next)
      return (isDefined, try value(expression, { values[$0] }, &start).double)
    }
    switch expression {
    case .value(let value): return value != .null
    case .path, .count, .aggregate, .referrers, .element:
      next += 1
      return areDefined[next - 1]
    case .distance:
      next += 2
      return areDefined[next - 2] && areDefined[next - 1]
    case .json(_, let operand), .negated(let operand), .shifted(let operand, _),
      .local(let operand, _):
      return try isDefined(operand, values, areDefined, &next)
    case .arithmetic(let operation, let left, let right):
      let (left, right) = (try argument(left), try argument(right))
      return left.isDefined && right.isDefined && (operation != .divide || right.value != 0)
    case .coalesce(let first, let second, _):
      let (first, second) = (try argument(first), try argument(second))
      return first.isDefined || second.isDefined
    case .function(let function, let arguments):
      var isDefined = true
      for (index, expression) in arguments.enumerated() {
        let argument = try argument(expression)
        let least = function.leastValue(ofArgument: index).map(Double.init) ?? -.infinity
        if !argument.isDefined || argument.value ?? .infinity < least { isDefined = false }
      }
      return isDefined
    }
  }

  private func operandValues(
    from rows: Rows, _ row: Int, _ records: some RecordLookup
  ) throws(DataError) -> [Value] {
    var values: [Value] = []
    for operand in operands {
      switch operand {
      case .path(let path) where path.type == .json:
        values.append(path.json(from: rows, row, records))
      case .path(let path): values.append(path.value(from: rows, row, records))
      case .count(let hop):
        values.append(.integer(Int64(hop.targets(of: rows, row, records).count)))
      case .aggregate(let function, let term, let hop):
        let targets = hop.records(of: rows, row, records)
        values.append(try function.value(of: term, for: targets, records))
      case .referrers(let hop):
        let ids = hop.sortedReferrers(of: rows, row, records)
        values.append(.list(ids.map { .text(String(decoding: $0, as: UTF8.self)) }))
      // Groups are computed by engines.
      case .element: values.append(.null)
      }
    }
    return values
  }

  /// Returns the value of the expression, given the values of its operands. Throws an error if a
  /// JSON value has a type that is not supported.
  package func value(of operands: [Value]) throws(DataError) -> Value {
    try value(of: { operands[$0] })
  }

  /// Returns the value of the expression. Throws an error if a JSON value has a type that is not
  /// supported.
  ///
  /// - Parameter operand: Returns the value of the operand with the given index.
  package func value(of operand: (Int) -> Value) throws(DataError) -> Value {
    var next = 0
    return try Self.value(expression, operand, &next)
  }

  /// Computes an expression whose operands begin at the index `next`.
  fileprivate static func value(
    _ expression: Expression, _ operand: (Int) -> Value, _ next: inout Int
  ) throws(DataError) -> Value {
    func takeOperand() -> Value {
      defer { next += 1 }
      return operand(next)
    }
    switch expression {
    case .path, .count, .aggregate, .referrers, .element: return takeOperand()
    case .distance(_, let point):
      let coordinates = (takeOperand(), takeOperand())
      guard case (.number(let latitude), .number(let longitude)) = coordinates,
        let place = try? GeoPoint(latitude: latitude, longitude: longitude)
      else { return .null }
      return .number(place.kilometers(to: point))
    case .value(let value): return value
    case .json(let form, let inner): return try form.value(of: value(inner, operand, &next))
    case .function(let function, let arguments):
      var values: [Value] = []
      for argument in arguments { values.append(try value(argument, operand, &next)) }
      return function.value(of: values)
    case .coalesce(let first, let second, let type):
      let values = (try value(first, operand, &next), try value(second, operand, &next))
      return (values.0.inRange == .null ? values.1 : values.0).inRange.converted(toComputed: type)
    case .negated(let inner):
      let value = try value(inner, operand, &next)
      if case .number(let number) = value { return .number(-number) }
      if case .decimal(let decimal) = value { return .decimal(-decimal) }
      return ArithmeticOperator.subtract.value(.integer(0), value)
    case .arithmetic(let operation, let left, let right):
      let left = try value(left, operand, &next)
      return operation.value(left, try value(right, operand, &next))
    case .shifted(let inner, let microseconds):
      let value = try value(inner, operand, &next)
      if case .datetime(let time) = value {
        let (sum, overflows) = time.microseconds.addingReportingOverflow(microseconds)
        return overflows ? .null : Timestamp(microseconds: sum).map(Value.datetime) ?? .null
      }
      if case .date(let date) = value {
        return date.shifted(microseconds: microseconds).map(Value.date) ?? .null
      }
      return .null
    case .local(let inner, let offsets):
      let value = try value(inner, operand, &next)
      if case .datetime(let time) = value { return .datetime(offsets.local(time)) }
      return value.type == .date ? value : .null
    }
  }
}

extension Expression {
  /// The value of an expression that contains no paths; null if it is out of range.
  package var constantValue: Value {
    get throws(DataError) {
      var next = 0
      return try ResolvedExpression.value(self, { _ in .null }, &next)
    }
  }
}

extension AggregateFunction {
  /// Returns the type of the result for values of a type. Sums, averages and medians are for numbers,
  /// of which the median of decimals has another type: see `GroupQuery`.
  package func type(of values: FieldType) -> FieldType {
    switch self {
    case .sum: values.sumType
    case .average, .median: .number
    case .minimum, .maximum: values
    }
  }

  /// Returns the result for the values of an expression for related records. It is null if there are
  /// no values, or if a value or the result is out of range.
  fileprivate func value(
    of term: ResolvedExpression, for targets: [Rows], _ records: some RecordLookup
  ) throws(DataError) -> Value {
    var sum = RunningSum()
    var extreme = Value.null
    for target in targets {
      let value = try term.value(from: target, 0, records)
      if value == .null, try term.isOutOfRange(in: target, 0, records) { return .null }
      sum.add(value)
      let order = value.order(comparedTo: extreme)
      if extreme == .null || order == (self == .minimum ? .before : .after) { extreme = value }
    }
    switch self {
    case .sum:
      if case .number(let total) = sum.total, !total.isFinite { return .null }
      return sum.total
    case .average: return sum.average
    case .median: preconditionFailure("a median is of a group")
    case .minimum, .maximum: return extreme
    }
  }
}

extension ArithmeticOperator {
  /// Returns the type of the result for operands of two numeric types, or for the difference of two
  /// times. Returns nil if it is a decimal with more than 38 digits after the point.
  package func type(_ left: FieldType, _ right: FieldType) -> FieldType? {
    if self == .divide { return .number }
    if left.isTime && right.isTime { return left == .date && right == .date ? .integer : .number }
    if left == .integer && right == .integer { return .integer }
    guard left.isExact && right.isExact else { return .number }
    let (first, second) = (left.digits?.scale ?? 0, right.digits?.scale ?? 0)
    return DecimalDigits.computed(scale: self == .multiply ? first + second : max(first, second))
      .map(FieldType.decimal)
  }

  /// The message for a result with too many digits after the point.
  package static let scaleMessage =
    "a computed decimal has more than \(DecimalValue.maxDigits) digits after the point"

  fileprivate func value(_ left: Value, _ right: Value) -> Value {
    if case .date(let left) = left, case .date(let right) = right {
      let microseconds = left.start.microseconds - right.start.microseconds
      return .integer(microseconds / CalendarDate.microsecondsPerDay)
    }
    if let left = left.time, let right = right.time {
      let microseconds = Int128(left.microseconds) - Int128(right.microseconds)
      return .number(DecimalValue(coefficient: microseconds, scale: 6).double)
    }
    if case .integer(let left) = left, case .integer(let right) = right {
      switch self {
      case .add: return Self.integer(left.addingReportingOverflow(right))
      case .subtract: return Self.integer(left.subtractingReportingOverflow(right))
      case .multiply: return Self.integer(left.multipliedReportingOverflow(by: right))
      case .divide: break
      }
    }
    if let left = left.exactDecimal, let right = right.exactDecimal {
      switch self {
      case .add: return left.adding(right).map(Value.decimal) ?? .null
      case .subtract: return left.adding(-right).map(Value.decimal) ?? .null
      case .multiply: return left.multiplied(by: right).map(Value.decimal) ?? .null
      case .divide: break
      }
    }
    guard let left = left.double, let right = right.double else { return .null }
    let result =
      switch self {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      case .divide: right == 0 || !left.isFinite || !right.isFinite ? .nan : left / right
      }
    return result.isFinite ? .number(result) : .null
  }

  private static func integer(_ result: (partialValue: Int64, overflow: Bool)) -> Value {
    result.overflow ? .null : .integer(result.partialValue)
  }
}

extension Value {
  /// The time that a datetime, or midnight UTC at the beginning of a date, is; nil for other values.
  fileprivate var time: Timestamp? {
    if case .datetime(let time) = self { return time }
    if case .date(let date) = self { return date.start }
    return nil
  }
}
