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
    var batches: [Rows] = []
    var holders: [[Holder]] = Array(repeating: [], count: texts.count)
    var rest = sought.mostRecords
    let stream = try await records(query)
    // A last batch that holds all there can be needs no other to say so.
    while rest > 0, let rows = try await stream.next(reusing: Rows(width: query.width)) {
      for row in 0..<rows.count {
        let holder = Holder(batch: batches.count, row: row)
        for place in sought.places(in: rows, row) where holders[place].last != holder {
          holders[place].append(holder)
        }
      }
      rest -= rows.count
      batches.append(rows)
    }
    let cells = Set(slots + [schema.keySlot]).sorted() + (schema.width..<query.width)
    var found = Found(rows: Rows(width: query.width), missing: [])
    var problems: [Problem] = []
    for (place, some) in holders.enumerated() {
      if some.count > 1 {
        let ids = some.prefix(DataError.kept).map { holder in
          let rows = batches[holder.batch]
          return rows.text(rows[holder.row, schema.keySlot])
        }
        problems.append(.ambiguous(texts[place], ids: ids, of: schema))
      } else if let only = some.first {
        found.rows.append(only.row, of: batches[only.batch], slots: cells)
      } else {
        found.missing.append(place)
      }
    }
    if let error = DataError(problems) { throw error }
    return found
  }
}

/// A record among those that were read.
private struct Holder: Equatable {
  let batch: Int
  let row: Int
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
          .usage, "\(name).\(self.name(of: slot)) is not unique, so it names no record",
          schema: name, field: self.name(of: slot))
      })
    if let error { throw error }
  }
}
