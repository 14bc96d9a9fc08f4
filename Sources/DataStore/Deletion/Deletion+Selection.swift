package import DataModel

/// Selects the records that the request names by id or by a condition.
extension Deletion {
  /// The maximum number of ids in one statement.
  private static let maxIDsPerStatement = 1_000

  /// Marks the records that the request names or selects.
  func select<Engine: SQLTransaction & ~Copyable>(
    _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) {
    let layout = TableLayout(request.schema)
    switch request.selection {
    case .ids(let ids):
      try forEachIDGroup(of: ids, layout, names, on: engine) { (some, _) throws(DataError) in
        try engine.execute(
          """
          insert into \(names.marked) (schema, id, round) \
          select \(.integer(requestedSchema)), \(layout.key), 0 \
          from \(layout.table) where \(some(layout.key))
          """)
      }
    case .matching(let condition):
      let (id, source) = try matching(condition, names)
      try engine.execute(
        """
        insert into \(names.marked) (schema, id, round) select \(.integer(requestedSchema)), \(id), 0 \(source)
        """)
      try lock(layout, requestedSchema, names, on: engine)
    }
  }

  /// Deletes the records that the request names or selects without marking them first, and returns
  /// their number; nil if other records may refer to them, so that they have to be marked.
  func deleteUnmarked<Engine: SQLTransaction & ~Copyable>(
    _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) -> Int? {
    guard references.isEmpty else { return nil }
    let layout = TableLayout(request.schema)
    switch request.selection {
    case .ids(let ids):
      var count = 0
      try forEachIDGroup(of: ids, layout, names, on: engine) {
        (some, expectedCount) throws(DataError) in
        count += try remove(layout, expecting: expectedCount, on: engine, where: some)
      }
      return count
    case .matching(let condition):
      // The condition is evaluated only once, so rows in other tables could not be deleted by it.
      // Only marked records can be checked for deletions that a trigger skipped.
      guard !hasDependentRows(layout, names), !engine.mayPreventDeletes else { return nil }
      let (id, source) = try matching(condition, names)
      return try remove(layout, on: engine) { column in "\(column) in (select \(id) \(source))" }
    }
  }

  /// The id column of the records that meet a condition, and the clauses that select them.
  private func matching(
    _ condition: Condition, _ names: MarkTables
  ) throws(DataError) -> (id: SQL, source: SQL) {
    try condition.checkSize(of: request.schema, in: catalog)
    var fromClause = FromClause(request.schema, in: catalog, names.dialect)
    let predicate = try fromClause.sql(condition)
    return (fromClause.root.key, "from \(fromClause.tables) where \(predicate)")
  }

  /// Locks the records with the given ids, a group at a time, and passes a predicate for the ids of
  /// each group, and the number of existing records, to the body.
  ///
  /// Throws the problems of all groups after the last one.
  private func forEachIDGroup<Engine: SQLTransaction & ~Copyable>(
    of ids: [String], _ layout: TableLayout, _ names: MarkTables, on engine: borrowing Engine,
    _ body: ((SQL) -> SQL, Int) throws(DataError) -> Void
  ) throws(DataError) {
    var error: DataError?
    var seen: Set<[UInt8]> = []
    let ids = ids.filter { seen.insert(Array($0.utf8)).inserted }
    for start in stride(from: 0, to: ids.count, by: Self.maxIDsPerStatement) {
      let some = ids[start..<min(start + Self.maxIDsPerStatement, ids.count)]
      func isOne(_ column: SQL) -> SQL {
        names.dialect.isOne(
          of: some.map(Value.text), column, of: .id, ColumnPredicate(.isEmpty, names.dialect))
      }
      let found = try revisions(isOne(layout.key), layout, names, on: engine)
      for id in some {
        if let revision = found[Array(id.utf8)] {
          if let expected = request.revision, expected != revision {
            error.add(
              .revisionChanged(id: id, of: layout.schema, expected: expected, found: revision))
          }
        } else if request.missing == .refused {
          error.add(.recordNotFound(id: id, of: layout.schema))
        }
      }
      try body(isOne, found.count)
    }
    if let error { throw error }
  }

  /// Locks the existing records among the selected ones, and returns their revisions by id.
  private func revisions<Engine: SQLTransaction & ~Copyable>(
    _ areThese: SQL, _ layout: TableLayout, _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) -> [[UInt8]: Int64] {
    var found: [[UInt8]: Int64] = [:]
    try engine.forEachRow(
      """
      select \(layout.key), revision from \(layout.table) where \(areThese) \
      order by \(layout.key)\(names.dialect.lockClause)
      """, [.id, .integer]
    ) { values in
      if case .text(let id) = values[0], case .integer(let revision) = values[1] {
        found[Array(id.utf8)] = revision
      }
    }
    return found
  }
}

extension DataError? {
  /// Adds a problem, creating the error if there is none yet.
  package mutating func add(_ problem: Problem) {
    if self == nil { self = DataError(problem) } else { self?.add(problem) }
  }
}
