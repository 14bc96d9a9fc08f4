import DataModel
import DataStore
import TestSupport
import Testing

/// Every verb with every kind of rule, for every caller, on a visible and on a hidden record. The
/// record `r` is owned by Ann; Bob is another user, Sue has the role `staff`, and Ada is an
/// administrator.
@Suite("Store contract: scenarios of access rules")
struct AccessScenarioTests {
  /// The outcomes of a verb with a rule, in the order of `callers`.
  private struct Scenario {
    var verb: AccessVerb
    var rule: String
    /// Whether the callers who are not administrators may read the record.
    var isVisible: Bool
    var outcomes: [String]

    init(_ verb: AccessVerb, _ rule: String, isVisible: Bool = true, _ outcomes: String) {
      self.verb = verb
      self.rule = rule
      self.isVisible = isVisible
      self.outcomes = outcomes.split(separator: " ").map(String.init)
    }

    /// The name of the schema that has the rule.
    var schema: String {
      let kind = rule.split(separator: ":").joined(separator: "_")
      return "\(verb.rawValue)_\(kind)_\(isVisible ? "visible" : "hidden")"
    }
  }

  private static let callers: [Caller] = [
    .anonymous, .user("ann"), .user("bob"), .user("sue"), .user("ada"),
  ]

  private static let scenarios = [
    //                                      anonymous     ann       bob       sue       ada
    Scenario(.read, "none", "not_logged_in forbidden forbidden forbidden ok"),
    Scenario(.read, "anyone", "ok ok ok ok ok"),
    Scenario(.read, "users", "not_logged_in ok ok ok ok"),
    Scenario(.read, "role:staff", "not_logged_in forbidden forbidden ok ok"),
    Scenario(.read, "mine", "not_logged_in ok not_found not_found ok"),
    Scenario(.create, "none", "not_logged_in forbidden forbidden forbidden ok"),
    Scenario(.create, "anyone", "ok ok ok ok ok"),
    Scenario(.create, "users", "not_logged_in ok ok ok ok"),
    Scenario(.create, "role:staff", "not_logged_in forbidden forbidden ok ok"),
    Scenario(.create, "mine", "not_logged_in ok forbidden forbidden ok"),
    Scenario(.update, "none", "not_logged_in forbidden forbidden forbidden ok"),
    Scenario(.update, "anyone", "ok ok ok ok ok"),
    Scenario(.update, "users", "not_logged_in ok ok ok ok"),
    Scenario(.update, "role:staff", "not_logged_in forbidden forbidden ok ok"),
    Scenario(.update, "mine", "not_logged_in ok forbidden forbidden ok"),
    Scenario(.delete, "none", "not_logged_in forbidden forbidden forbidden ok"),
    Scenario(.delete, "anyone", "ok ok ok ok ok"),
    Scenario(.delete, "users", "not_logged_in ok ok ok ok"),
    Scenario(.delete, "role:staff", "not_logged_in forbidden forbidden ok ok"),
    Scenario(.delete, "mine", "not_logged_in ok forbidden forbidden ok"),
    // A hidden record is like one that does not exist, but its id is taken.
    Scenario(.create, "none", isVisible: false, "not_logged_in forbidden forbidden forbidden ok"),
    Scenario(.create, "anyone", isVisible: false, "exists exists exists exists ok"),
    Scenario(.create, "users", isVisible: false, "not_logged_in exists exists exists ok"),
    Scenario(.create, "mine", isVisible: false, "not_logged_in exists exists exists ok"),
    Scenario(.update, "none", isVisible: false, "not_logged_in forbidden forbidden forbidden ok"),
    Scenario(.update, "anyone", isVisible: false, "not_found not_found not_found not_found ok"),
    Scenario(.update, "users", isVisible: false, "not_logged_in not_found not_found not_found ok"),
    Scenario(
      .update, "role:staff", isVisible: false, "not_logged_in forbidden forbidden not_found ok"),
    Scenario(.update, "mine", isVisible: false, "not_logged_in not_found not_found not_found ok"),
    Scenario(.delete, "none", isVisible: false, "not_logged_in forbidden forbidden forbidden ok"),
    Scenario(.delete, "anyone", isVisible: false, "not_found not_found not_found not_found ok"),
    Scenario(.delete, "users", isVisible: false, "not_logged_in not_found not_found not_found ok"),
    Scenario(
      .delete, "role:staff", isVisible: false, "not_logged_in forbidden forbidden not_found ok"),
    Scenario(.delete, "mine", isVisible: false, "not_logged_in not_found not_found not_found ok"),
  ]

  private static let rules: Scope.RuleParser = { (text, _, _, user) in
    switch text {
    case "mine": user.map { Condition.equals(field: "owner", value: .text($0)) } ?? .not(.all)
    default: .equals(field: "public", value: .boolean(true))
    }
  }

  private func fixture(_ engine: Engine) async throws -> StoreFixture {
    var user = SchemaDraft(
      try Schema.test(
        "user", Field("password", .password), Field("roles", .array(.text)), kind: .user))
    user.roles = "roles"
    user.access[.read] = [.anyone]
    var schemas = [try Schema(checking: user)]
    for scenario in Self.scenarios {
      var draft = SchemaDraft(
        try Schema.test(
          scenario.schema, Field("public", .boolean), Field("title", .text),
          Field("owner", .relation(Relation(to: "user")))))
      // Each schema is known to all callers.
      draft.access[.read] = [scenario.isVisible ? .anyone : .condition("public")]
      draft.access[scenario.verb] =
        scenario.rule == "none" ? nil : [AccessRule(text: scenario.rule)]
      if scenario.verb == .read { draft.access[.create] = [.anyone] }
      schemas.append(try Schema(checking: draft))
    }
    let fixture = try await StoreFixture(engine, schemas)
    try await fixture.save(
      "user", ["username": "ann"], ["username": "bob"], ["username": "sue", "roles": ["staff"]],
      ["username": "ada", "roles": ["admin"]])
    for scenario in Self.scenarios {
      try await fixture.save(
        scenario.schema, ["\(scenario.schema)_id": "r", "title": "old", "owner": "ann"])
    }
    return fixture
  }

  /// Returns the code of a request for the record, or `ok`. Changes are rolled back.
  private func outcome(of scenario: Scenario, _ fixture: StoreFixture) async throws -> String {
    let key = "\(scenario.schema)_id"
    do {
      switch scenario.verb {
      case .read, .history:
        return try await fixture.record(scenario.schema, "r") == nil ? "not_found" : "ok"
      case .create:
        let saved = try await fixture.trySave(
          scenario.schema, [[key: scenario.isVisible ? "new" : "r", "owner": "ann"]],
          end: .rollBack)
        return saved.error?.code.rawValue ?? "ok"
      case .update:
        let saved = try await fixture.trySave(
          scenario.schema, [[key: "r", "title": "new"]], by: SavePolicy(mode: .update),
          end: .rollBack)
        return saved.error?.code.rawValue ?? "ok"
      case .delete:
        try await fixture.delete(scenario.schema, .ids(["r"]), end: .rollBack)
        return "ok"
      }
    } catch let error as DataError {
      return error.code.rawValue
    }
  }

  @Test(
    "gives each caller the expected result of each operation for each kind of access rule",
    arguments: Engine.all)
  func scenarios(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let before = try await fixture.everything()
    for (index, caller) in Self.callers.enumerated() {
      let bound = fixture.bound(for: caller, rules: Self.rules)
      for scenario in Self.scenarios {
        let outcome = try await outcome(of: scenario, bound)
        #expect(outcome == scenario.outcomes[index], "\(caller): \(scenario.schema)")
      }
    }
    #expect(try await fixture.everything() == before)
  }

  @Test(
    "reports denied records that have no lines in the order of their ids",
    arguments: Engine.all)
  func order(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let ann = fixture.bound(for: .user("ann"), rules: Self.rules)
    let stored = try await ann.store.catalog()
    let schema = try stored.catalog.schema("create_mine_visible")
    var changes = RowChanges(for: schema)
    for number in (10..<40).reversed() {
      let row: Row = ["create_mine_visible_id": .value(.text("n\(number)")), "owner": "bob"]
      #expect(try changes.take(row, line: 0) == [])
    }
    let request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema),
      stamp: Stamp(time: StoreFixture.noon))
    let error = await #expect(throws: DataError.self) {
      var source = RecordingSource([changes])
      try await ann.store.write(request, from: &source)
    }
    #expect(error?.problems.map(\.id) == (10..<30).map { "n\($0)" })
    #expect(error?.count == 30)
  }

  @Test("looks up the session of the caller for each request", arguments: Engine.all)
  func sessions(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let user = try await fixture.store.catalog().catalog.schema("user")
    let check = PasswordCheck(
      of: "ann", in: user, at: StoreFixture.noon, verifiedHash: "hash of tea")
    try await fixture.save("user", ["username": "ann", "password": "hash of tea"])
    try await fixture.store.logIn(
      LogInRequest(check, tokenHash: [1, 2], expires: StoreFixture.later))
    let ann = fixture.bound(for: .session(tokenHash: [1, 2]), rules: Self.rules)
    let row: Row = ["create_mine_visible_id": "n", "owner": "ann"]
    #expect(try await ann.record("read_mine_visible", "r") != nil)
    #expect(try await ann.trySave("create_mine_visible", [row]).error == nil)
    let unknown = fixture.bound(for: .session(tokenHash: [3]), rules: Self.rules)
    try await fixture.store.logOut([1, 2])
    for ended in [ann, unknown] {
      await #expect(throws: DataError.sessionEnded) {
        _ = try await ended.ids("read_anyone_visible")
      }
      await #expect(throws: DataError.sessionEnded) { _ = try await ended.store.catalog() }
    }
    // A session that ends between the lookup and the transaction ends the write too.
    let stored = try await fixture.store.catalog()
    let schema = try stored.catalog.schema("create_mine_visible")
    var request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema),
      stamp: Stamp(time: StoreFixture.noon))
    request.caller = .session(tokenHash: [1, 2])
    request.scope = try Scope(
      user: "ann", roles: [], catalog: stored.catalog, version: stored.version, rules: Self.rules)
    var changes = RowChanges(for: schema)
    _ = try changes.take(row, line: 1)
    var source = RecordingSource([changes])
    await #expect(throws: DataError.sessionEnded) {
      try await fixture.store.write(request, from: &source)
    }
  }
}
