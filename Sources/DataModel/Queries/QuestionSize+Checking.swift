extension Query {
  /// Throws if the query exceeds a size limit.
  package func checkSize(in catalog: Catalog) throws(DataError) {
    var count = SizeCount(schema: schema, catalog: catalog)
    try count.add(condition)
    try count.check { () throws(QuerySize.LimitError) in
      try QuerySize.check(terms: order.count, "to order records by")
      try QuerySize.check(columns: joinedFields.count, "of other records")
    }
    for term in order { try count.add(FieldPath(dotted: term.field)) }
    for path in joinedFields { try count.add(path) }
  }
}

extension GroupQuery {
  /// Throws if the query exceeds a size limit.
  package func checkSize(in catalog: Catalog) throws(DataError) {
    var count = SizeCount(schema: schema, catalog: catalog)
    try count.add(condition)
    try count.check { () throws(QuerySize.LimitError) in
      try QuerySize.check(terms: keys.count, "to group by")
      try QuerySize.check(terms: order.count, "to order groups by")
      try QuerySize.check(columns: aggregates.count, "with aggregates")
    }
    for path in keys + aggregates.compactMap(\.path) { try count.add(path) }
  }
}

extension Condition {
  /// Throws if the condition exceeds a size limit.
  package func checkSize(of schema: Schema, in catalog: Catalog) throws(DataError) {
    var count = SizeCount(schema: schema, catalog: catalog)
    try count.add(self)
  }
}

/// Computes the size of a query on a schema.
private struct SizeCount {
  let schema: Schema
  let catalog: Catalog
  var size = QuerySize()

  mutating func add(_ condition: Condition) throws(DataError) {
    try add(condition.normalized, atDepth: 0)
  }

  private mutating func add(_ normalized: NormalizedCondition, atDepth depth: Int) throws(DataError)
  {
    switch normalized {
    case .constant: break
    case .every(let parts), .some(let parts):
      for part in parts { try add(part, atDepth: depth + 1) }
    case .meets(let path, let criterion), .fails(let path, let criterion):
      try check(path) { size throws(QuerySize.LimitError) in try size.addTest(atDepth: depth) }
      try add(path)
      if case .comparePath(_, let other) = criterion { try add(other) }
    }
  }

  mutating func add(_ path: FieldPath) throws(DataError) {
    // Most paths are fields of the schema itself and follow no relation.
    guard path.names.count > 1 else { return }
    let resolvedPath: ResolvedPath
    do throws(PathError) {
      resolvedPath = try catalog.resolvedPath(path, from: schema)
    } catch {
      throw DataError(error)
    }
    try check(path) { size throws(QuerySize.LimitError) in try size.follow(resolvedPath) }
  }

  private mutating func check(
    _ path: FieldPath, _ body: (inout QuerySize) throws(QuerySize.LimitError) -> Void
  ) throws(DataError) {
    do throws(QuerySize.LimitError) {
      try body(&size)
    } catch {
      throw DataError(error, of: schema, at: path)
    }
  }

  func check(_ body: () throws(QuerySize.LimitError) -> Void) throws(DataError) {
    do throws(QuerySize.LimitError) { try body() } catch { throw DataError(error, of: schema) }
  }
}

extension DataError {
  fileprivate init(_ error: QuerySize.LimitError, of schema: Schema, at path: FieldPath? = nil) {
    self.init(
      Problem(
        .usage, error.message, hint: error.hint, schema: schema.name,
        field: path.map { Excerpt.escaped($0.description) }))
  }
}
