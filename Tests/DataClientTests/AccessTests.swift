import DataClient
import DataModel
import DataStore
import Synchronization
import Testing

@Suite("Clients that act as a user")
struct AccessTests {
  /// Returns a schema of users with roles, to which access rules can be added.
  private static func user() -> SchemaDraft {
    var user = SchemaDraft(name: "user")
    user.kind = .user
    user.fields = [
      .init(Field("username", .id)), .init(Field("password", .password)),
      .init(Field("roles", .array(.text))),
    ]
    user.roles = "roles"
    return user
  }

  private func client() async throws -> Client {
    let client = try await Client.open("memory:", in: Shop.environment())
    var user = Self.user()
    user.access[.read] = [.users]
    var secret = Field("secret", .text)
    secret.access.read = [.role("staff")]
    var note = SchemaDraft(name: "note")
    note.fields = [
      .init(Field("note_id", .id)), .init(Field("text", .text)), .init(secret),
      .init(Field("owner", .relation(Relation(to: "user")))),
    ]
    note.access[.read] = [.condition("owner = :user"), .role("staff")]
    note.access[.create] = [.condition("owner = :user")]
    note.access[.update] = [.condition("owner = :user")]
    let schemas = [try Schema(checking: user), try Schema(checking: note)]
    try await client.apply { stored throws(DataError) in
      try SchemaPlan(from: stored, to: schemas, reading: .complete)
    }
    try await client.save(["username": "ann"], in: "user")
    try await client.save(["username": "bob"], in: "user")
    try await client.save(["username": "sue", "roles": ["staff"]], in: "user")
    try await client.save(["note_id": "a", "owner": "ann", "secret": "x"], in: "note")
    try await client.save(["note_id": "b", "owner": "bob", "secret": "y"], in: "note")
    return client
  }

  private func problem(_ body: () async throws -> Void) async throws -> DataError {
    do {
      try await body()
    } catch let error as DataError {
      return error
    }
    throw DataError(.failed, "no error")
  }

  @Test("returns only what the access rules allow in pages, groups and expanded relations")
  func answers() async throws {
    let client = try await client()
    let ann = client.acting(as: "ann")
    #expect(try await ann.page("note", limit: 1).records.map(\.id) == ["a"])
    #expect(try await ann.page("note", limit: 1).next == nil)
    #expect(try await ann.groups("note", by: "owner").map { $0["owner"] } == [.text("ann")])
    let secret = try await problem { _ = try await ann.groups("note", by: "secret") }
    #expect(secret.problems.map(\.message) == ["note has no field secret"])
    let note = try #require(try await ann.get("a", in: "note", expanding: "owner"))
    #expect(note.related("owner")?.map(\.id) == ["ann"])
    #expect(note.related("owner")?.first?["roles"] == .null)
    #expect(try await ann.get("b", in: "note", expanding: "owner") == nil)
    let anonymous = client.acting(as: nil)
    let closed = try await problem { _ = try await anonymous.page("user", limit: 5) }
    #expect(closed.code == .schemaNotFound)
  }

  @Test("reads only what the access rules allow, and treats a hidden field like an unknown one")
  func reading() async throws {
    let client = try await client()
    let ann = client.acting(as: "ann")
    #expect(try await ann.count("note") == 1)
    #expect(try await ann.count("note", where: "owner.username = 'bob'") == 0)
    #expect(try await ann.get("b", in: "note") == nil)
    let note = try #require(try await ann.get("a", in: "note"))
    #expect(!"\(note)".contains("secret"))
    #expect(try await client.acting(as: "sue").count("note", where: "secret = 'y'") == 1)
    let error = try await problem { _ = try await ann.count("note", where: "secret = 'x'") }
    let missing = try await problem { _ = try await ann.count("note", where: "secreb = 'x'") }
    #expect(
      error.problems[0].message
        == missing.problems[0].message.replacing("secreb", with: "secret"))
    #expect(error.problems[0].hint == missing.problems[0].hint?.replacing("secreb", with: "secret"))
    let anonymous = client.acting(as: nil)
    let closed = try await problem { _ = try await anonymous.count("note") }
    #expect(closed.code == .schemaNotFound)
  }

  @Test("saves and deletes records as the given user, but only records that the access rules allow")
  func writing() async throws {
    let client = try await client()
    let ann = client.acting(as: "ann")
    let denied = try await problem {
      try await ann.save(["note_id": "c", "owner": "bob"], in: "note")
    }
    #expect(denied.code == .forbidden)
    let hidden = try await problem {
      try await ann.save(["note_id": "b", "owner": "ann"], in: "note")
    }
    #expect(hidden.code == .exists)
    try await ann.save(["note_id": "c", "owner": "ann"], in: "note")
    #expect(try await client.get("c", in: "note")?.createdBy == "ann")
    let unknown = try await problem {
      try await ann.save(["note_id": "c", "secret": "z"], in: "note")
    }
    #expect(unknown.code == .unknownField || unknown.code == .usage)
    let deletion = try await problem { try await ann.delete("a", in: "note") }
    #expect(deletion.code == .forbidden)
  }

  @Test("rejects a schema change that would make an access rule invalid")
  func renaming() async throws {
    let client = try await client()
    let error = try await problem {
      try await client.apply { stored throws(DataError) in
        try SchemaPlan(renaming: "owner", of: "note", to: "author", from: stored)
      }
    }
    #expect(error.problems.allSatisfy { $0.message.hasPrefix("access.") })
  }

  @Test("lets only administrators set several passwords in one transaction")
  func passwords() async throws {
    let client = try await Client.open("memory:", in: Shop.environment())
    var user = Self.user()
    user.access[.create] = [.anyone]
    let schema = try Schema(checking: user)
    try await client.apply { stored throws(DataError) in
      try SchemaPlan(from: stored, to: [schema], reading: .complete)
    }
    func drafts(_ names: String...) -> [Draft] {
      names.map { ["username": .init(stringLiteral: $0), "password": "canary99"] }
    }
    try await client.save(["username": "root", "roles": ["admin"]], in: "user")
    try await client.save(drafts("a", "b"), in: "user")
    try await client.acting(as: "root").save(drafts("c", "d"), in: "user")
    for caller in [client.acting(as: nil), client.acting(as: "a")] {
      let error = try await problem { try await caller.save(drafts("e", "f"), in: "user") }
      #expect(error.problems.map(\.code) == [.invalid])
      let message = "only administrators may set several passwords at once"
      #expect(error.problems[0].message == "record 2: \(message)")
      let failure = try await problem {
        try await caller.batch { batch in
          for draft in drafts("e", "f") { batch.save(draft, in: "user") }
        }
      }
      #expect(failure.problems[0].message == message && failure.problems[0].line == 2)
    }
    #expect(try await client.count("user") == 5)
    _ = try? await client.acting(as: nil).save(drafts("e"), in: "user")
    #expect(try await client.count("user") == 6)
  }

  @Test("looks up the session and the user once for each read")
  func lookups() async throws {
    let opened = try await client()
    let store = ReadCounting(opened.store)
    let client = Client(store, choice: opened.choice, in: Shop.environment())
    try await opened.save(["username": "ann", "password": "canary99"], in: "user")
    let password = Array("canary99".utf8)
    let token = try await opened.openSession("ann", password: password, days: 1, from: "-").token
    let users = Mutex<[String]>([])
    let ann = try client.acting(withToken: token) { user in
      users.withLock { $0.append(user) }
    }
    #expect(try await ann.get("a", in: "note")?.id == "a")
    #expect(users.withLock { $0 } == ["ann"])
    #expect(store.takeReads() == ["session", "user", "note"])
  }
}
