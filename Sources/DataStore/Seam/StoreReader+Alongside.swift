package import DataModel

extension StoreReader {
  /// Finds records by id, in the order of the ids; what paths lead to stands in the cells behind a
  /// record's own.
  package func find(
    _ ids: [String], in schema: Schema, slots: [Int], alongside paths: [FieldPath]
  ) async throws(DataError) -> Found {
    if paths.isEmpty { return try await find(ids, in: schema, slots: slots) }
    let query = Query(
      schema, where: .test(FieldPath(schema.key.name), .isIn(ids.map(Value.text))),
      slots: slots + [schema.keySlot], alongside: paths)
    var batches: [Rows] = []
    var places: [Value: (batch: Int, row: Int)] = [:]
    let stream = try await records(query)
    while let rows = try await stream.next(reusing: Rows(width: query.width)) {
      for row in 0..<rows.count {
        places[.text(rows.text(rows[row, schema.keySlot]))] = (batches.count, row)
      }
      batches.append(rows)
    }
    var found = Found(rows: Rows(width: query.width), missing: [])
    for (place, id) in ids.enumerated() {
      if let (batch, row) = places[.text(id)] {
        found.rows.append(row, of: batches[batch], slots: Array(0..<query.width))
      } else {
        found.missing.append(place)
      }
    }
    return found
  }
}
