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
      try connection.run(
        """
        insert into temp._doomed select \(.integer(own)), \(layout.table).\(layout.key), 0 \
        from \(layout.table) where \(condition.sql(in: layout))
        """)
    }
  }

  private func mark(
    _ ids: [String], _ layout: TableLayout, on connection: borrowing Connection
  ) throws(DataError) {
    let seeking = try Statement(
      "select 1 from \(layout.table) where \(layout.key) = \(SQL.parameter)", on: connection)
    let marking = try Statement(
      "insert or ignore into temp._doomed values (\(.integer(own)), \(SQL.parameter), 0)",
      on: connection)
    var error: DataError?
    for id in ids {
      try seeking.bind(id, at: 1)
      let isThere = try seeking.step()
      seeking.reset()
      if isThere {
        try marking.bind(id, at: marking.parameters[0])
        try marking.run()
      } else if request.missing == .refused {
        error.add(
          Problem(
            .notFound, "there is no such record", schema: layout.schema.name,
            id: Excerpt.visible(id)))
      }
    }
    if let error { throw error }
  }

  /// Refuses the deletion of a record that changed meanwhile.
  func checkRevisions(on connection: borrowing Connection) throws(DataError) {
    guard let expected = request.revision else { return }
    let layout = TableLayout(request.schema)
    let statement = try Statement(
      """
      select \(layout.key), revision from \(layout.table) where revision <> \(.integer(expected)) \
      and \(layout.key) in (select id from temp._doomed where schema = \(.integer(own)))
      """, on: connection)
    var error: DataError?
    while try statement.step() {
      error.add(
        Problem(
          .changed,
          "changed meanwhile: expected revision \(expected), found \(statement.integer(1))",
          hint: "read it again", schema: layout.schema.name, id: statement.text(0)))
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
