import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: fields that default to the acting user")
struct UserDefaultTests {
  private static func field(
    _ name: String, _ type: FieldType, isRequired: Bool = false, isUnique: Bool = false,
    maximum: Value? = nil
  ) -> Field {
    var field = Field(
      name, type, isRequired: isRequired, isUnique: isUnique, maximum: maximum)
    field.defaultsToUser = true
    return field
  }

  private static let owner = field("owner", .relation(Relation(to: "user")))
  private static let author = field("author", .text, maximum: 3)

  private static func draft(_ fields: [Field]) -> SchemaDraft {
    var draft = SchemaDraft(name: "todo")
    draft.fields = ([Field("todo_id", .id), Field("title", .text)] + fields).map { .init($0) }
    return draft
  }

  private func fixture(_ engine: Engine, _ fields: Field...) async throws -> StoreFixture {
    let user = try Schema.test("user", Field("password", .password), kind: .user)
    let fixture = try await StoreFixture(
      engine, [user, try Schema(checking: Self.draft(fields))])
    try await fixture.save("user", ["username": "ann"], ["username": "bob"], ["username": "carl"])
    return fixture
  }

  private func owners(_ fixture: StoreFixture) async throws -> [[Value]] {
    try await fixture.all("todo").map { [$0["owner"] ?? "missing", $0["author"] ?? "missing"] }
  }

  @Test(
    "gives a new record the acting user, or null if no user acts, unless it sets the field",
    arguments: Engine.all)
  func creation(engine: Engine) async throws {
    let fixture = try await fixture(engine, Self.owner, Self.author)
    try await fixture.save("todo", ["todo_id": "a"], ["todo_id": "b", "owner": "bob"], user: "ann")
    try await fixture.save("todo", ["todo_id": "c"])
    try await fixture.save("todo", ["todo_id": "d", "owner": nil, "author": nil], user: "ann")
    let expected: [[Value]] = [["ann", "ann"], ["bob", "ann"], [nil, nil], [nil, nil]]
    #expect(try await owners(fixture) == expected)
    #expect(try await owners(fixture.reopened()) == expected)
  }

  @Test(
    "keeps the value when a change or a replacement omits the field, unless it sets the field",
    arguments: Engine.all)
  func replacement(engine: Engine) async throws {
    let fixture = try await fixture(engine, Self.owner, Self.author)
    let policy = SavePolicy(mode: .replace)
    try await fixture.save("todo", ["todo_id": "a", "title": "x"], by: policy, user: "ann")
    try await fixture.save("todo", ["todo_id": "b", "owner": nil], user: "ann")
    try await fixture.save("todo", ["todo_id": "a"], ["todo_id": "b"], by: policy, user: "bob")
    try await fixture.save("todo", ["todo_id": "a", "title": "y"], user: "bob")
    #expect(try await owners(fixture) == [["ann", "ann"], [nil, "ann"]])
    try await fixture.save("todo", ["todo_id": "a", "owner": "bob"], by: policy, user: "bob")
    #expect(try await owners(fixture) == [["bob", "ann"], [nil, "ann"]])
  }

  @Test("takes the user who created an imported record", arguments: Engine.all)
  func importedRecord(engine: Engine) async throws {
    let fixture = try await fixture(engine, Self.owner, Self.author)
    let policy = SavePolicy(systemFields: .given)
    try await fixture.save(
      "todo", ["todo_id": "a", "created_by": "bob"], ["todo_id": "b", "created_by": nil],
      ["todo_id": "c"], ["todo_id": "d", "created_by": "bob", "owner": "ann"], by: policy,
      user: "ann")
    #expect(
      try await owners(fixture) == [["bob", "bob"], [nil, nil], ["ann", "ann"], ["ann", "bob"]])
  }

  @Test("checks the rules of the field for the acting user", arguments: Engine.all)
  func rules(engine: Engine) async throws {
    let fixture = try await fixture(
      engine, Self.field("owner", .relation(Relation(to: "user")), isRequired: true), Self.author,
      Self.field("first", .text, isUnique: true))
    func problems(_ row: Row, user: String?) async throws -> [Problem] {
      try await fixture.trySave("todo", [row], user: user).error?.problems ?? []
    }
    func problem(_ message: String, _ field: String) -> Problem {
      Problem(.invalid, message, schema: "todo", id: "a", field: field, line: 1)
    }
    #expect(try await problems(["todo_id": "a"], user: nil) == [problem("required", "owner")])
    #expect(
      try await problems(["todo_id": "a"], user: "carl") == [
        problem("expected at most 3 characters, found 4", "author")
      ])
    let dangling = try await problems(["todo_id": "a", "author": "x"], user: "zed")
    #expect(dangling.map(\.field) == ["owner"])
    #expect(try await problems(["todo_id": "a"], user: "ann") == [])
    #expect(try await problems(["todo_id": "b"], user: "ann").map(\.code) == [.notUnique])
  }

  @Test("gives existing records null when the field is added", arguments: Engine.all)
  func addedField(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("todo", ["todo_id": "a"], user: "ann")
    let todo = try Schema(checking: Self.draft([Self.owner, Self.author]))
    try await fixture.apply([todo])
    try await fixture.save("todo", ["todo_id": "b"], user: "ann")
    #expect(try await owners(fixture) == [[nil, nil], ["ann", "ann"]])
    #expect(try await fixture.reopened().store.catalog().catalog["todo"] == todo)
  }

  @Test(
    "gives a user who may not write the field its default, even if the user's record is hidden",
    arguments: Engine.all)
  func access(engine: Engine) async throws {
    var owner = Self.owner
    owner.access.write = [.role("admin")]
    let fixture = try await fixture(engine)
    var draft = Self.draft([owner, Self.author])
    for verb in [AccessVerb.read, .create, .update] {
      draft.setAccess(verb, [.users], line: 1)
    }
    try await fixture.apply([try Schema(checking: draft)])
    let ann = fixture.bound(for: .user("ann")) { (_, _, _, _) in .all }
    #expect(try await ann.trySave("todo", [["todo_id": "a"]], user: "ann").error == nil)
    let denied = try await ann.trySave("todo", [["todo_id": "b", "owner": "bob"]], user: "ann")
    #expect(denied.error?.code == .forbidden)
    #expect(
      try await ann.trySave(
        "todo", [["todo_id": "a"]], by: SavePolicy(mode: .replace), user: "ann"
      ).error == nil)
    #expect(try await owners(fixture) == [["ann", "ann"]])
  }
}
