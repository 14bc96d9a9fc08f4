package import DataModel

/// A query compiled to one or more SQL statements. The result of the query consists of the results
/// of the statements, in their order.
///
/// A query without a cursor is a single statement. If a query has a cursor and is sorted by several
/// columns, it is split into statements that each read one range of an index. For example, if the
/// columns are `a` and `b`, and the cursor has the values 1 and 2, the first statement selects `a =
/// 1 and b > 2`, and the second one selects `a > 1`. A single statement that combines these ranges
/// with `or` would scan the index from its start.
package struct CompiledQuery {
  /// The selected columns, and the cells that receive their values.
  package let selectList: SelectList
  /// Whether the statements return the records in reverse order, so that the caller has to reverse
  /// them.
  package let isReversed: Bool
  /// A query that returns whether the queried records have many related records; see
  /// `FromClause.linkSample`. If so, the store compiles the query again, with a dialect whose
  /// `searchesLinks` is true. Nil if the number of related records makes no difference.
  package let linkSample: SQL?
  private let tables: SQL
  private let condition: SQL
  private let order: SQL
  /// For each statement, a predicate that selects one range of the records. Every statement also
  /// tests the condition of the query.
  private let ranges: [SQL]
  private let key: SQL
  /// The records that `statementInOrder` tests one by one, after a statement has failed because a
  /// computed value is out of range. Nil if the query has no such replacement for its statements.
  private let candidates: Candidates?
  /// Whether a selected value is computed and may be out of range, which is an error.
  private let selectsFallibleValues: Bool

  package init(
    _ query: Query, in catalog: Catalog, _ dialect: any Dialect
  ) throws(DataError) {
    let catalog = query.scope?.catalog ?? catalog
    try query.checkSize(in: catalog)
    var fromClause = FromClause(
      query.schema, in: catalog, dialect, for: query.scope,
      prefersIndexSearch: query.order.isEmpty && query.limit == nil)
    var terms: [Term] = []
    let resolvedOrder = try query.resolvedOrder(in: catalog)
    for term in resolvedOrder {
      terms.append(
        Term(
          column: try fromClause.column(term.value.expression).sql,
          isDescending: term.isDescending, nullsAreFirst: term.nullsAreFirst,
          mayBeNull: term.slot != query.schema.keySlot,
          dialect: dialect))
    }
    let condition = try fromClause.sql(query.condition)
    var selectList = SelectList(fromClause.root.layout, slots: query.slots, dialect)
    for (cell, value) in query.additionalValues {
      try selectList.add(value, at: cell, in: &fromClause)
    }
    var isReversed = false
    var ranges: [SQL]
    switch query.bound {
    case nil: ranges = ["true"]
    case .after(let place): ranges = Term.ranges(after: place.values, terms)
    case .before(let place) where query.limit == nil:
      ranges = Term.ranges(after: place.values, terms.map(\.reversed)).reversed()
    case .before(let place):
      isReversed = true
      terms = terms.map(\.reversed)
      ranges = Term.ranges(after: place.values, terms)
    }
    candidates = try Candidates(query, resolvedOrder, ranges, in: catalog, dialect)
    // A value that may be out of range is computed only for records that meet the condition.
    if query.bound != nil, resolvedOrder.contains(where: \.value.expression.isFallible) {
      let guards = try fromClause.readabilityOfJoinedRecords() + [condition]
      ranges = ranges.map { range in
        "case when \(SQL.list(guards, separator: " and ")) then \(range) else false end"
      }
    }
    self.ranges = query.condition.isFallible ? ranges.map(dialect.guarding) : ranges
    self.condition = condition
    key = fromClause.root.key
    selectsFallibleValues = query.computed.contains(where: \.isFallible)
    order = SQL.list(terms.map(\.sql))
    tables = fromClause.tables
    linkSample = fromClause.linkSample
    self.selectList = selectList
    self.isReversed = isReversed
  }

  /// The number of SQL statements to which the query was compiled.
  package var count: Int { ranges.count }

  /// Returns one of the statements to which the query was compiled. If `limit` is not nil, the
  /// statement returns at most that many rows.
  ///
  /// - Parameter place: The position of the statement in the list of these statements.
  package func statement(_ place: Int, limit: Int?) -> SQL {
    let selection: SQL = "\(ranges[place]) and (\(condition))"
    guard let limit else { return statement(where: selection) }
    let end: SQL = " limit \(.integer(Int64(limit)))"
    guard selectsFallibleValues else { return statement(where: selection) + end }
    // An engine may compute the values of all records before it sorts them and applies the limit.
    // Values of records that are not returned must not cause errors.
    return statement(
      where: """
        \(key) in (select \(key) from \(tables) where \(selection) \
        order by \(order)\(end))
        """)
  }

  private func statement(where selection: SQL) -> SQL {
    "select \(selectList.columns) from \(tables) where \(selection) order by \(order)"
  }

  /// Returns a statement that counts the rows of one of the statements to which the query was
  /// compiled. If `limit` is not nil, it counts at most that many rows.
  ///
  /// - Parameter place: The position of the counted statement in the list of these statements.
  package func countStatement(_ place: Int, limit: Int?) -> SQL {
    let rest: SQL = "from \(tables) where \(ranges[place]) and (\(condition))"
    guard let limit else { return "select count(*) \(rest)" }
    let order: SQL = candidates == nil ? "" : " order by \(order)"
    return
      "select count(*) from (select 1 \(rest)\(order) limit \(.integer(Int64(limit)))) as _found"
  }
}

/// Queries whose condition computes values that may be out of range. Such a value is an error. But
/// if a query has a limit, records after the last returned one must not cause errors.
///
/// An engine that reads the records in the order of the query stops at the limit. An engine that
/// has to sort the records tests all of them first, so a later record can cause an error. A
/// statement that fails is therefore replaced by a slower one, which sorts the records before it
/// tests them.
extension CompiledQuery {
  /// The records that satisfy the safe parts of the condition, which cannot cause an error. The
  /// whole condition is then tested for these records one by one.
  fileprivate struct Candidates {
    let tables: SQL
    let condition: SQL
    /// For each statement of the query, a predicate that selects one range of the records.
    let ranges: [SQL]

    /// Prepares the SQL for testing the condition on one record after another, in the order of the
    /// query. Returns nil in three cases:
    ///
    /// - The condition computes no value that can be out of range.
    /// - All records are tested in any case, because the query has no limit or because a sort key
    ///   can be out of range.
    /// - The engine uses uncorrelated subqueries.
    init?(
      _ query: Query, _ order: [ResolvedOrder], _ ranges: [SQL], in catalog: Catalog,
      _ dialect: any Dialect
    ) throws(DataError) {
      guard query.condition.isTested(inOrder: order, limit: query.limit),
        case .correlated = dialect.relationTest
      else { return nil }
      var fromClause = FromClause(query.schema, in: catalog, dialect, for: query.scope)
      // The joins have the same aliases as in the query itself, since the terms come first in both.
      for term in order { _ = try fromClause.column(term.value.expression) }
      condition = try fromClause.sql(query.condition.partsByFallibility.others)
      tables = fromClause.tables
      self.ranges = ranges
    }
  }

  /// Returns a replacement for one of the statements to which the query was compiled. The
  /// replacement has the same result, but tests the records one by one, in the order of the query.
  /// Returns nil if the query has no such replacement.
  ///
  /// - Parameters:
  ///   - place: The position of the replaced statement in the list of statements.
  ///   - start: The number of rows to skip, because the replaced statement has already returned
  ///     them.
  package func statementInOrder(_ place: Int, limit: Int?, from start: Int) -> SQL? {
    keysInOrder(place, limit: limit, from: start).map { keys in
      statement(where: "\(key) in (\(keys))")
    }
  }

  /// Returns a replacement for a statement that counts rows. The replacement has the same result,
  /// but tests the records one by one, in the order of the query. Returns nil if the query has no
  /// such replacement.
  ///
  /// - Parameter place: The position of the counted statement in the list of statements to which
  ///   the query was compiled.
  package func countStatementInOrder(_ place: Int, limit: Int?) -> SQL? {
    keysInOrder(place, limit: limit, from: 0).map { "select count(*) from (\($0)) as _found" }
  }

  private func keysInOrder(_ place: Int, limit: Int?, from start: Int) -> SQL? {
    guard let limit, let candidates else { return nil }
    // With a limit, the subquery is not merged into the outer query.
    return """
      select _candidates.id from (select \(key) as id from \(candidates.tables) \
      where \(candidates.ranges[place]) and (\(candidates.condition)) order by \(order) \
      limit \(.integer(.max))) as _candidates \
      where (select \(condition) from \(tables) where \(key) = _candidates.id) \
      limit \(.integer(Int64(limit))) offset \(.integer(Int64(start)))
      """
  }
}

/// A column in the `order by` clause of a query.
private struct Term {
  let column: SQL
  let isDescending: Bool
  let nullsAreFirst: Bool
  let mayBeNull: Bool
  let dialect: any Dialect

  var sql: SQL {
    if nullsAreFirst != isDescending {
      return dialect.ordered(column, isDescending: isDescending, mayBeNull: mayBeNull)
    }
    return isDescending ? column + " desc nulls first" : column + " asc nulls last"
  }

  var reversed: Term {
    Term(
      column: column, isDescending: !isDescending, nullsAreFirst: !nullsAreFirst,
      mayBeNull: mayBeNull, dialect: dialect)
  }

  /// Returns predicates that together select all values after the given one in the sort order of
  /// the column. There can be two predicates, because nulls are not in the same range as other
  /// values.
  private func after(_ value: Value) -> [SQL] {
    if value == .null { return nullsAreFirst ? ["\(column) is not null"] : [] }
    let range: SQL = isDescending ? "\(column) < \(value)" : "\(column) > \(value)"
    return !nullsAreFirst && mayBeNull ? [range, "\(column) is null"] : [range]
  }

  /// Returns predicates that together select the records after a cursor with the given values. Each
  /// predicate selects a separate range of an index.
  static func ranges(after values: [Value], _ terms: [Term]) -> [SQL] {
    var ranges: [SQL] = []
    for place in terms.indices.reversed() {
      let same = (0..<place).map { earlier -> SQL in
        values[earlier] == .null
          ? "\(terms[earlier].column) is null" : "\(terms[earlier].column) = \(values[earlier])"
      }
      ranges += terms[place].after(values[place]).map { range in
        SQL.list(same + [range], separator: " and ")
      }
    }
    return ranges
  }
}

extension Rows {
  package consuming func reversedRows() -> Rows {
    var cells: [Cell] = []
    cells.reserveCapacity(self.cells.count)
    for row in stride(from: count - 1, through: 0, by: -1) {
      cells += self.cells[row * width..<(row + 1) * width]
    }
    self.cells = cells
    return self
  }
}
