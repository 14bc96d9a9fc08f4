internal import Conditions
package import DataModel
internal import DataStore

/// The value of an option such as `--sum`: a comma-separated list of the values to aggregate.
package struct AggregatedValues: Hashable, Sendable {
  package let function: AggregateFunction
  package let list: String

  package init(function: AggregateFunction, list: String) {
    self.function = function
    self.list = list
  }
}

/// The options of `list` for printing groups, such as `--group-by` and `--sum`.
package struct GroupingOptions: Hashable, Sendable {
  /// The field whose distinct values are printed.
  package var distinct: String?
  /// The columns to group by (`--group-by`).
  package var keys: String?
  package var aggregates: [AggregatedValues]
  /// The condition that selects the groups to print (`--having`).
  package var having: String?
  package var order: String?
  /// Whether `--count` was passed.
  package var isCounted: Bool

  package init(
    distinct: String? = nil, keys: String? = nil, aggregates: [AggregatedValues] = [],
    having: String? = nil, order: String? = nil, isCounted: Bool = false
  ) {
    self.distinct = distinct
    self.keys = keys
    self.aggregates = aggregates
    self.having = having
    self.order = order
    self.isCounted = isCounted
  }

  /// Whether the command prints only the number of distinct values. It is false for groups, which
  /// are always printed with their counts.
  package var countsValues: Bool { distinct != nil && isCounted }

  /// The expressions in the grouping options, in the order in which they are parsed: the values of
  /// `--group-by`, of aggregates such as `--sum`, of `--having`, and of `--order`.
  package var expressions: [String] {
    [keys].compactMap(\.self) + aggregates.map(\.list) + [having, order].compactMap(\.self)
  }

  /// Whether any grouping option was given.
  package var isGrouped: Bool { distinct != nil || keys != nil || !aggregates.isEmpty }

  /// Returns a query that groups the records that `checkedQuery` selects.
  package func query(of checkedQuery: CheckedQuery) throws(DataError) -> GroupQuery {
    var problems: [Problem] = []
    var reader = checkedQuery.reader
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
    var keys: [NamedExpression] = []
    if let list = distinct ?? self.keys, !list.hasComputedColumns {
      let names = distinct.map { [$0] } ?? list.fieldNames
      keys = names.map { NamedExpression(path(FieldPath(dotted: $0))) }
    } else if let list = distinct ?? self.keys {
      do throws(DataError) {
        keys = try reader.readColumns(list, of: checkedQuery.schema)
        if distinct != nil, keys.count > 1 {
          problems.append(
            Problem(
              .usage, "expected one field to list distinct values of, found \(keys.count)",
              hint: "to count combinations, pass --group-by", schema: checkedQuery.schema.name))
        }
      } catch {
        problems += error.problems
      }
    }
    var aggregates: [Aggregate] = []
    for values in self.aggregates {
      guard values.list.hasComputedColumns else {
        aggregates += values.list.fieldNames.map { name in
          Aggregate(values.function, path(FieldPath(dotted: name)))
        }
        continue
      }
      do throws(DataError) {
        aggregates += try reader.readAggregates(
          values.function, of: values.list, of: checkedQuery.schema)
      } catch {
        problems += error.problems
      }
    }
    if let error = DataError(problems) { throw error }
    var query = GroupQuery(
      checkedQuery.schema, versions: checkedQuery.stored.versions(concerning: checkedQuery.schema),
      where: checkedQuery.condition,
      columns: keys, aggregates: distinct == nil ? [.count] + aggregates : aggregates,
      limit: checkedQuery.limit)
    guard having != nil || order != nil else { return query }
    let columns = try query.resultSchema(in: checkedQuery.stored.catalog)
    do throws(DataError) {
      if let having { query.having = try reader.read(having, of: columns) }
      if let order { query.order = try reader.readOrder(order, ofGroups: columns) }
    } catch {
      throw error.modifyingProblems { $0.schema = checkedQuery.schema.name }
    }
    return query
  }
}
