package import DataModel

/// A group query compiled to one SQL statement.
package struct GroupAnswering {
  package let statement: SQL
  package let columns: [GroupColumn]
  package let schema: Schema
  package let selection: Selection

  package init(
    _ query: GroupQuery, in catalog: Catalog, _ dialect: any Dialect
  ) throws(DataError) {
    try query.checkSize(in: catalog)
    let columns = try query.columns(in: catalog)
    var scope = Scope(query.schema, in: catalog, dialect)
    var selected: [SQL] = []
    for column in columns { selected.append(try Self.sql(of: column, in: &scope)) }
    // An index is faster if only the first groups are read, or if groups are only counted.
    if query.limit == nil, columns.contains(where: \.isSum) {
      for place in query.keys.indices { selected[place] = dialect.grouped(selected[place]) }
    }
    let condition = try scope.sql(query.condition)
    var sql: SQL = "select \(SQL.list(selected)) from \(scope.tables) where \(condition)"
    if !query.keys.isEmpty { sql += " group by \(SQL.list(Array(selected[..<query.keys.count])))" }
    let order = query.order(of: columns).map { term -> SQL in
      dialect.ordered(selected[term.place], isDescending: term.isDescending, mayBeNull: true)
    }
    if !order.isEmpty { sql += " order by \(SQL.list(order))" }
    if let limit = query.limit { sql += " limit \(.integer(Int64(limit)))" }
    statement = sql
    self.columns = columns
    schema = query.schema
    selection = Selection(columns.map(\.type))
  }

  private static func sql(
    of column: GroupColumn, in scope: inout Scope
  ) throws(DataError) -> SQL {
    switch column.source {
    case .key(let route): try scope.column(route)
    case .count: "count(*)"
    case .sum(let route): scope.dialect.sum(try scope.column(route), of: route.type)
    case .average(let route): scope.dialect.average(try scope.column(route), of: route.type)
    case .least(let route): scope.dialect.least(try scope.column(route), of: route.type)
    case .greatest(let route): scope.dialect.greatest(try scope.column(route), of: route.type)
    }
  }
}

extension GroupColumn {
  /// Whether the column aggregates a value of each record.
  fileprivate var isSum: Bool {
    switch source {
    case .key, .count: false
    case .sum, .average, .least, .greatest: true
    }
  }
}
