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

  package init(
    _ query: Query, in catalog: Catalog, _ dialect: any Dialect
  ) throws(DataError) {
    let catalog = query.scope?.catalog ?? catalog
    try query.checkSize(in: catalog)
    var fromClause = FromClause(
      query.schema, in: catalog, dialect, for: query.scope,
      prefersIndexSearch: query.order.isEmpty && query.limit == nil)
    let resolvedOrder = try query.resolvedOrder(in: catalog)
    var terms = try Term.terms(resolvedOrder, in: &fromClause)
    let condition: SQL
    if let limit = query.valueLimit {
      let found = try Self.found(by: query, limit, resolvedOrder, in: catalog, dialect)
      condition = "\(fromClause.root.key) in \(found)"
    } else {
      condition = try fromClause.sql(query.condition)
    }
    var selectList = SelectList(
      fromClause.root.layout, slots: query.slots,
      hashSlot: query.includesPasswordHashes ? query.schema.passwordSlot : nil, dialect)
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
    // JSON of an unsupported type is an error only in records that meet the condition.
    if query.bound != nil, resolvedOrder.contains(where: \.value.expression.rejectsSomeJSON) {
      ranges = ranges.map { "case when \(condition) then \($0) else false end" }
    }
    self.ranges = ranges
    self.condition = condition
    order = SQL.list(terms.map(\.sql))
    tables = fromClause.tables
    linkSample = fromClause.linkSample
    self.selectList = selectList
    self.isReversed = isReversed
  }

  /// Returns a subquery that selects the ids of the records that meet the condition of a query and
  /// are among the first ones with the same value.
  private static func found(
    by query: Query, _ limit: Query.ValueLimit, _ order: [ResolvedOrder], in catalog: Catalog,
    _ dialect: any Dialect
  ) throws(DataError) -> SQL {
    var fromClause = FromClause(query.schema, in: catalog, dialect, for: query.scope)
    let terms = try Term.terms(order, in: &fromClause)
    let value = try fromClause.column(limit.value).sql
    let condition = try fromClause.sql(query.condition)
    return """
      (select _id from (select \(fromClause.root.key) as _id, row_number() over (partition by \
      \(value) order by \(SQL.list(terms.map(\.sql)))) as _rank from \(fromClause.tables) where \
      \(condition)) as _ranked where _rank <= \(.integer(Int64(limit.count))))
      """
  }

  /// The number of SQL statements to which the query was compiled.
  package var count: Int { ranges.count }

  /// Returns one of the statements to which the query was compiled. If `limit` is not nil, the
  /// statement returns at most that many rows.
  ///
  /// - Parameter place: The position of the statement in the list of these statements.
  package func statement(_ place: Int, limit: Int?) -> SQL {
    let end: SQL = limit.map { " limit \(.integer(Int64($0)))" } ?? ""
    return """
      select \(selectList.columns) from \(tables) where \(ranges[place]) and (\(condition)) \
      order by \(order)\(end)
      """
  }

  /// Returns a statement that counts the rows of one of the statements to which the query was
  /// compiled. If `limit` is not nil, it counts at most that many rows.
  ///
  /// - Parameter place: The position of the counted statement in the list of these statements.
  package func countStatement(_ place: Int, limit: Int?) -> SQL {
    let rest: SQL = "from \(tables) where \(ranges[place]) and (\(condition))"
    guard let limit else { return "select count(*) \(rest)" }
    return "select count(*) from (select 1 \(rest) limit \(.integer(Int64(limit)))) as _found"
  }
}

/// A column in the `order by` clause of a query.
private struct Term {
  let column: SQL
  let type: FieldType
  let isDescending: Bool
  let nullsAreFirst: Bool
  let mayBeNull: Bool
  let dialect: any Dialect

  static func terms(
    _ order: [ResolvedOrder], in fromClause: inout FromClause
  ) throws(DataError) -> [Term] {
    var terms: [Term] = []
    for term in order {
      terms.append(
        Term(
          column: try fromClause.column(term.value.expression).sql, type: term.value.type,
          isDescending: term.isDescending, nullsAreFirst: term.nullsAreFirst,
          mayBeNull: term.slot != fromClause.schema.keySlot, dialect: fromClause.dialect))
    }
    return terms
  }

  var sql: SQL {
    if nullsAreFirst != isDescending {
      return dialect.ordered(column, isDescending: isDescending, mayBeNull: mayBeNull)
    }
    return isDescending ? column + " desc nulls first" : column + " asc nulls last"
  }

  var reversed: Term {
    Term(
      column: column, type: type, isDescending: !isDescending, nullsAreFirst: !nullsAreFirst,
      mayBeNull: mayBeNull, dialect: dialect)
  }

  private func compares(_ comparison: Comparison, with value: Value) -> SQL {
    dialect.compares(column, of: type, comparison, with: value)
  }

  /// Returns predicates that together select all values after the given one in the sort order of
  /// the column. There can be two predicates, because nulls are not in the same range as other
  /// values.
  private func after(_ value: Value) -> [SQL] {
    if value == .null { return nullsAreFirst ? ["\(column) is not null"] : [] }
    let range = compares(isDescending ? .less : .greater, with: value)
    return !nullsAreFirst && mayBeNull ? [range, "\(column) is null"] : [range]
  }

  /// Returns predicates that together select the records after a cursor with the given values. Each
  /// predicate selects a separate range of an index.
  static func ranges(after values: [Value], _ terms: [Term]) -> [SQL] {
    var ranges: [SQL] = []
    for place in terms.indices.reversed() {
      let same = (0..<place).map { earlier -> SQL in
        values[earlier] == .null
          ? "\(terms[earlier].column) is null"
          : terms[earlier].compares(.equal, with: values[earlier])
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
