import DataModel
import DataStore
import Testing

@Suite("Store contract: looking up records by several fields")
struct LookupTests {
  private func fixture(_ engine: Engine) async throws -> (StoreFixture, Schema) {
    let schema = try Schema.test(
      "account", Field("h_id", .text, isUnique: true), Field("number", .integer, isUnique: true),
      Field("name", .text))
    let fixture = try await StoreFixture(engine, [schema])
    try await fixture.save(
      "account", ["account_id": "A1", "h_id": "h1", "number": 7, "name": "one"],
      ["account_id": "A2", "h_id": "A1", "number": 8], ["account_id": "7", "h_id": "h3"])
    return (fixture, schema)
  }

  @Test("finds and deletes no record for an id that contains NUL", arguments: Engine.all)
  func nul(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let (store, id) = (fixture.store, "A1\u{0}b")
    #expect(try await store.find([id], in: schema, slots: []).missing == [0])
    #expect(try await store.find(["A1", id, "\u{0}"], in: schema, slots: []).missing == [1, 2])
    #expect(try await store.function(id) == nil)
    #expect(try await store.catalog().catalog[id] == nil)
    let problems = try await fixture.rejectedDeletion("account", .ids([id]))
    #expect(problems.map(\.code) == [.notFound])
  }

  private func ids(_ found: FoundRecords, _ schema: Schema) -> [String] {
    (0..<found.rows.count).map { found.rows.text(found.rows[$0, schema.keySlot]) }
  }

  @Test(
    "finds for each given value the record in which any of the given fields has this value",
    arguments: Engine.all)
  func fields(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let found = try await fixture.store.find(
      ["h3", "8", "none", "h1", "8"], byAny: [1, 2], in: schema, slots: [3])
    #expect(ids(found, schema) == ["7", "A2", "A1", "A2"])
    #expect(found.missing == [2])
    #expect(found.rows.text(found.rows[2, 3]) == "one")
    let byKey = try await fixture.store.find(["A2"], byAny: [0, 1], in: schema, slots: [])
    #expect(ids(byKey, schema) == ["A2"])
  }

  @Test(
    "reports a conflict and the ids of all matches when several records match one value",
    arguments: Engine.all)
  func conflicts(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    do {
      _ = try await fixture.store.find(["A1", "7", "h3"], byAny: [0, 1, 2], in: schema, slots: [])
      Issue.record("nothing was ambiguous")
    } catch {
      #expect(error.problems.map(\.code) == [.notUnique, .notUnique])
      #expect(
        error.problems.map(\.message) == [
          "\"A1\" matches 2 records: \"A1\", \"A2\"",
          "\"7\" matches 2 records: \"7\", \"A1\"",
        ])
    }
  }

  @Test("rejects a lookup by a field that is not unique", arguments: Engine.all)
  func ordinary(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    await #expect(
      throws: DataError(
        Problem(
          .usage, "account.name is not unique, so it cannot identify a record", schema: "account",
          field: "name"))
    ) { try await fixture.store.find(["one"], byAny: [1, 3], in: schema, slots: []) }
  }

  private func manyAccounts(_ engine: Engine) async throws -> (StoreFixture, Schema) {
    let schema = try Schema.test(
      "account", Field("name", .text, isUnique: true), Field("number", .integer, isUnique: true),
      Field("weight", .number, isUnique: true), Field("since", .datetime, isUnique: true),
      Field("next", .relation(Relation(to: "account")), isUnique: true))
    let fixture = try await StoreFixture(engine, [schema])
    let rows = (0..<300).map { number -> Row in
      let time = Timestamp(microseconds: Int64(number) * 1_000_000)
      return [
        "account_id": .value(.text("a\(number)")), "name": .value(.text("n\(number)")),
        "number": .value(.integer(Int64(number))), "weight": .value(.number(Double(number) / 8)),
        "since": .value(time.map(Value.datetime) ?? .null),
        "next": .value(number == 0 ? .null : .text("a\(number - 1)")),
      ]
    }
    #expect(try await fixture.trySave("account", rows).error == nil)
    return (fixture, schema)
  }

  @Test(
    "finds many records by fields of any type, in the order of the given values",
    arguments: Engine.all)
  func many(engine: Engine) async throws {
    let (fixture, schema) = try await manyAccounts(engine)
    let order = (0..<300).reversed() + [7, 7]
    let ids = order.map { "a\($0)" }
    let texts: [(slot: Int, text: (Int) -> String)] = [
      (schema.keySlot, { "a\($0)" }), (1, { "n\($0)" }), (2, { "\($0)" }),
      (3, { "\(Double($0) / 8)" }),
      (4, { "1970-01-01T00:0\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)Z" }),
    ]
    for (slot, text) in texts {
      let found = try await fixture.store.find(
        order.map(text) + ["none"], byAny: [slot], in: schema, slots: [2])
      #expect(found.missing == [302])
      #expect(self.ids(found, schema) == ids)
      // The field of a lookup is returned only if it was selected.
      #expect(!found.rows[0, 1].hasValue)
      #expect((0..<302).map { found.rows[$0, 2].integer } == order.map(Int64.init))
    }
    let joined = try await fixture.store.find(
      order.map { "a\($0)" }, byAny: [5, 1], in: schema, slots: [],
      joinedFields: [FieldPath(names: ["next", "name"])])
    #expect(joined.missing == [0])
    #expect(self.ids(joined, schema) == order.dropFirst().map { "a\($0 + 1)" })
    #expect(joined.rows.text(joined.rows[0, schema.width]) == "n298")
  }

  @Test(
    "finds a record by the exact value of a field, even if the value is written as 007 or 7.0",
    arguments: Engine.all)
  func spellings(engine: Engine) async throws {
    let (fixture, schema) = try await manyAccounts(engine)
    let cases: [(slot: Int, texts: [String], ids: [String], missing: [Int])] = [
      (1, ["n7", "N7", "n7 ", "n7\u{301}", "n7"], ["a7", "a7"], [1, 2, 3]),
      (2, ["7", "007", "7.0", "70e-1"], ["a7", "a7", "a7", "a7"], []),
      (2, ["7x", "x", "", " 0", "7.5", "1e400", "0"], ["a0"], [0, 1, 2, 3, 4, 5]),
      (3, ["0.125", "1.25e-1", "-0", ".125", "x"], ["a1", "a1", "a0"], [3, 4]),
      (
        4, ["1970-01-01T01:00:07+01:00", "1970-01-01T00:00:07.000Z", "7", "1970-01-01"],
        ["a7", "a7", "a0"], [2]
      ),
      (5, ["a7", "A7", "a7"], ["a8", "a8"], [1]),
    ]
    for (slot, texts, ids, missing) in cases {
      let found = try await fixture.store.find(texts, byAny: [slot], in: schema, slots: [])
      #expect(found.missing == missing, "\(texts)")
      #expect(self.ids(found, schema) == ids, "\(texts)")
      for (index, text) in texts.enumerated() {
        let alone = try await fixture.store.find([text], byAny: [slot], in: schema, slots: [])
        #expect(alone.missing.isEmpty != missing.contains(index), "\(text)")
      }
    }
  }
}
