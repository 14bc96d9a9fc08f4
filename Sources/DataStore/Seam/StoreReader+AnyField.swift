package import DataModel

extension StoreReader {
  /// Finds one record for each text in any of several fields: the primary key or unique fields. The
  /// values of joined fields follow the record's own cells.
  ///
  /// All texts are looked up with a single query. Throws an error if several records have the same
  /// text, because the text is ambiguous.
  package func find(
    _ texts: [String], byAny fields: [Int], in schema: Schema, slots: [Int],
    joinedFields paths: [FieldPath] = []
  ) async throws(DataError) -> FoundRecords {
    try schema.checkIdentifying(fields)
    let lookupKeys = LookupKeys(texts, inAnyOf: fields, of: schema)
    let query = Query(
      schema, where: lookupKeys.condition, slots: slots + fields + [schema.keySlot],
      joinedFields: paths)
    var records = Rows(width: query.width)
    // For each text, the indices of the records that have it.
    var matches: [[Int]] = Array(repeating: [], count: texts.count)
    // The lookup fields are returned only if the caller requested them.
    let cells = (0..<query.width).filter { cell in
      cell == schema.keySlot || cell >= schema.width || slots.contains(cell)
    }
    let stream = try await self.records(query)
    var buffer = Rows(width: query.width)
    // Stop early if no further record can match.
    while records.count < lookupKeys.maxRecordCount,
      let rows = try await stream.next(reusing: buffer)
    {
      for row in 0..<rows.count {
        for index in lookupKeys.textIndexes(in: rows, row)
        where matches[index].last != records.count {
          matches[index].append(records.count)
        }
        records.append(row, of: rows, slots: cells)
      }
      buffer = rows
    }
    var found = FoundRecords(rows: Rows(width: query.width), missing: [])
    var problems: [Problem] = []
    for (index, some) in matches.enumerated() {
      if some.count > 1 {
        let ids = some.prefix(DataError.maxProblems).map {
          records.text(records[$0, schema.keySlot])
        }
        problems.append(.ambiguous(texts[index], ids: ids, of: schema))
      } else if let only = some.first {
        found.rows.append(only, of: records, slots: cells)
      } else {
        found.missing.append(index)
      }
    }
    if let error = DataError(problems) { throw error }
    return found
  }
}

extension Schema {
  /// Throws an error if a field is neither the key nor unique.
  fileprivate func checkIdentifying(_ slots: [Int]) throws(DataError) {
    let others = slots.filter { slot in
      slot != keySlot && !(slot < fields.count && fields[slot].isUnique)
    }
    let error = DataError(
      others.map { slot in
        Problem(
          .usage, "\(name).\(self.name(of: slot)) is not unique, so it cannot identify a record",
          schema: name, field: self.name(of: slot))
      })
    if let error { throw error }
  }
}
