import DataModel

/// All that a memory store keeps, as one value: a transaction is a copy, its end an assignment.
struct MemoryState: Sendable {
  var catalog = Catalog()
  var version: Int64 = 0
  /// The records of each schema by the bytes of their ids.
  var tables = [Schema.function.name: MemoryTable(schema: .function)]
  /// The sessions by the hashes of their tokens.
  var sessions: [[UInt8]: Session] = [:]
  /// The plans that were carried out.
  var log: [AppliedPlan] = []

  /// Refuses whoever knows another version of the schema.
  func checkIsCurrent(_ schema: Schema, version: Int64? = nil) throws(DataError) {
    guard tables[schema.name]?.schema == schema, version ?? self.version == self.version else {
      throw .schemaChanged
    }
  }

  /// The row of a record, if it is there.
  func row(in schema: String, id: [UInt8]) -> Rows? {
    tables[schema]?.records[id]?.row
  }

  /// Whether a record is there.
  func holds(_ id: [UInt8], in schema: String) -> Bool {
    tables[schema]?.records[id] != nil
  }
}

/// A schema with its records.
struct MemoryTable: Sendable {
  var schema: Schema
  var records: [[UInt8]: MemoryRecord] = [:]

  /// The records in the order of their ids.
  var sorted: [(id: [UInt8], record: MemoryRecord)] {
    records.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
      (id: $0.key, record: $0.value)
    }
  }
}

/// A record as one row, and the bytes of its files by field.
struct MemoryRecord: Sendable {
  var row: Rows
  var files: [String: [UInt8]] = [:]
}
