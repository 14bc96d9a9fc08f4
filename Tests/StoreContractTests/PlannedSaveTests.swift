import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: saves that change schemas")
struct PlannedSaveTests {
  private func wider() throws -> Schema {
    try .test("item", Field("title", .text), Field("stock", .integer))
  }

  private func save(
    _ ids: [Int], into schema: Schema, of fixture: StoreFixture, end: WriteRequest.End = .commit,
    finalError: DataError? = nil
  ) async throws -> DataError? {
    let stored = try await fixture.store.catalog()
    var changes = RowChanges(for: schema)
    for id in ids {
      let row: Row = [
        "item_id": .value(.text("\(id)")), "stock": .value(.integer(Int64(id))),
      ]
      #expect(try changes.take(row, line: id) == [])
    }
    var source = RecordingSource([changes])
    source.finalError = finalError
    let plan = try SchemaPlan(from: stored, to: [schema], reading: .partial)
    let request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema),
      plan: PlanRequest(plan, stamp: Stamp(time: StoreFixture.noon), program: "tests"),
      stamp: Stamp(time: StoreFixture.noon), end: end)
    do {
      try await fixture.store.write(request, from: &source)
      return nil
    } catch {
      return error
    }
  }

  @Test("creates the schema when the first records are saved", arguments: Engine.all)
  func first(engine: Engine) async throws {
    var fixture = try await StoreFixture(engine)
    #expect(try await save([1, 2], into: wider(), of: fixture) == nil)
    #expect(try await fixture.store.catalog().version == 1)
    #expect(try await fixture.ids("item") == ["1", "2"])
    if engine.testDescription != "memory" { fixture = try await fixture.reopened() }
    #expect(try await fixture.store.catalog().catalog.schemas == [wider()])
    #expect(try await fixture.ids("item") == ["1", "2"])
  }

  @Test(
    "adds missing fields to the schema when records that have these fields are saved",
    arguments: Engine.all)
  func addition(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine, [.test("item", Field("title", .text))])
    try await fixture.save("item", ["item_id": "0", "title": "tea"])
    #expect(try await save([1], into: wider(), of: fixture) == nil)
    #expect(try await fixture.record("item", "0")?["stock"] == .null)
    #expect(try await fixture.record("item", "1")?["stock"] == .integer(1))
  }

  @Test(
    "leaves the schemas unchanged when a save is rejected or rolled back", arguments: Engine.all)
  func rejection(engine: Engine) async throws {
    let rejection = DataError(.invalid, "no")
    let empty = try await StoreFixture(engine)
    #expect(try await save([1], into: wider(), of: empty, finalError: rejection) == rejection)
    #expect(try await empty.store.catalog().version == 0)
    #expect(try await save([1], into: wider(), of: empty, end: .rollBack) == nil)
    #expect(try await empty.store.catalog().version == 0)

    let narrow = try Schema.test("item", Field("title", .text))
    let fixture = try await StoreFixture(engine, [narrow])
    #expect(try await save([1], into: wider(), of: fixture, finalError: rejection) == rejection)
    #expect(try await save([1], into: wider(), of: fixture, end: .rollBack) == nil)
    #expect(try await fixture.store.catalog().catalog.schemas == [narrow])
    #expect(try await fixture.ids("item") == [])
    #expect(try await save([1], into: wider(), of: fixture) == nil)
  }

  @Test(
    "rejects a planned save when the schemas have changed since the plan was made",
    arguments: Engine.all)
  func schemasChanged(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine, [.test("item", Field("title", .text))])
    let stored = try await fixture.store.catalog()
    let plan = try SchemaPlan(from: stored, to: [wider()], reading: .partial)
    try await fixture.apply([.test("other", Field("title", .text))])
    var source = RecordingSource([RowChanges(for: try wider())])
    let request = WriteRequest(
      to: [try wider()], versions: stored.versions(concerning: try wider()),
      plan: PlanRequest(plan, stamp: Stamp(time: StoreFixture.noon), program: "tests"),
      stamp: Stamp(time: StoreFixture.noon))
    await #expect(throws: DataError.schemaChanged) {
      try await fixture.store.write(request, from: &source)
    }
  }
}
