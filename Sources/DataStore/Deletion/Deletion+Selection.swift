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
      try check(ids, layout, names, on: engine) { group throws(DataError) in
        try engine.execute(
          """
          insert into \(names.marked) (schema, id, round) \
          select \(.integer(requestedSchema)), \(layout.key), 0 \
          from \(layout.table) where \(group.contains(layout.key)) on conflict do nothing
          """)
        return .proceed
      }
    case .matching(let condition):
      let (clause, predicate) = try matching(condition, names)
      try engine.execute(
        """
        insert into \(names.marked) (schema, id, round) select \(.integer(requestedSchema)), \
        \(clause.root.key), 0 from \(clause.tables) where \(predicate)
        """)
      if let kept = request.kept { try unmark(kept, names, on: engine) }
      try lock(layout, requestedSchema, names, on: engine)
    }
  }

  /// Removes the deletion marks of the records with the given ids, so that these records are kept.
  private func unmark<Engine: SQLTransaction & ~Copyable>(
    _ ids: IDList, _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) {
    let next = try ids.reader()
    while let chunk = try next() {
      let group = IDGroup(chunk, names.dialect)
      try engine.execute(
        """
        delete from \(names.marked) \
        where schema = \(.integer(requestedSchema)) and \(group.contains("id"))
        """)
    }
  }

  /// Deletes the records that the request selects, without first storing their ids in a temporary
  /// table.
  ///
  /// Returns nil without deleting anything if the temporary table is needed. This is the case, for
  /// example, if other records refer to the selected records, or if the deleted records have to be
  /// returned.
  func deleteUnmarked<Engine: SQLTransaction & ~Copyable>(
    _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) -> DeleteResult? {
    guard request.kept == nil, !request.returnsRecords else { return nil }
    let layout = TableLayout(request.schema)
    switch request.selection {
    case .ids(let ids):
      // All ids are checked before the first record is deleted, because a later group can repeat an
      // id, or contain one that prevents the deletion.
      let outcome = try check(ids, layout, names, on: engine) { group throws(DataError) in
        try isReferenced(group, on: engine) ? .stop : .proceed
      }
      guard outcome == .proceed else { return nil }
      var count = 0
      var owners: [String] = []
      let next = try ids.reader()
      while let chunk = try next() {
        let group = IDGroup(chunk, names.dialect)
        owners += try self.owners(where: group.contains(layout.key), layout, on: engine)
        count += try remove(layout, expecting: group.ids.count, on: engine) { group.contains($0) }
      }
      return result(count, owners)
    case .matching(let condition):
      guard references.isEmpty else { return nil }
      // Only one statement can use the condition: if a first one deleted rows of other tables, such
      // as links, the condition might no longer match the records. Also, a deletion that a trigger
      // prevented is detected only for marked records.
      guard !hasDependentRows(layout, names), !engine.mayPreventDeletes else { return nil }
      let (clause, predicate) = try matching(condition, names)
      // Without joins, one pass over the table tests and deletes the records.
      let test: SQL =
        clause.isOneTable
        ? predicate
        : "\(layout.key) in (select \(clause.root.key) from \(clause.tables) where \(predicate))"
      let owners = try owners(where: test, layout, on: engine)
      return result(try remove(layout, on: engine) { _ in test }, owners)
    }
  }

  private func result(_ count: Int, _ owners: [String]) -> DeleteResult {
    var result = DeleteResult(DeleteSummary(deleted: count))
    if let name = request.schema.ownership?.target, !owners.isEmpty { result.owners[name] = owners }
    return result
  }

  /// Returns the tables and the predicate that select the records that match a condition.
  private func matching(
    _ condition: Condition, _ names: MarkTables
  ) throws(DataError) -> (clause: FromClause, predicate: SQL) {
    try condition.checkSize(of: request.schema, in: catalog)
    var clause = FromClause(request.schema, in: catalog, names.dialect)
    let predicate = try clause.sql(condition)
    return (clause, predicate)
  }

  /// Whether `check` continues with the next group of ids.
  private enum CheckOutcome {
    case proceed
    case stop
  }

  /// Locks and checks the records with the given ids, one group of ids at a time, and calls the
  /// body for each group. If the body returns `stop`, the remaining groups are not checked.
  ///
  /// After the last group, throws an error that contains all problems, such as ids that do not
  /// exist.
  @discardableResult
  private func check<Engine: SQLTransaction & ~Copyable>(
    _ ids: IDList, _ layout: TableLayout, _ names: MarkTables, on engine: borrowing Engine,
    _ body: (IDGroup) throws(DataError) -> CheckOutcome
  ) throws(DataError) -> CheckOutcome {
    var error: DataError?
    let next = try ids.reader()
    while let chunk = try next() {
      let group = IDGroup(chunk, names.dialect)
      let revisions = try revisions(group.contains(layout.key), layout, names, on: engine)
      let isComplete = request.revision == nil && revisions.count == group.ids.count
      let found = isComplete ? [:] : Dictionary(revisions, uniquingKeysWith: { first, _ in first })
      for id in isComplete ? [] : group.distinctIDs {
        if let revision = found[Array(id.utf8)] {
          if let expected = request.revision, expected != revision {
            error.add(
              .revisionChanged(id: id, of: layout.schema, expected: expected, found: revision))
          }
        } else if request.missing == .refused {
          error.add(.recordNotFound(id: id, of: layout.schema))
        }
      }
      if try body(group) == .stop { return .stop }
    }
    if let error { throw error }
    return .proceed
  }

  /// Returns whether any record refers to a record with one of the given ids.
  private func isReferenced<Engine: SQLTransaction & ~Copyable>(
    _ group: IDGroup, on engine: borrowing Engine
  ) throws(DataError) -> Bool {
    for reference in references where reference.target == requestedSchema {
      var isFound = false
      try engine.forEachRow(
        """
        select \(reference.referringID) from \(reference.table) as record \
        where \(group.contains(reference.referredID)) limit 1
        """, [.id]
      ) { _ in isFound = true }
      if isFound { return true }
    }
    return false
  }

  /// Locks the records that satisfy a predicate, and returns their ids and revisions.
  private func revisions<Engine: SQLTransaction & ~Copyable>(
    _ areThese: SQL, _ layout: TableLayout, _ names: MarkTables, on engine: borrowing Engine
  ) throws(DataError) -> [([UInt8], Int64)] {
    var found: [([UInt8], Int64)] = []
    try engine.forEachRow(
      """
      select \(layout.key), revision from \(layout.table) where \(areThese) \
      order by \(layout.key)\(names.dialect.deletionLockClause)
      """, [.id, .integer]
    ) { values in
      if case .text(let id) = values[0], case .integer(let revision) = values[1] {
        found.append((Array(id.utf8), revision))
      }
    }
    return found
  }
}

/// Ids that are looked up in one statement.
private struct IDGroup {
  let ids: [String]
  private let dialect: any Dialect

  init(_ ids: [String], _ dialect: any Dialect) {
    self.ids = ids
    self.dialect = dialect
  }

  var distinctIDs: [String] {
    var seen: Set<[UInt8]> = []
    return ids.filter { seen.insert(Array($0.utf8)).inserted }
  }

  /// Returns a predicate that is true if the column contains an id of this group.
  func contains(_ column: SQL) -> SQL {
    dialect.isOne(of: ids.map(Value.text), column, of: .id, ColumnPredicate(.isEmpty, dialect))
  }
}
