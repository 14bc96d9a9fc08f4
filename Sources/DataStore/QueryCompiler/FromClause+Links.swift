import DataModel

/// The links of to-many relations, and conditions on the records to which they lead.
extension FromClause {
  /// Returns an expression for the number of related records.
  mutating func count(_ hop: ResolvedPath.Hop) throws(DataError) -> SQL {
    let links = try links(of: hop, root.layout)
    switch dialect.relationTest {
    case .correlated:
      return "(select count(*) from \(links) as _link where _link.source = \(root.key))"
    case .uncorrelated:
      return "coalesce(\(joined("count(*)", of: links)), 0)"
    }
  }

  /// Returns an expression for an aggregate of the values of an expression for the related records.
  /// It is null if a value or the result is out of range.
  mutating func aggregate(
    _ function: AggregateFunction, of term: ResolvedExpression, _ hop: ResolvedPath.Hop
  ) throws(DataError) -> SQL {
    let result: SQL =
      switch function {
      case .sum:
        dialect.inRange(dialect.sum("_value", of: term.type), of: function.type(of: term.type))
      case .average: dialect.average("_value", of: term.type)
      case .median: preconditionFailure("a median is of a group")
      case .minimum: dialect.minimum("_value", of: term.type)
      case .maximum: dialect.maximum("_value", of: term.type)
      }
    guard term.expression.mayBeOutOfRange else { return try aggregate(result, over: term, hop) }
    let outOfRange: SQL = "count(case when _value is null and _is_defined then 1 end)"
    return try aggregate("case when \(outOfRange) = 0 then \(result) end", over: term, hop)
  }

  /// Returns a predicate that is true if an expression is defined for at least one related record.
  mutating func isDefined(
    _ term: ResolvedExpression, _ hop: ResolvedPath.Hop
  ) throws(DataError) -> SQL {
    let count = try aggregate("max(case when _is_defined then 1 else 0 end)", over: term, hop)
    return "coalesce(\(count), 0) = 1"
  }

  /// Returns an expression for an aggregate over the related records. It reads two columns: `_value`,
  /// the value of an expression for a related record, and `_is_defined`; see `isDefined`.
  private mutating func aggregate(
    _ aggregate: SQL, over term: ResolvedExpression, _ hop: ResolvedPath.Hop
  ) throws(DataError) -> SQL {
    let slots = term.operands.compactMap { operand in
      if case .path(let path) = operand { path.hops.first?.sourceSlot ?? path.slot } else { nil }
    }
    let target = TableLayout(try catalog.schema(hop.target))
    var inner = FromClause(target, within: self, reading: slots)
    let values: SQL = """
      \(try inner.column(term.expression).sql) as _value, \(try inner.isDefined(term.expression)) as \
      _is_defined
      """
    switch dialect.relationTest {
    case .correlated:
      let link = try link(of: hop, from: root, to: inner)
      var tables = inner.tables
      var condition: SQL = "\(link.source) = \(root.key)"
      if let table = link.table {
        tables = "\(table) cross join \(tables)"
        condition = "\(inner.root.key) = \(link.target) and \(condition)"
      }
      // With a limit, the subquery is not merged into the outer query, which would then compute a
      // value several times.
      let isRead = if case .path = term.expression { true } else { false }
      let end: SQL = isRead ? "" : " limit \(.integer(.max))"
      return """
        (select \(aggregate) from (select \(values) from \(tables) where \(condition)\(end)) as _terms)
        """
    case .uncorrelated:
      let terms: SQL = """
        (select _related.source, \(values) from \(try links(of: hop, root.layout)) as _related \
        cross join \(inner.tables) where \(inner.root.key) = _related.target offset 0)
        """
      return joined(aggregate, of: terms)
    }
  }

  /// Returns an expression for the list of the ids of the records that refer to a record.
  mutating func referrers(_ hop: ResolvedPath.Hop) throws(DataError) -> SQL {
    let links = try links(of: hop, root.layout)
    let order: SQL = hop.positionSlot == nil ? "position" : "position, target"
    switch dialect.relationTest {
    case .correlated: return dialect.list(in: "\(links) as _link", from: root.key, by: order)
    case .uncorrelated:
      let list: SQL = "jsonb_agg(target order by \(order))"
      return "coalesce(\(joined(list, of: links)), \(dialect.emptyArray))"
    }
  }

  /// Adds a join with the distinct elements of a list, which repeats a record for each of them. Returns
  /// the column that contains the element, which is null if there are none.
  mutating func element(of path: ResolvedPath) throws(DataError) -> SQL {
    let list: (hops: ArraySlice<ResolvedPath.Hop>, hop: ResolvedPath.Hop)?
    if path.endsInInverse, let hop = path.hops.last {
      list = (path.hops.dropLast(), hop)
    } else {
      list =
        path.type.relation == nil
        ? nil : catalog.hop(path.slot, of: path.schema).map { (path.hops[...], $0.hop) }
    }
    guard let list else {
      let elements = dialect.elements(in: try column(path), of: path.type, under: path.keys)
      joins += " left join \(elements.table) as _each on true"
      return elements.value
    }
    let from = try source(following: Array(list.hops))
    joins += " left join \(try links(of: list.hop, from)) as _each on _each.source = \(from.key)"
    return "_each.target"
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

  /// How many related records must satisfy a condition.
  enum Requirement {
    /// At least one related record satisfies the condition.
    case record
    /// No related record satisfies the condition.
    case noRecord
  }

  /// Compiles a predicate that is true if at least one related record satisfies the condition.
  mutating func any(
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
      let test = try inner.sql(condition.normalized)
      subqueryCount += inner.subqueryCount
      return """
        \(root.key) in (select source from \(try links(of: hop, root.layout)) as _links where target in \
        (select \(inner.root.key) from \(inner.tables) where \(test)))
        """
    case .correlated:
      var inner = FromClause(target, within: self, reading: [])
      var isExecutedOnce = testsRelatedRecordsOnce
      if isExecutedOnce {
        let slots = condition.ownSlots(of: target.schema)
        isExecutedOnce = try !searches(hop, reading: slots, requiring: requirement)
      }
      inner.testsRelatedRecordsOnce = isExecutedOnce
      let link = try link(of: hop, from: root, to: inner)
      let test: SQL = "(\(try inner.sql(condition.normalized)))"
      return anyLinked(to: root, link, inner, where: test, isExecutedOnce: isExecutedOnce)
    }
  }

  /// Returns whether the query searches an index for the related records of each queried record.
  /// The alternative is to read all related records once.
  ///
  /// Searching is faster only if the index contains all fields of the condition. If it does not,
  /// each related record has to be read in addition.
  ///
  /// If at least one related record must satisfy the condition, reading all related records is
  /// faster when there are few of them. A sample then determines whether the query searches; see
  /// `linkSample`.
  ///
  /// - Parameter slots: The slots that the condition reads in the related records, or nil if
  ///   searching cannot be faster; see `ownSlots`.
  mutating func searches(
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

  /// The links of a to-many relation, as SQL for a correlated subquery: their table and its
  /// columns.
  struct Link {
    /// The table of the links with its alias; nil if the table of the related records contains the
    /// links.
    var table: SQL?
    /// The column with the id of the record from which the relation is followed.
    var source: SQL
    /// The column with the id of the related record.
    var target: SQL
  }

  /// Returns the links of a relation as SQL. The links lead from the records of `from` to the
  /// related records, which the subquery `inner` reads.
  func link(
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
  func anyLinked(
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
    // Null precedes all positions.
    let position: SQL =
      hop.positionSlot.map { slot in
        "coalesce(_referrer.\(name: target.schema.name(of: slot)), \(.integer(.min)))"
      } ?? id
    return """
      (select \(relation) as source, \(id) as target, \(position) as position \
      from \(target.table) as _referrer where \(relation) is not null)
      """
  }

  /// Returns a table with the columns `source` and `target`, and one row for each link of a to-many
  /// relation or of an inverse relation. The engine can join this table with the table `from`, even
  /// if tables are distributed across servers.
  ///
  /// - Parameter from: The table of the records from which the relation is followed.
  func links(
    of hop: ResolvedPath.Hop, _ from: Source
  ) throws(DataError) -> SQL {
    if case .inverse = hop.direction { return try links(of: hop, from.layout) }
    return try readable(from.link(hop.slot), to: hop.target)
  }
}

extension Condition {
  /// Returns the slots of the fields that the condition reads, or nil in two cases:
  ///
  /// - The condition also reads other records, or a component of a field, such as the size of a
  ///   file.
  /// - An index finds the few records that satisfy the condition. Reading these few records once is
  ///   faster than a search for each queried record.
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

  /// Whether the condition requires one of a few values in an indexed field. The index then finds
  /// the few records that may satisfy the condition.
  func selectsByIndex(of schema: Schema) -> Bool {
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
