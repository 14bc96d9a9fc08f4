/// A condition in negation normal form: only *and* and *or* combine its tests, and only single
/// tests are negated.
///
/// In SQL, a comparison with null is neither true nor false but unknown, and its negation is
/// unknown too. In this form, only the SQL of the single tests must take nulls into account.
package indirect enum NormalizedCondition: Hashable, Sendable {
  case constant(Bool)
  case meets(Test)
  case fails(Test)
  case every([NormalizedCondition])
  case some([NormalizedCondition])

  /// A single test of a record, which is not combined with other tests by *and*, *or* or *not*.
  package enum Test: Hashable, Sendable {
    case path(FieldPath, Criterion)
    case computed(Expression, Criterion)
    /// True if at least one related record satisfies the condition.
    case any(FieldPath, Condition)
  }
}

extension Condition {
  package var normalized: NormalizedCondition { normalized(isNegated: false) }

  private func normalized(isNegated: Bool) -> NormalizedCondition {
    switch self {
    case .all: .constant(!isNegated)
    case .test(let path, let criterion):
      isNegated ? .fails(.path(path, criterion)) : .meets(.path(path, criterion))
    case .compute(let expression, let criterion):
      isNegated
        ? .fails(.computed(expression, criterion)) : .meets(.computed(expression, criterion))
    case .any(let path, let condition):
      isNegated ? .fails(.any(path, condition)) : .meets(.any(path, condition))
    case .not(let condition): condition.normalized(isNegated: !isNegated)
    case .and(let conditions):
      NormalizedCondition.joined(
        conditions.map { $0.normalized(isNegated: isNegated) }, ofSome: isNegated)
    case .or(let conditions):
      NormalizedCondition.joined(
        conditions.map { $0.normalized(isNegated: isNegated) }, ofSome: !isNegated)
    }
  }
}

extension NormalizedCondition {
  /// Joins conditions with *or* if `ofSome` is true, or with *and* if it is false. Nested
  /// conditions that are joined in the same way are flattened.
  fileprivate static func joined(_ parts: [NormalizedCondition], ofSome: Bool)
    -> NormalizedCondition
  {
    var flat: [NormalizedCondition] = []
    for part in parts {
      switch part {
      case .constant(let isTrue):
        if isTrue == ofSome { return part }
      case .every(let inner): if ofSome { flat.append(part) } else { flat += inner }
      case .some(let inner): if ofSome { flat += inner } else { flat.append(part) }
      case .meets, .fails: flat.append(part)
      }
    }
    if flat.isEmpty { return .constant(!ofSome) }
    return flat.count == 1 ? flat[0] : ofSome ? .some(flat) : .every(flat)
  }

  /// The number of tests in the condition, including the tests of related records.
  package var tests: Int {
    switch self {
    case .constant: 0
    case .meets(.path), .fails(.path), .meets(.computed), .fails(.computed): 1
    case .meets(.any(_, let condition)), .fails(.any(_, let condition)):
      1 + condition.normalized.tests
    case .every(let parts), .some(let parts): parts.reduce(0) { $0 + $1.tests }
    }
  }

  /// The nesting depth of *and* and *or*.
  package var depth: Int {
    switch self {
    case .constant, .meets, .fails: 0
    case .every(let parts), .some(let parts): 1 + (parts.map(\.depth).max() ?? 0)
    }
  }
}
