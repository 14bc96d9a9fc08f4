import Conditions
import DataClient
import DataModel
import DataOutput
import DataStore
import SchemaText
import Testing

/// Requests that could reveal hidden records or hidden fields indirectly. Ann may read only her own
/// notes, but not the fields `secret` of notes and `pin` of users.
@Suite("Indirect access to hidden records and fields")
struct IndirectAccessTests {
  private func client() async throws -> Client {
    let client = try await Client.open("memory:", in: Shop.environment())
    var user = SchemaDraft(name: "user")
    user.kind = .user
    var pin = Field("pin", .text)
    pin.access.read = [.role("staff")]
    user.fields = [
      .init(Field("username", .id)), .init(Field("password", .password)),
      .init(Field("roles", .array(.text))), .init(Field("name", .text)), .init(pin),
    ]
    user.roles = "roles"
    user.access[.read] = [.condition("username = :user"), .role("staff")]
    user.access[.create] = [.anyone]
    user.access[.update] = [.condition("username = :user")]
    var secret = Field("secret", .text, isRequired: true)
    secret.access.read = [.role("staff")]
    var note = SchemaDraft(name: "note")
    note.fields = [
      .init(Field("note_id", .id)), .init(Field("title", .text, isUnique: true)),
      .init(Field("size", .integer)), .init(secret),
      .init(Field("owner", .relation(Relation(to: "user", inverse: "notes")))),
      .init(Field("parent", .relation(Relation(to: "note", inverse: "answers")))),
      .init(Field("file", .relation(Relation(to: "vault")))),
    ]
    for verb in [AccessVerb.read, .create, .update, .delete] {
      note.access[verb] = [.condition("owner = :user"), .role("staff")]
    }
    note.indexes = [.init([OrderTerm("secret")])]
    var inbox = SchemaDraft(name: "inbox")
    inbox.fields = [
      .init(Field("inbox_id", .id)), .init(Field("note", .relation(Relation(to: "note")))),
    ]
    inbox.access[.create] = [.anyone]
    var vault = SchemaDraft(name: "vault")
    vault.fields = [.init(Field("vault_id", .id)), .init(Field("code", .text))]
    let schemas = try [user, note, inbox, vault].map { draft in try Schema(checking: draft) }
    try await client.apply { stored throws(DataError) in
      try SchemaPlan(from: stored, to: schemas, reading: .complete)
    }
    try await client.records("user").save([
      "username": "ann", "password": "canary bird", "pin": "1",
    ])
    try await client.records("user").save(["username": "bob", "pin": "2"])
    try await client.records("user").save(["username": "sue", "roles": ["staff"]])
    try await client.records("vault").save(["vault_id": "v", "code": "1234"])
    try await client.records("note").save(
      ["note_id": "a", "title": "A", "size": 1, "secret": "x", "owner": "ann", "file": "v"])
    try await client.records("note").save(
      ["note_id": "b", "title": "B", "size": 10, "secret": "y", "owner": "bob"])
    try await client.records("note").save(
      ["note_id": "c", "title": "C", "size": 2, "secret": "z", "owner": "ann", "parent": "b"])
    try await client.records("inbox").save(["inbox_id": "i", "note": "b"])
    return client
  }

  private func error(_ body: () async throws -> Void) async throws -> DataError {
    do {
      try await body()
    } catch let error as DataError {
      return error
    }
    throw DataError(.failed, "no error")
  }

  /// Validates a query like the commands do.
  private func check(
    _ client: Client, where condition: String = "", order: String = "", fields: String? = nil,
    expand: String = ""
  ) async throws {
    let snapshot = try await client.store.snapshot()
    let input = QueryInput("note", where: condition, matching: [:], order: order)
    let query = try await client.check(input, from: snapshot)
    let catalog = query.stored.catalog
    let expansion = try Expansion(expand, of: query.schema, in: catalog)
    _ = try FieldChoice(
      fields, of: query.schema, in: catalog, expanding: expansion, by: query.reader)
  }

  @Test("reports as an unknown name every field or schema that the caller may not read")
  func names() async throws {
    let ann = try await client().acting(as: "ann")
    typealias Request = (String) async throws -> Void
    let positions: [Request] = [
      { try await check(ann, where: "\($0) = 'x'") },
      { try await check(ann, where: "not \($0) is null") },
      { try await check(ann, where: "length(\($0)) > 1") },
      { try await check(ann, where: "title = \($0)") },
      { try await check(ann, where: "parent.\($0) = 'x'") },
      { try await check(ann, where: "any answers (\($0) = 'x')") },
      { try await check(ann, where: "any owner.notes (\($0) = 'x')") },
      { try await check(ann, order: $0) },
      { try await check(ann, order: "-\($0)") },
      { try await check(ann, order: "parent.\($0)") },
      { try await check(ann, order: "-lower(\($0))") },
      { try await check(ann, fields: $0) },
      { try await check(ann, fields: "title,-\($0)") },
      { try await check(ann, fields: "parent.\($0)") },
      { try await check(ann, fields: "upper=lower(\($0))") },
      { try await check(ann, expand: $0) },
      { try await check(ann, expand: "parent.\($0)") },
      { try await ann.records("note").save(["note_id": "a", $0: "x"]) },
      { _ = try await ann.records("note").count(matching: [$0: "x"]) },
      { _ = try await ann.records("note").get("a")?.value($0, as: String.self) },
      { name in
        let schema = try await ann.store.catalog().catalog.schema("note")
        let assignment = try #require(Assignment("\(name)=x"))
        _ = try Assignments([assignment], for: schema)
      },
    ]
    for (index, request) in positions.enumerated() {
      let hidden = try await error { try await request("secret") }
      let unknown = try await error { try await request("secreb") }
      let text = { (error: DataError) in
        error.problems.map { "\($0.code) \($0.message) \($0.hint ?? "") \($0.field ?? "")" }
          .joined(separator: "\n")
      }
      #expect(
        text(hidden) == text(unknown).replacing("secreb", with: "secret"), "position \(index)")
      #expect(!text(unknown).replacing("secreb", with: "").contains("secret"), "position \(index)")
    }
    for name in ["vault", "vaulb"] {
      let closed = try await error { _ = try await ann.records(name).count() }
      #expect(closed.code == .schemaNotFound)
      #expect(closed.problems.map(\.hint) == [nil])
    }
    let path = try await error { try await check(ann, where: "file.code = '1234'") }
    #expect(path.code == .usage, "\(path)")
  }

  @Test("counts, sorts and aggregates only records that the caller may read, also along paths")
  func records() async throws {
    let client = try await client()
    let ann = client.acting(as: "ann")
    #expect(try await ann.records("note").count() == 2)
    #expect(try await ann.records("note").count(where: "size > 5") == 0)
    #expect(try await ann.records("note").count(where: "parent.size > 5") == 0)
    #expect(try await ann.records("note").count(where: "parent.title is null") == 2)
    #expect(try await ann.records("note").count(where: "owner.username = 'ann'") == 2)
    #expect(try await ann.records("user").count(where: "any notes (size > 5)") == 0)
    #expect(try await ann.records("user").count(where: "count(notes) = 2") == 1)
    #expect(try await ann.records("user").count() == 1)
    #expect(
      try await error { _ = try await ann.records("note").get(["b", "a"]) }.code == .notFound)
    var ids: [String] = []
    for try await record in ann.records("note").list(order: "-parent.size,note_id") {
      ids.append(record.id)
    }
    #expect(ids == ["a", "c"])
    let stored = try await ann.store.catalog()
    let schema = try stored.catalog.schema("note")
    let groups = GroupQuery(
      schema, by: [FieldPath("owner")], aggregates: [.count, .maximum(FieldPath("size"))])
    let stream = try await ann.store.groups(groups)
    let rows = try #require(try await stream.next(reusing: Rows(width: 3)))
    #expect(rows.count == 1)
    #expect(rows.value(rows[0, 1], of: .integer) == .integer(2))
    #expect(rows.value(rows[0, 2], of: .integer) == .integer(2))
    // A page of another caller does not lead to hidden records.
    var page = Query(schema, order: [OrderTerm("size")], limit: 1)
    page.bound = .after(Query.Cursor([.integer(2), .text("c")]))
    #expect(try await ann.store.count(page) == 0)
  }

  @Test("prints only the id of a related record that the caller may not read")
  func expansions() async throws {
    let client = try await client()
    for (caller, expected) in [("ann", #""parent":"b""#), ("sue", #""parent":{"note_id":"b""#)] {
      let bound = client.acting(as: caller)
      let text = try await listing(of: "note", expanding: "parent,file", for: bound)
      #expect(text.contains(expected), "\(text)")
      #expect(text.contains(#""file":"v""#), "\(text)")
      #expect(!text.contains("1234"))
      #expect(text.contains("secret") == (caller == "sue"))
    }
  }

  /// Returns the records of a schema as `list` prints them.
  private func listing(
    of schema: String, expanding expand: String, for client: Client
  ) async throws -> String {
    let sink = BufferSink()
    try await client.answer(
      ReadRequest(.records(QueryInput(schema), RecordOptions(expansion: expand)), as: .ndjson),
      to: AnswerOutput(sink))
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  @Test("the error of a rejected write names no record or field that the caller may not read")
  func writes() async throws {
    let client = try await client()
    let ann = client.acting(as: "ann")
    let missing = try await error {
      try await ann.records("note").save(["note_id": "n", "owner": "ann"])
    }
    #expect(missing.code == .forbidden)
    let unique = try await error {
      try await ann.records("note").save(["note_id": "a", "title": "B"])
    }
    #expect(unique.problems.map(\.message) == ["another record already has this value"])
    let dangling = try await error {
      try await ann.records("note").save(["note_id": "a", "parent": "b"])
    }
    let unknown = try await error {
      try await ann.records("note").save(["note_id": "a", "parent": "q"])
    }
    #expect(
      dangling.problems.map(\.message)
        == unknown.problems.map { $0.message.replacing("\"q\"", with: "\"b\"") })
    let hidden = try await error { try await ann.records("note").delete("b") }
    let absent = try await error { try await ann.records("note").delete("q") }
    #expect(
      hidden.problems.map(\.message)
        == absent.problems.map { $0.message.replacing("\"q\"", with: "\"b\"") })
    for error in [missing, unique, hidden] {
      #expect(!"\(error)".contains("secret"), "\(error)")
    }
    let positional = try await error {
      var changes = RowChanges(for: try await ann.store.catalog().catalog.schema("note"))
      changes.beginRecord(line: 1)
      changes.reportUnknownField("secrets")
      throw DataError(changes.endRecord()) ?? DataError(.failed, "no problem")
    }
    #expect(!"\(positional.problems.map(\.hint))".contains("secret"))
  }

  @Test(
    "a client acting as a user gets schemas without access rules or fields the user may not read")
  func schemas() async throws {
    let client = try await client()
    let schemas = try await client.acting(as: "ann").schemas()
    #expect(schemas.map(\.name) == ["inbox", "note", "user"])
    let text = schemas.map(SchemaFile.text).joined()
    for word in ["secret", "pin", "access", "\"roles\": \"roles\"", "staff"] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(try await client.acting(as: "ann").schema("note").fields.map(\.name).contains("size"))
    let ann = client.acting(as: "ann")
    let query = Query(try await ann.store.catalog().catalog.schema("note"))
    #expect(try await error { _ = try await ann.store.explain(query) }.code == .forbidden)
    #expect(try await error { _ = try await ann.store.log() }.code == .forbidden)
    #expect(
      try await error { try await ann.createSchema("extra", ["name:text"]) }.code == .forbidden
    )
  }

  @Test("rejects a query when the caller may not read any records of the schema")
  func unreadable() async throws {
    let client = try await client()
    #expect(
      try await error { _ = try await client.acting(as: "ann").records("inbox").count() }.code
        == .forbidden)
    #expect(
      try await error { _ = try await client.acting(as: nil).records("inbox").count() }.code
        == .notLoggedIn)
    try await client.acting(as: nil).records("inbox").save(["inbox_id": "j"])
    #expect(try await client.records("inbox").count() == 2)
  }

  @Test("runs a stored function only if the caller may read everything that the function names")
  func functions() async throws {
    let client = try await client()
    let queries = [
      ("open", "from note n where n.size > :least"), ("hidden", "from note n where n.secret = 'x'"),
      ("hop", "from note n where n.owner.pin = '1'"), ("closed", "from vault v"),
      ("unreadable", "from inbox i"),
    ]
    for (id, text) in queries {
      try await client.records("function").save(
        [
          "function_id": .init(stringLiteral: id), "item_type": "", "function_type": "SQLiteQuery",
          "function": .init(stringLiteral: #"{"selectCore": "\#(text)"}"#),
        ])
    }
    func count(_ id: String, for caller: String?) async throws -> Int {
      let bound = client.acting(as: caller)
      let snapshot = try await bound.store.snapshot()
      var input = QueryInput("", parameters: id == "open" ? ["least": .text("1")] : [:])
      input.function = id
      return try await snapshot.count(bound.check(input, from: snapshot).query())
    }
    #expect(try await count("open", for: "ann") == 1)
    #expect(try await count("open", for: "sue") == 2)
    #expect(try await count("hidden", for: "sue") == 1)
    for id in ["hidden", "hop", "closed", "unreadable"] {
      let denied = try await error { _ = try await count(id, for: "ann") }
      #expect(denied.code == .forbidden, "\(id): \(denied)")
      #expect(!"\(denied)".contains("secret") && !"\(denied)".contains("pin"), "\(denied)")
    }
    #expect(try await error { _ = try await count("open", for: nil) }.code == .notLoggedIn)
    #expect(try await error { _ = try await count("none", for: "ann") }.code == .notFound)
    let bound = client.acting(as: "ann")
    var input = QueryInput("")
    input.function = "open"
    let missing = try await error { _ = try await bound.check(input, from: bound.store) }
    #expect(missing.code == .usage, "\(missing)")
    let denied = try await error { try await bound.records("function").save(["function_id": "f"]) }
    #expect(denied.code == .forbidden || denied.code == .schemaNotFound, "\(denied)")
  }

  @Test("changes a password only with the old password, not by saving the user record")
  func passwords() async throws {
    let client = try await client()
    let ann = client.acting(as: "ann")
    let saved = try await error {
      try await ann.records("user").save(["username": "ann", "password": "yellow bird"])
    }
    #expect(saved.code == .forbidden)
    #expect(saved.problems.map(\.hint) == ["change it with changePassword(from:to:)"])
    #expect(
      try await error { try await ann.setPassword(of: "bob", to: "yellow bird") }.code != .failed)
    try await ann.changePassword(from: "canary bird", to: "yellow bird")
    try await client.logIn("ann", password: "yellow bird")
    #expect(try await client.records("user").get("ann")?.modifiedBy == "ann")
    let anonymous = client.acting(as: nil)
    try await anonymous.records("user").save(["username": "eve", "password": "purple bird"])
    try await client.logIn("eve", password: "purple bird")
    let twice = try await error {
      try await anonymous.records("user").save(["username": "bob", "password": "purple bird"])
    }
    #expect(twice.code == .exists)
    #expect(try await error { try await anonymous.logIn("eve", password: "x") }.code == .usage)
  }

  @Test("applies the rules of the session's user when a client acts with a session token")
  func tokens() async throws {
    let client = try await client()
    let session = try await client.openSession(
      "ann", password: Array("canary bird".utf8), days: 1, storage: .transient)
    let bound = try client.acting(withToken: session.token)
    #expect(try await bound.records("note").count() == 2)
    #expect(try await bound.whoAmI()?.user == "ann")
    try await bound.records("user").save(["username": "ann", "name": "Ann"])
    #expect(try await client.records("user").get("ann")?.modifiedBy == "ann")
    #expect(try await bound.sessions().map(\.isCurrent) == [true])
    try await bound.logOutEverywhere()
    #expect(try await error { _ = try await bound.records("note").count() }.code == .notLoggedIn)
    #expect(try await error { _ = try client.acting(withToken: "x") }.code == .notLoggedIn)
  }
}
