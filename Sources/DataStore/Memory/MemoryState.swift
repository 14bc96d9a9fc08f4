import DataModel

/// The whole state of a memory store as one value: a transaction works on a copy, and a commit
/// assigns it.
struct MemoryState: Sendable {
  var catalog = Catalog()
  var version: Int64 = 0
  /// The tables by the names of their schemas.
  var tables = [Schema.function.name: MemoryTable(schema: .function)]
  /// The sessions by the hashes of their tokens.
  var sessions: [[UInt8]: Session] = [:]
  /// The applied plans.
  var log: [AppliedPlan] = []

  /// Throws `schemaChanged` if the schema or the catalog version differs from the store's.
  func checkIsCurrent(_ schema: Schema, version: Int64? = nil) throws(DataError) {
    guard tables[schema.name]?.schema == schema, version ?? self.version == self.version else {
      throw .schemaChanged
    }
  }

  /// Returns the row of a record, or nil if it does not exist.
  func row(in schema: String, id: [UInt8]) -> Rows? {
    tables[schema]?.records[id]?.row
  }

  /// Whether a record exists.
  func hasRecord(_ id: [UInt8], in schema: String) -> Bool {
    tables[schema]?.records[id] != nil
  }
}

/// A schema with its records, by the bytes of their ids.
struct MemoryTable: Sendable {
  var schema: Schema
  var records: [[UInt8]: MemoryRecord] = [:]

  /// The records, sorted by id.
  var sorted: [(id: [UInt8], record: MemoryRecord)] {
    records.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
      (id: $0.key, record: $0.value)
    }
  }
}

/// A record as a single row, and the contents of its files by field name.
struct MemoryRecord: Sendable {
  var row: Rows
  var files: [String: [UInt8]] = [:]
}
