import DataModel

/// Compiles the access rules of the schemas that a query reads on behalf of a caller. The condition
/// of a rule can use all records, including those that the caller may not read.
extension FromClause {
  /// The maximum number of paths to related records in a rule that is added to the query itself. A
  /// rule with more paths becomes a subquery. Each path joins up to four tables, and SQLite joins
  /// at most 64 in a query, which all rules and paths of the query share.
  private static let maxJoinedPaths = 3

  /// Returns a predicate that is true for the records of the query that the caller may read.
  /// Returns nil if the caller may read all of them.
  mutating func rootRule() throws(DataError) -> SQL? {
    guard let scope else { return nil }
    switch scope.permission(to: .read, root.layout.schema.name) {
    case .all: return nil
    case .none: return "false"
    case .matching(let conditions):
      let rule = Condition.some(conditions)
      guard rule.joinedPathCount <= Self.maxJoinedPaths else {
        return try readability(of: root.layout.schema.name, key: root.key)
      }
      let bound = (catalog, self.scope, schema)
      catalog = scope.fullCatalog
      schema = scope.fullCatalog[schema.name] ?? schema
      self.scope = nil
      defer { (catalog, self.scope, schema) = bound }
      return "(\(try sql(rule.normalized)))"
    }
  }

  /// Returns a predicate that is true if the caller may read the record with the given id. Returns
  /// nil if the caller may read all records of the schema.
  func readability(of target: String, key: SQL) throws(DataError) -> SQL? {
    guard let scope else { return nil }
    switch scope.permission(to: .read, target) {
    case .all: return nil
    case .none: return "false"
    case .matching(let conditions):
      let target = try scope.fullCatalog.schema(target)
      var predicates: [SQL] = []
      for condition in conditions {
        var inner = FromClause(TableLayout(target), apartFrom: self)
        (inner.catalog, inner.scope, inner.schema) = (scope.fullCatalog, nil, target)
        let rule = try inner.sql(condition.normalized)
        switch dialect.relationTest {
        case .correlated:
          predicates.append(
            "exists (select 1 from \(inner.tables) where \(inner.root.key) = \(key) and (\(rule)))")
        case .uncorrelated:
          predicates.append(
            "\(key) in (select \(inner.root.key) from \(inner.tables) where \(rule))")
        }
      }
      return "(\(SQL.list(predicates, separator: " or ")))"
    }
  }

  /// Returns whether the caller may read all records of the schema `target`.
  func readsAll(of target: String) -> Bool {
    scope.map { $0.permission(to: .read, target) == .all } ?? true
  }

  /// Returns a table expression that contains only the links to records that the caller may read.
  ///
  /// - Parameter links: A table expression that contains all links.
  func readable(_ links: SQL, to target: String) throws(DataError) -> SQL {
    guard let readable = try readability(of: target, key: "_readable.target") else { return links }
    return """
      (select _readable.source, _readable.target, _readable.position from \(links) as _readable \
      where \(readable))
      """
  }
}

extension Condition {
  /// The number of paths to related records in the condition. Paths in nested conditions on related
  /// records do not count, because these conditions become subqueries.
  fileprivate var joinedPathCount: Int {
    func count(_ paths: [FieldPath]) -> Int { paths.count { $0.names.count > 1 } }
    switch self {
    case .all, .any: return 0
    case .test(let path, .comparePath(_, let other)): return count([path, other])
    case .test(let path, _): return count([path])
    case .compute(let expression, let criterion):
      return count(expression.paths + (criterion.expression?.paths ?? []))
    case .not(let condition): return condition.joinedPathCount
    case .and(let parts), .or(let parts): return parts.reduce(0) { $0 + $1.joinedPathCount }
    }
  }
}
