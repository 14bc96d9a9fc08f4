/// Counts the comparisons and relations in a query, so that a query that exceeds a limit is
/// rejected before it is sent to a store.
///
/// The limits are lower than those of every engine, so that all stores accept the same queries.
package struct QueryLimits: Sendable {
  /// The maximum number of comparisons in all conditions of a query. `in` with a list counts as one
  /// comparison.
  package static let maxTests = 10_000
  /// The maximum nesting depth of *and* and *or*.
  package static let maxNesting = 20
  /// The maximum nesting depth of parentheses, `not` and expressions in a condition that is parsed
  /// from text. Also the maximum number of operators in an expression.
  package static let maxDepth = 200
  /// The maximum number of relations that a path follows.
  package static let maxRelationsInPath = 8
  /// The maximum number of to-many relations that a path follows.
  package static let maxToManyInPath = 4
  /// The maximum total number of relations in all paths of a query. If several paths begin with the
  /// same relations, these are counted once.
  package static let maxRelations = 50
  /// The maximum number of sort terms, and the maximum number of group keys.
  package static let maxTerms = 50
  /// The maximum number of joined fields, of computed columns, and of aggregates.
  package static let maxColumns = 100

  /// The error for a query that exceeds a size limit.
  package struct LimitError: Error, Hashable, Sendable {
    package let message: String
    package let hint: String
  }

  private var tests = 0
  private var relations: Set<[ResolvedPath.Hop]> = []
  /// The relations that lead from the records of the query to the records that the current
  /// condition tests. Empty outside of conditions on related records.
  private var enclosing: [ResolvedPath.Hop] = []
  private var subqueries = 0
  private var isTooDeep = false

  package init() {}

  /// Counts the relations of a path. If several paths begin with the same relations, these are
  /// counted once.
  ///
  /// Throws an error when the limit is first exceeded. Later calls do not report the same limit
  /// again.
  package mutating func follow(_ resolvedPath: ResolvedPath) throws(LimitError) {
    for count in resolvedPath.hops.indices {
      let isNew = relations.insert(enclosing + resolvedPath.hops[...count]).inserted
      if isNew, relations.count + subqueries == Self.maxRelations + 1 { throw .tooManyRelations }
    }
  }

  /// Starts to count a condition on related records. The comparisons and paths that are counted
  /// until `leave` is called belong to this condition.
  package mutating func enter(_ hop: ResolvedPath.Hop) throws(LimitError) {
    enclosing.append(hop)
    subqueries += 1
    if enclosing.count == Self.maxRelationsInPath + 1 { throw .tooManyLevels }
    if relations.count + subqueries == Self.maxRelations + 1 { throw .tooManyRelations }
  }

  /// Ends the innermost condition on related records that `enter` started.
  package mutating func leave() {
    enclosing.removeLast()
  }

  /// Counts a test, such as a comparison, at the given nesting depth of *and* and *or*. Throws an
  /// error when a limit is first exceeded. Later calls do not report the same limit again.
  package mutating func addTest(atDepth depth: Int) throws(LimitError) {
    tests += 1
    if tests == Self.maxTests + 1 { throw .tooManyTests }
    if depth > Self.maxNesting, !isTooDeep {
      isTooDeep = true
      throw .tooDeep
    }
  }
}

extension QueryLimits.LimitError {
  fileprivate static var tooManyRelations: Self {
    Self(
      message: "a query can follow at most \(QueryLimits.maxRelations) relations",
      hint: "split the query into several queries")
  }

  fileprivate static var tooManyLevels: Self {
    Self(
      message: """
        conditions on related records can be nested at most \(QueryLimits.maxRelationsInPath) \
        levels deep
        """,
      hint: "split the query into several queries")
  }

  fileprivate static var tooManyTests: Self {
    Self(
      message: "a query can have at most \(QueryLimits.maxTests) comparisons",
      hint: "use a list for several values of one field: in ('a', 'b')")
  }

  fileprivate static var tooDeep: Self {
    Self(
      message: "\"and\" and \"or\" can be nested at most \(QueryLimits.maxNesting) levels deep",
      hint: "split the query into several queries")
  }

  fileprivate static func tooMany(_ names: String, _ limit: Int) -> Self {
    Self(
      message: "a query can have at most \(limit) \(names)",
      hint: "split the query into several queries")
  }
}

extension QueryLimits {
  /// Throws an error if there are too many sort terms or group keys.
  ///
  /// - Parameters:
  ///   - terms: The number of sort terms or group keys.
  ///   - purpose: The description of the terms for the error message, such as "fields to order
  ///     records by".
  package static func check(terms: Int, _ purpose: String) throws(LimitError) {
    if terms > maxTerms { throw .tooMany(purpose, maxTerms) }
  }

  /// Throws an error if there are too many joined fields, computed columns, or aggregates.
  ///
  /// - Parameters:
  ///   - columns: The number of joined fields, computed columns, or aggregates.
  ///   - purpose: The description of the columns for the error message, such as "aggregates".
  package static func check(columns: Int, _ purpose: String) throws(LimitError) {
    if columns > maxColumns { throw .tooMany(purpose, maxColumns) }
  }
}

extension Query {
  /// Throws an error if the query exceeds a size limit.
  package func checkSize(in catalog: Catalog) throws(DataError) {
    var count = SizeCount(schema: schema, catalog: catalog)
    try count.add(condition)
    try count.check { () throws(QueryLimits.LimitError) in
      try QueryLimits.check(terms: order.count, "fields to order records by")
      try QueryLimits.check(columns: joinedFields.count, "fields of other records")
      try QueryLimits.check(columns: computed.count, "computed columns")
    }
    _ = try joinedPaths(in: catalog)
    let values = computed + order.map(\.value) + [valueLimit?.value].compactMap(\.self)
    for path in values.flatMap(\.paths) { try count.add(path) }
    for path in joinedFields { try count.add(path) }
  }
}

extension GroupQuery {
  /// Throws an error if the query exceeds a size limit.
  package func checkSize(in catalog: Catalog) throws(DataError) {
    var count = SizeCount(schema: schema, catalog: catalog)
    try count.add(condition)
    try checkColumnCount(in: catalog)
    try count.check { () throws(QueryLimits.LimitError) in
      try QueryLimits.check(terms: order.count, "fields to order groups by")
    }
    var groups = SizeCount(schema: try resultSchema(in: catalog), catalog: catalog)
    try groups.add(having)
    let values = keys.map(\.expression) + aggregates.compactMap(\.expression)
    for path in values.flatMap(\.paths) { try count.add(path) }
  }

  /// Throws an error if there are too many keys or aggregates.
  func checkColumnCount(in catalog: Catalog) throws(DataError) {
    try SizeCount(schema: schema, catalog: catalog).check { () throws(QueryLimits.LimitError) in
      try QueryLimits.check(terms: keys.count, "fields to group by")
      try QueryLimits.check(columns: aggregates.count { $0 != .count }, "aggregates")
    }
  }
}

extension Condition {
  /// Throws an error if the condition exceeds a size limit.
  package func checkSize(of schema: Schema, in catalog: Catalog) throws(DataError) {
    var count = SizeCount(schema: schema, catalog: catalog)
    try count.add(self)
  }
}

/// Counts the comparisons and relations in a query on a schema, and checks the numbers against the
/// limits.
private struct SizeCount {
  let schema: Schema
  let catalog: Catalog
  var size = QueryLimits()

  mutating func add(_ condition: Condition) throws(DataError) {
    try add(condition.normalized, atDepth: 0)
  }

  private mutating func add(_ normalized: NormalizedCondition, atDepth depth: Int) throws(DataError)
  {
    switch normalized {
    case .constant: break
    case .every(let parts), .some(let parts):
      for part in parts { try add(part, atDepth: depth + 1) }
    case .meets(let test), .fails(let test): try add(test, atDepth: depth)
    }
  }

  private mutating func add(
    _ test: NormalizedCondition.Test, atDepth depth: Int
  ) throws(DataError) {
    switch test {
    case .path(let path, let criterion):
      try check(path) { size throws(QueryLimits.LimitError) in try size.addTest(atDepth: depth) }
      try add(path)
      if case .comparePath(_, let other) = criterion { try add(other) }
    case .computed(let expression, let criterion):
      let paths = expression.paths + (criterion.expression?.paths ?? [])
      try check(paths.first) { size throws(QueryLimits.LimitError) in
        try size.addTest(atDepth: depth)
      }
      for path in paths { try add(path) }
    case .any(let path, let condition):
      let hop: ResolvedPath.Hop
      let target: Schema
      do throws(PathError) {
        (hop, target) = try catalog.toManyHop(path, from: schema)
      } catch {
        throw DataError(error)
      }
      try check(path) { size throws(QueryLimits.LimitError) in
        try size.addTest(atDepth: depth)
        try size.enter(hop)
      }
      var inner = SizeCount(schema: target, catalog: catalog, size: size)
      try inner.add(condition.normalized, atDepth: depth + 1)
      size = inner.size
      size.leave()
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
    try check(path) { size throws(QueryLimits.LimitError) in try size.follow(resolvedPath) }
  }

  private mutating func check(
    _ path: FieldPath?, _ body: (inout QueryLimits) throws(QueryLimits.LimitError) -> Void
  ) throws(DataError) {
    do throws(QueryLimits.LimitError) {
      try body(&size)
    } catch {
      throw DataError(error, of: schema, at: path)
    }
  }

  func check(_ body: () throws(QueryLimits.LimitError) -> Void) throws(DataError) {
    do throws(QueryLimits.LimitError) { try body() } catch { throw DataError(error, of: schema) }
  }
}

extension DataError {
  fileprivate init(_ error: QueryLimits.LimitError, of schema: Schema, at path: FieldPath? = nil) {
    self.init(
      Problem(
        .usage, error.message, hint: error.hint, schema: schema.name,
        field: path.map { Excerpt.escaped($0.description) }))
  }
}
