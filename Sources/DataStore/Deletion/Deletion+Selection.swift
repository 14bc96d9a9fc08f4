import DataModel

/// Selects the records to delete. The request specifies them by id or by a condition.
extension Deletion {
  /// Marks for deletion the records that the request selects by id or condition.
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
          from \(layout.table) where \(some(layout.key)) on conflict do nothing
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

  /// Deletes the records that the request selects, without marking them first. Returns the number
  /// of deleted records.
  ///
  /// Returns nil, and deletes nothing, if the records have to be marked, for example because other
  /// records may refer to them.
  func deleteUnmarked<Engine: SQLTransaction & ~Copyable>(
    _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) -> Int? {
    guard references.isEmpty else { return nil }
    let layout = TableLayout(request.schema)
    switch request.selection {
    case .ids(let ids):
      // An id that is repeated in a later chunk is found again only if its record is marked.
      guard try ids.hasOneChunk() else { return nil }
      var count = 0
      try forEachIDGroup(of: ids, layout, names, on: engine) {
        (some, expectedCount) throws(DataError) in
        count += try remove(layout, expecting: expectedCount, on: engine, where: some)
      }
      return count
    case .matching(let condition):
      // The condition can be evaluated only once, so it cannot also select rows of other tables.
      // Deletions that a trigger prevented are detected only for marked records.
      guard !hasDependentRows(layout, names), !engine.mayPreventDeletes else { return nil }
      let (id, source) = try matching(condition, names)
      return try remove(layout, on: engine) { column in "\(column) in (select \(id) \(source))" }
    }
  }

  /// Returns the id column of the records that meet a condition, and the clauses that select these
  /// records.
  private func matching(
    _ condition: Condition, _ names: MarkTables
  ) throws(DataError) -> (id: SQL, source: SQL) {
    try condition.checkSize(of: request.schema, in: catalog)
    var fromClause = FromClause(request.schema, in: catalog, names.dialect)
    let predicate = try fromClause.sql(condition)
    return (fromClause.root.key, "from \(fromClause.tables) where \(predicate)")
  }

  /// Locks the records with the given ids, one group of ids after another, and calls the body for
  /// each group. The body receives two arguments: a function that returns a predicate for the ids
  /// of the group, and the number of existing records in the group.
  ///
  /// After the last group, throws an error if any group had problems. The error contains all of
  /// them.
  private func forEachIDGroup<Engine: SQLTransaction & ~Copyable>(
    of ids: IDList, _ layout: TableLayout, _ names: MarkTables, on engine: borrowing Engine,
    _ body: ((SQL) -> SQL, Int) throws(DataError) -> Void
  ) throws(DataError) {
    var error: DataError?
    let next = try ids.reader()
    while let chunk = try next() {
      var seen: Set<[UInt8]> = []
      let some = chunk.filter { seen.insert(Array($0.utf8)).inserted }
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

  /// Locks the records that satisfy a predicate, and returns their revisions by id.
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
