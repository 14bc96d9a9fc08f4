/// A condition whose paths have been resolved, so that it can be evaluated on records in memory.
/// The SQL that the engines generate for a condition must select the same records.
package struct ConditionMatcher: Sendable {
  private indirect enum Node: Sendable {
    case constant(Bool)
    case test(ResolvedPath, CriterionTest)
    case comparison(ResolvedPath, CriterionTest, ResolvedPath)
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
  /// - Parameter records: A function that looks up related records.
  package func matches(_ rows: Rows, _ row: Int, _ records: RecordLookup) -> Bool {
    Self.isTrue(root, rows, row, records)
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
    _ node: Node, _ rows: Rows, _ row: Int, _ records: RecordLookup
  ) -> Bool {
    switch node {
    case .constant(let isTrue): return isTrue
    case .not(let inner): return !isTrue(inner, rows, row, records)
    case .every(let inner): return inner.allSatisfy { isTrue($0, rows, row, records) }
    case .some(let inner): return inner.contains { isTrue($0, rows, row, records) }
    case .test(let resolvedPath, let test):
      return resolvedPath.anyValue(from: rows, row, records) { test.isSatisfied(by: $0) }
    case .comparison(let left, let test, let right):
      let other = right.value(from: rows, row, records)
      return left.anyValue(from: rows, row, records) { test.isSatisfied(by: $0, comparedTo: other) }
    }
  }
}

extension Value {
  /// The elements of a list; for other values, an array that contains only the value itself.
  var elements: [Value] {
    if case .list(let elements) = self { elements } else { [self] }
  }
}
