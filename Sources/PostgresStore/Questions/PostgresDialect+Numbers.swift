import DataModel
import DataStore

/// Comparisons of integers with doubles. PostgreSQL would round, because not every 64-bit integer
/// can be represented as a double.
extension PostgresDialect {
  func compares(
    _ column: SQL, of type: FieldType, _ comparison: Comparison, with value: Value
  ) -> SQL {
    switch (type, value) {
    case (.integer, .number(let number)):
      return compares(integers: column, comparison, with: number)
    case (.number, .integer(let integer)):
      return compares(numbers: column, comparison, with: integer)
    default: return "\(column)\(comparison.sql)\(value)"
    }
  }

  private func compares(integers column: SQL, _ comparison: Comparison, with number: Double) -> SQL
  {
    let isNotNull: SQL = "\(column) is not null"
    if number >= 0x1p63 {
      return comparison == .less || comparison == .lessOrEqual ? isNotNull : "false"
    }
    if number < -0x1p63 {
      return comparison == .greater || comparison == .greaterOrEqual ? isNotNull : "false"
    }
    func bound(_ rule: FloatingPointRoundingRule) -> Value {
      .integer(Int64(exactly: number.rounded(rule)) ?? .max)
    }
    switch comparison {
    case .equal:
      return Int64(exactly: number).map { "\(column) = \(.integer($0))" } ?? "false"
    case .less where number != number.rounded(.down), .lessOrEqual:
      return "\(column) <= \(bound(.down))"
    case .less: return "\(column) < \(bound(.down))"
    case .greater where number != number.rounded(.up), .greaterOrEqual:
      return "\(column) >= \(bound(.up))"
    case .greater: return "\(column) > \(bound(.up))"
    }
  }

  private func compares(
    numbers column: SQL, _ comparison: Comparison, with integer: Int64
  ) -> SQL {
    let nearest = Double(integer)
    switch Value.number(nearest).order(comparedTo: .integer(integer)) {
    case .before?:
      // The double is the smaller one, so a column is less than the integer if it is at most the
      // double.
      switch comparison {
      case .equal: return "false"
      case .less, .lessOrEqual: return "\(column) <= \(.number(nearest))"
      case .greater, .greaterOrEqual: return "\(column) > \(.number(nearest))"
      }
    case .after?:
      switch comparison {
      case .equal: return "false"
      case .less, .lessOrEqual: return "\(column) < \(.number(nearest))"
      case .greater, .greaterOrEqual: return "\(column) >= \(.number(nearest))"
      }
    case .same?, nil: return "\(column)\(comparison.sql)\(.number(nearest))"
    }
  }

  func compares(
    _ column: SQL, of type: FieldType, _ comparison: Comparison, with other: SQL,
    of otherType: FieldType
  ) -> SQL {
    switch (type, otherType) {
    case (.integer, .number): compares(integers: column, comparison, withNumbers: other)
    case (.number, .integer): compares(integers: other, comparison.flipped, withNumbers: column)
    default: "\(column)\(comparison.sql)\(other)"
    }
  }

  /// Compares an integer column with a double column, which is rounded to the nearest integer in
  /// the direction of the comparison.
  private func compares(
    integers column: SQL, _ comparison: Comparison, withNumbers other: SQL
  ) -> SQL {
    let (rounded, above, below): (SQL, SQL, SQL) =
      switch comparison {
      case .equal:
        ("\(column) = \(other)::bigint and \(other) = trunc(\(other))", "false", "false")
      case .less: ("\(column) < ceil(\(other))::bigint", "true", "false")
      case .lessOrEqual: ("\(column) <= floor(\(other))::bigint", "true", "false")
      case .greater: ("\(column) > floor(\(other))::bigint", "false", "true")
      case .greaterOrEqual: ("\(column) >= ceil(\(other))::bigint", "false", "true")
      }
    return """
      (\(column) is not null and case when \(other) is null then false \
      when \(other) > \(.number(0x1p63.nextDown)) then \(above) \
      when \(other) < \(.number(-0x1p63)) then \(below) else \(rounded) end)
      """
  }
}

extension Value {
  /// Returns the value in the type of a column, or nil if no value of that type is equal.
  func asStored(in type: FieldType) -> Value? {
    switch (type, self) {
    case (.integer, .number(let number)): Int64(exactly: number).map(Value.integer)
    case (.number, .integer(let integer)):
      Value.number(Double(integer)).order(comparedTo: self) == .same
        ? .number(Double(integer)) : nil
    default: self
    }
  }
}
