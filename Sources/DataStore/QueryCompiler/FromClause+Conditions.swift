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
    let sql = try guarded(condition, isNested: false, relation: rule)
    guard subqueryCount <= Self.maxSubqueries else { throw .queryTooLarge }
    let predicate = rule.map { "\($0) and \(sql)" } ?? sql
    return condition.isFallible ? dialect.guarding(predicate) : predicate
  }

  /// Compiles a condition that may contain expressions whose values can be out of range. For a
  /// record that satisfies the rest of the condition, all of these expressions are evaluated; for
  /// other records, none of them. So whether the query fails does not depend on the order in which
  /// the engine evaluates predicates.
  ///
  /// - Parameters:
  ///   - isNested: Whether the condition applies to related records. If it does not, the rest of
  ///     the condition is also added as a separate predicate, which can use an index.
  ///   - relation: An additional predicate that must be true before an expression is evaluated.
  private mutating func guarded(
    _ condition: Condition, isNested: Bool = true, relation: SQL? = nil
  ) throws(DataError) -> SQL {
    let parts = condition.partsByFallibility
    guard parts.fallible != .all else { return "(\(try sql(parts.others.normalized)))" }
    var guards: [SQL] = relation.map { [$0] } ?? []
    var first: SQL = ""
    if parts.others != .all {
      let others = try sql(parts.others.normalized)
      guards.append("(\(others))")
      if !isNested { first = "(\(others)) and " }
    }
    let fallible = try sql(parts.fallible.normalized)
    var expressions: [SQL] = []
    for expression in parts.fallible.fallibleExpressions {
      expressions.append(try column(expression).sql)
    }
    guards = try readabilityOfJoinedRecords() + guards
    if guards.isEmpty, expressions.isEmpty { return "(\(fallible))" }
    // The branches are not nested, because SQLite limits the depth of a statement.
    var branches: SQL = ""
    if !guards.isEmpty {
      branches += "when (\(SQL.list(guards, separator: " and "))) is not true then false "
    }
    if !expressions.isEmpty {
      branches += "when not (\(dialect.computesAll(expressions))) then false "
    }
    return "\(first)case \(branches)else \(fallible) end"
  }

  mutating func sql(_ normalized: NormalizedCondition) throws(DataError) -> SQL {
    switch normalized {
    case .constant(let holds): return holds ? "true" : "false"
    case .meets(let test): return try sql(test)
    // A test of related records is never null. PostgreSQL joins `not exists`, but not `is not true`.
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

  /// Separates the operands of a condition that can be compiled together from those that are
  /// compiled one by one. Operands that test related records are compiled together, because those
  /// that follow the same relations can share a subquery.
  ///
  /// - Parameter test: A closure that returns the path and the criterion of an operand, or nil if
  ///   the operand has to be compiled separately.
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
    let resolved: ResolvedExpression
    do throws(PathError) {
      resolved = try catalog.resolved(expression, from: schema)
    } catch {
      throw DataError(error)
    }
    var operands: [SQL] = []
    for operand in resolved.operands {
      switch operand {
      case .path(let path): operands.append(try column(path))
      case .count(let hop): operands.append(try count(hop))
      case .referrers(let hop): operands.append(try referrers(hop))
      }
    }
    switch expression {
    case .path where resolved.type != .json, .count, .referrers: return (operands[0], resolved.type)
    case .path, .distance, .json, .value, .function, .arithmetic, .negated, .shifted, .local:
      return (dialect.compute(resolved, operands), resolved.type)
    }
  }

  /// Returns an expression for the number of related records.
  private mutating func count(_ hop: ResolvedPath.Hop) throws(DataError) -> SQL {
    let links = try links(of: hop, root.layout)
    switch dialect.relationTest {
    case .correlated:
      return "(select count(*) from \(links) as _link where _link.source = \(root.key))"
    case .uncorrelated:
      return "coalesce(\(joined("count(*)", of: links)), 0)"
    }
  }

  /// Returns an expression for the list of the ids of the records that refer to a record.
  private mutating func referrers(_ hop: ResolvedPath.Hop) throws(DataError) -> SQL {
    let links = try links(of: hop, root.layout)
    switch dialect.relationTest {
    case .correlated: return dialect.list(in: "\(links) as _link", from: root.key)
    case .uncorrelated:
      let list: SQL = "jsonb_agg(target order by target)"
      return "coalesce(\(joined(list, of: links)), \(dialect.emptyArray))"
    }
  }

  /// Adds a join with a subquery that computes an aggregate of the links of each record, such as
  /// their number. Returns the column that contains the aggregate.
  private mutating func joined(_ aggregate: SQL, of links: SQL) -> SQL {
    let name: SQL = "\(name: "_\(depth)_links_\(aggregateJoins)")"
    aggregateJoins += 1
    joins += """
       left join (select source, \(aggregate) as value from \(links) as _link group by source \
      offset 0) as \(name) on \(name).source = \(root.key)
      """
    return "\(name).value"
  }

  /// What the query requires of the related records that satisfy a condition.
  private enum Requirement {
    /// At least one related record satisfies the condition.
    case record
    /// No related record satisfies the condition.
    case noRecord
  }

  /// Compiles a predicate that is true if at least one related record satisfies the condition.
  private mutating func any(
    _ path: FieldPath, _ condition: Condition, requiring requirement: Requirement
  ) throws(DataError) -> SQL {
    let hop: ResolvedPath.Hop
    do throws(PathError) {
      hop = try catalog.toManyHop(path, from: schema).hop
    } catch {
      throw DataError(error)
    }
    let target = TableLayout(try catalog.schema(hop.target))
    subqueryCount += 1
    switch dialect.relationTest {
    case .uncorrelated:
      var inner = FromClause(target, apartFrom: self)
      let test = try inner.guarded(
        condition, relation: readability(of: hop.target, key: inner.root.key))
      subqueryCount += inner.subqueryCount
      return """
        \(root.key) in (select source from \(try links(of: hop, root.layout)) as _links where target in \
        (select \(inner.root.key) from \(inner.tables) where \(test)))
        """
    case .correlated:
      var inner = FromClause(target, within: self, reading: target.schema.keySlot)
      // A subquery that is executed once also tests records to which no record of the query refers,
      // and they must not cause errors.
      var isExecutedOnce =
        testsRelatedRecordsOnce && condition.partsByFallibility.fallible == .all
      if isExecutedOnce {
        let slots = condition.ownSlots(of: target.schema)
        isExecutedOnce = try !searches(hop, reading: slots, requiring: requirement)
      }
      inner.testsRelatedRecordsOnce = isExecutedOnce
      let isReadable = try readability(of: hop.target, key: inner.root.key)
      let link = try link(of: hop, from: root, to: inner)
      // If the engine reads the links first, only linked records are tested.
      let isRead = link.table != nil && dialect.readsJoinsInOrder
      let relation = [isRead ? nil : "\(link.source) = \(root.key)", isReadable].compactMap(\.self)
      let test = try inner.guarded(
        condition, relation: relation.isEmpty ? nil : SQL.list(relation, separator: " and "))
      return anyLinked(to: root, link, inner, where: test, isExecutedOnce: isExecutedOnce)
    }
  }

  /// Returns whether the query searches an index for the related records of each record. If not, it
  /// reads all related records once.
  ///
  /// The search needs an index that contains all fields of the condition. Without it, each related
  /// record would have to be read in addition, which takes longer than the search itself.
  ///
  /// If no related record may satisfy the condition, the query reads all records of its schema in
  /// any case, so it searches. If at least one must satisfy it, the query can start with the
  /// related records instead, which is faster if there are few of them. It searches only if a
  /// sample says that there are enough of them; see `linkSample`.
  ///
  /// - Parameter slots: The slots of the fields that the condition reads in the related records;
  ///   nil if a search cannot be faster, see `ownSlots`.
  private mutating func searches(
    _ hop: ResolvedPath.Hop, reading slots: [Int]?, requiring requirement: Requirement
  ) throws(DataError) -> Bool {
    let target = try catalog.schema(hop.target)
    guard case .inverse = hop.direction, !target.type(of: hop.slot).isList,
      let slots, target.hasIndex(on: hop.slot, containing: slots),
      readsAll(of: hop.target)
    else { return false }
    switch requirement {
    case .noRecord: return true
    case .record:
      guard depth == 0 else { return false }
      let related = TableLayout(target)
      linkSample =
        linkSample ?? """
          select avg((select count(*) from (select 1 from \(related.table) as _related \
          where _related.\(name: target.name(of: hop.slot)) = _first.id limit 20))) > 0.5 \
          from (select \(root.layout.key) as id from \(root.layout.table) limit 64) as _first
          """
      return dialect.searchesLinks
    }
  }

  /// The table and the columns from which a correlated subquery for related records reads the links
  /// of a to-many relation.
  private struct Link {
    /// The table of the links with its alias; nil if the table of the related records contains the
    /// links.
    var table: SQL?
    /// The column with the id of the record from which the relation is followed.
    var source: SQL
    /// The column with the id of the related record.
    var target: SQL
  }

  /// Returns the table and the columns of the links between the records of `from` and the related
  /// records of the subquery `inner`.
  private func link(
    of hop: ResolvedPath.Hop, from: Source, to inner: FromClause
  ) throws(DataError) -> Link {
    if case .inverse = hop.direction, !inner.schema.type(of: hop.slot).isList,
      try readability(of: hop.target, key: inner.root.key) == nil
    {
      return Link(source: inner.root.column(hop.slot), target: inner.root.key)
    }
    let alias: SQL = "\(name: "_\(inner.depth)_link")"
    return Link(
      table: "\(try links(of: hop, from)) as \(alias)", source: "\(alias).source",
      target: "\(alias).target")
  }

  /// Compiles a predicate that is true if at least one linked record satisfies a test.
  ///
  /// - Parameter isExecutedOnce: Whether the subquery is executed once, and not for each record of
  ///   the table `from`.
  private func anyLinked(
    to from: Source, _ link: Link, _ inner: FromClause, where test: SQL, isExecutedOnce: Bool
  ) -> SQL {
    // The test comes first, because the first operand needs the least stack in SQLite's parser.
    // SQLite reads the tables of a cross join in the order in which they are written.
    guard let table = link.table else {
      return isExecutedOnce
        ? """
        \(from.key) in (select \(link.source) from \(inner.tables) \
        where \(test) and \(link.source) is not null)
        """
        : """
        exists (select 1 from \(inner.tables) where \(test) and \(link.source) = \(from.key))
        """
    }
    let isTarget: SQL = "\(inner.root.key) = \(link.target)"
    return isExecutedOnce
      ? """
      \(from.key) in (select \(link.source) from \(inner.tables), \(table) \
      where \(test) and \(isTarget))
      """
      : """
      exists (select 1 from \(table) cross join \(inner.tables) \
      where \(test) and \(isTarget) and \(link.source) = \(from.key))
      """
  }

  /// Returns a table with one row for each link of a to-many relation or of an inverse relation.
  /// The column `source` contains the id of the record from which the relation is followed. The
  /// column `target` contains the id of the related record.
  func links(
    of hop: ResolvedPath.Hop, _ layout: TableLayout
  ) throws(DataError) -> SQL {
    try readable(try allLinks(of: hop, layout), to: hop.target)
  }

  /// Returns a table with one row for each link of a relation, like `links`, but including the
  /// links to records that the caller may not read.
  func allLinks(
    of hop: ResolvedPath.Hop, _ layout: TableLayout
  ) throws(DataError) -> SQL {
    guard case .inverse = hop.direction else { return layout.link(hop.slot) }
    let target = TableLayout(try catalog.schema(hop.target))
    if target.schema.type(of: hop.slot).isList {
      return """
        (select target as source, source as target, source as position \
        from \(target.link(hop.slot)))
        """
    }
    let relation: SQL = "_referrer.\(name: target.schema.name(of: hop.slot))"
    let id: SQL = "_referrer.\(target.key)"
    return """
      (select \(relation) as source, \(id) as target, \(id) as position \
      from \(target.table) as _referrer where \(relation) is not null)
      """
  }

  /// Returns a table with one row for each link of a to-many relation or of an inverse relation,
  /// with the columns `source` and `target`. It can be joined with the table `from`, even if the
  /// engine distributes tables across servers.
  ///
  /// - Parameter from: The table of the records from which the relation is followed.
  private func links(
    of hop: ResolvedPath.Hop, _ from: Source
  ) throws(DataError) -> SQL {
    if case .inverse = hop.direction { return try links(of: hop, from.layout) }
    return try readable(from.link(hop.slot), to: hop.target)
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

  /// Compiles the predicate for a path, or for the rest of a path whose first relations were
  /// followed by an outer query. Each to-many relation becomes a subquery.
  ///
  /// - Parameter hops: The relations that are still to be followed.
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
        reading: rest.first?.sourceSlot ?? resolvedPath.slot)
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
    switch whole {
    case .geopoint where resolvedPath.part == .whole:
      return predicate.test(pointIn: try source(following: resolvedPath.hops), resolvedPath.slot)
    case .json:
      return predicate.test(json: try column(resolvedPath), under: resolvedPath.keys)
    case .array(let element): return predicate.test(array: try column(resolvedPath), of: element)
    case .id, .text, .integer, .number, .boolean, .date, .datetime, .geopoint, .file, .password,
      .relation:
      return predicate.test(column: try column(resolvedPath), of: resolvedPath.type)
    }
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

extension Condition {
  /// Returns the slots of the fields that the condition reads. Returns nil if the condition also
  /// reads other records or parts of fields.
  ///
  /// Also returns nil if an index finds the few records that satisfy the condition. To read these
  /// once is faster than a search for each record to which they refer.
  fileprivate func ownSlots(of schema: Schema) -> [Int]? {
    selectsByIndex(of: schema) ? nil : slots(of: schema)
  }

  private func slots(of schema: Schema) -> [Int]? {
    func slots(_ paths: [FieldPath]) -> [Int]? {
      let slots = paths.compactMap { $0.names.count == 1 ? schema.slot(named: $0.names[0]) : nil }
      return slots.count == paths.count ? slots : nil
    }
    switch self {
    case .all: return []
    case .test(let path, .comparePath(_, let other)): return slots([path, other])
    case .test(let path, _): return slots([path])
    case .compute(let expression, let criterion):
      let other = criterion.expression
      if expression.readsReferrers || other?.readsReferrers == true { return nil }
      return slots(expression.paths + (other?.paths ?? []))
    case .any: return nil
    case .not(let condition): return condition.slots(of: schema)
    case .and(let parts), .or(let parts):
      let all = parts.map { $0.slots(of: schema) }
      return all.contains(nil) ? nil : all.flatMap { $0 ?? [] }
    }
  }

  /// Whether all records that satisfy the condition have one of a few values in an indexed field,
  /// so that few records remain to be tested.
  fileprivate func selectsByIndex(of schema: Schema) -> Bool {
    switch self {
    case .and(let parts): return parts.contains { $0.selectsByIndex(of: schema) }
    case .test(let path, .compare(.equal, _)), .test(let path, .isIn):
      guard path.names.count == 1, let slot = schema.slot(named: path.names[0]) else {
        return false
      }
      return slot == schema.keySlot || schema.type(of: slot).relation?.isMany == false
        || schema.fields.indices.contains(slot) && schema.fields[slot].isUnique
        || schema.indexes.contains { $0.terms.first?.field == path.names[0] }
    case .all, .test, .compute, .any, .not, .or: return false
    }
  }
}
