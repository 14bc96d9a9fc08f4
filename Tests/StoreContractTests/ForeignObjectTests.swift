import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: objects created by other tools in SQLite and PostgreSQL")
struct ForeignObjectTests {
  private func fixture(_ engine: OpenEngine) async throws -> StoreFixture {
    let title = Field("title", .text)
    return try await StoreFixture(
      engine.engine,
      [try .test("todo", title, Field("stock", .text)), try .test("other", title)])
  }

  /// Expects the plan to be rejected because of an object that datactl did not create, and returns
  /// the cause in the message.
  private func rejection(of plan: SchemaPlan, in fixture: StoreFixture) async throws -> String {
    let before = try await fixture.store.catalog()
    let error = await #expect(throws: DataError.self) { try await fixture.apply(plan) }
    #expect(try await fixture.store.catalog().catalog == before.catalog)
    let problem = try #require(error?.problems.first)
    #expect(problem.code == .referenced)
    #expect(problem.hint?.hasPrefix("use ") == true)
    let parts = problem.message.split(
      separator: ": blocked by an object not created by datactl: ")
    return String(try #require(parts.count == 2 ? parts.last : nil, "\(problem.message)"))
  }

  @Test(
    "rejects dropping an empty schema if another tool added a view, index or trigger to its table",
    arguments: OpenEngine.inTier, OpenEngine.Addition.allCases)
  func droppedSchema(engine: OpenEngine, addition: OpenEngine.Addition) async throws {
    let fixture = try await fixture(engine)
    try engine.add(addition, to: "todo", in: fixture.location)
    let stored = try await fixture.store.catalog()
    let dropping = try SchemaPlan(dropping: ["todo"], from: stored)
    let cause = try await rejection(of: dropping, in: fixture)
    switch addition {
    case .index: #expect(cause == "index partly would be lost")
    case .trigger: #expect(cause == "trigger noticed would be lost")
    case .view: #expect(cause.contains("titles"))
    }
    try engine.remove(addition, from: "todo", in: fixture.location)
    try await fixture.apply(dropping)
    #expect(try await fixture.store.catalog().catalog.schemas.map(\.name) == ["other"])
  }

  @Test(
    "rejects dropping a field that an index or a view created by another tool uses",
    arguments: OpenEngine.inTier, [OpenEngine.Addition.index, .view])
  func droppedField(engine: OpenEngine, addition: OpenEngine.Addition) async throws {
    let fixture = try await fixture(engine)
    try engine.add(addition, to: "todo", in: fixture.location)
    let stored = try await fixture.store.catalog()
    let bare = try Schema.test("todo", Field("stock", .text))
    let plan = try SchemaPlan(from: stored, to: [bare], reading: .partial)
    #expect(try await rejection(of: plan, in: fixture).contains(addition.name))
  }

  @Test(
    "keeps a view, index or trigger of another tool when other fields change or a table is renamed",
    arguments: OpenEngine.inTier, OpenEngine.Addition.allCases)
  func kept(engine: OpenEngine, addition: OpenEngine.Addition) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("todo", ["todo_id": "a", "title": "tea", "stock": "5"])
    try engine.add(addition, to: "todo", in: fixture.location)
    try await fixture.apply([
      try .test(
        "todo", Field("title", .text), Field("stock", .integer), Field("more", .text),
        indexes: [["stock"]])
    ])
    try await fixture.apply(
      try SchemaPlan(renaming: "todo", to: "task", from: try await fixture.store.catalog()))
    try await fixture.apply(
      try SchemaPlan(dropping: ["other"], from: try await fixture.store.catalog()))
    #expect(try await fixture.all("task").map { $0["stock"] } == [5])
    try engine.remove(addition, from: "task", in: fixture.location)
  }
}
