extension Query {
  /// A cursor into an ordered query: the values of a record for the terms of the full order, the id
  /// last.
  ///
  /// It stays valid when its record is deleted, so that paging can continue from it.
  package struct Cursor: Hashable, Sendable {
    package var values: [Value]

    package init(_ values: [Value]) {
      self.values = values
    }
  }

  /// Returns the query extended by the columns that are needed to create cursors.
  package func withCursors() -> Query {
    var query = self
    for term in fullOrder {
      if let slot = schema.slot(named: term.field) {
        if !query.slots.contains(slot) { query.slots.append(slot) }
      } else {
        let path = FieldPath(dotted: term.field)
        if !query.joinedFields.contains(path) { query.joinedFields.append(path) }
      }
    }
    return query
  }

  /// Returns the cursor of a row in the result. The query must have been extended by `withCursors`.
  package func cursor(of row: Int, in rows: Rows, _ catalog: Catalog) throws(DataError) -> Cursor {
    var values: [Value] = []
    for term in try resolvedOrder(in: catalog) {
      let path = FieldPath(dotted: term.path)
      let cell =
        joinedFields.firstIndex(of: path).map { rows[row, schema.width + $0] }
        ?? rows[row, term.resolvedPath.slot]
      values.append(rows.value(cell, of: term.resolvedPath.type))
    }
    return Cursor(values)
  }
}
