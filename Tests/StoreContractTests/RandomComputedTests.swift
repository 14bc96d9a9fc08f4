import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: random computed values", .tags(.random))
struct RandomComputedTests {
  /// Each seed runs 50 queries.
  private static let runs =
    Seeds.count(check: 3, test: 20, all: 110).map { (Engine.sqlite, $0) }
    + Engine.servers.filter { $0.testDescription != Engine.citus.testDescription }.flatMap {
      server in Seeds.count(test: 4, all: 110).map { (server, $0) }
    }

  @Test(
    "returns the same values and errors for random expressions as the memory store",
    arguments: runs)
  func same(engine: Engine, seed: Int) async throws {
    var data = try SampleData(seed: UInt64(seed))
    let fixture = try await StoreFixture(engine, data.catalog.schemas)
    let memory = try await StoreFixture(.memory, data.catalog.schemas)
    try await fixture.save(data)
    try await memory.save(data)
    var successes = 0
    for _ in 0..<20 {
      let query = try data.computedQuery()
      let expected = try await records(of: query, in: memory)
      let comment: Comment = "seed \(seed): \(query.condition), \(query.order), \(query.computed)"
      #expect(try await records(of: query, in: fixture) == expected, comment)
      if expected != nil { successes += 1 }
      for page in try await pages(around: query, in: memory) {
        #expect(
          try await records(of: page, in: fixture) == records(of: page, in: memory), comment)
        #expect(try await count(of: page, in: fixture) == count(of: page, in: memory), comment)
      }
      let groups = try data.computedGroupQuery()
      let expectedGroups = try await self.groups(of: groups, in: memory)
      let found = try await self.groups(of: groups, in: fixture)
      #expect(
        found == expectedGroups,
        "seed \(seed): \(groups.condition), \(groups.keys), \(groups.aggregates), \(groups.having)")
      if expectedGroups != nil { successes += 1 }
    }
    #expect(successes >= 10, "seed \(seed): \(successes) queries of 40 succeed")
  }

  /// Returns the values of the records, or nil if a value in JSON has a type that the query does not
  /// support.
  private func records(of query: Query, in fixture: StoreFixture) async throws -> [[Value]]? {
    let types = try fixture.types(of: query, in: try await fixture.store.catalog().catalog)
    return try await unlessInvalid {
      let stream = try await fixture.store.records(try await fixture.store.nearby(query))
      var records: [[Value]] = []
      while let rows = try await stream.next(reusing: Rows(width: query.width)) {
        for row in 0..<rows.count {
          records.append(types.enumerated().map { rows.value(rows[row, $0], of: $1) })
        }
      }
      return records
    }
  }

  private func count(of query: Query, in fixture: StoreFixture) async throws -> Int? {
    try await unlessInvalid { try await fixture.store.count(query) }
  }

  private func groups(of query: GroupQuery, in fixture: StoreFixture) async throws -> [Record]? {
    try await unlessInvalid { try await fixture.groups(query) }
  }

  private func unlessInvalid<Result>(_ body: () async throws -> Result) async throws -> Result? {
    do {
      return try await body()
    } catch let error as DataError where error.code == .invalid {
      return nil
    }
  }

  /// Returns the queries for the pages after and before the second record of a query.
  private func pages(around query: Query, in memory: StoreFixture) async throws -> [Query] {
    let catalog = try await memory.store.catalog().catalog
    let whole = try query.withCursors(in: catalog)
    let rows = try await unlessInvalid {
      try await memory.store.records(whole).next(reusing: Rows(width: whole.width))
    }
    guard let rows = rows ?? nil, rows.count > 1 else { return [query] }
    let cursor = try whole.cursor(of: 1, in: rows, catalog)
    var (after, before) = (query, query)
    after.bound = .after(cursor)
    before.bound = .before(cursor)
    return [query, after, before].filter { $0.limit != nil }
  }
}

extension StoreFixture {
  /// Returns the types of the cells in the rows of a query.
  fileprivate func types(of query: Query, in catalog: Catalog) throws -> [FieldType] {
    let own = (0..<query.schema.width).map { query.schema.type(of: $0) }
    let additional = try catalog.resolved(
      query.additionalValues.map(\.value), from: query.schema)
    return own + additional.map(\.type)
  }
}
