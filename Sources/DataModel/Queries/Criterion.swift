/// What a value must be like.
///
/// The values in it are of the type that the path leads to, or of its elements' type: whoever makes
/// a condition has checked it against the schema.
package enum Criterion: Hashable, Sendable {
  /// There is no value.
  case isNull
  /// The list has no element; null is no list.
  case isEmpty
  case compare(Comparison, Value)
  /// It compares with what another path of the same record leads to, which is one value or null.
  case comparePath(Comparison, FieldPath)
  /// It is one of these.
  case isIn([Value])
  /// It is neither below the first nor above the second.
  case between(Value, Value)
  case like(LikePattern)
  /// A list has it as an element, a text has it as a part.
  case contains(Value)
  case withinCircle(GeoCircle)
  case withinBox(GeoBox)
}

/// How two values stand to each other, as a condition asks it.
package enum Comparison: String, CaseIterable, Hashable, Sendable {
  case equal = "="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// The comparison that says the same with the sides exchanged.
  package var exchanged: Comparison {
    switch self {
    case .equal: .equal
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether it holds of a value and another; values that do not compare meet no comparison.
  func holds(_ value: Value, _ other: Value) -> Bool {
    guard let order = value.order(beside: other) else { return false }
    return switch self {
    case .equal: order == .same
    case .less: order == .before
    case .lessOrEqual: order != .after
    case .greater: order == .after
    case .greaterOrEqual: order != .before
    }
  }
}
