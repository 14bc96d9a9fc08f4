/// A query that groups records and returns one row per group.
///
/// Records with equal keys form a group; null keys are equal to each other. Without keys, all
/// records form one group, which exists even if there are no records. Without aggregates, the query
/// returns the distinct keys.
package struct GroupQuery: Sendable {
  package var schema: Schema
  /// The catalog version against which the query was validated; a store with a newer one rejects
  /// the query.
  package var catalogVersion: Int64?
  package var condition: Condition
  /// The paths to group by, optionally through to-one relations.
  package var keys: [FieldPath]
  /// The aggregates, which are the columns after the keys.
  package var aggregates: [Aggregate]
  /// The columns to sort by. Groups with equal values are sorted by their keys.
  package var order: [OrderTerm]
  /// The maximum number of groups.
  package var limit: Int?

  package init(
    _ schema: Schema, catalogVersion: Int64? = nil, where condition: Condition = .all,
    by keys: [FieldPath], aggregates: [Aggregate] = [], order: [OrderTerm] = [], limit: Int? = nil
  ) {
    self.schema = schema
    self.catalogVersion = catalogVersion
    self.condition = condition
    self.keys = keys
    self.aggregates = aggregates
    self.order = order
    self.limit = limit
  }
}

/// An aggregate over the records of a group.
package enum Aggregate: Hashable, Sendable {
  /// The number of records.
  case count
  /// The sum of all values that are not null; null if there are none. A sum that exceeds 64-bit
  /// integers or the largest double is an error.
  case sum(FieldPath)
  /// The average of all values that are not null, as a double. Sums of integers are exact.
  case average(FieldPath)
  case minimum(FieldPath)
  case maximum(FieldPath)
}

extension Aggregate {
  /// The name of the column.
  package var name: String {
    switch self {
    case .count: "count"
    case .sum(let path): "sum_\(path)"
    case .average(let path): "avg_\(path)"
    case .minimum(let path): "min_\(path)"
    case .maximum(let path): "max_\(path)"
    }
  }

  package var path: FieldPath? {
    switch self {
    case .count: nil
    case .sum(let path), .average(let path), .minimum(let path), .maximum(let path): path
    }
  }
}
