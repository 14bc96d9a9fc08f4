import DataModel
import DataStore

/// Compiles the expressions of computed values to SQL.
extension PostgresDialect {
  func compute(_ expression: ResolvedExpression, _ operands: [SQL]) -> SQL {
    var operands = zip(operands, expression.operands).map { sql, operand in
      if case .path(let path) = operand, case .keys(let keys) = path.part {
        return Computed(sql: value(in: sql, under: keys), type: .json)
      }
      return Computed(sql: sql, type: operand.type)
    }[...]
    return sql(expression.expression, &operands).sql
  }

  func computesAll(_ expressions: [SQL]) -> SQL {
    "num_nonnulls(\(SQL.list(expressions))) >= 0"
  }

  /// An SQL expression and the type of its values.
  private struct Computed {
    var sql: SQL
    var type: FieldType
  }

  private func sql(
    _ expression: Expression, _ operands: inout ArraySlice<Computed>
  ) -> Computed {
    switch expression {
    case .path, .count, .referrers: return operands.popFirst() ?? Computed(sql: "null", type: .text)
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
    case .value(let value): return Computed(sql: "\(value)::double precision", type: .number)
    case .function(let function, let operand):
      let operand = sql(operand, &operands)
      return Computed(
        sql: self.function(function, of: operand), type: function == .lower ? .text : .integer)
    case .negated(let operand):
      let operand = sql(operand, &operands)
      return Computed(sql: "(- \(operand.sql))", type: operand.type)
    case .arithmetic(let operation, let left, let right):
      let (left, right) = (sql(left, &operands), sql(right, &operands))
      let isInteger = left.type == .integer && right.type == .integer
      let type: SQL = isInteger ? "bigint" : "double precision"
      return Computed(
        sql: "(\(left.sql)::\(type) \(operation.sql) \(right.sql)::\(type))",
        type: isInteger ? .integer : .number)
    case .local(let operand, let offsets):
      let operand = sql(operand, &operands)
      if operand.type == .date { return operand }
      return Computed(sql: local(operand.sql, offsets), type: .datetime)
    case .shifted(let operand, let microseconds):
      let operand = sql(operand, &operands)
      if operand.type == .date { return shifted(operand, microseconds: microseconds) }
      let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
      let sum: SQL = """
        (\(operand.sql) + interval '1 second' * \(.integer(seconds))::double precision \
        + interval '1 microsecond' * \(.integer(rest))::double precision)
        """
      // The server accepts years after 9999. A long interval is added to such times, so that the
      // server reports an error.
      return Computed(
        sql: """
          (\(sum) + case when \(sum) between \(.datetime(.earliest))::timestamptz \
          and \(.datetime(.latest))::timestamptz then interval '0' else interval '300000 years' end)
          """,
        type: .datetime)
    }
  }

  private func shifted(_ date: Computed, microseconds: Int64) -> Computed {
    let sum: SQL = """
      (\(date.sql) + \(.integer(microseconds / CalendarDate.microsecondsPerDay))::integer)
      """
    // The server accepts years after 9999. Many days are added to such dates, so that the server
    // reports an error.
    return Computed(
      sql: """
        (\(sum) + case when \(sum) between \(.date(.earliest))::date \
        and \(.date(.latest))::date then 0 else 2147483647 end)
        """,
      type: .date)
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

  private func function(_ function: ScalarFunction, of operand: Computed) -> SQL {
    let local: SQL = operand.type == .date ? operand.sql : "(\(operand.sql) at time zone 'UTC')"
    return switch function {
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

extension ArithmeticOperator {
  fileprivate var sql: SQL {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    }
  }
}
