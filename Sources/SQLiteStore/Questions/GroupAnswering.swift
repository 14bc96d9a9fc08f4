import CSQLite
import DataModel
import DataStore

/// How a question about groups is answered: by one statement.
struct GroupAnswering {
  let statement: SQL
  private let columns: [GroupColumn]
  private let schema: Schema
  let reader: RowReader

  init(_ query: GroupQuery, in catalog: Catalog) throws(DataError) {
    try query.checkSize(in: catalog)
    let columns = try query.columns(in: catalog)
    var scope = Scope(query.schema, in: catalog)
    var selected: [SQL] = []
    for column in columns { selected.append(try Self.sql(of: column, in: &scope)) }
    let condition = try scope.sql(query.condition)
    var sql: SQL = "select \(SQL.list(selected)) from \(scope.tables) where \(condition)"
    if !query.keys.isEmpty { sql += " group by \(SQL.list(Array(selected[..<query.keys.count])))" }
    let order = query.order(of: columns).map { term -> SQL in
      term.isDescending ? "\(selected[term.place]) desc" : selected[term.place]
    }
    if !order.isEmpty { sql += " order by \(SQL.list(order))" }
    if let limit = query.limit { sql += " limit \(.integer(Int64(limit)))" }
    statement = sql
    self.columns = columns
    schema = query.schema
    reader = RowReader(columns.map(\.type))
  }

  /// Refuses a sum that is beyond what its column can hold, where the statement stands.
  func checkSums(_ statement: borrowing Statement) throws(DataError) {
    for (place, column) in columns.enumerated() {
      switch column.source {
      case .sum, .average:
        guard unsafe ColumnValue(statement, Int32(place)).kind != SQLITE_TEXT else {
          throw .sumTooLarge(column, of: schema)
        }
      case .key, .count, .least, .greatest: continue
      }
    }
  }

  private static func sql(
    of column: GroupColumn, in scope: inout Scope
  ) throws(DataError) -> SQL {
    switch column.source {
    case .key(let route): try scope.column(route)
    case .count: "count(*)"
    case .sum(let route): "_sum(\(try scope.column(route)))"
    case .average(let route): "_average(\(try scope.column(route)))"
    case .least(let route): "min(\(try scope.column(route)))"
    case .greatest(let route): "max(\(try scope.column(route)))"
    }
  }
}
