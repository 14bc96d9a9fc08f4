import DataModel
import DataStore

/// Compiles the expressions of computed values to SQL.
extension PostgresDialect {
  func compute(_ expression: ResolvedExpression, _ operands: [SQL]) -> SQL {
    var operands = zip(operands, expression.operands).map { sql, operand in
      if case .path(let path) = operand, case .keys(let keys) = path.part {
        return Computed(sql: value(in: sql, under: keys), type: .json)
      }
      return Computed(sql: sql, type: operand.type, mayBeInfinite: operand.mayBeInfinite)
    }[...]
    return sql(expression.expression, &operands).sql
  }

  /// An SQL expression and the type of its values.
  private struct Computed {
    var sql: SQL
    var type: FieldType
    /// Whether the value may be a sum that is out of range. `sum` returns a number beyond all values of
    /// the type for it.
    var mayBeInfinite = false
  }

  func inRange(_ sum: SQL, of type: FieldType) -> SQL {
    if type == .number { return "nullif(nullif(\(sum), 'Infinity'), '-Infinity')" }
    let bound: SQL = type == .integer ? "1e19" : "1e\(number: Int64(DecimalValue.maxDigits))"
    let inRange: SQL = "(case when abs(\(sum)::numeric) < \(bound) then \(sum) end)"
    return type == .integer ? "\(inRange)::bigint" : inRange
  }

  /// Returns the same value, except that a sum out of range is null: no operation returns to the
  /// range.
  private func inRange(_ value: Computed) -> Computed {
    value.mayBeInfinite
      ? Computed(sql: inRange(value.sql, of: value.type), type: value.type) : value
  }

  private func sql(
    _ expression: Expression, _ operands: inout ArraySlice<Computed>
  ) -> Computed {
    switch expression {
    case .path, .count, .aggregate, .referrers, .element:
      return operands.popFirst() ?? Computed(sql: "null", type: .text)
    case .distance(_, let point):
      let latitude = operands.popFirst()?.sql ?? "null"
      let longitude = operands.popFirst()?.sql ?? "null"
      return Computed(sql: distance(latitude, longitude, to: point), type: .number)
    case .json(let form, let operand):
      return Computed(sql: json(form, of: sql(operand, &operands).sql), type: form.type)
    case .value(.integer(let integer)):
      return Computed(sql: "\(.integer(integer))::bigint", type: .integer)
    case .value(.date(let date)):
      return Computed(sql: "\(.date(date))::date", type: .date)
    case .value(.datetime(let time)):
      return Computed(sql: "\(.datetime(time))::timestamptz", type: .datetime)
    case .value(.text(let text)):
      return Computed(sql: "(\(.text(text))::text collate \"C\")", type: .text)
    case .value(.decimal(let decimal)):
      return Computed(
        sql: "\(.decimal(decimal))::numeric", type: Value.decimal(decimal).type ?? .number)
    case .value(.boolean(let boolean)):
      return Computed(sql: "\(.boolean(boolean))::boolean", type: .boolean)
    case .value(let value): return Computed(sql: "\(value)::double precision", type: .number)
    case .function(let function, let arguments):
      let values = arguments.map { inRange(sql($0, &operands)) }
      let type = function.type(of: arguments, values.map(\.type)) ?? .text
      return Computed(sql: self.function(function, arguments, values, type), type: type)
    case .coalesce(let first, let second, let type):
      let values = [first, second].map { inRange(sql($0, &operands)) }
      return Computed(sql: coalesce(values, type), type: type)
    case .negated(let operand):
      let operand = sql(operand, &operands)
      if operand.type == .integer, operand.mayBeInfinite {
        return Computed(
          sql: "nullif(- \(operand.sql)::numeric, 9223372036854775808)", type: .integer,
          mayBeInfinite: true)
      }
      return operand.type == .integer
        ? Computed(sql: integers("0", .subtract, operand.sql), type: .integer)
        : Computed(
          sql: "(- \(operand.sql))", type: operand.type.sumType,
          mayBeInfinite: operand.mayBeInfinite)
    case .arithmetic(let operation, let left, let right):
      let (first, second) = (inRange(sql(left, &operands)), inRange(sql(right, &operands)))
      if first.type.isTime { return difference(first, second) }
      if operation != .divide, first.type == .integer, second.type == .integer {
        return Computed(sql: integers(first.sql, operation, second.sql), type: .integer)
      }
      if let type = operation.type(first.type, second.type), let digits = type.digits {
        return Computed(
          sql: decimals(first.sql, operation, second.sql, scale: digits.scale), type: type)
      }
      return Computed(
        sql: numbers(
          "\(first.sql)::double precision", operation, "\(second.sql)::double precision",
          areRead: left.isRead && right.isRead),
        type: .number)
    case .local(let operand, let offsets):
      let operand = sql(operand, &operands)
      if operand.type == .date { return operand }
      return Computed(sql: local(operand.sql, offsets), type: .datetime)
    case .shifted(let operand, let microseconds):
      return shifted(sql(operand, &operands), microseconds: microseconds)
    }
  }

  /// Returns an operation on integers. It is computed with decimals, because PostgreSQL rejects a
  /// result that does not fit in 64 bits. Such a result becomes one of two bounds, and then null.
  private func integers(_ left: SQL, _ operation: ArithmeticOperator, _ right: SQL) -> SQL {
    let (least, greatest): (SQL, SQL) = ("-9223372036854775809", "9223372036854775808")
    let result: SQL = "\(left)::numeric \(operation.sql) \(right)::numeric"
    return """
      nullif(nullif(least(greatest(\(result), \(least)), \(greatest)), \(least)), \
      \(greatest))::bigint
      """
  }

  /// Returns an operation on decimals and integers. A result of more than 38 digits becomes one of two
  /// bounds, and then null.
  private func decimals(
    _ left: SQL, _ operation: ArithmeticOperator, _ right: SQL, scale: Int
  ) -> SQL {
    let bound: SQL = "1e\(number: Int64(DecimalValue.maxDigits - scale))"
    let result: SQL = "\(left)::numeric \(operation.sql) \(right)::numeric"
    return """
      nullif(nullif(least(greatest(\(result), -\(bound)), \(bound)), -\(bound)), \(bound))
      """
  }

  /// Returns a decimal rounded to a number of digits after the point, or null if it has more than 38
  /// digits.
  private func decimal(_ number: SQL, scale: Int) -> SQL {
    """
    (select case when abs(_rounded) < 1e\(number: Int64(DecimalValue.maxDigits - scale)) \
    then _rounded end \
    from unnest(array[round(\(number), \(number: Int64(scale)))]) as _numbers (_rounded))
    """
  }

  /// Returns the decimal that a number is printed as, rounded to a number of digits after the point.
  private func rounded(_ number: SQL, _ digits: Int) -> SQL {
    """
    (select case when abs(_number) < \(.number(.leastWithoutFraction)) \
    then round(_number::text::numeric, \(number: Int64(digits)))::double precision \
    when abs(_number) <= \(Self.largest) then _number end \
    from unnest(array[\(number)]) as _numbers (_number))
    """
  }

  /// Returns an operation on numbers. PostgreSQL rejects a result that is infinite, and a product
  /// that is rounded to zero. So if the operands are very large or very small, the result is first
  /// computed with exact decimals.
  ///
  /// - Parameter areRead: Whether the operands are columns or constants. All other operands are
  ///   computed in a subquery, because the operation names each of them several times.
  private func numbers(
    _ left: SQL, _ operation: ArithmeticOperator, _ right: SQL, areRead: Bool
  ) -> SQL {
    let exact = operation == .divide ? "" : exactMagnitude("_left", operation.sql, "_right")
    // Only a sum of numbers can be infinite.
    let isFinite: SQL = "abs(_left) <= \(Self.largest) and abs(_right) <= \(Self.largest)"
    let rest: SQL =
      switch operation {
      case .add, .subtract:
        """
        when \(isFinite) and \(exact) < \(Self.tooLarge(timesTwoTo: 1074)) \
        then _left \(operation.sql) _right
        """
      case .multiply:
        """
        when not (\(isFinite)) then null \
        when \(exact) <= power(2::numeric, 1073) then _left * 0::double precision * _right \
        when \(exact) < \(Self.tooLarge(timesTwoTo: 2148)) then _left * _right
        """
      case .divide:
        """
        when not (\(isFinite)) or _right = 0 then null \
        when \(exactMagnitude("_left")) * power(2::numeric, 1075) <= \(exactMagnitude("_right")) \
        then _left * 0::double precision * _right \
        when \(exactMagnitude("_left")) \
        < \(exactMagnitude("_right")) * \(Self.tooLarge(timesTwoTo: 0)) then _left / _right
        """
      }
    func moderate(_ left: SQL, _ right: SQL) -> SQL {
      """
      when \(operation.isModerate(left)) and \(operation.isModerate(right)) \
      \(operation == .divide ? "and \(right) <> 0 " : "" as SQL)\
      then \(left) \(operation.sql) \(right)
      """
    }
    let result: SQL = """
      (select case \(moderate("_left", "_right")) \(rest) end \
      from unnest(array[\(left)], array[\(right)]) as _operands (_left, _right))
      """
    return areRead ? "(case \(moderate(left, right)) else \(result) end)" : result
  }

  /// Returns an expression for a datetime or a date plus a number of microseconds.
  ///
  /// PostgreSQL has times outside the years 1 to 9999, and rejects times that are even further away.
  /// So a time that would be moved outside these years becomes null before it is moved.
  private func shifted(_ time: Computed, microseconds: Int64) -> Computed {
    guard microseconds != 0 else { return time }
    let isDate = time.type == .date
    let end: Timestamp = microseconds > 0 ? .latest : .earliest
    let step = (isDate ? CalendarDate.microsecondsPerDay : 1) * microseconds.signum()
    let bound = Int64(exactly: Int128(end.microseconds) + Int128(step) - Int128(microseconds))
      .flatMap { Timestamp(microseconds: $0) }
    guard let bound else {
      return Computed(sql: isDate ? "null::date" : "null::timestamptz", type: time.type)
    }
    let limit: SQL =
      isDate ? "\(.date(CalendarDate(bound)))::date" : "\(.datetime(bound))::timestamptz"
    let nearest: SQL = microseconds > 0 ? "least" : "greatest"
    let inRange: SQL = "nullif(\(nearest)(\(time.sql), \(limit)), \(limit))"
    if isDate {
      let days = microseconds / CalendarDate.microsecondsPerDay
      return Computed(sql: "(\(inRange) + \(.integer(days))::integer)", type: .date)
    }
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return Computed(
      sql: """
        (\(inRange) + interval '1 second' * \(.integer(seconds))::double precision \
        + interval '1 microsecond' * \(.integer(rest))::double precision)
        """,
      type: .datetime)
  }

  /// Returns an expression for the distance in kilometers between two points. The expression
  /// performs the same operations as `SphereDistance`. It uses `unnest` so that PostgreSQL calls
  /// the distance function only once.
  private func distance(_ latitude: SQL, _ longitude: SQL, to point: GeoPoint) -> SQL {
    let center = SpherePoint(point)
    func polynomial(_ coefficients: [Double]) -> SQL {
      coefficients.dropFirst().reduce("\(.number(coefficients[0]))") {
        "(\($0) * _half + \(.number($1)))"
      }
    }
    let arcsine: SQL = """
      (sqrt(_half) + sqrt(_half) * (_half * \(polynomial(SphereDistance.numerator)) \
      / \(polynomial(SphereDistance.denominator))))
      """
    return """
      (select floor(case when _square > 1 then \(.number(.pi / 2)) - 2 * \(arcsine) \
      else \(arcsine) end * \(.number(SphereDistance.diameter)) + 0.5::float8) / 1000000::float8 \
      from (select _square, case when _square < \(.number(SphereDistance.smallestSquaredChord)) \
      then 0::float8 when _square > 1 then greatest((1 - sqrt(_square) / 2) / 2, 0::float8) \
      else _square / 4 end as _half from unnest(array[\(table: InternalTables.distanceFunction)(\
      \(latitude), \(longitude), \(.number(center.x)), \(.number(center.y)), \(.number(center.z)))\
      ]) as _chord (_square)) as _angle)
      """
  }

  /// Returns an expression for the local time in a time zone. Its result is a datetime whose
  /// components in UTC are those of the local time: 12:00 UTC becomes 14:00 UTC in a zone two hours
  /// ahead of UTC. The offsets of the zone, and the times from which they apply, are bound as
  /// arrays, because the server may use other time zone rules than datactl.
  private func local(_ time: SQL, _ offsets: TimeZoneOffsets) -> SQL {
    func array(_ values: [Int64]) -> SQL { "\(values: values.map(Value.integer), of: .integer)" }
    let seconds: SQL = "floor(extract(epoch from \(time)))::bigint"
    let start: SQL = "\(.integer(offsets.cycleStart))::bigint"
    let cycle: SQL = "\(number: TimeZoneOffsets.cycle)"
    let inTable: SQL = """
      (case when \(seconds) < \(start) then \(seconds) \
      else \(start) + (\(seconds) - \(start)) % \(cycle) end)
      """
    let offset: SQL = """
      (\(array(offsets.offsets)))[width_bucket(\(inTable), \(array(offsets.times))) + 1]
      """
    // `least` and `greatest` ignore nulls.
    return """
      (case when \(time) is not null then least(greatest(\(time) + \(offset) * interval '1 second', \
      \(.datetime(.earliest))::timestamptz), \(.datetime(.latest))::timestamptz) end)
      """
  }

  /// Returns an expression for the difference of two times: days between dates, or seconds.
  private func difference(_ left: Computed, _ right: Computed) -> Computed {
    if left.type == .date, right.type == .date {
      return Computed(sql: "(\(left.sql) - \(right.sql))::bigint", type: .integer)
    }
    let seconds = [left, right].map { value -> SQL in
      let time = value.type == .date ? Self.time(ofDate: value.sql) : value.sql
      return "extract(epoch from \(time))"
    }
    return Computed(sql: "(\(seconds[0]) - \(seconds[1]))::double precision", type: .number)
  }

  /// Returns an expression for the first of two values that is not null, as a value of the given type.
  private func coalesce(_ values: [Computed], _ type: FieldType) -> SQL {
    let list = SQL.list(
      values.map { value -> SQL in
        type == .number ? "\(value.sql)::double precision" : value.sql
      })
    guard let digits = type.digits else {
      return type == .text ? "(coalesce(\(list)) collate \"C\")" : "coalesce(\(list))"
    }
    return decimal("coalesce(\(list))::numeric", scale: digits.scale)
  }

  /// Returns a part of a text, or null if its index or its length is too small. Their sum fits in 32
  /// bits, and no text is longer.
  private func substr(_ text: SQL, _ start: SQL, _ length: SQL) -> SQL {
    func bounded(_ number: SQL) -> SQL { "least(greatest(\(number), 0), 1000000000)::integer" }
    return """
      (case when \(start) >= 1 and \(length) >= 0 \
      then substr(\(text), \(bounded(start)), \(bounded(length))) end collate "C")
      """
  }

  private func function(
    _ function: ScalarFunction, _ arguments: [Expression], _ values: [Computed], _ type: FieldType
  ) -> SQL {
    let operand = values[0]
    let local: SQL = operand.type == .date ? operand.sql : "(\(operand.sql) at time zone 'UTC')"
    return switch function {
    case .date: "(\(local))::date"
    case .upper: "(upper(\(operand.sql) collate \"C\") collate \"C\")"
    case .substr:
      substr(operand.sql, values[1].sql, values[2].sql)
    case .abs where operand.type == .integer:
      "abs(nullif(\(operand.sql), '-9223372036854775808'::bigint))"
    case .abs: "abs(\(operand.sql))"
    case .round where type == .integer: operand.sql
    case .round where type == .number: rounded(operand.sql, ScalarFunction.digits(arguments))
    case .round: decimal("\(operand.sql)::numeric", scale: ScalarFunction.digits(arguments))
    case .year: "extract(year from \(local))::bigint"
    case .month: "extract(month from \(local))::bigint"
    case .day: "extract(day from \(local))::bigint"
    case .hour: "extract(hour from \(local))::bigint"
    case .weekday: "extract(isodow from \(local))::bigint"
    case .length where operand.type.isList: "jsonb_array_length(\(operand.sql))::bigint"
    case .length: "char_length(\(operand.sql))::bigint"
    case .lower: "(lower(\(operand.sql) collate \"C\") collate \"C\")"
    }
  }
}

extension Expression.Operand {
  /// Whether the operand is a number of a group, such as a sum.
  fileprivate var mayBeInfinite: Bool {
    guard case .path(let path) = self, path.schema.name == GroupQuery.resultName else {
      return false
    }
    return type.isNumeric
  }
}

extension Expression {
  /// Whether the value is a column or a constant.
  fileprivate var isRead: Bool {
    switch self {
    case .path, .value: true
    case .json, .count, .aggregate, .distance, .referrers, .element, .function, .coalesce,
      .arithmetic, .negated, .shifted, .local:
      false
    }
  }
}

extension ArithmeticOperator {
  /// Returns a predicate that is true only if a number is so close to 1, or for a sum so small, that
  /// the result of the operation with another such number is neither infinite nor rounded to zero.
  fileprivate func isModerate(_ number: SQL) -> SQL {
    switch self {
    case .add, .subtract: "abs(\(number)) < 1e300"
    case .multiply, .divide: "(abs(\(number)) between 1e-150 and 1e150 or \(number) = 0)"
    }
  }

  fileprivate var sql: SQL {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    }
  }
}
