import DataClient
import DataModel
import DataStore
import Foundation
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
    try await client.records("user").save(["username": "ann"])
    try await client.records("user").save(["username": "bob"])
    try await client.records("user").save(["username": "sue", "roles": ["staff"]])
    try await client.records("note").save(["note_id": "a", "owner": "ann", "secret": "x"])
    try await client.records("note").save(["note_id": "b", "owner": "bob", "secret": "y"])
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
    #expect(try await ann.records("note").page(limit: 1).records.map(\.id) == ["a"])
    #expect(try await ann.records("note").page(limit: 1).next == nil)
    #expect(try await ann.records("note").groups(by: "owner").map { $0["owner"] } == [.text("ann")])
    let secret = try await problem { _ = try await ann.records("note").groups(by: "secret") }
    #expect(secret.problems.map(\.message) == ["note has no field secret"])
    let note = try #require(try await ann.records("note").get("a", expanding: "owner"))
    #expect(note.related("owner")?.map(\.id) == ["ann"])
    #expect(note.related("owner")?.first?["roles"] == .null)
    #expect(try await ann.records("note").get("b", expanding: "owner") == nil)
    let anonymous = client.acting(as: nil)
    let closed = try await problem { _ = try await anonymous.records("user").page(limit: 5) }
    #expect(closed.code == .schemaNotFound)
  }

  @Test("reads only what the access rules allow, and treats a hidden field like an unknown one")
  func reading() async throws {
    let client = try await client()
    let ann = client.acting(as: "ann")
    #expect(try await ann.records("note").count() == 1)
    #expect(try await ann.records("note").count(where: "owner.username = 'bob'") == 0)
    #expect(try await ann.records("note").get("b") == nil)
    let note = try #require(try await ann.records("note").get("a"))
    #expect(!"\(note)".contains("secret"))
    #expect(try await client.acting(as: "sue").records("note").count(where: "secret = 'y'") == 1)
    let error = try await problem { _ = try await ann.records("note").count(where: "secret = 'x'") }
    let missing = try await problem {
      _ = try await ann.records("note").count(where: "secreb = 'x'")
    }
    #expect(
      error.problems[0].message
        == missing.problems[0].message.replacing("secreb", with: "secret"))
    #expect(error.problems[0].hint == missing.problems[0].hint?.replacing("secreb", with: "secret"))
    let anonymous = client.acting(as: nil)
    let closed = try await problem { _ = try await anonymous.records("note").count() }
    #expect(closed.code == .schemaNotFound)
  }

  @Test("saves and deletes records as the given user, but only records that the access rules allow")
  func writing() async throws {
    let client = try await client()
    let ann = client.acting(as: "ann")
    let denied = try await problem {
      try await ann.records("note").save(["note_id": "c", "owner": "bob"])
    }
    #expect(denied.code == .forbidden)
    let hidden = try await problem {
      try await ann.records("note").save(["note_id": "b", "owner": "ann"])
    }
    #expect(hidden.code == .exists)
    try await ann.records("note").save(["note_id": "c", "owner": "ann"])
    #expect(try await client.records("note").get("c")?.createdBy == "ann")
    let unknown = try await problem {
      try await ann.records("note").save(["note_id": "c", "secret": "z"])
    }
    #expect(unknown.code == .unknownField || unknown.code == .usage)
    let deletion = try await problem { try await ann.records("note").delete("a") }
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
    try await client.records("user").save(["username": "root", "roles": ["admin"]])
    try await client.records("user").save(drafts("a", "b"))
    try await client.acting(as: "root").records("user").save(drafts("c", "d"))
    for caller in [client.acting(as: nil), client.acting(as: "a")] {
      let error = try await problem { try await caller.records("user").save(drafts("e", "f")) }
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
    #expect(try await client.records("user").count() == 5)
    _ = try? await client.acting(as: nil).records("user").save(drafts("e"))
    #expect(try await client.records("user").count() == 6)
  }

  @Test("lets only administrators back up a store")
  func backup() async throws {
    let client = try await client()
    try await client.records("user").save(["username": "root", "roles": ["admin"]])
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).db").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    for caller in [client.acting(as: nil), client.acting(as: "ann")] {
      let error = try await problem {
        _ = try await caller.backUp(to: path, shown: "copy.db", verifies: false) { _ in }
      }
      #expect(error.code.exitStatus == 4)
    }
    let administrator = client.acting(as: "root")
    let summary = try await administrator.backUp(
      to: path, shown: "copy.db", verifies: true
    ) { _ in }
    #expect(summary?.digests.map(\.schema) == ["note", "user"])
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("looks up the session and the user once for each read")
  func lookups() async throws {
    let opened = try await client()
    let store = ReadCounting(try opened.store)
    let client = Client(store, choice: opened.choice, in: Shop.environment())
    try await opened.records("user").save(["username": "ann", "password": "canary99"])
    let password = Array("canary99".utf8)
    let token = try await opened.openSession("ann", password: password, days: 1, from: "-").token
    let users = Mutex<[String]>([])
    let ann = try client.acting(withToken: token) { user in
      users.withLock { $0.append(user) }
    }
    #expect(try await ann.records("note").get("a")?.id == "a")
    #expect(users.withLock { $0 } == ["ann"])
    #expect(store.takeReads() == ["session", "user", "note"])
  }
}
