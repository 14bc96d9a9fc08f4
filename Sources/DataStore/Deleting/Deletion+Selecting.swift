package import DataModel

/// Which records the request means.
extension Deletion {
  /// How many ids are looked for at once.
  private static let idsAtOnce = 1_000

  /// Marks what the request names or selects.
  func select<Engine: SQLTransaction & ~Copyable>(
    _ names: Names, on engine: borrowing Engine
  ) throws(DataError) {
    let layout = TableLayout(request.schema)
    switch request.selection {
    case .ids(let ids): try mark(ids, layout, names, on: engine)
    case .matching(let condition):
      try condition.checkSize(of: request.schema, in: catalog)
      var scope = Scope(request.schema, in: catalog, names.dialect)
      let wanted = try scope.sql(condition)
      try engine.change(
        """
        insert into \(names.doomed) (schema, id, round) select \(.integer(own)), \(scope.root.key), 0 \
        from \(scope.tables) where \(wanted)
        """)
      try hold(layout, own, names, on: engine)
    }
  }

  private func mark<Engine: SQLTransaction & ~Copyable>(
    _ ids: [String], _ layout: TableLayout, _ names: Names, on engine: borrowing Engine
  ) throws(DataError) {
    var error: DataError?
    var asked: Set<[UInt8]> = []
    let ids = ids.filter { asked.insert(Array($0.utf8)).inserted }
    for start in stride(from: 0, to: ids.count, by: Self.idsAtOnce) {
      let some = ids[start..<min(start + Self.idsAtOnce, ids.count)]
      let areThese = names.dialect.isOne(
        of: some.map(Value.text), layout.key, of: .id, Wanted(.isEmpty, names.dialect))
      let found = try revisions(areThese, layout, names, on: engine)
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
      try engine.change(
        """
        insert into \(names.doomed) (schema, id, round) select \(.integer(own)), \(layout.key), 0 \
        from \(layout.table) where \(areThese)
        """)
    }
    if let error { throw error }
  }

  /// The revisions of those records that are there; nobody changes them any more.
  private func revisions<Engine: SQLTransaction & ~Copyable>(
    _ areThese: SQL, _ layout: TableLayout, _ names: Names, on engine: borrowing Engine
  ) throws(DataError) -> [[UInt8]: Int64] {
    var found: [[UInt8]: Int64] = [:]
    try engine.each(
      """
      select \(layout.key), revision from \(layout.table) where \(areThese) \
      order by \(layout.key)\(names.dialect.holding)
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
  /// Adds a problem to those that were found, if any.
  package mutating func add(_ problem: Problem) {
    if self == nil { self = DataError(problem) } else { self?.add(problem) }
  }
}
