import DataModel

/// Groups records, and computes the columns of a group query for each group.
struct MemoryGroups {
  let columns: [GroupColumn]
  private let query: GroupQuery
  private let state: MemoryState

  init(_ query: GroupQuery, in state: MemoryState) throws(DataError) {
    self.query = query
    self.state = state
    columns = try query.columns(in: state.catalog)
  }

  /// Returns a row for each group, in the order of the query.
  func rows(of records: [Rows]) throws(DataError) -> [Rows] {
    var groups = Dictionary(grouping: records, by: key)
    if query.keys.isEmpty { groups = [[]: records] }
    var rows: [[Value]] = []
    for group in groups.values {
      var row: [Value] = []
      for column in columns { row.append(try value(of: column, group)) }
      rows.append(row)
    }
    let order = query.order(of: columns)
    rows.sort { first, second in
      for term in order where first[term.index] != second[term.index] {
        return first[term.index].isLess(than: second[term.index]) != term.isDescending
      }
      return false
    }
    return rows.prefix(query.limit ?? .max).map { values in
      var row = Rows(width: columns.count)
      row.addRow()
      for (index, value) in values.enumerated() { row[0, index] = row.cell(for: value) }
      return row
    }
  }

  private func key(of record: Rows) -> [Value] {
    columns.compactMap { column in
      if case .key(let resolvedPath) = column.source {
        value(of: resolvedPath, record)
      } else {
        nil
      }
    }
  }

  private func value(of resolvedPath: ResolvedPath, _ record: Rows) -> Value {
    resolvedPath.value(from: record, 0, state.row)
  }

  private func value(of column: GroupColumn, _ group: [Rows]) throws(DataError) -> Value {
    func values(_ resolvedPath: ResolvedPath) -> [Value] {
      group.map { value(of: resolvedPath, $0) }.filter { $0 != .null }
    }
    switch column.source {
    case .key(let resolvedPath): return group.first.map { value(of: resolvedPath, $0) } ?? .null
    case .count: return .integer(Int64(group.count))
    case .minimum(let resolvedPath):
      return values(resolvedPath).min { $0.isLess(than: $1) } ?? .null
    case .maximum(let resolvedPath):
      return values(resolvedPath).max { $0.isLess(than: $1) } ?? .null
    case .sum(let resolvedPath): return try sum(values(resolvedPath), column) { $0.total }
    case .average(let resolvedPath): return try sum(values(resolvedPath), column) { $0.average }
    }
  }

  private func sum(
    _ values: [Value], _ column: GroupColumn, _ result: (RunningSum) -> Value?
  ) throws(DataError) -> Value {
    var sum = RunningSum()
    for value in values { sum.add(value) }
    guard let value = result(sum) else { throw .sumTooLarge(column, of: query.schema) }
    return value
  }
}
