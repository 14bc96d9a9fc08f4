import ClientCore
import DataModel
import DataOutput
import DataStore

/// The grouping options of `list`.
struct GroupingOptions: Sendable {
  /// The field whose distinct values are printed.
  let distinct: String?
  let keys: [String]
  let aggregates: [Aggregate]
  let order: String?
  /// Whether `--count` was passed.
  let isCounted: Bool

  /// Whether to print only the number of distinct values. (Groups are always printed with their
  /// counts.)
  var countsValues: Bool { distinct != nil && isCounted }

  /// Whether any grouping option was given.
  var isGrouped: Bool { distinct != nil || !keys.isEmpty || !aggregates.isEmpty }

  /// Returns a query that groups the records that a checked query selects.
  func query(of checkedQuery: CheckedQuery) throws(DataError) -> GroupQuery {
    var problems: [Problem] = []
    func path(_ fieldPath: FieldPath) -> FieldPath {
      do throws(PathError) {
        return try checkedQuery.stored.catalog.resolvedPath(
          fieldPath.names, from: checkedQuery.schema
        ).path
      } catch {
        problems += DataError(error).problems
        return fieldPath
      }
    }
    let keys = (distinct.map { [$0] } ?? self.keys).map { path(FieldPath(dotted: $0)) }
    let aggregates = aggregates.map { sum -> Aggregate in
      switch sum {
      case .count: .count
      case .sum(let fieldPath): .sum(path(fieldPath))
      case .average(let fieldPath): .average(path(fieldPath))
      case .minimum(let fieldPath): .minimum(path(fieldPath))
      case .maximum(let fieldPath): .maximum(path(fieldPath))
      }
    }
    if let error = DataError(problems) { throw error }
    return GroupQuery(
      checkedQuery.schema, versions: checkedQuery.stored.versions(concerning: checkedQuery.schema),
      where: checkedQuery.condition,
      by: keys, aggregates: distinct == nil ? [.count] + aggregates : aggregates,
      order: order.map { $0.fieldNames.map(OrderTerm.init(text:)) } ?? [], limit: checkedQuery.limit
    )
  }
}
