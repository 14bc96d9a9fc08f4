extension Query {
  /// Where a record stands in the order: its values for the terms of the full order, the id last.
  ///
  /// It stays a place when its record is gone, so that pages go on from it.
  package struct Place: Hashable, Sendable {
    package var values: [Value]

    package init(_ values: [Value]) {
      self.values = values
    }
  }

  /// The query with all in its rows that makes places.
  package func withPlaces() -> Query {
    var query = self
    for term in fullOrder {
      if let slot = schema.slot(named: term.field) {
        if !query.slots.contains(slot) { query.slots.append(slot) }
      } else {
        let path = FieldPath(dotted: term.field)
        if !query.alongside.contains(path) { query.alongside.append(path) }
      }
    }
    return query
  }

  /// Where a row of the answer stands; the query is one `withPlaces`.
  package func place(of row: Int, in rows: Rows, _ catalog: Catalog) throws(DataError) -> Place {
    var values: [Value] = []
    for term in try orderRoutes(in: catalog) {
      let path = FieldPath(dotted: term.path)
      let cell =
        alongside.firstIndex(of: path).map { rows[row, schema.width + $0] }
        ?? rows[row, term.route.slot]
      values.append(rows.value(cell, of: term.route.type))
    }
    return Place(values)
  }
}
