package import DataModel

/// A criterion for a column, compiled to an SQL predicate. A comparison of two paths includes the
/// other column.
package struct ColumnPredicate {
  /// The right-hand side of a comparison of two columns.
  package struct Other {
    package let comparison: Comparison
    package let column: SQL
    package let type: FieldType
  }

  package var criterion: Criterion
  package private(set) var other: Other?
  let dialect: any Dialect
  /// Whether a range with one bound should use an index, too. SQLite assumes that it matches a
  /// large part of the rows, and would rather scan all of them in the order of their ids.
  var prefersIndexSearch = false

  /// Whether the predicate is one of so many that it may bind only a few values.
  package var bindsFewValues = false

  package init(_ criterion: Criterion, _ dialect: any Dialect) {
    self.criterion = criterion
    self.dialect = dialect
  }

  package init(
    _ criterion: Criterion, _ comparison: Comparison, with column: SQL, of type: FieldType,
    _ dialect: any Dialect
  ) {
    self.criterion = criterion
    self.dialect = dialect
    other = Other(comparison: comparison, column: column, type: type)
  }

  /// The predicate for a column that has one value of a type, or null.
  package func test(column: SQL, of type: FieldType) -> SQL {
    switch criterion {
    case .isNull: return "\(column) is null"
    case .isEmpty, .withinCircle, .withinBox: return "false"
    case .compare(let comparison, let value):
      guard type.holds(value), let comparison = comparison.among(type) else { return "false" }
      let test = dialect.compares(column, of: type, comparison, with: value)
      return prefersIndexSearch && comparison != .equal ? dialect.selective(test) : test
    case .comparePath:
      guard let other, type.compares(with: other.type) else { return "false" }
      return dialect.compares(
        column, of: type, other.comparison, with: other.column, of: other.type)
    case .isIn(let values): return isOne(of: values.filter(type.holds), column, type)
    case .between(let low, let high):
      guard type.holds(low), type.holds(high), type.isOrdered else { return "false" }
      let least = dialect.compares(column, of: type, .greaterOrEqual, with: low)
      return "(\(least) and \(dialect.compares(column, of: type, .lessOrEqual, with: high)))"
    case .like(let pattern): return type.isText ? isLike(pattern, column) : "false"
    case .contains(let part):
      guard type.isText, case .text(let text) = part else { return "false" }
      return dialect.contains(text, column, self)
    }
  }

  private func isOne(of values: [Value], _ column: SQL, _ type: FieldType) -> SQL {
    values.isEmpty ? "false" : dialect.isOne(of: values, column, of: type, self)
  }

  private func isLike(_ pattern: LikePattern, _ column: SQL) -> SQL {
    let items = pattern.items
    let prefix = pattern.prefix
    guard pattern.letters == .exact, !prefix.isEmpty else {
      return dialect.isLike(pattern, column, self)
    }
    let rest = items.dropFirst(prefix.unicodeScalars.count)
    if rest.isEmpty { return "\(column) = \(.text(prefix))" }
    var range: SQL = "\(column) >= \(.text(prefix))"
    if let end = prefix.prefixUpperBound { range += " and \(column) < \(.text(end))" }
    return rest == [.anyText]
      ? "(\(range))" : "(\(range) and \(dialect.isLike(pattern, column, self)))"
  }
}

extension Comparison {
  package var sql: SQL {
    switch self {
    case .equal: " = "
    case .less: " < "
    case .lessOrEqual: " <= "
    case .greater: " > "
    case .greaterOrEqual: " >= "
    }
  }

  /// The comparison for values of a type; nil if it is never true. Values without an order can only
  /// be equal.
  func among(_ type: FieldType) -> Comparison? {
    if type.isOrdered { return self }
    switch self {
    case .equal, .lessOrEqual, .greaterOrEqual: return .equal
    case .less, .greater: return nil
    }
  }
}

extension String {
  /// The least string that orders after all strings with this prefix; nil if there is none.
  fileprivate var prefixUpperBound: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      return String(String.UnicodeScalarView(scalars + [scalar]))
    }
    return nil
  }
}
