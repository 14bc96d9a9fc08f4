package import DataModel

extension StoreReader {
  /// Finds one record for each text, by any of several fields: the key, and unique ones.
  ///
  /// A text that several records have is a conflict that lists them: nobody can tell which of them
  /// is meant.
  package func find(
    _ texts: [String], byAny fields: [Int], in schema: Schema, slots: [Int],
    alongside paths: [FieldPath] = []
  ) async throws(DataError) -> Found {
    try schema.checkIdentifying(fields)
    let width = schema.width + paths.count
    var found = Found(rows: Rows(width: width), missing: [])
    var problems: [Problem] = []
    for (place, text) in texts.enumerated() {
      let query = Query(
        schema, where: schema.condition(anyOf: fields, is: text), limit: DataError.kept,
        slots: slots + [schema.keySlot], alongside: paths)
      let answer = try await records(query).next(reusing: Rows(width: width))
      guard let rows = answer, rows.count > 0 else {
        found.missing.append(place)
        continue
      }
      if rows.count == 1 {
        found.rows.append(0, of: rows, slots: Array(0..<width))
      } else {
        let ids = (0..<rows.count).map { rows.text(rows[$0, schema.keySlot]) }
        problems.append(.ambiguous(text, ids: ids, of: schema))
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
          .usage, "\(name).\(self.name(of: slot)) is not unique, so it names no record",
          schema: name, field: self.name(of: slot))
      })
    if let error { throw error }
  }
}
