package import DataModel

extension StoreReader {
  /// Finds one record for each text, by any of several fields: the key, and unique ones. What paths
  /// lead to stands in the cells behind a record's own.
  ///
  /// However many texts there are, they are one question. A text that several records have is a
  /// conflict that lists them: nobody can tell which of them is meant.
  package func find(
    _ texts: [String], byAny fields: [Int], in schema: Schema, slots: [Int],
    alongside paths: [FieldPath] = []
  ) async throws(DataError) -> Found {
    try schema.checkIdentifying(fields)
    let sought = SoughtTexts(texts, inAnyOf: fields, of: schema)
    let query = Query(
      schema, where: sought.condition, slots: slots + fields + [schema.keySlot], alongside: paths)
    var records = Rows(width: query.width)
    // For each text the records that have it.
    var holders: [[Int]] = Array(repeating: [], count: texts.count)
    // By what a record was found comes along only if it was asked for.
    let cells = (0..<query.width).filter { cell in
      cell == schema.keySlot || cell >= schema.width || slots.contains(cell)
    }
    let stream = try await self.records(query)
    var memory = Rows(width: query.width)
    // Where all are found that there can be, nobody needs to be asked for more.
    while records.count < sought.mostRecords, let rows = try await stream.next(reusing: memory) {
      for row in 0..<rows.count {
        for place in sought.places(in: rows, row) where holders[place].last != records.count {
          holders[place].append(records.count)
        }
        records.append(row, of: rows, slots: cells)
      }
      memory = rows
    }
    var found = Found(rows: Rows(width: query.width), missing: [])
    var problems: [Problem] = []
    for (place, some) in holders.enumerated() {
      if some.count > 1 {
        let ids = some.prefix(DataError.kept).map { records.text(records[$0, schema.keySlot]) }
        problems.append(.ambiguous(texts[place], ids: ids, of: schema))
      } else if let only = some.first {
        found.rows.append(only, of: records, slots: cells)
      } else {
        found.missing.append(place)
      }
    }
    if let error = DataError(problems) { throw error }
    return found
  }
}

extension Schema {
  /// Refuses fields that may have the same value in several records.
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
