import DataModel

/// Answers queries by scanning all records of a state.
struct MemorySnapshot: StoreReader {
  let state: MemoryState

  func catalog() -> StoredCatalog {
    StoredCatalog(state.catalog, version: state.version)
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
    let resolvedPaths = try query.joinedPaths(in: state.catalog)
    let slots = query.schema.withoutPassword(query.slots)
    let records = try found(query).map { record in
      var row = Rows(width: query.width)
      row.append(0, of: record, slots: slots)
      for (place, resolvedPath) in resolvedPaths.enumerated() {
        row[0, query.schema.width + place] = row.cell(
          for: resolvedPath.value(from: record, 0, state.row))
      }
      return row
    }
    return MemoryRecordStream(records, width: query.width)
  }

  func count(_ query: Query) throws(DataError) -> Int { try found(query).count }

  func groups(_ query: GroupQuery) throws(DataError) -> any RecordStream {
    try state.checkIsCurrent(query.schema, version: query.catalogVersion)
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

  /// Returns the records of a query, in its order.
  private func found(_ query: Query) throws(DataError) -> [Rows] {
    try state.checkIsCurrent(query.schema, version: query.catalogVersion)
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
  /// The slots without the password's, which is never read from a store.
  fileprivate func withoutPassword(_ slots: [Int]) -> [Int] {
    slots.filter { $0 != passwordSlot }
  }
}
