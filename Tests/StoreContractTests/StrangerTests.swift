import DataModel
import DataStore
import Testing

@Suite("Store contract: foreign objects in SQLite and PostgreSQL")
struct StrangerTests {
  private func bench(_ engine: OpenEngine) async throws -> Workbench {
    let title = Field("title", .text)
    return try await Workbench(
      engine.engine,
      [try .test("todo", title, Field("stock", .text)), try .test("other", title)])
  }

  /// Expects the plan to be rejected because of a foreign object, and returns the cause in the
  /// message.
  private func refusal(of plan: SchemaPlan, in bench: Workbench) async throws -> String {
    let before = try await bench.store.catalog()
    let error = await #expect(throws: DataError.self) { try await bench.carryOut(plan) }
    #expect(try await bench.store.catalog().catalog == before.catalog)
    let problem = try #require(error?.problems.first)
    #expect(problem.code == .referenced)
    #expect(problem.hint?.hasPrefix("change it first, with ") == true)
    let parts = problem.message.split(
      separator: ": blocked by an object not made by datactl: ")
    return String(try #require(parts.count == 2 ? parts.last : nil, "\(problem.message)"))
  }

  @Test(
    "rejects dropping a schema that a foreign object depends on, even if it is empty",
    arguments: OpenEngine.allCases, OpenEngine.Addition.allCases)
  func droppedSchema(engine: OpenEngine, addition: OpenEngine.Addition) async throws {
    let bench = try await bench(engine)
    try engine.add(addition, to: "todo", in: bench.place)
    let stored = try await bench.store.catalog()
    let dropping = try SchemaPlan(dropping: ["todo"], from: stored)
    let said = try await refusal(of: dropping, in: bench)
    switch addition {
    case .index: #expect(said == "index partly would break")
    case .trigger: #expect(said == "trigger noticed would break")
    case .view: #expect(said.contains("titles"))
    }
    try engine.remove(addition, from: "todo", in: bench.place)
    try await bench.carryOut(dropping)
    #expect(try await bench.store.catalog().catalog.schemas.map(\.name) == ["other"])
  }

  @Test(
    "rejects dropping a field that a foreign object depends on", arguments: OpenEngine.allCases,
    [OpenEngine.Addition.index, .view])
  func droppedField(engine: OpenEngine, addition: OpenEngine.Addition) async throws {
    let bench = try await bench(engine)
    try engine.add(addition, to: "todo", in: bench.place)
    let stored = try await bench.store.catalog()
    let bare = try Schema.test("todo", Field("stock", .text))
    let plan = try SchemaPlan(from: stored, to: [bare], reading: .ofSchemas)
    #expect(try await refusal(of: plan, in: bench).contains(addition.name))
  }

  @Test(
    "keeps a foreign object when other fields change or its table is renamed",
    arguments: OpenEngine.allCases, OpenEngine.Addition.allCases)
  func kept(engine: OpenEngine, addition: OpenEngine.Addition) async throws {
    let bench = try await bench(engine)
    try await bench.save("todo", ["todo_id": "a", "title": "tea", "stock": "5"])
    try engine.add(addition, to: "todo", in: bench.place)
    try await bench.apply([
      try .test(
        "todo", Field("title", .text), Field("stock", .integer), Field("more", .text),
        indexes: [["stock"]])
    ])
    try await bench.carryOut(
      try SchemaPlan(renaming: "todo", to: "task", from: try await bench.store.catalog()))
    try await bench.carryOut(
      try SchemaPlan(dropping: ["other"], from: try await bench.store.catalog()))
    #expect(try await bench.all("task").map { $0["stock"] } == [5])
    try engine.remove(addition, from: "task", in: bench.place)
  }
}
