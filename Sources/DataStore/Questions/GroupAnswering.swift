package import DataModel

/// A group query compiled to one SQL statement.
package struct CompiledGroupQuery {
  package let statement: SQL
  package let columns: [GroupColumn]
  package let schema: Schema
  package let selectList: SelectList

  package init(
    _ query: GroupQuery, in catalog: Catalog, _ dialect: any Dialect
  ) throws(DataError) {
    try query.checkSize(in: catalog)
    let columns = try query.columns(in: catalog)
    var fromClause = FromClause(query.schema, in: catalog, dialect)
    var selected: [SQL] = []
    for column in columns { selected.append(try Self.sql(of: column, in: &fromClause)) }
    // An index is faster if only the first groups are read, or if groups are only counted.
    if query.limit == nil, columns.contains(where: \.isAggregate) {
      for index in query.keys.indices { selected[index] = dialect.grouped(selected[index]) }
    }
    let condition = try fromClause.sql(query.condition)
    var sql: SQL = "select \(SQL.list(selected)) from \(fromClause.tables) where \(condition)"
    if !query.keys.isEmpty { sql += " group by \(SQL.list(Array(selected[..<query.keys.count])))" }
    let order = query.order(of: columns).map { term -> SQL in
      dialect.ordered(selected[term.index], isDescending: term.isDescending, mayBeNull: true)
    }
    if !order.isEmpty { sql += " order by \(SQL.list(order))" }
    if let limit = query.limit { sql += " limit \(.integer(Int64(limit)))" }
    statement = sql
    self.columns = columns
    schema = query.schema
    selectList = SelectList(columns.map(\.type))
  }

  private static func sql(
    of column: GroupColumn, in fromClause: inout FromClause
  ) throws(DataError) -> SQL {
    switch column.source {
    case .key(let resolvedPath): try fromClause.column(resolvedPath)
    case .count: "count(*)"
    case .sum(let resolvedPath):
      fromClause.dialect.sum(try fromClause.column(resolvedPath), of: resolvedPath.type)
    case .average(let resolvedPath):
      fromClause.dialect.average(try fromClause.column(resolvedPath), of: resolvedPath.type)
    case .minimum(let resolvedPath):
      fromClause.dialect.minimum(try fromClause.column(resolvedPath), of: resolvedPath.type)
    case .maximum(let resolvedPath):
      fromClause.dialect.maximum(try fromClause.column(resolvedPath), of: resolvedPath.type)
    }
  }
}

extension GroupColumn {
  /// Whether the column aggregates a value of each record.
  fileprivate var isAggregate: Bool {
    switch source {
    case .key, .count: false
    case .sum, .average, .minimum, .maximum: true
    }
  }
}
