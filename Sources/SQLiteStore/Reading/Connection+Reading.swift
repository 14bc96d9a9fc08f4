import DataModel
import DataStore

extension Connection {
  /// Runs a closure in a read transaction, so that all of its queries see the same snapshot.
  func reading<Result>(
    _ body: (borrowing Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    try run("begin")
    do throws(DataError) {
      let result = try body(self)
      try run("commit")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Returns the records with the given ids, in the order of the ids, and the indices of the ids
  /// that do not exist.
  func find(_ ids: [String], in schema: Schema, slots: [Int]) throws(DataError) -> FoundRecords {
    let reader = RowReader(TableLayout(schema), slots: slots, invalidValues: .marked)
    let statement = try lookup(in: TableLayout(schema), by: reader)
    var found = FoundRecords(rows: Rows(width: schema.width), missing: [])
    for (index, id) in ids.enumerated() {
      try statement.bind(id, at: 1)
      if try statement.step() {
        try reader.read(statement, into: &found.rows)
      } else {
        found.missing.append(index)
      }
      statement.reset()
    }
    return found
  }

  /// Prepares the statement that reads one record by its id. The id is the only parameter of the
  /// statement.
  func lookup(in layout: TableLayout, by reader: RowReader) throws(DataError) -> Statement {
    try Statement(
      """
      select \(reader.selectList) from \(layout.table) where \(layout.key) = \(SQL.parameter)
      """, on: self)
  }

  /// Compiles a query to SQL. A condition on related records can be compiled in two ways, and the
  /// number of related records determines which one is faster. This number is estimated from a
  /// sample of the stored records.
  func compiled(_ query: Query, in catalog: Catalog) throws(DataError) -> CompiledQuery {
    let compiled = try CompiledQuery(query, in: catalog, SQLiteDialect())
    guard let sample = compiled.linkSample, try integer(sample) == 1 else { return compiled }
    return try CompiledQuery(query, in: catalog, SQLiteDialect(searchesLinks: true))
  }

  /// Compiles a group query to SQL. A condition on related records can be compiled in two ways. A
  /// sample of the stored records determines which one is used.
  func compiled(_ query: GroupQuery, in catalog: Catalog) throws(DataError) -> CompiledGroupQuery {
    let compiled = try CompiledGroupQuery(query, in: catalog, SQLiteDialect())
    guard let sample = compiled.linkSample, try integer(sample) == 1 else { return compiled }
    return try CompiledGroupQuery(query, in: catalog, SQLiteDialect(searchesLinks: true))
  }

  /// Returns the number of records that a query returns, after its limit is applied.
  func count(_ query: Query, in catalog: Catalog) throws(DataError) -> Int {
    let compiled = try self.compiled(query, in: catalog)
    var count = 0
    for index in 0..<compiled.count {
      let remaining = query.limit.map { $0 - count }
      count += try Int(integer(compiled.countStatement(index, limit: remaining)) ?? 0)
    }
    return count
  }

  /// Returns SQLite's plan for executing a query (`explain query plan`).
  func explain(_ query: Query, in catalog: Catalog) throws(DataError) -> Explanation {
    let compiled = try self.compiled(query, in: catalog)
    var explanation = Explanation(steps: [], ordering: .byIndex)
    for index in 0..<compiled.count {
      let sql =
        query.isCounted
        ? compiled.countStatement(index, limit: query.limit)
        : compiled.statement(index, limit: query.limit)
      let statement = try Statement("explain query plan \(sql)", on: self)
      var depths: [Int64: Int] = [0: 0]
      while try statement.step() {
        let depth = depths[statement.integer(1)] ?? 0
        depths[statement.integer(0)] = depth + 1
        let step = statement.text(3) ?? ""
        explanation.steps.append(String(repeating: "  ", count: depth) + step)
        if depth == 0, step.hasPrefix("USE TEMP B-TREE FOR"), step.hasSuffix("ORDER BY") {
          explanation.ordering = .bySorting
        }
      }
    }
    return explanation
  }
}
