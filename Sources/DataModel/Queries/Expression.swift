/// A value that is computed from a record, such as `price * amount` or `year(due)`.
///
/// If an operand is null, or if the result is out of range, the computed value is null; the function
/// `coalesce` replaces null. A result is out of range if it is an integer that does not fit in 64
/// bits, a decimal with more than 38 digits, an infinite number, or a time outside the years 1 to
/// 9999.
package indirect enum Expression: Hashable, Sendable {
  /// The value at a path. If the path leads into JSON, the value is JSON text.
  case path(FieldPath)
  /// A JSON value that is converted for sorting, grouping or adding up.
  case json(JSONForm, Expression)
  /// The number of related records. The path is a to-many relation or the inverse of a relation.
  case count(FieldPath)
  /// A function of the values of an expression for all related records, such as
  /// `sum(lines.price * lines.quantity)`. `of` is a to-many relation or the inverse of a relation, and
  /// the paths in the expression begin at the related records.
  case aggregate(AggregateFunction, Expression, of: FieldPath)
  /// The distance between the geopoint at a path and another point, in kilometers, rounded to the
  /// millimeter.
  case distance(FieldPath, to: GeoPoint)
  /// The ids of the records that reference the current record, in sorted order. The path is the
  /// inverse of the referencing relation.
  case referrers(FieldPath)
  /// Each element of a list in turn: of an array, of a to-many relation or the inverse of a relation,
  /// or of an array in JSON. Only group queries have it, as a key; the elements of a record are
  /// distinct.
  case element(FieldPath)
  case value(Value)
  case function(ScalarFunction, [Expression])
  /// The first value, or the second one if the first is null. Both become values of the type.
  case coalesce(Expression, Expression, as: FieldType)
  case arithmetic(ArithmeticOperator, Expression, Expression)
  case negated(Expression)
  /// A datetime or a date plus a number of microseconds. For a date, the number must correspond to
  /// whole days.
  case shifted(Expression, microseconds: Int64)
  /// A datetime shifted by the UTC offset of a time zone. Its components in UTC, such as the hour,
  /// are then the components of the local time.
  case local(Expression, TimeZoneOffsets)
}

package enum ArithmeticOperator: String, CaseIterable, Hashable, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  /// The quotient of the operands as doubles. It is null if the right operand is zero.
  case divide = "/"
}

extension Expression {
  /// A value in an expression that is read from the store: the value at a path, an aggregate of
  /// related records, or the ids of the referencing records. All other values are constants or are
  /// computed.
  package indirect enum Operand: Hashable, Sendable {
    case path(ResolvedPath)
    case count(ResolvedPath.Hop)
    case aggregate(AggregateFunction, ResolvedExpression, of: ResolvedPath.Hop)
    case referrers(ResolvedPath.Hop)
    case element(ResolvedPath)

    package var type: FieldType {
      switch self {
      case .path(let resolvedPath): resolvedPath.type
      case .count: .integer
      case .aggregate(let function, let term, _): function.type(of: term.type)
      case .referrers(let hop): .relation(Relation(to: hop.target, isMany: true))
      case .element(let path):
        path.type.relation.map { .relation(Relation(to: $0.target)) } ?? path.type.elementOrSelf
      }
    }
  }

  /// The expressions of the same record from which the value is computed.
  private var operands: [Expression] {
    switch self {
    case .path, .count, .aggregate, .distance, .referrers, .element, .value: []
    case .json(_, let operand), .negated(let operand), .shifted(let operand, _),
      .local(let operand, _):
      [operand]
    case .arithmetic(_, let left, let right), .coalesce(let left, let right, _): [left, right]
    case .function(_, let arguments): arguments
    }
  }

  /// Whether the value may be out of range.
  package var mayBeOutOfRange: Bool {
    let isPossible =
      switch self {
      case .arithmetic, .negated, .shifted, .aggregate: true
      case .function(let function, _): function.mayBeOutOfRange
      case .coalesce(_, _, let type): type.digits != nil
      case .path, .count, .distance, .referrers, .element, .value, .json, .local: false
      }
    return isPossible || operands.contains(where: \.mayBeOutOfRange)
  }

  /// Whether computing the value fails for some JSON values, because they have a type that is not
  /// supported.
  package var rejectsSomeJSON: Bool {
    switch self {
    case .json(.kind, _), .json(.scalar, _), .json(.summand, _): true
    case .json(.number, _), .json(.integer, _), .json(.text, _), .path, .count, .aggregate,
      .distance, .referrers, .element, .value, .function, .coalesce, .arithmetic, .negated,
      .shifted, .local:
      false
    }
  }

  /// Whether the expression contains an aggregate of related records, or the ids of referencing
  /// records.
  package var readsReferrers: Bool {
    switch self {
    case .count, .aggregate, .referrers: true
    case .path, .distance, .element, .value, .json, .negated, .shifted, .local, .arithmetic,
      .coalesce, .function:
      operands.contains(where: \.readsReferrers)
    }
  }

  /// The paths in the expression, in the order in which they occur.
  package var paths: [FieldPath] {
    switch self {
    case .path(let path), .count(let path), .distance(let path, _), .referrers(let path),
      .element(let path):
      [path]
    case .aggregate(_, let term, let relation):
      term.paths.map { FieldPath(names: relation.names + $0.names) }
    case .value, .json, .negated, .shifted, .local, .arithmetic, .coalesce, .function:
      operands.flatMap(\.paths)
    }
  }
}
