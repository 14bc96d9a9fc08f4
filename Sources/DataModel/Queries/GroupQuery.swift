/// A question to a store about groups of records: what is in each, in one row.
///
/// Records with equal values for the keys are a group; null is a value here. Without a key all
/// records are one group, and there is a row even if there is no record. Without sums it asks for
/// the different values there are.
package struct GroupQuery: Sendable {
  package var schema: Schema
  /// The catalog's version that the question was checked against; a store that has moved on refuses.
  package var catalogVersion: Int64?
  package var condition: Condition
  /// What records of a group have in common, also through relations to one record.
  package var keys: [FieldPath]
  /// What is said of each group, behind its keys.
  package var sums: [GroupSum]
  /// Columns to order by, before the keys: of equals, the one with the lesser keys comes first.
  package var order: [OrderTerm]
  /// How many groups at the most.
  package var limit: Int?

  package init(
    _ schema: Schema, catalogVersion: Int64? = nil, where condition: Condition = .all,
    by keys: [FieldPath], sums: [GroupSum] = [], order: [OrderTerm] = [], limit: Int? = nil
  ) {
    self.schema = schema
    self.catalogVersion = catalogVersion
    self.condition = condition
    self.keys = keys
    self.sums = sums
    self.order = order
    self.limit = limit
  }
}

/// What can be said of a group of records.
package enum GroupSum: Hashable, Sendable {
  /// How many there are.
  case count
  /// The sum of what is not null; null if there is nothing. One of integers beyond 64 bits, and one
  /// of numbers beyond the largest, is an error.
  case sum(FieldPath)
  /// The sum, exact for integers, as a double over the count of what is not null.
  case average(FieldPath)
  case least(FieldPath)
  case greatest(FieldPath)
}

extension GroupSum {
  /// The name of its column.
  package var name: String {
    switch self {
    case .count: "count"
    case .sum(let path): "sum_\(path)"
    case .average(let path): "avg_\(path)"
    case .least(let path): "min_\(path)"
    case .greatest(let path): "max_\(path)"
    }
  }

  package var path: FieldPath? {
    switch self {
    case .count: nil
    case .sum(let path), .average(let path), .least(let path), .greatest(let path): path
    }
  }
}
