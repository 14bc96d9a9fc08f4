package import DataModel

/// Random schemas with random valid records. The same seed creates the same world.
package struct SampleData: Sendable {
  package let catalog: Catalog
  /// The records of each schema with their ids only. Saved first, so that references find them.
  package private(set) var keyChunks: [String: RowChanges] = [:]
  /// The complete records of each schema, saved when all ids exist.
  package private(set) var chunks: [String: RowChanges] = [:]
  /// The records by schema and id, as every store must keep them.
  package private(set) var records: [String: [[UInt8]: Rows]] = [:]
  /// The time and user of the records.
  package let stamp: Stamp
  var random: SeededRandom

  package init(seed: UInt64, recordsPerSchema: Int = 12) throws(DataError) {
    random = SeededRandom(seed: seed)
    catalog = try Self.catalog(&random)
    guard let noon = Samples.times.dropFirst(5).first else {
      throw DataError(.failed, "there is no time to make records")
    }
    stamp = Stamp(time: noon, user: random.chance(70) ? "user-1" : nil)
    let counts = catalog.schemas.map {
      ($0.name, random.number(recordsPerSchema / 2...recordsPerSchema))
    }
    for (name, count) in counts {
      try addRecords(of: try catalog.schema(name), count: count, counts)
    }
  }

  /// Returns the record with an id, for `ConditionMatcher`.
  package func row(_ schema: String, _ id: [UInt8]) -> Rows? { records[schema]?[id] }

  private mutating func addRecords(
    of schema: Schema, count: Int, _ counts: [(String, Int)]
  ) throws(DataError) {
    var (keyChunk, chunk) = (RowChanges(for: schema), RowChanges(for: schema))
    for number in 1...count {
      let id = Self.id(number, of: schema.name)
      keyChunk.beginRecord(line: number)
      keyChunk.set(schema.keySlot, text: id.utf8.span)
      chunk.beginRecord(line: number)
      chunk.set(schema.keySlot, text: id.utf8.span)
      for slot in schema.fields.indices where slot != schema.keySlot {
        set(slot, of: schema, in: &chunk, counts)
      }
      if let error = DataError(keyChunk.endRecord() + chunk.endRecord()) { throw error }
    }
    keyChunks[schema.name] = keyChunk
    chunks[schema.name] = chunk
    for row in 0..<count {
      _ = keyChunk.resolve(row, over: nil, by: SavePolicy(), stamp: stamp)
      _ = chunk.resolve(row, over: keyChunk.rows, at: row, by: SavePolicy(), stamp: stamp)
      records[schema.name, default: [:]][Array(Self.id(row + 1, of: schema.name).utf8)] =
        Self.record(row, of: chunk.rows, width: schema.width)
    }
  }

  private static func record(_ row: Int, of rows: Rows, width: Int) -> Rows {
    var record = Rows(width: width)
    record.addRow()
    for slot in 0..<width {
      let cell = rows[row, slot]
      switch cell.kind {
      case .missing, .null, .integer, .number: record[0, slot] = cell
      case .input, .arena: record[0, slot] = rows.withBytes(of: cell) { record.store($0) }
      }
    }
    return record
  }

  /// Returns the id of the nth record of a schema.
  static func id(_ number: Int, of schema: String) -> String { "\(schema)-\(number)" }
}
