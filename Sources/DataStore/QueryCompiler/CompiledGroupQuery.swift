package import DataModel

/// A group query compiled to one SQL statement.
package struct CompiledGroupQuery {
  package let statement: SQL
  package let columns: [GroupColumn]
  package let schema: Schema
  package let selectList: SelectList
  /// The index of a result column that names the first aggregate with a value out of range, by its
  /// index in `columns`. It is null if all values are in range. Nil if no aggregate can have such a
  /// value.
  package let outOfRangeIndex: Int?
  /// A query that returns whether the queried records have many related records; see
  /// `FromClause.linkSample`. If so, the store compiles the query again, with a dialect whose
  /// `searchesLinks` is true. Nil if the number of related records makes no difference.
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
      source = try Self.subquery(columns, values, from: source, in: &fromClause)
      keys = query.keys.indices.map { "\(name: Self.value($0))" }
      selected = columns.enumerated().map { index, column in
        let sql = Self.sql(of: column, "\(name: Self.value(index))", dialect)
        return column.type == .json
          ? sql.map(dialect.json) : sql ?? Self.median(index, column, dialect)
      }
    }
    var outputs = selected.compactMap(\.self)
    // `grouped` may prevent the use of an index. An index is faster only if the query has a limit,
    // or if it only counts records.
    if query.limit == nil, columns.contains(where: \.isAggregate) {
      for index in query.keys.indices { outputs[index] = dialect.grouped(outputs[index]) }
    }
    var names = columns.map { column -> SQL in "\(name: column.name)" }
    let outOfRange = Self.firstOutOfRange(columns)
    outOfRangeIndex = outOfRange.map { _ in columns.count }
    if let outOfRange {
      outputs.append(outOfRange)
      names.append(Self.outOfRange)
    }
    let order = try query.resolvedOrder(in: catalog)
    let rejectsSomeJSON = columns.contains(where: \.rejectsSomeJSON)
    // A condition on groups or a computed sort term needs the values of the groups. They are then
    // read from a subquery.
    let readsGroups =
      query.having != .all || order.contains { $0.slot == nil }
      || rejectsSomeJSON && query.limit != nil || outOfRange != nil
    if readsGroups { outputs = zip(outputs, names).map { "\($0) as \($1)" } }
    var sql: SQL = "select \(SQL.list(outputs)) from \(source)"
    if !keys.isEmpty { sql += " group by \(SQL.list(keys))" }
    var terms = order.map { Self.position($0.slot ?? 0) }
    if readsGroups {
      // With a limit, the subquery is not merged into the outer query. Without it, an engine would
      // compute only some values of groups that the outer query excludes.
      if rejectsSomeJSON { sql += " limit \(.integer(.max))" }
      var groups = FromClause(try query.resultSchema(in: catalog), in: catalog, dialect)
      var having = try groups.sql(query.having)
      for (index, term) in order.enumerated() where term.slot == nil {
        terms[index] = try groups.column(term.value.expression).sql
      }
      if outOfRange != nil { having = "(\(having) or \(Self.outOfRange) is not null)" }
      sql = "select \(SQL.list(names)) from (\(sql)) as \(groups.root.name) where \(having)"
    }
    terms = zip(terms, order).map { term, order in
      dialect.ordered(term, isDescending: order.isDescending, mayBeNull: true)
    }
    // The error comes before any other group, whatever `having` and the limit exclude.
    if outOfRange != nil { terms = ["\(Self.outOfRange) is null", Self.outOfRange] + terms }
    if !terms.isEmpty { sql += " order by \(SQL.list(terms))" }
    if let limit = query.limit { sql += " limit \(.integer(Int64(limit)))" }
    statement = sql
    self.columns = columns
    schema = query.schema
    linkSample = fromClause.linkSample
    selectList = SelectList(columns.map(\.type))
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
  private static func isDefined(_ index: Int) -> String { "_is_defined_\(index)" }

  private static let outOfRange: SQL = "_out_of_range"

  /// Returns an expression for the index of the first column that aggregates a value out of range.
  /// Such a value is null although it is defined. Returns nil if there is no such column.
  private static func firstOutOfRange(_ columns: [GroupColumn]) -> SQL? {
    var branches: [SQL] = []
    for (index, column) in columns.enumerated()
    where column.source.aggregated?.expression.mayBeOutOfRange == true {
      branches.append(
        """
        when \(name: value(index)) is null and \(name: isDefined(index)) \
        then cast(\(number: Int64(index)) as bigint)
        """)
    }
    return branches.isEmpty ? nil : "min(case \(SQL.list(branches, separator: " ")) end)"
  }

  /// Returns a subquery that selects the values of all columns for each record. For each median
  /// that the engine cannot compute with an aggregate function, the subquery also selects the rank
  /// of the value in its group and the number of values in the group.
  private static func subquery(
    _ columns: [GroupColumn], _ values: [SQL], from source: SQL, in fromClause: inout FromClause
  ) throws(DataError) -> SQL {
    let dialect = fromClause.dialect
    var parts: [SQL] = []
    let keys = zip(columns, values).compactMap { if case .key = $0.source { $1 } else { nil } }
    let partition: SQL = keys.isEmpty ? "" : "partition by \(SQL.list(keys)) "
    for (index, column) in columns.enumerated() {
      parts.append("\(values[index]) as \(name: value(index))")
      if let aggregated = column.source.aggregated, aggregated.expression.mayBeOutOfRange {
        parts.append(
          "\(try fromClause.isDefined(aggregated.expression)) as \(name: isDefined(index))")
      }
      guard case .median(let value) = column.source,
        dialect.median(values[index], of: value.type) == nil
      else { continue }
      // In descending order, null is last.
      let order = dialect.ordered(values[index], isDescending: true, mayBeNull: true)
      parts.append("row_number() over (\(partition)order by \(order)) as \(name: rank(index))")
      parts.append("count(\(values[index])) over (\(partition)) as \(name: count(index))")
    }
    // With a limit, the subquery is not merged into the outer query, which would then compute each
    // value several times. In a cluster, the servers aggregate their own records only if it is
    // merged.
    let end: SQL =
      switch dialect.relationTest {
      case .correlated: " limit \(.integer(.max))"
      case .uncorrelated: ""
      }
    return "(select \(SQL.list(parts)) from \(source)\(end)) as _values"
  }

  private static func median(_ index: Int, _ column: GroupColumn, _ dialect: any Dialect) -> SQL {
    let (rank, count): (SQL, SQL) = ("\(name: rank(index))", "\(name: count(index))")
    let middle: SQL = """
      case when 2 * \(rank) between \(count) and \(count) + 2 then \(name: value(index)) end
      """
    return dialect.middle(middle, of: column.source.aggregated?.type ?? .number)
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

  /// Whether the column groups by, or aggregates, JSON values, and fails for some of them.
  fileprivate var rejectsSomeJSON: Bool {
    if case .key(let value) = source { return value.expression.rejectsSomeJSON }
    return source.aggregated?.expression.rejectsSomeJSON ?? false
  }

  /// Whether the column aggregates computed values. If so, the values are computed in a subquery,
  /// because an aggregate function may use its operand several times.
  fileprivate var aggregatesComputedValues: Bool {
    switch source.aggregated?.expression {
    case nil, .path, .json, .element: false
    case .count, .aggregate, .distance, .referrers, .value, .function, .coalesce, .arithmetic,
      .negated, .shifted, .local:
      true
    }
  }
}
