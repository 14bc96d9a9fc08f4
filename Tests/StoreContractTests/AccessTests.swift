import DataModel
import DataStore
import TestSupport
import Testing

/// Notes with owners. Ann and Bob are users, Sue has the role `staff`, and Ada is an administrator.
@Suite("Store contract: access rules")
struct AccessTests {
  private static let rules: Scope.RuleParser = { (text, _, _, user) in
    let isOwner = user.map { Condition.equals(field: "owner", value: .text($0)) } ?? .not(.all)
    return switch text {
    case "mine": isOwner
    case "visible": .some([isOwner, .equals(field: "public", value: .boolean(true))])
    default: .not(.all)
    }
  }

  private func fixture(_ engine: Engine) async throws -> StoreFixture {
    var user = SchemaDraft(
      try Schema.test(
        "user", Field("password", .password), Field("roles", .array(.text)), kind: .user))
    user.roles = "roles"
    user.access[.read] = [.users]
    user.access[.update] = [.users]
    var secret = Field("secret", .text)
    secret.access = FieldAccess(read: [.role("staff")])
    var status = Field("status", .text, defaultValue: "new")
    status.access = FieldAccess(write: [.role("staff")])
    var note = SchemaDraft(
      try Schema.test(
        "note", Field("title", .text, isUnique: true), Field("public", .boolean), secret, status,
        Field("owner", .relation(Relation(to: "user"))),
        Field("parent", .relation(Relation(to: "note", inverse: "answers")))))
    note.access[.read] = [.condition("visible"), .role("staff")]
    note.access[.create] = [.condition("mine")]
    note.access[.update] = [.condition("mine"), .role("staff")]
    note.access[.delete] = [.condition("mine")]
    let closed = try Schema.test("closed", Field("note", .relation(Relation(to: "note"))))
    let fixture = try await StoreFixture(
      engine, [try Schema(checking: user), try Schema(checking: note), closed])
    try await fixture.save(
      "user", ["username": "ann"], ["username": "bob"], ["username": "sue", "roles": ["staff"]],
      ["username": "ada", "roles": ["admin"]])
    try await fixture.save(
      "note", ["note_id": "a", "title": "A", "owner": "ann", "secret": "x"],
      ["note_id": "b", "title": "B", "owner": "bob", "secret": "y"],
      ["note_id": "p", "title": "P", "owner": "bob", "public": true, "parent": "b"])
    try await fixture.save("closed", ["closed_id": "c", "note": "a"])
    return fixture
  }

  private func code(_ body: () async throws -> Void) async -> ErrorCode? {
    do {
      try await body()
      return nil
    } catch let error as DataError {
      return error.code
    } catch {
      return .failed
    }
  }

  @Test(
    "returns only the records that the access rules allow the caller to read",
    arguments: Engine.all)
  func reading(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let expected: [(Caller, [Value])] = [
      (.anonymous, ["p"]), (.user("ann"), ["a", "p"]), (.user("bob"), ["b", "p"]),
      (.user("sue"), ["a", "b", "p"]), (.user("ada"), ["a", "b", "p"]),
      (.administrator, ["a", "b", "p"]),
    ]
    for (caller, ids) in expected {
      let bound = fixture.bound(for: caller, rules: Self.rules)
      #expect(try await bound.ids("note") == ids, "\(caller)")
      let isBound = ids.count < 3
      let record = try await bound.record("note", "b")
      #expect((record == nil) == !ids.contains("b"), "\(caller)")
      if isBound { #expect(record?["secret"] == nil) }
    }
    let ann = fixture.bound(for: .user("ann"), rules: Self.rules)
    let parent = FieldPath(names: ["parent", "title"])
    #expect(try await ann.ids("note", where: .test(parent, .isNull)) == ["a", "p"])
    #expect(try await ann.record("note", "p")?["parent"] == "b")
    #expect(await code { _ = try await ann.ids("closed") } == .schemaNotFound)
    #expect(await code { _ = try await ann.ids("note", where: .isNull(field: "secret")) } == .usage)
    #expect(await code { _ = try await ann.ids("note", order: "secret") } == .usage)
    let unknown = FieldPath(names: ["closed", "note"])
    #expect(await code { _ = try await ann.ids("note", where: .any(unknown, .all)) } == .usage)
    #expect(await code { _ = try await ann.store.log() } == .forbidden)
    let gone = fixture.bound(for: .user("eve"), rules: Self.rules)
    #expect(await code { _ = try await gone.ids("note") } == .notFound)
  }

  @Test(
    "saves only what the access rules allow, and changes nothing when the rules reject a save",
    arguments: Engine.all)
  func saving(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let ann = fixture.bound(for: .user("ann"), rules: Self.rules)
    let update = SavePolicy(mode: .update)
    let create = SavePolicy(mode: .create)
    let cases: [(Row, SavePolicy, ErrorCode)] = [
      (["note_id": "b", "title": "X"], update, .notFound),
      (["note_id": "b", "title": "X", "revision": 7], update, .notFound),
      (["note_id": "zz", "title": "X"], update, .notFound),
      (["note_id": "b", "title": "X", "owner": "ann"], create, .exists),
      (["note_id": "b", "title": "X", "owner": "ann"], SavePolicy(), .exists),
      (["note_id": "b", "owner": "ann"], SavePolicy(mode: .replace), .exists),
      (["note_id": "p", "title": "X"], update, .forbidden),
      (["note_id": "p", "title": "X"], create, .exists),
      (["note_id": "n", "title": "N", "owner": "bob"], create, .forbidden),
      (["note_id": "n", "title": "N"], create, .forbidden),
      (["note_id": "a", "owner": "bob"], update, .forbidden),
      (["note_id": "a", "status": "done"], update, .forbidden),
      (["note_id": "n", "owner": "ann", "status": "done"], create, .forbidden),
      (["note_id": "a", "parent": "b"], update, .danglingReference),
      (["note_id": "a", "parent": "zz"], update, .danglingReference),
      (["note_id": "a", "title": "B"], update, .notUnique),
    ]
    let before = try await fixture.everything()
    for (row, policy, code) in cases {
      let saved = try await ann.trySave("note", [row], by: policy)
      let problems = saved.error?.problems ?? []
      let text = problems.map(\.message).joined()
      #expect(problems.map(\.code) == [code], "\(row): \(text)")
      #expect(!text.contains("\"b\"") || code == .danglingReference, "\(row): \(text)")
      #expect(try await fixture.everything() == before, "\(row)")
    }
    #expect(
      try await ann.rejection(of: "note", ["note_id": "a", "parent": "b"]).map(\.message)
        == ["there is no note \"b\""])
    #expect(
      try await ann.rejection(of: "user", ["username": "ann", "roles": ["admin"]]).count == 1)
    let saved = try await ann.trySave(
      "note",
      [
        ["note_id": "a", "title": "A2", "status": "new", "parent": "p"],
        ["note_id": "n", "owner": "ann"],
      ])
    #expect(saved.error == nil)
    #expect(saved.records.allSatisfy { ($0["secret"] ?? .null) == .null })
    #expect(try await fixture.record("note", "a")?["secret"] == "x")
    try await ann.save("note", ["note_id": "a", "owner": "ann"], by: SavePolicy(mode: .replace))
    #expect(try await fixture.record("note", "a")?["secret"] == "x")
    let anonymous = fixture.bound(for: .anonymous, rules: Self.rules)
    let refused = try await anonymous.trySave("note", [["note_id": "m", "owner": "ann"]])
    #expect(refused.error?.code == .notLoggedIn)
    let sue = fixture.bound(for: .user("sue"), rules: Self.rules)
    try await sue.save("note", ["note_id": "b", "status": "done"], by: update)
  }

  @Test("deletes only records that the access rules allow", arguments: Engine.all)
  func deleting(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let ann = fixture.bound(for: .user("ann"), rules: Self.rules)
    func codes(_ selection: DeleteRequest.Selection) async throws -> [ErrorCode] {
      try await ann.rejectedDeletion("note", selection).map(\.code)
    }
    #expect(try await codes(.ids(["b"])) == [.notFound])
    #expect(try await codes(.ids(["zz"])) == [.notFound])
    #expect(try await codes(.ids(["p"])) == [.forbidden])
    #expect(try await codes(.matching(.all)) == [.forbidden])
    let isAnn = Condition.equals(field: "owner", value: "ann")
    #expect(try await ann.delete("note", .matching(isAnn), end: .rollBack).deleted == 1)
    #expect(try await ann.delete("note", .ids(["a"])) == DeleteSummary(deleted: 1))
    #expect(try await ann.delete("note", .ids(["b"]), missing: .ignored).deleted == 0)
    #expect(try await fixture.ids("note") == ["b", "p"])
    #expect(try await fixture.record("closed", "c")?["note"] == .null)
  }
}
