import DataModel

/// Compiles conditions on the records of to-many relations to uncorrelated subqueries; see
/// `RelationTest.uncorrelated`.
extension FromClause {
  /// A predicate on a field of related records. The path to the field contains a to-many relation.
  struct RelatedTest {
    let path: ResolvedPath
    /// The relations of `path` that still have to be compiled to subqueries or joins.
    var hops: ArraySlice<ResolvedPath.Hop>
    let predicate: ColumnPredicate
    /// Whether the predicate tests the ids in a to-many relation, and not a field of the related
    /// records. The ids are the value of the relation, so the caller may read them even if the
    /// related records are hidden.
    let readsIDs: Bool

    /// The relations of `hops` up to and including the first to-many relation, or nil if `hops`
    /// contains only to-one relations.
    var next: ArraySlice<ResolvedPath.Hop>? {
      hops.firstIndex(where: \.isMany).map { hops[...$0] }
    }

    /// Whether the access rules limit the next to-many relation to records that the caller may
    /// read. False if the predicate tests the ids in this relation; see `readsIDs`.
    var nextIsBound: Bool { !(readsIDs && next?.endIndex == hops.endIndex) }
  }

  /// Returns a test that can be compiled to uncorrelated subqueries. Returns nil in three cases:
  ///
  /// - The path follows no to-many relation.
  /// - The engine uses correlated subqueries.
  /// - The criterion compares two paths. The second path belongs to the outer query, to which an
  ///   uncorrelated subquery cannot refer.
  func relatedTest(_ path: ResolvedPath, _ criterion: Criterion) -> RelatedTest? {
    switch dialect.relationTest {
    case .correlated: return nil
    case .uncorrelated: break
    }
    if case .comparePath = criterion { return nil }
    guard path.hops.contains(where: \.isMany) else { return nil }
    let (ids, idCriterion) = withIDs(path, criterion)
    return RelatedTest(
      path: ids, hops: ids.hops[...], predicate: predicate(idCriterion),
      readsIDs: ids.hops.count > path.hops.count)
  }

  /// If the path ends with a to-many relation, extends the path to the ids of the related records,
  /// and changes the criterion to one for a single id: `contains 'a'` becomes `= 'a'`.
  ///
  /// Returns the path and the criterion unchanged if the path ends with another field, or if the
  /// criterion is `isNull` or `isEmpty`, which test the whole list of ids.
  private func withIDs(
    _ path: ResolvedPath, _ criterion: Criterion
  ) -> (ResolvedPath, Criterion) {
    let slot = path.slot
    guard path.schema.type(of: slot).relation?.isMany == true,
      let (hop, target) = catalog.hop(slot, of: path.schema)
    else { return (path, criterion) }
    var ids = path
    ids.hops.append(hop)
    (ids.schema, ids.slot, ids.type) = (target, target.keySlot, .id)
    switch criterion {
    case .isNull, .isEmpty: return (path, criterion)
    case .contains(let id): return (ids, .compare(.equal, id))
    case .compare, .comparePath, .compareExpression, .isIn, .between, .like, .withinCircle,
      .withinBox:
      return (ids, criterion)
    }
  }

  /// Compiles a predicate that is true if at least one of the tests is met. Tests that follow the
  /// same to-many relation share a subquery.
  mutating func anyMeets(_ tests: [RelatedTest]) throws(DataError) -> SQL {
    var predicates: [SQL] = []
    var relations: [(hops: ArraySlice<ResolvedPath.Hop>, isBound: Bool)] = []
    for related in tests {
      if let next = related.next {
        let relation = (hops: next, isBound: related.nextIsBound)
        if !relations.contains(where: { $0 == relation }) { relations.append(relation) }
      } else {
        var rest = related.path
        rest.hops = Array(related.hops)
        predicates.append(try test(single: rest, related.predicate))
      }
    }
    for relation in relations {
      let own = tests.filter { $0.next == relation.hops && $0.nextIsBound == relation.isBound }
      predicates.append(
        try anyMeets(own, following: relation.hops, isBound: relation.isBound))
    }
    return SQL.list(predicates, separator: " or ")
  }

  /// Compiles a predicate that is true if at least one target of a to-many relation satisfies at
  /// least one of the tests.
  ///
  /// - Parameters:
  ///   - hops: The relations to follow. The last of them is the to-many relation.
  ///   - isBound: Whether links to records that the caller may not read are ignored.
  private mutating func anyMeets(
    _ tests: [RelatedTest], following hops: ArraySlice<ResolvedPath.Hop>, isBound: Bool
  ) throws(DataError) -> SQL {
    guard let hop = hops.last else { return "false" }
    let from = try source(following: Array(hops.dropLast()))
    var targets: [SQL] = []
    var others: [RelatedTest] = []
    for var related in tests {
      related.hops = related.hops[hops.endIndex...]
      let path = related.path
      if related.hops.isEmpty, path.part == .whole, path.slot == path.schema.keySlot {
        targets.append(related.predicate.test(column: "target", of: .text))
      } else {
        others.append(related)
      }
    }
    if !others.isEmpty {
      var inner = FromClause(TableLayout(try catalog.schema(hop.target)), apartFrom: self)
      let condition = try inner.anyMeets(others)
      subqueryCount += inner.subqueryCount
      targets.append(
        "target in (select \(inner.root.key) from \(inner.tables) where \(condition))")
    }
    subqueryCount += 1
    let links = try isBound ? links(of: hop, from.layout) : allLinks(of: hop, from.layout)
    let found: SQL = """
      \(from.key) in (select source from \(links) as _links \
      where \(SQL.list(targets, separator: " or ")))
      """
    // If a relation before this one has no target, the whole path is null.
    let includesNull = tests.contains { $0.predicate.criterion == .isNull }
    return includesNull && !from.alwaysExists ? "(\(from.key) is null or \(found))" : found
  }
}

/// Comparisons between the values of two paths, if the first path follows to-many relations. An
/// uncorrelated subquery selects pairs: a value at the end of the first path, and the id of the
/// record at its start.
extension FromClause {
  /// Compiles a comparison of the values at the end of `path` with the value at the end of another
  /// path. `path` follows to-many relations, so it can have several values. The predicate is true
  /// if at least one value satisfies the comparison.
  ///
  /// - Parameter elements: Returns the elements of an array column as a table; see
  ///   `RelationTest.uncorrelated`.
  mutating func compares(
    valuesAt path: ResolvedPath, _ predicate: ColumnPredicate,
    elements: (SQL, ElementType) -> (table: SQL, element: SQL)
  ) throws(DataError) -> SQL {
    guard let first = path.hops.firstIndex(where: \.isMany) else { return "false" }
    let from = try source(following: Array(path.hops[..<first]))
    let type = path.schema.type(of: path.slot)
    var hops = path.hops[first...]
    var end: ResolvedPath? = path
    var readsIDs = false
    if let relation = type.relation, relation.isMany {
      hops.append(ResolvedPath.Hop(slot: path.slot, target: relation.target, isMany: true))
      (end, readsIDs) = (nil, true)
    } else if hops.last?.isMany == true, path.part == .whole, path.slot == path.schema.keySlot {
      end = nil
    }
    var pairs = try pairs(from.layout, following: hops, to: end, readsIDs)
    if type == .geopoint, path.part == .whole { return "false" }
    var valueType = path.type
    if case .array(let element) = type {
      // Citus rejects a correlated subquery for the elements of an array if it is nested in another
      // one.
      let (table, value) = elements("_arrays.value", element)
      pairs = """
        select _arrays.source, \(value) as value from (\(pairs) offset 0) as _arrays \
        cross join \(table)
        """
      valueType = element.fieldType
    } else if end == nil, type.relation != nil || type == .id {
      valueType = .text
    }
    let test = predicate.test(column: "_pairs.value", of: valueType)
    return """
      exists (select 1 from (\(pairs) offset 0) as _pairs \
      where _pairs.source = \(from.key) and \(test))
      """
  }

  /// Returns a query for the values to which a path leads. The result has two columns: `value`
  /// contains a value, and `source` contains the id of the record from which the path starts.
  ///
  /// - Parameters:
  ///   - hops: The relations that the path follows. The first of them is a to-many relation.
  ///   - end: The path to the field that contains the values. Nil if the values are the ids of the
  ///     records to which `hops` lead.
  ///   - readsIDs: Whether the ids are the value of a relation field. The caller may then read them
  ///     even if the access rules hide the related records.
  private func pairs(
    _ layout: TableLayout, following hops: ArraySlice<ResolvedPath.Hop>, to end: ResolvedPath?,
    _ readsIDs: Bool
  ) throws(DataError) -> SQL {
    guard let hop = hops.first else { return "select null as source, null as value" }
    let rest = hops.dropFirst()
    guard !rest.isEmpty || end != nil else {
      let links = try readsIDs ? allLinks(of: hop, layout) : links(of: hop, layout)
      return "select source, target as value from \(links) as _link"
    }
    let target = TableLayout(try catalog.schema(hop.target))
    var inner = FromClause(
      target, within: self, reading: [rest.first?.sourceSlot ?? end?.slot ?? target.schema.keySlot])
    let link: SQL = "\(name: "_\(inner.depth)_link")"
    let value: SQL
    var nested = SQL()
    var isJoined: SQL = "\(inner.root.key) = \(link).target"
    if let next = rest.firstIndex(where: \.isMany) {
      let from = try inner.source(following: Array(rest[..<next]))
      let pairs = try inner.pairs(from.layout, following: rest[next...], to: end, readsIDs)
      nested = " cross join (\(pairs) offset 0) as _pairs"
      isJoined += " and _pairs.source = \(from.key)"
      value = "_pairs.value"
    } else {
      var last = end
      last?.hops = Array(rest)
      value = try last.map { (last) throws(DataError) in try inner.column(last) } ?? "null"
    }
    return """
      select \(link).source, \(value) as value from \(try links(of: hop, layout)) as \(link) \
      cross join \(inner.tables)\(nested) where \(isJoined)
      """
  }
}
