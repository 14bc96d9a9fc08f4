/// A predicate on records.
///
/// Conditions evaluate to true or false; there is no third value for null as in SQL. A criterion on
/// several values, such as the elements of an array or the records of a to-many relation, is true
/// if at least one of the values satisfies it. Null satisfies only `isNull`. `not` is true exactly
/// when its operand is false.
package indirect enum Condition: Hashable, Sendable {
  /// True for every record.
  case all
  /// True if the value at the path satisfies the criterion.
  case test(FieldPath, Criterion)
  /// True if the computed value satisfies the criterion.
  case compute(Expression, Criterion)
  /// True if at least one related record satisfies the inner condition. The path is a to-many
  /// relation or the inverse of a relation. The inner condition applies to records of the related
  /// schema.
  case any(FieldPath, Condition)
  case not(Condition)
  /// True if all of the conditions are true.
  case and([Condition])
  /// True if at least one of the conditions is true.
  case or([Condition])
}

extension Condition {
  /// Returns a condition that is true if a field, or at least one element of its list, is equal to
  /// the value. Null is not equal to any value.
  package static func equals(field: String, value: Value) -> Condition {
    .test(FieldPath(field), .compare(.equal, value))
  }

  /// Returns a condition that is true if a field is null.
  package static func isNull(field: String) -> Condition {
    .test(FieldPath(field), .isNull)
  }

  /// Returns a condition that is true if all of the given conditions are true. Nested `and`
  /// conditions are flattened.
  package static func every(_ conditions: [Condition]) -> Condition {
    var parts: [Condition] = []
    for condition in conditions {
      switch condition {
      case .all: break
      case .and(let inner): parts += inner
      case .test, .compute, .any, .not, .or: parts.append(condition)
      }
    }
    return parts.isEmpty ? .all : parts.count == 1 ? parts[0] : .and(parts)
  }

  /// Returns a condition that is true if at least one of the given conditions is true. Nested `or`
  /// conditions are flattened.
  package static func some(_ conditions: [Condition]) -> Condition {
    var parts: [Condition] = []
    for condition in conditions {
      if case .or(let inner) = condition { parts += inner } else { parts.append(condition) }
    }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  /// Whether the condition contains an expression whose value may be out of range.
  package var computesValuesOutOfRange: Bool {
    switch self {
    case .all, .test: false
    case .compute(let expression, let criterion):
      expression.mayBeOutOfRange || criterion.expression?.mayBeOutOfRange == true
    case .any(_, let condition), .not(let condition): condition.computesValuesOutOfRange
    case .and(let parts), .or(let parts): parts.contains(where: \.computesValuesOutOfRange)
    }
  }

  /// The condition that is true exactly when this one is false. The negation of a `not` condition
  /// is its operand.
  package var negation: Condition {
    if case .not(let inner) = self { inner } else { .not(self) }
  }
}
