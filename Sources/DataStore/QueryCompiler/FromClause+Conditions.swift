package import DataModel

/// Compiles conditions to SQL that gives the same result as `ConditionMatcher` for every record.
///
/// A condition that must be true becomes a plain predicate, so that `x < 5` can use an index. If
/// the predicate is null, it counts as false. A negated condition becomes `… is not true`, which is
/// true if the predicate is null.
extension FromClause {
  /// The maximum number of operands of `and` or `or` that are written without parentheses. Longer
  /// lists are split into groups in parentheses, because SQLite limits the depth of expressions to
  /// 1,000.
  private static let maxOperands = 8

  /// The maximum number of uncorrelated subqueries. The coordinator of a cluster executes each
  /// subquery separately, and keeps the ids that the subquery returns: 100 subqueries take seconds
  /// and 100 MB.
  private static let maxSubqueries = 200

  /// If a condition has more predicates than this, each of them may bind only a few values, because
  /// engines limit a statement to about 32,000 parameters.
  private static let maxUnrestrictedPredicates = 200

  /// Compiles a condition to a predicate. The caller must have checked the size of the condition.
  package mutating func sql(_ condition: Condition) throws(DataError) -> SQL {
    bindsFewValues = condition.normalized.tests > Self.maxUnrestrictedPredicates
    let rule = try rootRule()
    testsRelatedRecordsOnce =
      dialect.testsRelatedRecordsOnce && !bindsFewValues && !condition.selectsByIndex(of: schema)
    let sql: SQL = "(\(try sql(condition.normalized)))"
    guard subqueryCount <= Self.maxSubqueries else { throw .queryTooLarge }
    return rule.map { "\($0) and \(sql)" } ?? sql
  }

  mutating func sql(_ normalized: NormalizedCondition) throws(DataError) -> SQL {
    switch normalized {
    case .constant(let holds): return holds ? "true" : "false"
    case .meets(let test): return try sql(test)
    // A test of related records is never null. PostgreSQL joins `not exists`, but not `is not
    // true`.
    case .fails(.any(let path, let condition)):
      return "not (\(try any(path, condition, requiring: .noRecord)))"
    case .fails(let test): return "(\(try sql(test))) is not true"
    case .every(let parts):
      let (tests, others) = try split(parts) { part in
        if case .fails(.path(let path, let criterion)) = part { (path, criterion) } else { nil }
      }
      let pieces: [SQL] = tests.isEmpty ? [] : ["(\(try anyMeets(tests))) is not true"]
      return try joined(pieces, others, by: " and ")
    case .some(let parts):
      let (tests, others) = try split(parts) { part in
        if case .meets(.path(let path, let criterion)) = part { (path, criterion) } else { nil }
      }
      return try joined(tests.isEmpty ? [] : [anyMeets(tests)], others, by: " or ")
    }
  }

  /// Splits the operands of a condition into tests of related records and other operands. The tests
  /// are compiled together, because tests that follow the same relation can share a subquery. The
  /// other operands are compiled one by one.
  ///
  /// - Parameter test: Returns the path and the criterion of an operand, or nil if the operand has
  ///   to be compiled separately.
  private func split(
    _ parts: [NormalizedCondition],
    _ test: (NormalizedCondition) -> (path: FieldPath, criterion: Criterion)?
  ) throws(DataError) -> (tests: [RelatedTest], others: [NormalizedCondition]) {
    var tests: [RelatedTest] = []
    var others: [NormalizedCondition] = []
    for part in parts {
      if let (path, criterion) = test(part),
        let related = try relatedTest(resolvedPath(path), criterion)
      {
        tests.append(related)
      } else {
        others.append(part)
      }
    }
    return (tests, others)
  }

  /// Compiles the operands of a condition, and joins them and the given predicates with `and` or
  /// `or`. The most deeply nested operand comes first, because the first operand needs the least
  /// stack in SQLite's parser.
  private mutating func joined(
    _ predicates: [SQL], _ parts: [NormalizedCondition], by word: SQL
  ) throws(DataError) -> SQL {
    let sorted = parts.map { (stackDepth: $0.stackDepth, part: $0) }.sorted {
      $0.stackDepth > $1.stackDepth
    }
    var pieces = predicates.map { predicate -> SQL in "(\(predicate))" }
    for (_, part) in sorted { pieces.append("(\(try sql(part)))") }
    guard let first = pieces.first else { return "true" }
    var rest = Array(pieces[1...])
    while rest.count >= Self.maxOperands {
      rest = stride(from: 0, to: rest.count, by: Self.maxOperands).map { start in
        let end = min(start + Self.maxOperands, rest.count)
        return "(\(SQL.list(Array(rest[start..<end]), separator: word)))"
      }
    }
    return SQL.list([first] + rest, separator: word)
  }

  private mutating func sql(_ test: NormalizedCondition.Test) throws(DataError) -> SQL {
    switch test {
    case .path(let path, let criterion): try self.test(path, criterion)
    case .computed(let expression, let criterion): try self.test(expression, criterion)
    case .any(let path, let condition): try any(path, condition, requiring: .record)
    }
  }

  /// Compiles a test of a computed value.
  private mutating func test(
    _ expression: Expression, _ criterion: Criterion
  ) throws(DataError) -> SQL {
    let (column, type) = try column(expression)
    guard case .compareExpression(let comparison, let other) = criterion else {
      return predicate(criterion).test(column: column, of: type)
    }
    let right = try self.column(other)
    return ColumnPredicate(criterion, comparison, with: right.sql, of: right.type, dialect)
      .test(column: column, of: type)
  }

  /// Returns the SQL and the type of a computed value.
  mutating func column(_ expression: Expression) throws(DataError) -> (sql: SQL, type: FieldType) {
    let resolved = try catalog.resolved([expression], from: schema)[0]
    var operands: [SQL] = []
    for operand in resolved.operands {
      switch operand {
      case .path(let path): operands.append(try column(path))
      case .count(let hop): operands.append(try count(hop))
      case .aggregate(let function, let term, let hop):
        operands.append(try aggregate(function, of: term, hop))
      case .element(let path): operands.append(try element(of: path))
      case .referrers(let hop): operands.append(try referrers(hop))
      }
    }
    switch expression {
    case .path where resolved.type != .json, .count, .aggregate, .referrers, .element:
      return (operands[0], resolved.type)
    case .path, .distance, .json, .value, .function, .coalesce, .arithmetic, .negated, .shifted,
      .local:
      return (dialect.compute(resolved, operands), resolved.type)
    }
  }

  /// Returns a predicate that is true if a computed value is null only if it is out of range: the
  /// values from which it is computed are not null, and no divisor is zero. For an aggregate, this
  /// must hold for the expression that it aggregates, for at least one related record.
  mutating func isDefined(_ expression: Expression) throws(DataError) -> SQL {
    var tests: [SQL] = []
    switch expression {
    case .path, .count, .aggregate, .distance, .referrers, .element:
      for operand in try catalog.resolved([expression], from: schema)[0].operands {
        switch operand {
        case .path(let path): tests.append("\(try column(path)) is not null")
        case .aggregate(_, let term, let hop): tests.append(try isDefined(term, hop))
        case .count, .referrers, .element: break
        }
      }
    case .value(let value): return value == .null ? "false" : "true"
    case .json(_, let operand), .negated(let operand), .shifted(let operand, _),
      .local(let operand, _):
      return try isDefined(operand)
    case .coalesce(let first, let second, _):
      return "(\(try isDefined(first)) or \(try isDefined(second)))"
    case .arithmetic(let operation, let left, let right):
      tests = [try isDefined(left), try isDefined(right)]
      if operation == .divide { tests.append(try isNot(right, .compare(.equal, .integer(0)))) }
    case .function(let function, let arguments):
      for (index, argument) in arguments.enumerated() {
        tests.append(try isDefined(argument))
        guard let least = function.leastValue(ofArgument: index) else { continue }
        tests.append(try isNot(argument, .compare(.less, .integer(least))))
      }
    }
    return tests.isEmpty ? "true" : "(\(SQL.list(tests, separator: " and ")))"
  }

  /// Returns a predicate that is true if a computed value does not satisfy a criterion, or is null.
  private mutating func isNot(
    _ expression: Expression, _ criterion: Criterion
  ) throws(DataError) -> SQL {
    "(\(try test(expression, criterion))) is not true"
  }

  private mutating func test(
    _ path: FieldPath, _ criterion: Criterion
  ) throws(DataError) -> SQL {
    let resolvedPath = try resolvedPath(path)
    if let related = relatedTest(resolvedPath, criterion) { return try anyMeets([related]) }
    guard case .comparePath(let comparison, let otherPath) = criterion else {
      return try test(resolvedPath.hops[...], resolvedPath, predicate(criterion))
    }
    let other = try self.resolvedPath(otherPath)
    let column = try column(other)
    let predicate = ColumnPredicate(
      criterion, comparison, with: column, of: other.type, dialect)
    switch dialect.relationTest {
    case .uncorrelated(let elements) where resolvedPath.hops.contains(where: \.isMany):
      return try compares(valuesAt: resolvedPath, predicate, elements: elements)
    case .correlated, .uncorrelated:
      return try test(resolvedPath.hops[...], resolvedPath, predicate)
    }
  }

  func predicate(_ criterion: Criterion) -> ColumnPredicate {
    var predicate = ColumnPredicate(criterion, dialect)
    predicate.prefersIndexSearch = prefersIndexSearch
    predicate.bindsFewValues = bindsFewValues
    return predicate
  }

  /// Compiles the predicate for the value at the end of a path. Each to-many relation of the path
  /// becomes a subquery.
  ///
  /// - Parameter hops: The relations of the path that no outer query has followed yet.
  private mutating func test(
    _ hops: ArraySlice<ResolvedPath.Hop>, _ resolvedPath: ResolvedPath, _ predicate: ColumnPredicate
  ) throws(DataError) -> SQL {
    guard let hopIndex = hops.firstIndex(where: \.isMany) else {
      var rest = resolvedPath
      rest.hops = Array(hops)
      return try test(single: rest, predicate)
    }
    let from = try source(following: Array(hops[..<hopIndex]))
    let (hop, rest) = (hops[hopIndex], hops[(hopIndex + 1)...])
    let found: SQL
    if rest.isEmpty, resolvedPath.part == .whole, resolvedPath.slot == resolvedPath.schema.keySlot {
      found = predicate.anyTarget(
        of: from, allLinks: try links(of: hop, from.layout), links: try links(of: hop, from))
    } else {
      var inner = FromClause(
        TableLayout(try catalog.schema(hop.target)), within: self,
        reading: [rest.first?.sourceSlot ?? resolvedPath.slot])
      // A comparison with another path refers to the records of the query, so it cannot be executed
      // only once.
      var isExecutedOnce = testsRelatedRecordsOnce && predicate.other == nil
      if isExecutedOnce, rest.isEmpty, resolvedPath.part == .whole, from.isRoot {
        let slots = [resolvedPath.slot]
        isExecutedOnce = try !searches(hop, reading: slots, requiring: .record)
      }
      isExecutedOnce = isExecutedOnce || predicate.prefersTargetIndex(at: resolvedPath)
      inner.testsRelatedRecordsOnce = testsRelatedRecordsOnce && predicate.other == nil
      let test = try inner.test(rest, resolvedPath, predicate)
      found = anyLinked(
        to: from, try link(of: hop, from: from, to: inner), inner, where: test,
        isExecutedOnce: isExecutedOnce)
    }
    // If a relation before this hop has no target, the whole path is null.
    guard predicate.criterion == .isNull, !from.alwaysExists else { return found }
    return "(\(from.key) is null or \(found))"
  }

  /// Compiles the predicate for a path without to-many relations.
  mutating func test(single resolvedPath: ResolvedPath, _ predicate: ColumnPredicate)
    throws(DataError) -> SQL
  {
    let whole = resolvedPath.schema.type(of: resolvedPath.slot)
    if resolvedPath.hops.isEmpty, isFoundInSideTable(resolvedPath, predicate.criterion) {
      return """
        \(root.key) in (select id from \(root.layout.sideTable(resolvedPath.slot)) \
        where \(predicate.test(column: "value", of: whole)))
        """
    }
    if whole.relation?.isMany == true {
      return predicate.test(linksIn: try source(following: resolvedPath.hops), resolvedPath.slot)
    }
    if whole == .geopoint, resolvedPath.part == .whole {
      return predicate.test(pointIn: try source(following: resolvedPath.hops), resolvedPath.slot)
    }
    let column = try column(resolvedPath)
    if whole == .json { return predicate.test(json: column, under: resolvedPath.keys) }
    if case .array(let element) = whole { return predicate.test(array: column, of: element) }
    return predicate.test(column: column, of: resolvedPath.type)
  }
}

/// Tests of unique fields whose values are in a side table, which maps each value to the id of its
/// record; see `Uniqueness.sideTable`.
extension FromClause {
  /// Returns whether the side table of a unique field can find the records that satisfy the
  /// criterion. A side table maps each value to the id of its record, and takes the place of an
  /// index.
  private func isFoundInSideTable(_ path: ResolvedPath, _ criterion: Criterion) -> Bool {
    guard path.part == .whole, !bindsFewValues,
      root.layout.sideTableSlots(in: dialect).contains(path.slot)
    else { return false }
    switch criterion {
    case .compare(.equal, _), .isIn: return true
    case .compare, .comparePath, .compareExpression, .between, .like, .contains, .isNull,
      .isEmpty, .withinCircle, .withinBox:
      return false
    }
  }
}

extension NormalizedCondition {
  /// The approximate stack depth that the condition needs in SQLite's parser.
  fileprivate var stackDepth: Int {
    switch self {
    case .constant: return 0
    case .meets(.path(let path, _)), .fails(.path(let path, _)):
      return 1 + 7 * min(path.names.count - 1, 4)
    case .meets(.computed), .fails(.computed): return 8
    case .meets(.any(_, let condition)), .fails(.any(_, let condition)):
      return 8 + condition.normalized.stackDepth
    case .every(let parts), .some(let parts):
      let costs = parts.map(\.stackDepth).sorted(by: >)
      return max((costs.first ?? 0) + 1, (costs.dropFirst().first ?? 0) + 4)
    }
  }
}
