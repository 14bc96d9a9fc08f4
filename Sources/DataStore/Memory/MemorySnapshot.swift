import DataModel

/// A snapshot of a memory store. It answers queries by scanning all records.
struct MemorySnapshot: StoreReader {
  let state: MemoryState

  func catalog() -> StoredCatalog {
    state.stored
  }

  func find(_ ids: [String], in schema: Schema, slots: [Int]) throws(DataError) -> FoundRecords {
    try state.checkIsCurrent(schema)
    var found = FoundRecords(rows: Rows(width: schema.width), missing: [])
    for (place, id) in ids.enumerated() {
      if let record = state.tables[schema.name]?.records[Array(id.utf8)] {
        found.rows.append(0, of: record.row, slots: schema.withoutPassword(slots))
      } else {
        found.missing.append(place)
      }
    }
    return found
  }

  func records(_ query: Query) throws(DataError) -> any RecordStream {
    MemoryRecordStream(try rows(query), width: query.width)
  }

  /// Returns the rows that a query selects. Each element contains one row.
  func rows(_ query: Query) throws(DataError) -> [Rows] {
    let resolvedPaths = try query.joinedPaths(in: state.catalog)
    let slots = query.schema.withoutPassword(query.slots)
    return try found(query).map { record in
      var row = Rows(width: query.width)
      row.append(0, of: record, slots: slots)
      for (place, resolvedPath) in resolvedPaths.enumerated() {
        row[0, query.schema.width + place] = row.cell(
          for: resolvedPath.value(from: record, 0, state.row))
      }
      return row
    }
  }

  func count(_ query: Query) throws(DataError) -> Int { try found(query).count }

  func groups(_ query: GroupQuery) throws(DataError) -> any RecordStream {
    try state.checkIsCurrent(query.schema, validatedAgainst: query.versions)
    try query.checkSize(in: state.catalog)
    let records = try matching(query.condition, of: query.schema)
    let groups = try MemoryGroups(query, in: state)
    return MemoryRecordStream(try groups.rows(of: records), width: groups.columns.count)
  }

  func content(
    of slot: Int, id: String, in schema: Schema
  ) throws(DataError) -> (any ContentStream)? {
    try state.checkIsCurrent(schema)
    let record = state.tables[schema.name]?.records[Array(id.utf8)]
    return record?.files[schema.name(of: slot)].map(MemoryContentStream.init)
  }

  func explain(_ query: Query) throws(DataError) -> Explanation {
    _ = try found(query)
    return Explanation(steps: ["read every \(query.schema.name)"], ordering: .bySorting)
  }

  /// Returns the records that a query selects, in the order of the query. The cursor and the limit
  /// of the query are already applied.
  private func found(_ query: Query) throws(DataError) -> [Rows] {
    try state.checkIsCurrent(query.schema, validatedAgainst: query.versions)
    try query.checkSize(in: state.catalog)
    let order = RecordOrder(try query.resolvedOrder(in: state.catalog), in: state)
    let matching = try matching(query.condition, of: query.schema)
    switch query.bound {
    case nil: return Array(order.sorted(matching).prefix(query.limit ?? .max))
    case .after(let place):
      let after = matching.filter { order.precedes(place.values, order.key(of: $0)) }
      return Array(order.sorted(after).prefix(query.limit ?? .max))
    case .before(let place):
      let before = matching.filter { order.precedes(order.key(of: $0), place.values) }
      return Array(order.sorted(before).suffix(query.limit ?? .max))
    }
  }

  private func matching(
    _ condition: Condition, of schema: Schema
  ) throws(DataError) -> [Rows] {
    let matcher = try ConditionMatcher(condition, of: schema, in: state.catalog)
    let rows = (state.tables[schema.name]?.records ?? [:]).values.map(\.row)
    return rows.filter { matcher.matches($0, 0, state.row) }
  }
}

extension Schema {
  /// Returns the slots without the slot of the password, which is never read from a store.
  fileprivate func withoutPassword(_ slots: [Int]) -> [Int] {
    slots.filter { $0 != passwordSlot }
  }
}

/// Sorts records by the terms of a query. Null comes before all values, and text is compared byte
/// by byte.
struct RecordOrder {
  private let terms: [ResolvedOrder]
  private let state: MemoryState

  init(_ terms: [ResolvedOrder], in state: MemoryState) {
    self.terms = terms
    self.state = state
  }

  /// Returns the records in order. Each element contains one record.
  func sorted(_ records: [Rows]) -> [Rows] {
    let keyed = records.map { (record: $0, key: key(of: $0)) }
    return keyed.sorted { precedes($0.key, $1.key) }.map(\.record)
  }

  /// Returns the sort key of a record: its value for each term.
  func key(of record: Rows) -> [Value] {
    terms.map { $0.resolvedPath.value(from: record, 0, state.row) }
  }

  /// Returns whether the first sort key precedes the second.
  func precedes(_ first: [Value], _ second: [Value]) -> Bool {
    for (index, term) in terms.enumerated() {
      let (left, right) = (first[index], second[index])
      if left == right { continue }
      return left.isLess(than: right) != term.isDescending
    }
    return false
  }
}

extension Value {
  /// Returns whether the value precedes another value of its type in ascending order. Null precedes
  /// all values.
  func isLess(than other: Value) -> Bool {
    other != .null && (self == .null || order(comparedTo: other) == .before)
  }
}

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

/// Streams the rows of a query, 100 at a time.
actor MemoryRecordStream: RecordStream {
  private var records: ArraySlice<Rows>
  private let width: Int

  init(_ records: [Rows], width: Int) {
    self.records = records[...]
    self.width = width
  }

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    guard !records.isEmpty else { return nil }
    var chunk = rows.width == width ? rows : Rows(width: width)
    chunk.removeAll()
    for record in records.prefix(100) { chunk.append(0, of: record, slots: Array(0..<width)) }
    records = records.dropFirst(100)
    return chunk
  }
}

/// Streams the bytes of a file, 64 KiB at a time.
actor MemoryContentStream: ContentStream {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  func next() async throws(DataError) -> [UInt8]? {
    guard !bytes.isEmpty else { return nil }
    let piece = Array(bytes.prefix(65_536))
    bytes = bytes.dropFirst(65_536)
    return piece
  }
}
