import DataModel
import DataStore
import Testing

@Suite("Store contract: snapshots")
struct SnapshotTests {
  private func fixture(_ engine: Engine) async throws -> (StoreFixture, Schema) {
    let schema = try Schema.test("account", Field("amount", .integer))
    let fixture = try await StoreFixture(engine, [schema])
    let rows = (0..<50).map { number -> Row in
      ["account_id": .value(.text("a\(number)")), "amount": 100]
    }
    #expect(try await fixture.trySave("account", rows).error == nil)
    return (fixture, schema)
  }

  @Test("executes every query of a snapshot on the same data", arguments: Engine.all)
  func snapshot(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let before = try await fixture.ids(Query(schema))
    let snapshot = try await fixture.store.snapshot()
    #expect(try await snapshot.count(Query(schema)) == 50)
    try await fixture.delete("account", .ids(["a1"]))
    try await fixture.save("account", ["account_id": "a2", "amount": 7], ["account_id": "new"])
    #expect(try await snapshot.ids(Query(schema)) == before)
    #expect(try await snapshot.count(Query(schema)) == 50)
    let found = try await snapshot.find(["a1", "a2", "new"], in: schema, slots: [0, 1])
    #expect(found.missing == [2])
    #expect(
      (0..<2).map { Record(found.rows, $0, of: schema) } == [
        ["account_id": "a1", "amount": 100], ["account_id": "a2", "amount": 100],
      ])
    let sum = GroupQuery(schema, by: [], aggregates: [.sum("amount")])
    #expect(try await snapshot.groups(sum) == [["sum_amount": 5_000]])
    #expect(try await fixture.groups(sum) == [["sum_amount": 4_807]])
    #expect(try await fixture.store.count(Query(schema)) == 50)
  }

  @Test("reads two streams of one snapshot alternately", arguments: Engine.all)
  func interleaved(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let snapshot = try await fixture.store.snapshot()
    let up = try await snapshot.records(Query(schema))
    let down = try await snapshot.records(
      Query(schema, order: [OrderTerm("account_id", isDescending: true)]))
    var first: [Record] = []
    var second: [Record] = []
    while let rows = try await up.next(reusing: Rows(width: schema.width)) {
      first += (0..<rows.count).map { Record(rows, $0, of: schema) }
      guard let others = try await down.next(reusing: rows) else { break }
      second += (0..<others.count).map { Record(others, $0, of: schema) }
    }
    #expect(first.count == 50)
    #expect(first == second.reversed())
  }

  @Test("reads consistent totals while concurrent writers transfer amounts", arguments: Engine.all)
  func transfers(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          for round in 0..<30 {
            let (from, to) = ((round * 7 + writer) % 50, (round * 11 + writer + 1) % 50)
            guard from != to else { continue }
            try await fixture.save(
              "account", ["account_id": .value(.text("a\(from)")), "amount": .add("-3")],
              ["account_id": .value(.text("a\(to)")), "amount": .add("3")])
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<30 {
            let sum = try await fixture.all("account").reduce(Int64(0)) { sum, record in
              guard case .integer(let amount) = record["amount"] else { return sum }
              return sum + amount
            }
            #expect(sum == 5_000)
            let groups = try await fixture.groups(
              GroupQuery(schema, by: [], aggregates: [.sum("amount")]))
            #expect(groups == [["sum_amount": 5_000]])
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(
    "rejects a query when the schemas have changed since the query was prepared",
    arguments: Engine.all)
  func stale(engine: Engine) async throws {
    let owner = try Schema.test("owner", Field("name", .text))
    let item = try Schema.test("item", Field("owner", .relation(Relation(to: "owner"))))
    let fixture = try await StoreFixture(engine, [owner, item])
    let versions = try await fixture.store.catalog().versions(concerning: item)
    let condition = Condition.test("owner.name", .compare(.equal, "ann"))
    let query = Query(item, versions: versions, where: condition)
    #expect(try await fixture.ids(query) == [])
    try await fixture.apply([
      try .test("owner", Field("name", .text), Field("age", .integer)), item,
    ])
    let groups = GroupQuery(item, versions: versions, where: condition, by: ["item_id"])
    await #expect(throws: DataError.schemaChanged) { try await fixture.ids(query) }
    await #expect(throws: DataError.schemaChanged) { try await fixture.store.count(query) }
    await #expect(throws: DataError.schemaChanged) { try await fixture.store.explain(query) }
    await #expect(throws: DataError.schemaChanged) { try await fixture.groups(groups) }
    // Without versions, only the schema of the query is compared.
    #expect(try await fixture.ids(Query(item, where: condition)) == [])
    await #expect(throws: DataError.schemaChanged) { try await fixture.ids(Query(owner)) }
  }
}
