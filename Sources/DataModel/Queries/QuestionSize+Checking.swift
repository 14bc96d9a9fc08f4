extension Query {
  /// Throws if the query exceeds a size limit.
  package func checkSize(in catalog: Catalog) throws(DataError) {
    var count = SizeCount(schema: schema, catalog: catalog)
    try count.add(condition)
    try count.check { () throws(QuestionSize.Fault) in
      try QuestionSize.check(terms: order.count, "to order records by")
      try QuestionSize.check(columns: alongside.count, "of other records")
    }
    for term in order { try count.add(FieldPath(dotted: term.field)) }
    for path in alongside { try count.add(path) }
  }
}

extension GroupQuery {
  /// Throws if the query exceeds a size limit.
  package func checkSize(in catalog: Catalog) throws(DataError) {
    var count = SizeCount(schema: schema, catalog: catalog)
    try count.add(condition)
    try count.check { () throws(QuestionSize.Fault) in
      try QuestionSize.check(terms: keys.count, "to group by")
      try QuestionSize.check(terms: order.count, "to order groups by")
      try QuestionSize.check(columns: sums.count, "with aggregates")
    }
    for path in keys + sums.compactMap(\.path) { try count.add(path) }
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
  var size = QuestionSize()

  mutating func add(_ condition: Condition) throws(DataError) {
    try add(condition.requirement, atDepth: 0)
  }

  private mutating func add(_ requirement: Requirement, atDepth depth: Int) throws(DataError) {
    switch requirement {
    case .constant: break
    case .every(let parts), .some(let parts):
      for part in parts { try add(part, atDepth: depth + 1) }
    case .meets(let path, let criterion), .fails(let path, let criterion):
      try check(path) { size throws(QuestionSize.Fault) in try size.addTest(atDepth: depth) }
      try add(path)
      if case .comparePath(_, let other) = criterion { try add(other) }
    }
  }

  mutating func add(_ path: FieldPath) throws(DataError) {
    // Most paths are fields of the schema itself and follow no relation.
    guard path.names.count > 1 else { return }
    let route: Route
    do throws(PathFault) {
      route = try catalog.route(path, from: schema)
    } catch {
      throw DataError(error)
    }
    try check(path) { size throws(QuestionSize.Fault) in try size.follow(route) }
  }

  private mutating func check(
    _ path: FieldPath, _ body: (inout QuestionSize) throws(QuestionSize.Fault) -> Void
  ) throws(DataError) {
    do throws(QuestionSize.Fault) {
      try body(&size)
    } catch {
      throw DataError(error, of: schema, at: path)
    }
  }

  func check(_ body: () throws(QuestionSize.Fault) -> Void) throws(DataError) {
    do throws(QuestionSize.Fault) { try body() } catch { throw DataError(error, of: schema) }
  }
}

extension DataError {
  fileprivate init(_ fault: QuestionSize.Fault, of schema: Schema, at path: FieldPath? = nil) {
    self.init(
      Problem(
        .usage, fault.message, hint: fault.hint, schema: schema.name,
        field: path.map { Excerpt.visible($0.description) }))
  }
}
