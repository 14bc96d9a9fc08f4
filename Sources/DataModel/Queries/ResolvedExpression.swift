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
    case .function(let function, let operand):
      _ = try type(of: operand, from: schema, adding: &operands)
      return function == .lower ? .text : .integer
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
    type.flatMap { $0.isNumeric || $0.isTime || $0 == .text ? $0 : nil } ?? .number
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

  /// Returns whether no operand of the expression is null for a record in memory. For an aggregate,
  /// this must hold for the expression that it aggregates, for at least one related record.
  private func hasOperands(
    in rows: Rows, _ row: Int, _ records: some RecordLookup
  ) throws(DataError) -> Bool {
    for (operand, value) in zip(operands, try operandValues(from: rows, row, records))
    where value == .null {
      guard case .aggregate(_, let term, let hop) = operand else { return false }
      var hasTerm = false
      for target in hop.records(of: rows, row, records) where !hasTerm {
        hasTerm = try term.hasOperands(in: target, 0, records)
      }
      if !hasTerm { return false }
    }
    return true
  }

  /// Returns whether the value of a record in memory is null because it is out of range.
  package func isOutOfRange(
    in rows: Rows, _ row: Int, _ records: some RecordLookup
  ) throws(DataError) -> Bool {
    guard expression.mayBeOutOfRange, try value(from: rows, row, records) == .null else {
      return false
    }
    return try hasOperands(in: rows, row, records)
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
    case .function(let function, let inner):
      return function.value(try value(inner, operand, &next))
    case .negated(let inner):
      let value = try value(inner, operand, &next)
      if case .number(let number) = value { return .number(-number) }
      if case .decimal(let decimal) = value { return .decimal(-decimal) }
      return ArithmeticOperator.subtract.value(.integer(0), value)
    case .arithmetic(let operation, let left, let right):
      return operation.value(try value(left, operand, &next), try value(right, operand, &next))
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
  /// Returns the type of the result for operands of two numeric types. Returns nil if it is a decimal
  /// with more than 38 digits after the point.
  package func type(_ left: FieldType, _ right: FieldType) -> FieldType? {
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
    if case .integer(let left) = left, case .integer(let right) = right {
      return value(left, right)
    }
    if let left = left.exactDecimal, let right = right.exactDecimal {
      let result =
        switch self {
        case .add: left.adding(right)
        case .subtract: left.adding(-right)
        case .multiply: left.multiplied(by: right)
        }
      return result.map(Value.decimal) ?? .null
    }
    guard let left = left.double, let right = right.double else { return .null }
    let result =
      switch self {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      }
    return result.isFinite ? .number(result) : .null
  }

  fileprivate func value(_ left: Int64, _ right: Int64) -> Value {
    let (result, overflows) =
      switch self {
      case .add: left.addingReportingOverflow(right)
      case .subtract: left.subtractingReportingOverflow(right)
      case .multiply: left.multipliedReportingOverflow(by: right)
      }
    return overflows ? .null : .integer(result)
  }
}

extension ScalarFunction {
  fileprivate func value(_ operand: Value) -> Value {
    switch (self, operand) {
    case (.year, .datetime(let time)): .integer(Int64(time.components.year))
    case (.month, .datetime(let time)): .integer(Int64(time.components.month))
    case (.day, .datetime(let time)): .integer(Int64(time.components.day))
    case (.hour, .datetime(let time)): .integer(Int64(time.components.hour))
    case (.weekday, .datetime(let time)): .integer(Int64((time.weekday + 6) % 7 + 1))
    case (.year, .date(let date)): .integer(Int64(date.year))
    case (.month, .date(let date)): .integer(Int64(date.month))
    case (.day, .date(let date)): .integer(Int64(date.day))
    case (.weekday, .date(let date)): .integer(Int64(date.weekday))
    case (.length, .text(let text)): .integer(Int64(text.utf8.count { $0 & 0xC0 != 0x80 }))
    case (.length, .list(let elements)): .integer(Int64(elements.count))
    case (.lower, .text(let text)):
      .text(
        String(
          String.UnicodeScalarView(
            text.unicodeScalars.map { scalar in
              ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
            })))
    case (_, _): .null
    }
  }
}
