import DataModel
import DataStore

/// Which records the request means.
extension Deletion {
  /// Marks what the request names or selects.
  func select(on connection: borrowing Connection) throws(DataError) {
    let layout = TableLayout(request.schema)
    switch request.selection {
    case .ids(let ids): try mark(ids, layout, on: connection)
    case .matching(let condition):
      try condition.checkSize(of: request.schema, in: catalog)
      var scope = Scope(request.schema, in: catalog)
      let wanted = try scope.sql(condition)
      try connection.run(
        """
        insert into temp._doomed select \(.integer(own)), \(scope.root.key), 0 \
        from \(scope.tables) where \(wanted)
        """)
    }
  }

  private func mark(
    _ ids: [String], _ layout: TableLayout, on connection: borrowing Connection
  ) throws(DataError) {
    let seeking = try Statement(
      "select revision from \(layout.table) where \(layout.key) = \(SQL.parameter)", on: connection)
    let marking = try Statement(
      "insert or ignore into temp._doomed values (\(.integer(own)), \(SQL.parameter), 0)",
      on: connection)
    var error: DataError?
    var asked: Set<[UInt8]> = []
    for id in ids where asked.insert(Array(id.utf8)).inserted {
      try seeking.bind(id, at: 1)
      let found = try seeking.step() ? seeking.integer(0) : nil
      seeking.reset()
      if let found {
        if let expected = request.revision, expected != found {
          error.add(
            .revisionChanged(id: id, of: layout.schema, expected: expected, found: found))
        }
        try marking.bind(id, at: marking.parameters[0])
        try marking.run()
      } else if request.missing == .refused {
        error.add(.recordNotFound(id: id, of: layout.schema))
      }
    }
    if let error { throw error }
  }
}

extension DataError? {
  /// Adds a problem to those that were found, if any.
  mutating func add(_ problem: Problem) {
    if self == nil { self = DataError(problem) } else { self?.add(problem) }
  }
}
