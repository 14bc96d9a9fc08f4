internal import ClientCore
internal import DataStore
internal import RecordText

/// A value to compute from the records of a group, such as the sum of their prices.
///
/// The values to aggregate are written as in `datactl list --sum`: a field, a path such as
/// `product.price`, a computed value such as `price * amount` or `round(price / 3, 2)`, or several of
/// these, separated by commas. A name can precede a computed value: `total = price * amount`.
public struct Aggregation: Hashable, Sendable {
  let function: AggregateFunction
  let values: String

  /// Returns an aggregation that computes the sum of values. A group contains it as `sum_FIELD`.
  public static func sum(_ values: String) -> Aggregation {
    Aggregation(function: .sum, values: values)
  }

  /// Returns an aggregation that computes the average of values. A group contains it as
  /// `avg_FIELD`.
  public static func average(_ values: String) -> Aggregation {
    Aggregation(function: .average, values: values)
  }

  /// Returns an aggregation that computes the median of values. A group contains it as
  /// `median_FIELD`.
  public static func median(_ values: String) -> Aggregation {
    Aggregation(function: .median, values: values)
  }

  /// Returns an aggregation that finds the minimum of values. A group contains it as `min_FIELD`.
  public static func minimum(_ values: String) -> Aggregation {
    Aggregation(function: .minimum, values: values)
  }

  /// Returns an aggregation that finds the maximum of values. A group contains it as `max_FIELD`.
  public static func maximum(_ values: String) -> Aggregation {
    Aggregation(function: .maximum, values: values)
  }
}

/// A group of records with the same keys: its keys, the number of its records, and its aggregates.
public struct RecordGroup: Hashable, Sendable {
  /// The names of the group's values: of its keys, such as `owner`, of `count`, and of its
  /// aggregates, such as `sum_price`.
  public let names: [String]
  let values: [Value]

  /// The key or the aggregate with the given name, such as `owner` or `sum_price`; nil if there is
  /// no such value. An aggregate of no values is `.null`.
  public subscript(name: String) -> Value? {
    names.firstIndex(of: name).map { values[$0] }
  }

  /// The number of records in the group.
  public var count: Int {
    if case .integer(let count)? = self["count"] { Int(count) } else { 0 }
  }

  /// Returns a key or an aggregate, decoded as a Swift type; nil if it is null.
  ///
  /// ```swift
  /// let total = try group.value("sum_price", as: Double.self)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the key or of the aggregate.
  ///   - type: The type to decode.
  /// - Returns: The decoded value, or nil.
  /// - Throws: A ``DataError`` if the group has no such value, or if it cannot be decoded as the
  ///   type.
  public func value<Decoded: Decodable>(_ name: String, as type: Decoded.Type) throws -> Decoded? {
    guard let value = self[name] else {
      throw DataError(
        Problem(
          .usage, "the group has no value \(name)",
          hint: nearest(name, among: names).map { "did you mean \($0)?" }, field: name))
    }
    if value == .null { return nil }
    do {
      return try ValueDecoder.decode(type, from: DraftValue(value).form, [])
    } catch let error as DecodingError {
      throw DataError(Problem(.invalid, error.pathAndMessage.1, field: name))
    }
  }
}

extension Records {
  /// Groups the records that match a condition by the values of fields, and returns one group for
  /// each combination of values.
  ///
  /// ```swift
  /// let groups = try await todos.groups(by: "month(due)", [.sum("total = price * amount")])
  /// for group in groups { print(group["month_due"] ?? .null, group.count) }
  /// ```
  ///
  /// - Parameters:
  ///   - keys: The values to group by, separated by commas, in the syntax of
  ///     `datactl list --group-by`. If empty, all records form one group.
  ///   - aggregations: The values to compute for each group.
  ///   - condition: A condition on records, in the syntax of `datactl list --where`. If empty, all
  ///     records match.
  ///   - matching: The values that fields must have, keyed by field or property name.
  ///   - parameters: The values of the `:name` parameters in the conditions, keyed by name.
  ///   - having: A condition on groups, such as `count > 5`. If empty, all groups are returned.
  ///   - order: The values to sort the groups by, separated by commas.
  ///   - limit: The maximum number of groups.
  /// - Returns: The groups.
  /// - Throws: A ``DataError`` if an argument is invalid, or if the store cannot be read.
  public func groups(
    by keys: String = "", _ aggregations: [Aggregation] = [],
    where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:], having: String = "", order: String = "",
    limit: Int? = nil
  ) async throws -> [RecordGroup] {
    let options = GroupingOptions(
      keys: keys.isEmpty ? nil : keys,
      aggregates: aggregations.map { AggregatedValues(function: $0.function, list: $0.values) },
      having: having.isEmpty ? nil : having, order: order.isEmpty ? nil : order)
    var input = try query(condition, matching, parameters, limit: limit)
    input.laterExpressions = options.expressions
    return try await client.inLibraryWords { [input] () throws(DataError) in
      switch client.executor {
      case .store(let store):
        let source = try await source(from: store, isSnapshot: true)
        return try await groups(
          client.check(input, from: source.reader), options, from: source.reader)
      case .server(let server): return try await groups(input, options, from: server)
      }
    }
  }

  private func groups(
    _ checked: CheckedQuery, _ options: GroupingOptions, from reader: any StoreReader
  ) async throws(DataError) -> [RecordGroup] {
    let query = try options.query(of: checked)
    let columns = try query.columns(in: checked.stored.catalog)
    let names = columns.map(\.name)
    var check = StoredValueCheck(
      columns.enumerated().map { RecordWriter.Column($1.name, $1.type, slot: $0) })
    let stream = try await reader.groups(query)
    var groups: [RecordGroup] = []
    var memory = Rows(width: columns.count)
    while let rows = try await stream.next(reusing: memory) {
      for row in 0..<rows.count {
        if let slot = check.invalidSlot(in: rows, row) {
          throw DataError(.invalidStoredValue(of: names[slot]))
        }
        let values = columns.indices.map { rows.value(rows[row, $0], of: columns[$0].type) }
        groups.append(RecordGroup(names: names, values: values))
      }
      memory = rows
    }
    return groups
  }
}
