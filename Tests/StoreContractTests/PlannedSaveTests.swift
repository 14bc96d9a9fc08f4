import DataModel
import DataStore
import Testing

@Suite("Store contract: saves that change schemas")
struct PlannedSaveTests {
  private func wider() throws -> Schema {
    try .test("item", Field("title", .text), Field("stock", .integer))
  }

  private func save(
    _ ids: [Int], into schema: Schema, of bench: Workbench, end: SaveRequest.End = .commit,
    lastWord: DataError? = nil
  ) async throws -> DataError? {
    let stored = try await bench.store.catalog()
    var changes = Changes(for: schema)
    for id in ids {
      let row: Row = [
        "item_id": .value(.text("\(id)")), "stock": .value(.integer(Int64(id))),
      ]
      #expect(try changes.take(row, line: id) == [])
    }
    var exchange = Exchange([changes])
    exchange.lastWord = lastWord
    let plan = try SchemaPlan(from: stored, to: [schema], reading: .ofSchemas)
    let request = SaveRequest(
      schema: schema, catalogVersion: stored.version,
      plan: PlanRequest(plan, stamp: Stamp(time: Workbench.noon), program: "tests"),
      stamp: Stamp(time: Workbench.noon), end: end)
    do {
      try await bench.store.save(request, through: &exchange)
      return nil
    } catch {
      return error
    }
  }

  @Test("creates the schema with the first records", arguments: Engine.all)
  func first(engine: Engine) async throws {
    var bench = try await Workbench(engine)
    #expect(try await save([1, 2], into: wider(), of: bench) == nil)
    #expect(try await bench.store.catalog().version == 1)
    #expect(try await bench.ids("item") == ["1", "2"])
    if engine.testDescription != "memory" { bench = try await bench.reopened() }
    #expect(try await bench.store.catalog().catalog.schemas == [wider()])
    #expect(try await bench.ids("item") == ["1", "2"])
  }

  @Test("adds fields with the records that have them", arguments: Engine.all)
  func addition(engine: Engine) async throws {
    let bench = try await Workbench(engine, [.test("item", Field("title", .text))])
    try await bench.save("item", ["item_id": "0", "title": "tea"])
    #expect(try await save([1], into: wider(), of: bench) == nil)
    #expect(try await bench.record("item", "0")?["stock"] == .null)
    #expect(try await bench.record("item", "1")?["stock"] == .integer(1))
  }

  @Test(
    "leaves the schemas unchanged when a save is rejected or rolled back", arguments: Engine.all)
  func refusal(engine: Engine) async throws {
    let refusal = DataError(.invalid, "no")
    let empty = try await Workbench(engine)
    #expect(try await save([1], into: wider(), of: empty, lastWord: refusal) == refusal)
    #expect(try await empty.store.catalog().version == 0)
    #expect(try await save([1], into: wider(), of: empty, end: .rollBack) == nil)
    #expect(try await empty.store.catalog().version == 0)

    let narrow = try Schema.test("item", Field("title", .text))
    let bench = try await Workbench(engine, [narrow])
    #expect(try await save([1], into: wider(), of: bench, lastWord: refusal) == refusal)
    #expect(try await save([1], into: wider(), of: bench, end: .rollBack) == nil)
    #expect(try await bench.store.catalog().catalog.schemas == [narrow])
    #expect(try await bench.ids("item") == [])
    #expect(try await save([1], into: wider(), of: bench) == nil)
  }

  @Test("rejects a plan when the schemas have changed", arguments: Engine.all)
  func overtaken(engine: Engine) async throws {
    let bench = try await Workbench(engine, [.test("item", Field("title", .text))])
    let stored = try await bench.store.catalog()
    let plan = try SchemaPlan(from: stored, to: [wider()], reading: .ofSchemas)
    try await bench.apply([.test("other", Field("title", .text))])
    var exchange = Exchange([Changes(for: try wider())])
    let request = SaveRequest(
      schema: try wider(), catalogVersion: stored.version,
      plan: PlanRequest(plan, stamp: Stamp(time: Workbench.noon), program: "tests"),
      stamp: Stamp(time: Workbench.noon))
    await #expect(throws: DataError.schemaChanged) {
      try await bench.store.save(request, through: &exchange)
    }
  }
}
