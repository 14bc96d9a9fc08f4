import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: random access rules", .tags(.random))
struct RandomAccessTests {
  private static let runs =
    Seeds.count(check: 2, test: 30, all: 200).map { (Engine.sqlite, $0) }
    + Seeds.count(check: 1, test: 5, all: 60).map { (Engine.memory, $0) }
    + Engine.servers.flatMap { server in
      Seeds.count(test: 2, all: 60).map { (server, $0) }
    }

  /// Random data in a store whose rules are the numbers 0, 1 and so on.
  private struct Sample {
    var data: SampleData
    let fixture: StoreFixture
    let stored: StoredCatalog

    init(_ engine: Engine, seed: Int) async throws {
      data = try SampleData(seed: UInt64(seed))
      var schemas: [Schema] = []
      for (index, schema) in data.catalog.schemas.enumerated() {
        var draft = SchemaDraft(schema)
        draft.access[.read] = [.condition("\(index)")]
        schemas.append(try Schema(checking: draft))
      }
      fixture = try await StoreFixture(engine, schemas)
      try await fixture.save(data)
      stored = try await fixture.store.catalog()
    }

    /// Returns a scope with random rules, and the records that it lets a caller read.
    mutating func scope() throws -> (scope: Scope, readable: [String: [[UInt8]: Rows]]) {
      var rules: [Condition] = []
      var readable: [String: [[UInt8]: Rows]] = [:]
      for schema in stored.catalog.schemas {
        let kind = data.condition(of: schema, depth: 2)
        rules.append(kind)
        let matcher = try ConditionMatcher(kind, of: schema, in: stored.catalog)
        for (id, row) in data.records[schema.name] ?? [:]
        where try matcher.matches(row, 0, data.related) {
          readable[schema.name, default: [:]][id] = row
        }
      }
      let scope = try Scope(
        user: "user-1", roles: [], catalog: stored.catalog, version: stored.version
      ) { [rules] (text, _, _, _) in rules[Int(text) ?? 0] }
      return (scope, readable)
    }
  }

  @Test(
    "returns exactly the records that match a query and that the caller may read",
    arguments: runs)
  func conditions(engine: Engine, seed: Int) async throws {
    var sample = try await Sample(engine, seed: seed)
    var selectiveCount = 0
    var count = 0
    for _ in 0..<25 {
      let (scope, readable) = try sample.scope()
      let related = RelatedRecords(sample.stored.catalog, readable)
      for _ in 0..<4 {
        let query = try sample.data.sampleQuery()
        guard let schema = scope.catalog[query.schema.name] else { continue }
        let matcher = try ConditionMatcher(query.condition, of: schema, in: sample.stored.catalog)
        var expected: Set<String> = []
        for (id, row) in readable[schema.name] ?? [:] where try matcher.matches(row, 0, related) {
          expected.insert(String(decoding: id, as: UTF8.self))
        }
        let bound: Query
        do {
          bound = try Query(schema, where: query.condition).bound(to: scope)
          let ids = try await sample.fixture.ids(bound)
          #expect(Set(ids) == expected, "seed \(seed): \(query.condition)")
          #expect(ids.count == expected.count, "seed \(seed): \(query.condition)")
          #expect(try await sample.fixture.store.count(bound) == expected.count)
        } catch let error as DataError where error.code == .usage {
          // A schema of which nothing is readable is unknown in paths.
          #expect(scope.catalog.schemas.count < sample.stored.catalog.schemas.count)
          continue
        }
        count += 1
        if !expected.isEmpty { selectiveCount += 1 }
      }
    }
    #expect(count >= 84 && selectiveCount >= 10, "seed \(seed): \(count), \(selectiveCount)")
  }

  @Test(
    "every engine returns the same order and the same groups of the records that a user may read",
    arguments: runs)
  func groups(engine: Engine, seed: Int) async throws {
    var sample = try await Sample(engine, seed: seed)
    let memory = try await Sample(.memory, seed: seed)
    for _ in 0..<8 {
      let (scope, _) = try sample.scope()
      guard scope.catalog.schemas.count == sample.stored.catalog.schemas.count else { continue }
      for _ in 0..<3 {
        let query = try sample.data.groupQuery().bound(to: scope)
        let found = try await groups(of: query, in: sample.fixture)
        let expected = try await groups(of: query, in: memory.fixture)
        #expect(found == expected, "seed \(seed): \(query.condition)")
        let (schema, terms) = try sample.data.order()
        let ordered = try Query(schema, order: terms).bound(to: scope)
        #expect(
          try await sample.fixture.ids(ordered) == memory.fixture.ids(ordered), "seed \(seed)")
      }
    }
  }

  /// Returns the groups, or nil if the query fails because values in JSON have unsupported types.
  private func groups(of query: GroupQuery, in fixture: StoreFixture) async throws -> Set<Record>? {
    do {
      return Set(try await fixture.groups(query))
    } catch let error as DataError where error.code == .invalid {
      return nil
    }
  }
}
