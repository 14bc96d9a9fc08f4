import DataModel
import DataStore
import Testing

@Suite("Store contract: plan log and review")
struct PlanLogTests {
  @Test("logs each executed schema change with its time, user and steps", arguments: Engine.all)
  func log(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine)
    #expect(try await fixture.store.log() == [])
    try await fixture.apply([try .test("a")])
    try await fixture.apply([try .test("a", Field("x", .text))], end: .rollBack)
    try await fixture.apply([try .test("a")])
    try await fixture.apply([try .test("a", Field("x", .integer))])
    let again = try await fixture.reopened()
    #expect(
      try await again.store.log() == [
        AppliedPlan(
          time: StoreFixture.noon, user: "ann", program: "test 1",
          steps:
            #"[{"step":"create_schema","schema":"a","text":"create schema a"}]"#),
        AppliedPlan(
          time: StoreFixture.noon, user: "ann", program: "test 1",
          steps:
            #"[{"step":"add_field","schema":"a","field":"x","type":"integer","text":"add field a.x: integer"}]"#
        ),
      ])
  }

  @Test(
    "rejects a schema change when the check of stored functions reports problems",
    arguments: Engine.all)
  func review(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine, [try .test("a", Field("x", .text))])
    try await fixture.save(
      "function", ["function_id": "f", "item_type": "a", "function": .value(.json("{}"))])
    let stored = try await fixture.store.catalog()
    let plan = try SchemaPlan(renaming: "x", of: "a", to: "y", from: stored)
    var request = PlanRequest(plan, stamp: Stamp(time: StoreFixture.noon), program: "test 1")
    request.review = { rows, before, after in
      [
        Problem(
          .referenced,
          "\(rows.count) \(before["a"]?.fields[1].name ?? "") \(after["a"]?.fields[1].name ?? "")",
          id: rows.text(rows[0, 0]))
      ]
    }
    let error = await #expect(throws: DataError.self) { try await fixture.store.apply(request) }
    #expect(error?.problems == [Problem(.referenced, "1 x y", id: "f")])
    #expect(try await fixture.store.catalog().catalog == stored.catalog)
  }
}
