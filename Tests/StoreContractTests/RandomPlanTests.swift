import DataModel
import DataStore
import QuestionSamples
import Testing

@Suite("Plans between random schemas")
struct RandomPlanTests {
  private static let seeds: [UInt64] = Array(1...12)
  private static let pairs = 25

  /// The result of one pair on one engine.
  private struct End: Equatable {
    var isApplied = false
    var problems: [Problem] = []
    var content: [String: [Record]] = [:]
    var isBack = false
    var contentBack: [String: [Record]] = [:]
  }

  @Test("applies most of 300 random plans without losing values, equally on each engine")
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
      var ends: [End] = []
      for engine in Engine.all { ends.append(try await end(of: seed, on: engine)) }
      for end in ends { #expect(end == ends[0], "seed \(seed)") }
      applied += ends[0].isApplied ? 1 : 0
    }
    return applied
  }

  private func end(of seed: UInt64, on engine: Engine) async throws -> End {
    var chance = RandomSchemas(seed: seed)
    let old = chance.beginning()
    let new = chance.changed(old)
    let before = try old.map { try DeclaredSchema(checking: $0) }
    let after = try new.map { try DeclaredSchema(checking: $0) }
    let bench = try await Workbench(engine)
    try await bench.apply(before, reading: .ofStore)
    try await fill(bench, &chance)
    let content = try await bench.everything()
    var end = End()
    end.problems = try await tryApply(after, to: bench)
    if end.problems.contains(where: { $0.code == .loss }) {
      let plan = try SchemaPlan(
        from: try await bench.store.catalog(), to: after, reading: .ofStore)
      let consents = Set(plan.steps.compactMap(\.loss))
      let rest = try await tryApply(after, to: bench, consents: consents)
      #expect(rest.allSatisfy { $0.code != .loss }, "seed \(seed)")
      end.isApplied = rest.isEmpty
      end.content = try await bench.everything()
      return end
    }
    end.isApplied = end.problems.isEmpty
    end.content = try await bench.everything()
    guard end.isApplied else { return end }
    let back = try inverse(of: new, to: old)
    end.isBack = try await tryApply(back, to: bench).isEmpty
    guard end.isBack else { return end }
    end.contentBack = try await bench.everything()
    for (name, records) in content {
      for record in records {
        let key = name + "_id"
        let found = try #require(end.contentBack[name]?.first { $0[key] == record[key] })
        for (field, value) in record.values where value != .null && value != .list([]) {
          #expect(found[field] == value, "seed \(seed), \(name).\(field)")
        }
      }
    }
    return end
  }

  /// Applies schemas. A rejected plan must change nothing, and neither may a second run.
  private func tryApply(
    _ schemas: [DeclaredSchema], to bench: Workbench, consents: Set<String> = []
  ) async throws -> [Problem] {
    let content = try await bench.everything()
    let stored = try await bench.store.catalog()
    do {
      try await bench.apply(schemas, reading: .ofStore, allowingLoss: consents)
    } catch let error as DataError {
      #expect(try await bench.everything() == content)
      let now = try await bench.store.catalog()
      #expect(now.catalog == stored.catalog && now.version == stored.version)
      return error.problems
    }
    let now = try await bench.store.catalog()
    #expect(now.catalog.schemas == schemas.map(\.schema).sorted { $0.name < $1.name })
    #expect(try SchemaPlan(from: now, to: schemas, reading: .ofStore).isEmpty)
    return []
  }

  private func fill(_ bench: Workbench, _ chance: inout RandomSchemas) async throws {
    let schemas = try await bench.store.catalog().catalog.schemas
    // The second pass saves the references to the records of the first. Rows with conflicts or
    // dangling references are skipped.
    for _ in 0..<2 {
      for schema in schemas {
        for id in 0...2 {
          let row = chance.row(id, of: schema)
          _ = try await bench.trySave(schema.name, [row])
        }
      }
    }
  }

  /// Returns the old schemas with the `was` names that undo the renamings.
  private func inverse(
    of new: [SchemaDraft], to old: [SchemaDraft]
  ) throws -> [DeclaredSchema] {
    try old.map { draft in
      var back = draft
      guard let now = new.first(where: { ($0.was ?? $0.name) == draft.name }) else {
        return try DeclaredSchema(checking: back)
      }
      if now.name != draft.name { back.was = now.name }
      for place in back.fields.indices where back.fields[place].field.type != .id {
        let name = back.fields[place].field.name
        let field = now.fields.first { ($0.was ?? $0.field.name) == name }
        if let field, field.field.name != name { back.fields[place].was = field.field.name }
      }
      return try DeclaredSchema(checking: back)
    }
  }
}
