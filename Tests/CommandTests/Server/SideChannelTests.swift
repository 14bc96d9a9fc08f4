import ProgramHarness
import TestSupport
import Testing

/// Pairs of requests that differ only in what the caller may not know. Their responses must be
/// equal.
@Suite("Side channels", .tags(.process), .from(.test))
struct SideChannelTests {
  /// Two requests of the user `ann`. In the first one, `HIDDEN` is replaced with something that
  /// exists but is hidden, and in the second one with something that does not exist.
  struct Pair: CustomTestStringConvertible {
    let method: String
    let path: String
    let body: String
    let hidden: String
    let missing: String

    init(
      _ method: String, _ path: String, _ body: String = "", hidden: String, missing: String
    ) {
      self.method = method
      self.path = path
      self.body = body
      self.hidden = hidden
      self.missing = missing
    }

    var testDescription: String { "\(method) \(path) \(body.prefix(80)) \(hidden)" }
  }

  private static let schemas = """
    {"schema": "user", "kind": "user", "roles": "roles",
     "fields": {"user_id": {"type": "id"}, "password": {"type": "password"},
       "roles": {"type": "[text]"}},
     "access": {"read": "user_id = :user"}}
    {"schema": "vault",
     "fields": {"vault_id": {"type": "id"}, "secret": {"type": "text"},
       "owner": {"type": "relation", "to": "user"}},
     "access": {"read": "owner = :user", "create": "owner = :user", "update": "owner = :user",
       "delete": "owner = :user"}}
    {"schema": "task",
     "fields": {"task_id": {"type": "id"}, "title": {"type": "text"}, "n": {"type": "integer"},
       "ref": {"type": "relation", "to": "vault"}, "refs": {"type": "relation", "to": "vault", "many": true},
       "note": {"type": "text", "one_of": ["red", "green"], "access": {"read": "role:staff"}},
       "reviewer": {"type": "relation", "to": "user", "inverse": "reviews",
         "access": {"read": "role:staff"}},
       "place": {"type": "geopoint"},
       "home": {"type": "geopoint", "access": {"read": "role:staff"}},
       "locked": {"type": "boolean", "access": {"write": "role:staff"}}},
     "access": {"read": "anyone", "create": "users", "update": "users"}}
    {"schema": "project",
     "fields": {"project_id": {"type": "id"}, "title": {"type": "text"},
       "owner": {"type": "relation", "to": "user"}},
     "access": {"read": ["owner = :user", "any member.project (user = :user)"],
       "create": "users", "update": "owner = :user", "delete": "owner = :user"}}
    {"schema": "member",
     "fields": {"member_id": {"type": "id"},
       "project": {"type": "relation", "to": "project", "on_delete": "cascade"},
       "user": {"type": "relation", "to": "user"}},
     "access": {"create": "user = :user"}}
    {"schema": "audit",
     "fields": {"audit_id": {"type": "id"},
       "member": {"type": "relation", "to": "member", "on_delete": "deny"}}}
    {"schema": "doc",
     "fields": {"doc_id": {"type": "id"}, "n": {"type": "integer"},
       "state": {"type": "text", "access": {"write": "role:staff"}},
       "owner": {"type": "relation", "to": "user"}},
     "access": {"read": "owner = :user", "update": "owner = :user"}}
    {"schema": "entry",
     "fields": {"entry_id": {"type": "id"}, "title": {"type": "text", "required": true},
       "secret": {"type": "text", "access": {"read": "role:staff"}}},
     "access": {"read": "anyone", "create": "users"}}

    """

  private func server() throws -> TestServer {
    let folder = try TestFolder()
    try folder.prepare("schema", "apply", "-", input: .text(Self.schemas))
    for user in ["ann", "bob"] {
      try folder.prepare(
        "save", "user", user, "password@=-", "-o", "none", input: .text("canary99"))
    }
    let records = [
      "vault": #"{"vault_id":"v1","secret":"apple","owner":"bob"}"#,
      "task": """
      {"task_id":"t1","title":"one","n":1,"ref":"v1","note":"red","reviewer":"bob"}
      {"task_id":"t2","title":"two","n":2}
      """,
      "project": """
      {"project_id":"p1","title":"Bob's","owner":"bob"}
      {"project_id":"p2","title":"Ann's","owner":"ann"}
      """,
      "member": #"{"member_id":"m1","project":"p2","user":"bob"}"#,
      "doc": #"{"doc_id":"d1","n":1,"owner":"bob"}"#,
    ]
    for schema in ["vault", "task", "project", "member", "doc"] {
      try folder.prepare(
        "save", schema, "-o", "none", input: .text((records[schema] ?? "") + "\n"))
    }
    try folder.prepare("save", "audit", "a1", "member=m1", "-o", "none")
    try folder.prepare("save", "audit", "a2", "member=m1", "-o", "none")
    return try TestServer(folder)
  }

  private static let overflow = " and ref.revision + 9223372036854775807 > 0"

  private static let pairs: [Pair] = [
    // A computed value that is out of range, if the condition holds for a hidden record.
    Pair(
      "POST", "/records/task/query",
      "where=ref.revision > 0 and ref.secret like 'HIDDEN%25'"
        + overflow.replacing("+", with: "%2B"),
      hidden: "app", missing: "ban"),
    Pair(
      "POST", "/records/task/query",
      "where=ref.secret like 'HIDDEN%25' and ref.revision > 0 and n %2B 9223372036854775807 > 0",
      hidden: "app", missing: "ban"),
    Pair(
      "POST", "/batch",
      #"{"check":"task","where":"ref.revision > 0 and ref.secret like 'HIDDEN%'\#(overflow)","count":0}"#,
      hidden: "app", missing: "ban"),
    Pair(
      "POST", "/records/task/query",
      "where=any refs (secret like 'HIDDEN%25' and revision %2B 9223372036854775807 > 0)",
      hidden: "app", missing: "ban"),
    // A hidden field, whose name follows that of the field before it.
    Pair(
      "PATCH", "/records/task/t1", #"{"refs":[],"HIDDEN":"red"}"#, hidden: "note", missing: "nope"),
    Pair("PATCH", "/records/task/t1", #"{"refs":[],"HIDDEN":5}"#, hidden: "note", missing: "nope"),
    Pair(
      "PATCH", "/records/task/t1", #"{"note":null,"HIDDEN":"bob"}"#, hidden: "reviewer",
      missing: "revieweb"),
    // A hidden field in a record that has another problem.
    Pair(
      "POST", "/records/entry?dry_run=true", #"{"entry_id":"e1","HIDDEN":"x"}"#, hidden: "secret",
      missing: "nope"),
    // The inverse of a hidden relation, and a map that needs a geopoint.
    Pair("GET", "/records/user?where=any%20HIDDEN%20(true)", hidden: "reviews", missing: "rewiews"),
    Pair("GET", "/records/user?expand=HIDDEN", hidden: "reviews", missing: "rewiews"),
    Pair("GET", "/records/task?function=f1&where=HIDDEN='x'", hidden: "note", missing: "nope"),
    // References to hidden records.
    Pair(
      "PATCH", "/records/task/t2?dry_run=true", #"{"ref":"HIDDEN"}"#, hidden: "v1", missing: "v9"),
    Pair(
      "POST", "/records/task?skip_invalid=true&dry_run=true",
      "{\"task_id\":\"x\",\"ref\":\"HIDDEN\"}\n{\"task_id\":\"y\"}\n", hidden: "v1", missing: "v9"),
    Pair(
      "POST", "/batch?dry_run=true",
      """
      {"save":"task","id":"x","record":{"ref":"HIDDEN"}}
      {"save":"task","id":"x","record":{"ref":null}}
      """, hidden: "v1", missing: "v9"),
    Pair(
      "POST", "/records/task",
      "{\"task_id\":\"x\",\"ref\":\"HIDDEN\"}\n{\"task_id\":\"y\",\"ref\":\"v8\"}\n", hidden: "v1",
      missing: "v9"),
    Pair(
      "POST", "/records/member", #"{"member_id":"x","project":"HIDDEN","user":"ann"}"#,
      hidden: "p1", missing: "p9"),
    // Changes of hidden records.
    Pair("PATCH", "/records/doc/HIDDEN", #"{"state":"open"}"#, hidden: "d1", missing: "d9"),
    Pair("PATCH", "/records/doc/HIDDEN", #"{"n":"x"}"#, hidden: "d1", missing: "d9"),
    Pair("PATCH", "/records/doc/HIDDEN", #"{"nope":1}"#, hidden: "d1", missing: "d9"),
  ]

  @Test("a response does not reveal that a field, id or value hidden from the caller exists")
  func pairs() throws {
    let server = try server()
    let folder = server.folder
    try folder.prepare(
      "save", "function", "f1", "item_type=task",
      #"function:={"selectCore":"from task t where t.n > 0"}"#, "-o", "none")
    let token = try server.logIn("ann")
    for pair in Self.pairs {
      func response(_ name: String) throws -> String {
        let path = pair.path.replacing("HIDDEN", with: name)
        let form =
          path.hasSuffix("/query") ? ["Content-Type: application/x-www-form-urlencoded"] : []
        let reply = try server.request(
          pair.method, path, token: token,
          body: pair.body.isEmpty ? nil : pair.body.replacing("HIDDEN", with: name), headers: form)
        let body = reply.body.replacing(/"(request|instance)":"[^"]*"/, with: "")
          .replacing(/"(created_at|modified_at|task_id)":"[^"]*"/, with: "")
          .replacing(name, with: "HIDDEN")
        return "\(reply.status) \(body)"
      }
      let (hidden, missing) = (try response(pair.hidden), try response(pair.missing))
      #expect(hidden == missing, "\(pair)")
    }
    #expect(try server.request("/records/project/p1", token: token).status == 404)
    #expect(try server.stop().status == 0)
  }

  @Test("the error about a deletion names no referring record that the caller may not read")
  func cascade() throws {
    let server = try server()
    let token = try server.logIn("ann")
    let reply = try server.request("DELETE", "/records/project/p2", token: token)
    #expect(reply.status == 409)
    let problems = try reply.json["problems"] as? [[String: Any]] ?? []
    #expect(problems.map { $0["id"] as? String } == ["p2"])
    #expect(!reply.body.contains("member") && !reply.body.contains("m1"), "\(reply.body)")
  }

  @Test("skip_invalid=true skips a record that the caller may not create, and saves the others")
  func skipping() throws {
    let server = try server()
    let token = try server.logIn("ann")
    let reply = try server.request(
      "POST", "/records/vault?skip_invalid=true", token: token,
      body: """
        {"vault_id":"x","owner":"bob"}
        {"vault_id":"y","owner":"ann"}

        """)
    #expect(reply.status == 200, "\(reply.report)")
    #expect(reply.headers["datactl-saved"]?.contains("rejected=1") == true, "\(reply.report)")
    #expect(try server.request("/records/vault/y", token: token).status == 200)
    #expect(try server.folder.datactl.run(["get", "vault", "x"]).status == 3)
  }

  @Test("saves 299 of 300 records in an empty schema if the caller may not create one of them")
  func skippingInLoads() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "apply", "-", input: .text(Self.schemas))
    for user in ["ann", "bob"] {
      try folder.prepare(
        "save", "user", user, "password@=-", "-o", "none", input: .text("canary99"))
    }
    let server = try TestServer(folder)
    let token = try server.logIn("ann")
    // From 200 records on, an empty schema is saved without its indexes, which are created later.
    let records = (0..<300).map { number in
      "{\"vault_id\":\"\(number)\",\"owner\":\"\(number == 150 ? "bob" : "ann")\"}\n"
    }
    let reply = try server.request(
      "POST", "/records/vault?skip_invalid=true&output=none", token: token, body: records.joined())
    #expect(reply.status == 200, "\(reply.report)")
    #expect(reply.headers["datactl-saved"]?.contains("rejected=1") == true, "\(reply.report)")
    #expect(try server.request("/records/vault?count=true", token: token).body == "299\n")
    let indexes = try folder.tool(
      "sqlite3", "shop.db",
      "select count(*) from sqlite_schema where name = 'vault.owner:reference'")
    #expect(indexes.output == "1\n")
    #expect(try server.stop().status == 0)
  }

  @Test("reports a failed check when a batch expects the greatest 64-bit integer as the count")
  func greatestCount() throws {
    let server = try server()
    let reply = try server.request(
      "POST", "/batch",
      body: #"{"check":"task","where":"n = 1","count":9223372036854775807}"#)
    #expect(reply.status == 409, "\(reply.report)")
    #expect(try server.stop().status == 0)
  }

  @Test(
    "list --explain prints access rules, and access says that a user may not read a record's history"
  )
  func explanations() throws {
    let folder = try server().folder
    let run = try folder.run("list", "vault", "--where", "secret = 'x'", "--explain").exits(0)
    #expect(run.output.contains("access     owner = :user, unless an administrator asks\n"))
    let json = try folder.run("list", "vault", "--explain", "-o", "json").exits(0)
    #expect(json.output.contains(#""access":["owner = :user"]"#))
    try folder.run("access", "ann", "history", "vault", "v1").exits(1)
  }
}
