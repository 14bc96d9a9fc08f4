package import DataModel

extension StoreReader {
  /// Finds records by id, in the order of the ids. The values of joined fields follow the record's
  /// own cells.
  package func find(
    _ ids: [String], in schema: Schema, slots: [Int], joinedFields paths: [FieldPath]
  ) async throws(DataError) -> FoundRecords {
    if paths.isEmpty { return try await find(ids, in: schema, slots: slots) }
    return try await find(
      ids, byAny: [schema.keySlot], in: schema, slots: slots, joinedFields: paths)
  }
}
