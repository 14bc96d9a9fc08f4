import ClientCore
import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Plans between random schemas", .tags(.random))
struct RandomPlanTests {
  private static let seeds = Seeds.count(check: 1, test: 1, all: 12).map { UInt64($0 + 1) }
  private static let pairs = TestTier.current == .all ? 25 : 12

  /// The result of one pair on one engine.
  private struct PairResult: Equatable {
    var isApplied = false
    var problems: [Problem] = []
    var content: [String: [Record]] = [:]
    var isReverted = false
    var revertedContent: [String: [Record]] = [:]
  }

  @Test("applies random schema changes with the same result on each engine, and loses no values")
  func pairs() async throws {
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for seed in Self.seeds { group.addTask { try await applied(from: seed) } }
      return try await group.reduce(0, +)
    }
    let all = Self.seeds.count * Self.pairs
    print("\(count) of \(all) pairs of schemas were applied")
    #expect(count * 10 >= all * 6)
  }

  private func applied(from seed: UInt64) async throws -> Int {
    var applied = 0
    for pair in 0..<Self.pairs {
      let seed = seed * 1_000 + UInt64(pair)
      var results: [PairResult] = []
      for engine in Engine.all { results.append(try await result(of: seed, on: engine)) }
      for result in results { #expect(result == results[0], "seed \(seed)") }
      applied += results[0].isApplied ? 1 : 0
    }
    return applied
  }

  private func result(of seed: UInt64, on engine: Engine) async throws -> PairResult {
    var generator = RandomSchemas(seed: seed)
    let old = generator.initialSchemas()
    let new = generator.changed(old)
    let before = try old.map { try DeclaredSchema(checking: $0) }
    let after = try new.map { try DeclaredSchema(checking: $0) }
    let fixture = try await StoreFixture(engine)
    try await fixture.apply(before, reading: .complete)
    try await fill(fixture, &generator)
    let content = try await fixture.everything()
    var result = PairResult()
    result.problems = try await tryApply(after, to: fixture)
    if result.problems.contains(where: { $0.code == .loss }) {
      let plan = try SchemaPlan(
        from: try await fixture.store.catalog(), to: after, reading: .complete)
      let consents = Set(plan.steps.compactMap(\.loss))
      let rest = try await tryApply(after, to: fixture, consents: consents)
      #expect(rest.allSatisfy { $0.code != .loss }, "seed \(seed)")
      result.isApplied = rest.isEmpty
      result.content = try await fixture.everything()
      return result
    }
    result.isApplied = result.problems.isEmpty
    result.content = try await fixture.everything()
    guard result.isApplied else { return result }
    let reverted = try inverse(of: new, to: old)
    result.isReverted = try await tryApply(reverted, to: fixture).isEmpty
    guard result.isReverted else { return result }
    result.revertedContent = try await fixture.everything()
    for (name, records) in content {
      for record in records {
        let key = name + "_id"
        let found = try #require(result.revertedContent[name]?.first { $0[key] == record[key] })
        for (field, value) in record.values where value != .null && value != .list([]) {
          #expect(found[field] == value, "seed \(seed), \(name).\(field)")
        }
      }
    }
    return result
  }

  /// Applies schemas. A rejected plan must change nothing, and neither may a second run.
  private func tryApply(
    _ schemas: [DeclaredSchema], to fixture: StoreFixture, consents: Set<String> = []
  ) async throws -> [Problem] {
    let content = try await fixture.everything()
    let stored = try await fixture.store.catalog()
    do {
      try await fixture.apply(schemas, reading: .complete, allowingLoss: consents)
    } catch let error as DataError {
      #expect(try await fixture.everything() == content)
      let now = try await fixture.store.catalog()
      #expect(now.catalog == stored.catalog && now.version == stored.version)
      return error.problems
    }
    let now = try await fixture.store.catalog()
    #expect(now.catalog.schemas == schemas.map(\.schema).sorted { $0.name < $1.name })
    #expect(try SchemaPlan(from: now, to: schemas, reading: .complete).isEmpty)
    try await inspect(fixture)
    return []
  }

  /// Expects that nothing is wrong with the store, as `datactl doctor --full` checks it.
  private func inspect(_ fixture: StoreFixture) async throws {
    guard fixture.store is any InspectableStore else { return }
    let environment = Environment(
      environment: { _ in nil }, folder: "/nowhere", userID: 0, now: { StoreFixture.noon })
    let client = Client(
      fixture.store, choice: try StoreChoice.find(option: "memory:", in: environment),
      in: environment)
    #expect(try await client.inspect(completely: true) == [])
  }

  private func fill(_ fixture: StoreFixture, _ generator: inout RandomSchemas) async throws {
    let schemas = try await fixture.store.catalog().catalog.schemas
    // The second pass saves the references to the records of the first. Rows with conflicts or
    // dangling references are skipped.
    for _ in 0..<2 {
      for schema in schemas {
        for id in 0...2 {
          let row = generator.row(id, of: schema)
          _ = try await fixture.trySave(schema.name, [row])
        }
      }
    }
  }

  /// Returns the old schemas with the `was` names that undo the renamings.
  private func inverse(
    of new: [SchemaDraft], to old: [SchemaDraft]
  ) throws -> [DeclaredSchema] {
    try old.map { draft in
      var reverted = draft
      guard let now = new.first(where: { ($0.was ?? $0.name) == draft.name }) else {
        return try DeclaredSchema(checking: reverted)
      }
      if now.name != draft.name { reverted.was = now.name }
      for index in reverted.fields.indices where reverted.fields[index].field.type != .id {
        let name = reverted.fields[index].field.name
        let field = now.fields.first { ($0.was ?? $0.field.name) == name }
        if let field, field.field.name != name { reverted.fields[index].was = field.field.name }
      }
      return try DeclaredSchema(checking: reverted)
    }
  }
}
