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
  /// A query whose result decides how the condition is best compiled. If it returns true, the store
  /// compiles the query again, with a dialect whose `searchesLinks` is true. Nil if that makes no
  /// difference; see `FromClause.linkSample`.
  package let linkSample: SQL?
  private let tables: SQL
  private let condition: SQL
  private let order: SQL
  /// For each statement, the predicate that selects the range of records that it returns. Every
  /// statement also tests the condition of the query.
  private let ranges: [SQL]
  private let key: SQL
  /// The records that are tested one by one, in the order of the query, after a statement has
  /// failed; see `statementInOrder`. Nil if the condition computes no value that can be out of
  /// range, or if all records have to be tested in any case.
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

  /// Returns the statement with the given index. If `limit` is not nil, the statement returns at
  /// most that many rows.
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

  /// Returns a statement that counts the rows of the statement with the given index. If `limit` is
  /// not nil, it counts at most that many rows.
  package func countStatement(_ place: Int, limit: Int?) -> SQL {
    let rest: SQL = "from \(tables) where \(ranges[place]) and (\(condition))"
    guard let limit else { return "select count(*) \(rest)" }
    let order: SQL = candidates == nil ? "" : " order by \(order)"
    return
      "select count(*) from (select 1 \(rest)\(order) limit \(.integer(Int64(limit)))) as _found"
  }
}

/// Conditions with computed values that may be out of range. A query with a limit fails only if
/// there is such a value before the last record that it returns, in the order of the query.
///
/// An engine that reads the records in this order stops at the limit. An engine that has to sort
/// them tests all records first, so it may fail because of a later record. If a statement fails, it
/// is therefore replaced by a slower one, which sorts the records before it tests them.
extension CompiledQuery {
  /// The records that satisfy all parts of the condition without computed values.
  fileprivate struct Candidates {
    let tables: SQL
    let condition: SQL
    /// For each statement of the query, the predicate that selects the range of records that it
    /// returns.
    let ranges: [SQL]

    /// Returns nil if the condition computes no value that can be out of range. Also returns nil if
    /// all records have to be tested in any case, for example because the query has no limit.
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

  /// Returns a statement with the same result as the statement with the given index. It tests the
  /// records one by one, in the order of the query. Returns nil if there is no such statement.
  ///
  /// - Parameter start: The number of rows to skip, because the replaced statement has already
  ///   returned them.
  package func statementInOrder(_ place: Int, limit: Int?, from start: Int) -> SQL? {
    keysInOrder(place, limit: limit, from: start).map { keys in
      statement(where: "\(key) in (\(keys))")
    }
  }

  /// Returns a statement that counts the rows of the statement that `statementInOrder` returns.
  /// Returns nil if there is no such statement.
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

  /// Returns predicates that together select the values after the given one in the order of the
  /// query. There can be two predicates, because nulls are not in the same range as other values.
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

/// A group query compiled to one SQL statement.
package struct CompiledGroupQuery {
  package let statement: SQL
  package let columns: [GroupColumn]
  package let schema: Schema
  package let selectList: SelectList
  /// A query whose result decides how the condition is best compiled. If it returns true, the store
  /// compiles the query again, with a dialect whose `searchesLinks` is true. Nil if that makes no
  /// difference; see `FromClause.linkSample`.
  package let linkSample: SQL?

  package init(
    _ query: GroupQuery, in catalog: Catalog, _ dialect: any Dialect
  ) throws(DataError) {
    let catalog = query.scope?.catalog ?? catalog
    try query.checkSize(in: catalog)
    let columns = try query.columns(in: catalog)
    var fromClause = FromClause(query.schema, in: catalog, dialect, for: query.scope)
    var values: [SQL] = []
    for column in columns { values.append(try Self.value(of: column, in: &fromClause)) }
    let condition = try fromClause.sql(query.condition)
    var source: SQL = "\(fromClause.tables) where \(condition)"
    var selected = zip(columns, values).map { Self.sql(of: $0, $1, dialect) }
    // The keys are given by their positions: PostgreSQL regards an expression with bound values as
    // another expression if it is repeated.
    var keys = query.keys.indices.map(Self.position)
    if selected.contains(nil)
      || columns.contains(where: { $0.type == .json || $0.aggregatesComputedValues })
    {
      source = Self.subquery(columns, values, from: source, dialect)
      keys = query.keys.indices.map { "\(name: Self.value($0))" }
      selected = columns.enumerated().map { index, column in
        let sql = Self.sql(of: column, "\(name: Self.value(index))", dialect)
        return column.type == .json
          ? sql.map(dialect.json) : sql ?? Self.median(index, dialect)
      }
    }
    var outputs = selected.compactMap(\.self)
    // `grouped` may prevent the use of an index. An index is faster only if the query has a limit,
    // or if it only counts records.
    if query.limit == nil, columns.contains(where: \.isAggregate) {
      for index in query.keys.indices { outputs[index] = dialect.grouped(outputs[index]) }
    }
    let names = columns.map { column -> SQL in "\(name: column.name)" }
    let order = try query.resolvedOrder(in: catalog)
    let isFallible = query.condition.isFallible || columns.contains(where: \.isFallible)
    // A condition on groups or a computed sort term needs the values of the groups. They are then
    // read from a subquery.
    let readsGroups =
      query.having != .all || order.contains { $0.slot == nil } || isFallible && query.limit != nil
    if readsGroups { outputs = zip(outputs, names).map { "\($0) as \($1)" } }
    var sql: SQL = "select \(SQL.list(outputs)) from \(source)"
    if !keys.isEmpty { sql += " group by \(SQL.list(keys))" }
    var terms = order.map { Self.position($0.slot ?? 0) }
    if readsGroups {
      // With a limit, the subquery is not merged into the outer query. Without it, an engine would
      // compute only some values of groups that the outer query excludes.
      let all: SQL = " limit \(.integer(.max))"
      if isFallible { sql += all }
      var groups = FromClause(try query.resultSchema(in: catalog), in: catalog, dialect)
      var having = try groups.sql(query.having)
      if isFallible { having = dialect.guarding(having) }
      for (index, term) in order.enumerated() where term.slot == nil {
        terms[index] = try groups.column(term.value.expression).sql
      }
      sql = "(\(sql)) as \(groups.root.name)"
      if query.having.isTested(inOrder: order, limit: query.limit) {
        // As for records, the groups are sorted before they are tested.
        let others = try groups.sql(query.having.partsByFallibility.others)
        sql = """
          (select \(SQL.list(names)) from \(sql) \
          where \(others)\(Self.order(by: terms, order, dialect))\(all)) as \(groups.root.name)
          """
        terms = []
      }
      sql = "select \(SQL.list(names)) from \(sql) where \(having)"
    }
    sql += Self.order(by: terms, order, dialect)
    if let limit = query.limit { sql += " limit \(.integer(Int64(limit)))" }
    statement = sql
    self.columns = columns
    schema = query.schema
    linkSample = fromClause.linkSample
    selectList = SelectList(columns.map(\.type))
  }

  /// Returns an `order by` clause that sorts by the given columns, or empty SQL if there are none.
  private static func order(
    by terms: [SQL], _ order: [ResolvedOrder], _ dialect: any Dialect
  ) -> SQL {
    let terms = zip(terms, order).map { term, order in
      dialect.ordered(term, isDescending: order.isDescending, mayBeNull: true)
    }
    return terms.isEmpty ? "" : " order by \(SQL.list(terms))"
  }

  /// Returns the position of a result column, counted from 1, for use in `group by` and `order by`.
  private static func position(_ index: Int) -> SQL { "\(number: Int64(index + 1))" }

  /// Returns an expression for the value that a column groups by or aggregates.
  private static func value(
    of column: GroupColumn, in fromClause: inout FromClause
  ) throws(DataError) -> SQL {
    switch column.source {
    case .key(let key): try fromClause.column(key.expression).sql
    case .count: "1"
    case .sum(let value), .average(let value), .median(let value), .minimum(let value),
      .maximum(let value):
      try fromClause.column(value.expression).sql
    }
  }

  /// Returns the SQL of a result column. Returns nil for a median if the engine has no aggregate
  /// function for medians.
  ///
  /// - Parameter value: The expression that the column groups by or aggregates.
  private static func sql(
    of column: GroupColumn, _ value: SQL, _ dialect: any Dialect
  ) -> SQL? {
    switch column.source {
    case .key: value
    case .count: "count(*)"
    case .sum(let summand): dialect.sum(value, of: summand.type)
    case .average(let summand): dialect.average(value, of: summand.type)
    case .median(let summand): dialect.median(value, of: summand.type)
    case .minimum: dialect.minimum(value, of: column.type)
    case .maximum: dialect.maximum(value, of: column.type)
    }
  }
}

/// Group queries that read their values from a subquery, for two reasons. The subquery computes
/// each value once, although an aggregate function may use it several times. And it can rank the
/// values of each group with window functions. An engine without an aggregate function for medians
/// needs the ranks: the median is the average of the middle values.
extension CompiledGroupQuery {
  private static func value(_ index: Int) -> String { "_value_\(index)" }
  private static func rank(_ index: Int) -> String { "_rank_\(index)" }
  private static func count(_ index: Int) -> String { "_count_\(index)" }

  /// Returns a subquery that selects the values of all columns for each record. For each median
  /// that the engine cannot compute with an aggregate function, the subquery also selects the rank
  /// of the value in its group and the number of values in the group.
  private static func subquery(
    _ columns: [GroupColumn], _ values: [SQL], from source: SQL, _ dialect: any Dialect
  ) -> SQL {
    var parts: [SQL] = []
    let keys = zip(columns, values).compactMap { if case .key = $0.source { $1 } else { nil } }
    let partition: SQL = keys.isEmpty ? "" : "partition by \(SQL.list(keys)) "
    for (index, column) in columns.enumerated() {
      parts.append("\(values[index]) as \(name: value(index))")
      guard case .median(let value) = column.source,
        dialect.median(values[index], of: value.type) == nil
      else { continue }
      // In descending order, null is last.
      let order = dialect.ordered(values[index], isDescending: true, mayBeNull: true)
      parts.append("row_number() over (\(partition)order by \(order)) as \(name: rank(index))")
      parts.append("count(\(values[index])) over (\(partition)) as \(name: count(index))")
    }
    return "(select \(SQL.list(parts)) from \(source)) as _values"
  }

  private static func median(_ index: Int, _ dialect: any Dialect) -> SQL {
    let (rank, count): (SQL, SQL) = ("\(name: rank(index))", "\(name: count(index))")
    let middle: SQL = """
      case when 2 * \(rank) between \(count) and \(count) + 2 then \(name: value(index)) end
      """
    return dialect.average(middle, of: .number)
  }
}

extension GroupColumn {
  /// Whether the column aggregates values: a sum, an average, a median, a minimum or a maximum.
  /// False for counts, which read no values.
  fileprivate var isAggregate: Bool {
    switch source {
    case .key, .count: false
    case .sum, .average, .median, .minimum, .maximum: true
    }
  }

  /// Whether the column groups by, or aggregates, a computed value that may be out of range.
  fileprivate var isFallible: Bool {
    switch source {
    case .count: false
    case .key(let value), .sum(let value), .average(let value), .median(let value),
      .minimum(let value), .maximum(let value):
      value.expression.isFallible
    }
  }

  /// Whether the column aggregates computed values. If so, the values are computed in a subquery,
  /// because an aggregate function may use its operand several times.
  fileprivate var aggregatesComputedValues: Bool {
    switch source {
    case .key, .count: false
    case .sum(let value), .average(let value), .median(let value), .minimum(let value),
      .maximum(let value):
      switch value.expression {
      case .path, .json: false
      case .count, .distance, .referrers, .value, .function, .arithmetic, .negated, .shifted,
        .local:
        true
      }
    }
  }
}

extension Query {
  /// Whether the query reads records of related schemas.
  package var followsRelations: Bool {
    scope != nil || condition.followsRelations || !joinedFields.isEmpty
      || (computed + order.map(\.value)).contains { $0.followsRelations }
  }
}

extension GroupQuery {
  /// Whether the query reads records of related schemas.
  package var followsRelations: Bool {
    scope != nil || condition.followsRelations || keys.contains { $0.expression.followsRelations }
      || aggregates.contains { $0.expression?.followsRelations ?? false }
  }
}

extension Expression {
  fileprivate var followsRelations: Bool {
    readsReferrers || paths.contains { $0.names.count > 1 }
  }
}

extension Condition {
  fileprivate var followsRelations: Bool {
    switch self {
    case .all: false
    case .test(let path, .comparePath(_, let other)): path.names.count > 1 || other.names.count > 1
    case .test(let path, _): path.names.count > 1
    case .compute(let expression, let criterion):
      expression.followsRelations || criterion.expression?.followsRelations == true
    case .any: true
    case .not(let condition): condition.followsRelations
    case .and(let conditions), .or(let conditions): conditions.contains { $0.followsRelations }
    }
  }
}

extension Rows {
  /// Returns the rows in reverse order.
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
