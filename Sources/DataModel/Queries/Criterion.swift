/// A requirement for the value at a path in a condition, such as `> 5`, `is null` or `like 'a%'`.
///
/// The operands have the type of the tested value or, if this value is a list, the type of its
/// elements. The code that creates a condition validates the operands against the schema.
package enum Criterion: Hashable, Sendable {
  /// The value is null.
  case isNull
  /// The list is empty. Null is not an empty list.
  case isEmpty
  case compare(Comparison, Value)
  /// The value satisfies the comparison with the value at another path of the same record. The
  /// other path must have at most one value.
  case comparePath(Comparison, FieldPath)
  /// The value satisfies the comparison with a value that is computed from the same record.
  case compareExpression(Comparison, Expression)
  /// The value is one of the operands.
  case isIn([Value])
  /// The value is greater than or equal to the first operand and less than or equal to the second.
  case between(Value, Value)
  case like(LikePattern)
  /// The list contains the operand, or the text contains it as a substring.
  case contains(Value)
  case withinCircle(GeoCircle)
  case withinBox(GeoBox)
}

extension Criterion {
  /// The expression that the value is compared with, or nil if the criterion has no expression.
  package var expression: Expression? {
    if case .compareExpression(_, let expression) = self { expression } else { nil }
  }
}

/// A comparison operator in a condition, such as `<=`.
package enum Comparison: String, CaseIterable, Hashable, Sendable {
  case equal = "="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// The operator that gives the same result when the operands are swapped.
  package var flipped: Comparison {
    switch self {
    case .equal: .equal
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Returns whether the comparison of `value` with `other` is true. Returns false if the values
  /// cannot be compared.
  func matches(_ value: Value, _ other: Value) -> Bool {
    guard let order = value.order(comparedTo: other) else { return false }
    return switch self {
    case .equal: order == .same
    case .less: order == .before
    case .lessOrEqual: order != .after
    case .greater: order == .after
    case .greaterOrEqual: order != .before
    }
  }
}
