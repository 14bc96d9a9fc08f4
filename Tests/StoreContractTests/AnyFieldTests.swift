import DataModel
import DataStore
import Testing

@Suite("Finding by any of several fields on each engine")
struct AnyFieldTests {
  private func bench(_ engine: Engine) async throws -> (Workbench, Schema) {
    let schema = try Schema.test(
      "account", Field("h_id", .text, isUnique: true), Field("number", .integer, isUnique: true),
      Field("name", .text))
    let bench = try await Workbench(engine, [schema])
    try await bench.save(
      "account", ["account_id": "A1", "h_id": "h1", "number": 7, "name": "one"],
      ["account_id": "A2", "h_id": "A1", "number": 8], ["account_id": "7", "h_id": "h3"])
    return (bench, schema)
  }

  private func ids(_ found: Found, _ schema: Schema) -> [String] {
    (0..<found.rows.count).map { found.rows.text(found.rows[$0, schema.keySlot]) }
  }

  @Test("records are found by whichever field has the text", arguments: Engine.all)
  func fields(engine: Engine) async throws {
    let (bench, schema) = try await bench(engine)
    let found = try await bench.store.find(
      ["h3", "8", "none", "h1", "8"], byAny: [1, 2], in: schema, slots: [3])
    #expect(ids(found, schema) == ["7", "A2", "A1", "A2"])
    #expect(found.missing == [2])
    #expect(found.rows.text(found.rows[2, 3]) == "one")
    let byKey = try await bench.store.find(["A2"], byAny: [0, 1], in: schema, slots: [])
    #expect(ids(byKey, schema) == ["A2"])
  }

  @Test("a text that several records have is a conflict that lists them", arguments: Engine.all)
  func conflicts(engine: Engine) async throws {
    let (bench, schema) = try await bench(engine)
    do {
      _ = try await bench.store.find(["A1", "7", "h3"], byAny: [0, 1, 2], in: schema, slots: [])
      Issue.record("nothing was ambiguous")
    } catch {
      #expect(error.problems.map(\.code) == [.notUnique, .notUnique])
      #expect(
        error.problems.map(\.message) == [
          "\"A1\" stands for 2 records: \"A1\", \"A2\"",
          "\"7\" stands for 2 records: \"7\", \"A1\"",
        ])
    }
  }

  @Test("a field that is not unique names no record", arguments: Engine.all)
  func ordinary(engine: Engine) async throws {
    let (bench, schema) = try await bench(engine)
    await #expect(
      throws: DataError(
        Problem(
          .usage, "account.name is not unique, so it names no record", schema: "account",
          field: "name"))
    ) { try await bench.store.find(["one"], byAny: [1, 3], in: schema, slots: []) }
  }
}
