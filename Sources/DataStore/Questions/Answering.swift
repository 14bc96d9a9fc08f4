package import DataModel

/// How a query is answered: by statements whose answers follow each other.
///
/// Without a bound there is one. A place in an order over several columns is no single range of an
/// index, and a condition that says so with *or* reads the index from its beginning. Instead there is
/// a statement, and a range, for each beginning that the records have in common with the place: all
/// the columns but the last, all but the last two, and so on. They are disjoint, and each is read in
/// the order of the query.
package struct Answering {
  /// What the statements select, and the cells that it fills.
  package let selection: Selection
  /// Whether the last of the records come first.
  package let isBackwards: Bool
  private let tables: SQL
  private let condition: SQL
  private let order: SQL
  /// What each statement adds to the condition.
  private let ranges: [SQL]

  package init(
    _ query: Query, in catalog: Catalog, _ dialect: any Dialect
  ) throws(DataError) {
    try query.checkSize(in: catalog)
    var scope = Scope(
      query.schema, in: catalog, dialect, prefersSearch: query.order.isEmpty && query.limit == nil)
    var terms: [Term] = []
    for term in try query.orderRoutes(in: catalog) {
      terms.append(
        Term(
          column: try scope.column(term.route), isDescending: term.isDescending,
          mayBeNull: term.path != query.schema.key.name, dialect: dialect))
    }
    condition = try scope.sql(query.condition)
    var selection = Selection(scope.root.layout, slots: query.slots, dialect)
    for (place, route) in try query.routesAlongside(in: catalog).enumerated() {
      try selection.add(route, at: query.schema.width + place, in: &scope)
    }
    var isBackwards = false
    switch query.bound {
    case nil: ranges = ["true"]
    case .after(let place): ranges = Term.ranges(behind: place.values, terms)
    case .before(let place) where query.limit == nil:
      ranges = Term.ranges(behind: place.values, terms.map(\.reversed)).reversed()
    case .before(let place):
      isBackwards = true
      terms = terms.map(\.reversed)
      ranges = Term.ranges(behind: place.values, terms)
    }
    order = SQL.list(terms.map(\.sql))
    tables = scope.tables
    self.selection = selection
    self.isBackwards = isBackwards
  }

  /// How many statements there are.
  package var count: Int { ranges.count }

  /// The statement at a place, for so many records at the most.
  package func statement(_ place: Int, limit: Int?) -> SQL {
    let sql: SQL = """
      select \(selection.columns) from \(tables) where \(ranges[place]) and (\(condition)) order by \(order)
      """
    guard let limit else { return sql }
    return sql + " limit \(.integer(Int64(limit)))"
  }

  /// The statement that counts what the one at a place gives.
  package func counting(_ place: Int, limit: Int?) -> SQL {
    let rest: SQL = "from \(tables) where \(ranges[place]) and (\(condition))"
    guard let limit else { return "select count(*) \(rest)" }
    return "select count(*) from (select 1 \(rest) limit \(.integer(Int64(limit)))) as _found"
  }
}

/// A column to order by.
private struct Term {
  let column: SQL
  let isDescending: Bool
  let mayBeNull: Bool
  let dialect: any Dialect

  var sql: SQL {
    dialect.ordered(column, isDescending: isDescending, mayBeNull: mayBeNull)
  }
  var reversed: Term {
    Term(
      column: column, isDescending: !isDescending, mayBeNull: mayBeNull, dialect: dialect)
  }

  /// What lies behind a value, in order; null stands before all values going up.
  private func behind(_ value: Value) -> [SQL] {
    switch (value, isDescending) {
    case (.null, false): ["\(column) is not null"]
    case (.null, true): []
    case (_, false): ["\(column) > \(value)"]
    case (_, true):
      ["\(column) < \(value)"] + (mayBeNull ? ["\(column) is null"] : [])
    }
  }

  /// The ranges that lie behind a place, in order.
  static func ranges(behind values: [Value], _ terms: [Term]) -> [SQL] {
    var ranges: [SQL] = []
    for place in terms.indices.reversed() {
      let same = (0..<place).map { earlier -> SQL in
        values[earlier] == .null
          ? "\(terms[earlier].column) is null" : "\(terms[earlier].column) = \(values[earlier])"
      }
      ranges += terms[place].behind(values[place]).map { range in
        SQL.list(same + [range], separator: " and ")
      }
    }
    return ranges
  }
}
