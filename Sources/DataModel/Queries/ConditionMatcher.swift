/// A condition whose paths have been resolved, so that it can be evaluated on records in memory.
/// The SQL that the engines generate for a condition must select the same records.
package struct ConditionMatcher: Sendable {
  private indirect enum Node: Sendable {
    case constant(Bool)
    case test(ResolvedPath, CriterionTest)
    case comparison(ResolvedPath, CriterionTest, ResolvedPath)
    case computed(ResolvedExpression, CriterionTest, comparedTo: ResolvedExpression?)
    case any(ResolvedPath.Hop, Node)
    case not(Node)
    case every([Node])
    case some([Node])
  }

  private let root: Node
  /// Resolves the paths of a condition on the records of a schema. Throws an error if a path cannot
  /// be resolved.
  package init(
    _ condition: Condition, of schema: Schema, in catalog: Catalog
  ) throws(DataError) {
    do throws(PathError) {
      root = try Self.node(condition, schema, catalog)
    } catch {
      throw DataError(error)
    }
  }

  /// Returns whether the record in a row satisfies the condition.
  ///
  /// - Parameter records: The lookup that finds related records.
  package func matches(
    _ rows: Rows, _ row: Int, _ records: some RecordLookup
  ) throws(DataError) -> Bool {
    try Self.isTrue(root, rows, row, records)
  }

  private static func node(
    _ condition: Condition, _ schema: Schema, _ catalog: Catalog
  ) throws(PathError) -> Node {
    switch condition {
    case .all: return .constant(true)
    case .not(let inner): return .not(try node(inner, schema, catalog))
    case .and(let inner): return .every(try nodes(inner, schema, catalog))
    case .or(let inner): return .some(try nodes(inner, schema, catalog))
    case .test(let path, let criterion):
      let resolvedPath = try catalog.resolvedPath(path, from: schema)
      let test = CriterionTest(criterion)
      guard case .comparePath(_, let other) = criterion else { return .test(resolvedPath, test) }
      return .comparison(resolvedPath, test, try catalog.resolvedPath(other, from: schema))
    case .compute(let expression, let criterion):
      let other = try criterion.expression.map { (other) throws(PathError) in
        try catalog.resolved(other, from: schema)
      }
      return .computed(
        try catalog.resolved(expression, from: schema), CriterionTest(criterion), comparedTo: other)
    case .any(let path, let inner):
      let (hop, target) = try catalog.toManyHop(path, from: schema)
      return .any(hop, try node(inner, target, catalog))
    }
  }

  private static func nodes(
    _ conditions: [Condition], _ schema: Schema, _ catalog: Catalog
  ) throws(PathError) -> [Node] {
    var nodes: [Node] = []
    for condition in conditions { nodes.append(try node(condition, schema, catalog)) }
    return nodes
  }

  private static func isTrue(
    _ node: Node, _ rows: Rows, _ row: Int, _ records: some RecordLookup
  ) throws(DataError) -> Bool {
    switch node {
    case .constant(let isTrue): return isTrue
    case .not(let inner): return try !isTrue(inner, rows, row, records)
    case .every(let inner):
      for part in inner where try !isTrue(part, rows, row, records) { return false }
      return true
    case .some(let inner):
      for part in inner where try isTrue(part, rows, row, records) { return true }
      return false
    case .test(let resolvedPath, let test):
      return resolvedPath.anyValue(from: rows, row, records) { test.isSatisfied(by: $0) }
    case .comparison(let left, let test, let right):
      let other = right.value(from: rows, row, records)
      return left.anyValue(from: rows, row, records) { test.isSatisfied(by: $0, comparedTo: other) }
    case .computed(let expression, let test, let other):
      let value = try expression.value(from: rows, row, records)
      guard let other else { return test.isSatisfied(by: value) }
      return test.isSatisfied(by: value, comparedTo: try other.value(from: rows, row, records))
    case .any(let hop, let inner):
      for id in hop.targets(of: rows, row, records) {
        guard let id, let target = records.record(id, in: hop.target) else { continue }
        if try isTrue(inner, target, 0, records) { return true }
      }
      return false
    }
  }
}

extension DataError {
  /// The error for a JSON value of a type that cannot be sorted, grouped or added up.
  package static var unsupportedJSON: DataError {
    DataError(
      .invalid, "a value in a json field has a type that the query does not support",
      hint: "objects and arrays have no order, and only numbers can be added up; leave these "
        + "records out with --where")
  }
}

extension Value {
  /// The elements of a list; for other values, an array that contains only the value itself.
  var elements: [Value] {
    if case .list(let elements) = self { elements } else { [self] }
  }
}
