import DataModel
import DataStore
import TestSupport
import Testing

extension StoreFixture {
  /// Saves all records of a world: first their ids only, so that references find them.
  func save(_ sampleData: SampleData) async throws {
    let stored = try await store.catalog()
    for chunks in [sampleData.keyChunks, sampleData.chunks] {
      for schema in stored.catalog.schemas {
        var exchange = RecordingExchange([try #require(chunks[schema.name])])
        try await store.save(
          SaveRequest(
            schema: schema, catalogVersion: stored.version, policy: SavePolicy(),
            stamp: sampleData.stamp),
          through: &exchange)
      }
    }
  }

  /// Returns the ids of a query's records, in order.
  func ids(_ query: Query) async throws -> [String] { try await store.ids(query) }

  /// Returns the rows of a group query, keyed by column name.
  func groups(_ query: GroupQuery) async throws -> [Record] { try await store.groups(query) }
}

extension StoreReader {
  /// Returns the ids of a query's records, in order.
  func ids(_ query: Query) async throws -> [String] {
    let stream = try await records(query)
    var ids: [String] = []
    var rows = Rows(width: query.width)
    while let next = try await stream.next(reusing: rows) {
      ids += (0..<next.count).map { next.text(next[$0, query.schema.keySlot]) }
      rows = next
    }
    return ids
  }

  /// Returns the rows of a group query, keyed by column name.
  func groups(_ query: GroupQuery) async throws -> [Record] {
    let columns = try query.columns(in: try await catalog().catalog)
    let stream: any RecordStream = try await groups(query)
    var records: [Record] = []
    while let rows = try await stream.next(reusing: Rows(width: columns.count)) {
      for row in 0..<rows.count {
        var record = Record()
        for (index, column) in columns.enumerated() {
          record.values[column.name] = rows.value(rows[row, index], of: column.type)
        }
        records.append(record)
      }
    }
    return records
  }
}
