import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: users and sessions")
struct SessionTests {
  private let expiry: Timestamp = "2026-12-20T12:00:00Z"

  private func fixture(_ engine: Engine) async throws -> StoreFixture {
    let fixture = try await StoreFixture(
      engine,
      [
        try .test(
          "user", Field("password", .password, isRequired: true), Field("email", .text), kind: .user
        )
      ])
    try await fixture.save("user", ["username": "ann", "password": "hash of tea"])
    return fixture
  }

  /// Logs in with a check that compares the password to the stored text `hash of …`.
  private func logIn(
    _ fixture: StoreFixture, _ name: String, _ password: String, token: [UInt8] = [1, 2, 3],
    sessionName: String? = nil, after seconds: Int64 = 0, from address: String? = nil
  ) async throws {
    let schema = try await fixture.store.catalog().catalog.schema("user")
    let check = try await check(
      fixture.store, name, password, in: schema, after: seconds, from: address)
    try await fixture.store.logIn(
      LogInRequest(check, tokenHash: token, expires: expiry, sessionName: sessionName))
  }

  /// Returns a check that compares the password to the stored text `hash of …`.
  private func check(
    _ store: any Store, _ name: String, _ password: String, in schema: Schema,
    after seconds: Int64 = 0, from address: String? = nil
  ) async throws -> PasswordCheck {
    let noon = StoreFixture.noon
    let time = Timestamp(microseconds: noon.microseconds + seconds * 1_000_000) ?? noon
    var check = PasswordCheck(of: name, in: schema, at: time, from: address)
    let hash = try await store.passwordHash(for: check)
    check.verifiedHash = hash == "hash of \(password)" ? hash : nil
    return check
  }

  @Test(
    "accepts a session until it expires or the user logs out",
    arguments: Engine.all)
  func logIn(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await logIn(fixture, "ann", "tea")
    let reopened = try await fixture.reopened()
    let session = Session(user: "ann", created: StoreFixture.noon, expires: expiry)
    #expect(try await reopened.store.session([1, 2, 3], at: StoreFixture.later) == session)
    #expect(try await reopened.store.session([1, 2], at: StoreFixture.later) == nil)
    #expect(try await reopened.store.session([1, 2, 3], at: expiry) == nil)
    try await reopened.store.logOut([1, 2, 3])
    #expect(try await reopened.store.session([1, 2, 3], at: StoreFixture.later) == nil)
    try await reopened.store.logOut([1, 2, 3])
  }

  @Test("returns the same error for a wrong user name and a wrong password", arguments: Engine.all)
  func wrongLogIn(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let expected = DataError(.wrongLogin, "wrong user name or password")
    await #expect(throws: expected) { try await logIn(fixture, "ann", "coffee") }
    await #expect(throws: expected) { try await logIn(fixture, "Ann", "tea") }
    await #expect(throws: expected) { try await logIn(fixture, "", "tea") }
    #expect(try await fixture.store.session([1, 2, 3], at: StoreFixture.later) == nil)
  }

  @Test("returns the hash of a user's password, and nil for unknown users", arguments: Engine.all)
  func passwordHash(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let schema = try await fixture.store.catalog().catalog.schema("user")
    for (name, hash) in [("ann", "hash of tea"), ("Ann", nil), ("unknown", nil), ("", nil)] {
      let check = PasswordCheck(of: name, in: schema, at: StoreFixture.noon)
      #expect(try await fixture.store.passwordHash(for: check) == hash)
    }
  }

  @Test(
    "refuses a password that was changed after it was verified, and counts it as wrong",
    arguments: Engine.all)
  func passwordChangedMeanwhile(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let schema = try await fixture.store.catalog().catalog.schema("user")
    for _ in 0..<5 {
      try await fixture.save("user", ["username": "ann", "password": "hash of tea"])
      let check = try await check(fixture.store, "ann", "tea", in: schema)
      try await fixture.save("user", ["username": "ann", "password": "hash of milk"])
      await #expect(throws: DataError.wrongLogIn) {
        try await fixture.store.logIn(LogInRequest(check, tokenHash: [1], expires: expiry))
      }
    }
    #expect(try await fixture.store.session([1], at: StoreFixture.later) == nil)
    await #expect(throws: throttled(10)) { try await logIn(fixture, "ann", "milk") }
  }

  @Test(
    "ends the sessions of a deleted user, even when a new user gets the same name",
    arguments: Engine.all)
  func deletedUser(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await logIn(fixture, "ann", "tea")
    try await fixture.delete("user", .ids(["ann"]))
    #expect(try await fixture.store.session([1, 2, 3], at: StoreFixture.later) == nil)
    try await fixture.save("user", ["username": "ann", "password": "hash of tea"])
    #expect(try await fixture.store.session([1, 2, 3], at: StoreFixture.later) == nil)
  }

  @Test(
    "ends a user's sessions when the password changes, but not when another field changes",
    arguments: Engine.all)
  func changedPassword(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await logIn(fixture, "ann", "tea")
    try await fixture.save("user", ["username": "bob", "password": "hash of ale"])
    try await logIn(fixture, "bob", "ale", token: [9])
    try await fixture.save("user", ["username": "ann", "email": "a"])
    #expect(try await fixture.store.session([1, 2, 3], at: StoreFixture.noon)?.user == "ann")
    try await fixture.save("user", ["username": "ann", "password": "hash of milk"])
    #expect(try await fixture.store.session([1, 2, 3], at: StoreFixture.noon) == nil)
    #expect(try await fixture.store.session([9], at: StoreFixture.noon)?.user == "bob")
  }

  @Test(
    "keeps the session that requests a password change, and ends all other sessions of the user",
    arguments: Engine.all)
  func keptSession(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await logIn(fixture, "ann", "tea")
    try await logIn(fixture, "ann", "tea", token: [4])
    let stored = try await fixture.store.catalog()
    let schema = try stored.catalog.schema("user")
    var changes = RowChanges(for: schema)
    let problems = try changes.take(["username": "ann", "password": "hash of milk"], line: 1)
    #expect(problems == [])
    var source = RecordingSource([changes])
    var request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema),
      stamp: Stamp(time: StoreFixture.later))
    request.keptSession = [4]
    try await fixture.store.write(request, from: &source)
    #expect(try await fixture.store.session([1, 2, 3], at: StoreFixture.noon) == nil)
    #expect(try await fixture.store.session([4], at: StoreFixture.noon)?.user == "ann")
  }

  @Test("returns and ends only the sessions of the given user", arguments: Engine.all)
  func sessions(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("user", ["username": "bob", "password": "hash of ale"])
    for token: [UInt8] in [[1, 2, 3], [0, 255]] {
      try await logIn(fixture, "ann", "tea", token: token)
    }
    try await logIn(fixture, "bob", "ale", token: [9])
    let session = Session(user: "ann", created: StoreFixture.noon, expires: expiry)
    #expect(
      try await fixture.store.sessions(of: "ann", at: StoreFixture.later) == [
        [1, 2, 3]: session, [0, 255]: session,
      ])
    #expect(try await fixture.store.sessions(of: "ann", at: expiry) == [:])
    #expect(try await fixture.store.sessions(of: "Ann", at: StoreFixture.later) == [:])
    let ended = try await fixture.store.endSessions(of: "ann", named: nil, at: StoreFixture.later)
    #expect(ended == 2)
    #expect(try await fixture.store.sessions(of: "ann", at: StoreFixture.later) == [:])
    #expect(try await fixture.store.session([9], at: StoreFixture.later)?.user == "bob")
  }

  @Test(
    "keeps the names of sessions, and ends only those of the user with a given name",
    arguments: Engine.all)
  func names(engine: Engine) async throws {
    var fixture = try await fixture(engine)
    try await fixture.save("user", ["username": "ci", "password": "hash of ale"])
    try await logIn(fixture, "ann", "tea", token: [1])
    for (token, name) in [([2], "ci"), ([3], "ci"), ([4], "caf\u{E9}")] as [([UInt8], String)] {
      try await logIn(fixture, "ann", "tea", token: token, sessionName: name)
    }
    try await logIn(fixture, "ci", "ale", token: [5], sessionName: "ann")
    fixture = try await fixture.reopened()
    let store = fixture.store
    func names(_ user: String) async throws -> [[UInt8]: String?] {
      try await store.sessions(of: user, at: StoreFixture.later).mapValues(\.name)
    }
    #expect(try await names("ann") == [[1]: nil, [2]: "ci", [3]: "ci", [4]: "caf\u{E9}"])
    #expect(try await names("ci") == [[5]: "ann"])
    func end(_ name: String?, at time: Timestamp = StoreFixture.later) async throws -> Int {
      try await store.endSessions(of: "ann", named: name, at: time)
    }
    #expect(try await end("ann") == 0)
    #expect(try await end("cafe\u{301}") == 0)
    #expect(try await end("ci") == 2)
    #expect(try await names("ann") == [[1]: nil, [4]: "caf\u{E9}"])
    #expect(try await end("caf\u{E9}") == 1)
    #expect(try await end(nil) == 1)
    #expect(try await names("ann") == [:])
    #expect(try await names("ci") == [[5]: "ann"])
  }

  /// Returns a store whose user schema has the field `locked`, which disables users.
  private func fixtureWithDisabled(_ engine: Engine) async throws -> StoreFixture {
    let fixture = try await fixture(engine)
    try await fixture.apply([try Self.userSchema(disabled: "locked")])
    return fixture
  }

  private static func userSchema(disabled: String?) throws -> Schema {
    var draft = SchemaDraft(
      try .test(
        "user", Field("password", .password, isRequired: true), Field("email", .text),
        Field("locked", .boolean), kind: .user))
    draft.disabled = disabled
    return try Schema(checking: draft)
  }

  @Test(
    "refuses to log in a disabled user, and says so only if the password is right",
    arguments: Engine.all)
  func disabledLogIn(engine: Engine) async throws {
    let fixture = try await fixtureWithDisabled(engine)
    let schema = try await fixture.store.catalog().catalog.schema("user")
    for _ in 0..<2 {
      try await fixture.save("user", ["username": "ann", "locked": true])
      let disabled = DataError(.forbidden, "the user is disabled")
      await #expect(throws: disabled) { try await logIn(fixture, "ann", "tea") }
      await #expect(throws: DataError.wrongLogIn) { try await logIn(fixture, "ann", "milk") }
      await #expect(throws: disabled) {
        try await fixture.store.verify(try await check(fixture.store, "ann", "tea", in: schema))
      }
      #expect(try await fixture.store.sessions(of: "ann", at: StoreFixture.later) == [:])
      // Only a wrong password counts.
      for _ in 0..<6 {
        await #expect(throws: disabled) { try await logIn(fixture, "ann", "tea") }
      }
      try await fixture.save("user", ["username": "ann", "locked": false])
      try await logIn(fixture, "ann", "tea")
      try await fixture.save("user", ["username": "ann", "locked": nil])
      #expect(try await fixture.store.session([1, 2, 3], at: StoreFixture.noon)?.user == "ann")
      try await fixture.store.logOut([1, 2, 3])
    }
  }

  @Test(
    "ends the sessions of users when a save disables them, but not when it is rolled back",
    arguments: Engine.all)
  func disablingSave(engine: Engine) async throws {
    let fixture = try await fixtureWithDisabled(engine)
    let names = ["ann", "bob", "cid", "dan"]
    for (token, name) in names.enumerated() {
      try await fixture.save(
        "user", ["username": .value(.text(name)), "password": "hash of tea", "locked": false])
      try await logIn(fixture, name, "tea", token: [UInt8(token)], sessionName: name)
    }
    func loggedIn() async throws -> [String] {
      var users: [String] = []
      for token in names.indices {
        let session = try await fixture.store.session([UInt8(token)], at: StoreFixture.noon)
        if let session { users.append(session.user) }
      }
      return users
    }
    try await fixture.save("user", ["username": "ann", "email": "a", "locked": nil])
    let rolledBack = try await fixture.trySave(
      "user", [["username": "ann", "locked": true]], end: .rollBack)
    #expect(rolledBack.error == nil)
    #expect(try await loggedIn() == names)
    // The session that a change of a password keeps ends as well.
    let stored = try await fixture.store.catalog()
    let schema = try stored.catalog.schema("user")
    var changes = RowChanges(for: schema)
    for row: Row in [
      ["username": "ann", "password": "hash of tea", "locked": true],
      ["username": "bob", "locked": true], ["username": "bob", "locked": false],
    ] {
      #expect(try changes.take(row, line: 1) == [])
    }
    var source = RecordingSource([changes])
    var request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema),
      stamp: Stamp(time: StoreFixture.later))
    request.keptSession = [0]
    try await fixture.store.write(request, from: &source)
    #expect(try await loggedIn() == ["cid", "dan"])
    try await fixture.save(
      "user", ["username": "cid", "password": "hash of tea", "locked": true],
      by: SavePolicy(mode: .replace))
    #expect(try await loggedIn() == ["dan"])
  }

  @Test(
    "ends the sessions of disabled users when a plan names the field that disables them",
    arguments: Engine.all)
  func disablingPlan(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.apply([try Self.userSchema(disabled: nil)])
    try await fixture.save(
      "user", ["username": "ann", "locked": true],
      ["username": "bob", "password": "hash of tea", "locked": false])
    try await logIn(fixture, "ann", "tea")
    try await logIn(fixture, "bob", "tea", token: [9])
    try await fixture.apply([try Self.userSchema(disabled: "locked")])
    #expect(try await fixture.store.session([1, 2, 3], at: StoreFixture.noon) == nil)
    #expect(try await fixture.store.session([9], at: StoreFixture.noon)?.user == "bob")
  }

  private func throttled(_ seconds: Int) -> DataError {
    var problem = Problem(
      .throttled, "too many wrong passwords",
      hint: "try again in \(seconds) \(seconds == 1 ? "second" : "seconds")")
    problem.retrySeconds = seconds
    return DataError(problem)
  }

  @Test(
    "allows five wrong passwords for a name at once, and then one attempt every ten seconds",
    arguments: Engine.all)
  func throttle(engine: Engine) async throws {
    var fixture = try await fixture(engine)
    try await fixture.save("user", ["username": "bob", "password": "hash of ale"])
    try await logIn(fixture, "ann", "tea")
    for name in ["ann", "unknown"] {
      for _ in 0..<5 {
        await #expect(throws: DataError.wrongLogIn) { try await logIn(fixture, name, "milk") }
      }
      for password in ["milk", "tea"] {
        await #expect(throws: throttled(10)) {
          try await logIn(fixture, name, password, token: [4])
        }
      }
    }
    // The state is in the store, and concerns neither other names nor other addresses.
    fixture = try await fixture.reopened()
    await #expect(throws: throttled(1)) {
      try await logIn(fixture, "ann", "tea", token: [4], after: 9)
    }
    try await logIn(fixture, "bob", "ale", token: [9])
    try await logIn(fixture, "ann", "tea", token: [5], from: "192.0.2.1")
    // The existing sessions stay valid, and are the only ones that are listed.
    #expect(try await fixture.store.session([1, 2, 3], at: StoreFixture.noon)?.user == "ann")
    let tokens = try await fixture.store.sessions(of: "ann", at: StoreFixture.noon).keys
    #expect(Set(tokens) == [[1, 2, 3], [5]])
    await #expect(throws: DataError.wrongLogIn) {
      try await logIn(fixture, "ann", "milk", after: 10)
    }
    await #expect(throws: throttled(10)) { try await logIn(fixture, "ann", "tea", after: 10) }
    try await logIn(fixture, "ann", "tea", token: [6], after: 20)
    // The right password ends the limit.
    for _ in 0..<5 {
      await #expect(throws: DataError.wrongLogIn) {
        try await logIn(fixture, "ann", "milk", after: 20)
      }
    }
  }

  @Test("lets a user log in after the clock was set back", arguments: Engine.all)
  func clockSetBack(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    for _ in 0..<5 {
      await #expect(throws: DataError.wrongLogIn) {
        try await logIn(fixture, "ann", "milk", after: 3_600)
      }
    }
    await #expect(throws: DataError.wrongLogIn) { try await logIn(fixture, "ann", "milk") }
    await #expect(throws: throttled(10)) { try await logIn(fixture, "ann", "tea") }
    try await logIn(fixture, "ann", "tea", after: 10)
    for _ in 0..<5 {
      await #expect(throws: DataError.wrongLogIn) {
        try await logIn(fixture, "ann", "milk", after: 3_600)
      }
    }
    try await logIn(fixture, "ann", "tea", token: [4])
  }

  @Test("limits concurrent wrong passwords as strictly as consecutive ones", arguments: Engine.all)
  func concurrentThrottle(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let codes = await withTaskGroup(of: ErrorCode?.self) { group in
      for token in 0..<12 {
        group.addTask {
          do {
            try await logIn(fixture, "ann", "milk", token: [UInt8(token)])
            return nil
          } catch {
            return (error as? DataError)?.code
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.filter { $0 == .wrongLogin }.count == 5)
    #expect(codes.filter { $0 == .throttled }.count == 7)
  }

  @Test("verifies a password without creating a session", arguments: Engine.all)
  func verify(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let schema = try await fixture.store.catalog().catalog.schema("user")
    let store = fixture.store
    try await store.verify(try await check(store, "ann", "tea", in: schema))
    for (name, password) in [("ann", "coffee"), ("bob", "tea")] {
      await #expect(throws: DataError.wrongLogIn) {
        try await store.verify(try await check(store, name, password, in: schema))
      }
    }
  }

  @Test(
    "ends all sessions when the user schema is dropped, even if a new one is created",
    arguments: Engine.all)
  func droppedSchema(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await logIn(fixture, "ann", "tea")
    let stored = try await fixture.store.catalog()
    let user = try stored.catalog.schema("user")
    try await fixture.apply(
      try SchemaPlan(dropping: ["user"], from: stored), allowingLoss: ["user"])
    try await fixture.apply([user])
    try await fixture.save("user", ["username": "ann", "password": "hash of tea"])
    #expect(try await fixture.store.session([1, 2, 3], at: StoreFixture.noon) == nil)
  }

  @Test("never returns a password with the records of users", arguments: Engine.all)
  func writeOnly(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let expected: Record = ["username": "ann", "email": nil]
    #expect(try await fixture.all("user") == [expected.stamped()])
    #expect(try await fixture.record("user", "ann") == expected.stamped())
  }

  @Test(
    "counts a new password as a change of the user, and keeps the password if a save omits it",
    arguments: Engine.all)
  func keptPassword(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    #expect(
      try await fixture.save("user", ["username": "ann", "password": "hash of tea"]) == [
        .changed([1])
      ])
    try await fixture.save("user", ["username": "ann", "email": "ann@example.com"])
    try await fixture.save("user", ["username": "ann"], by: SavePolicy(mode: .replace))
    let expected: Record = ["username": "ann", "email": nil]
    #expect(try await fixture.all("user") == [expected.stamped(revision: 4)])
    try await logIn(fixture, "ann", "tea")
    try await fixture.save(
      "user", ["username": "ann", "email": "a"], ["username": "ann", "password": "hash of ale"])
    try await logIn(fixture, "ann", "ale", token: [9])
    #expect(try await fixture.store.session([9], at: StoreFixture.noon)?.user == "ann")
  }

  @Test("requires a password for a new user", arguments: Engine.all)
  func required(engine: Engine) async throws {
    let problems = try await fixture(engine).rejection(of: "user", ["username": "bob"])
    #expect(
      problems == [
        Problem(.invalid, "required", schema: "user", id: "bob", field: "password", line: 1)
      ])
  }

  @Test(
    "keeps a user's password when a deletion clears a reference in the user's record",
    arguments: Engine.all)
  func nullifiedUser(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let user = try await fixture.store.catalog().catalog.schema("user")
    let boss = Field("boss", .relation(Relation(to: "user")))
    try await fixture.apply([
      try .test("user", user.fields[1], user.fields[2], boss, kind: .user)
    ])
    try await fixture.save("user", ["username": "bob", "password": "hash of ale"])
    try await fixture.save("user", ["username": "ann", "boss": "bob"])
    try await fixture.delete("user", .ids(["bob"]))
    try await logIn(fixture, "ann", "tea")
    #expect(try await fixture.store.session([1, 2, 3], at: StoreFixture.noon)?.user == "ann")
  }
}
