import Foundation
import ProgramHarness
import TestSupport
import Testing

/// A request, and the response that each caller gets.
struct Scenario: CustomTestStringConvertible {
  let method: String
  let path: String
  var body: String?
  var headers: [String] = []
  /// For each caller, the status of the response, and the code of the error if there is one.
  let expected: [String: String]

  init(
    _ method: String, _ path: String, headers: [String] = [], _ expected: [String: String]
  ) {
    self.method = method
    self.path = path
    self.headers = headers
    self.expected = expected
  }

  init(
    _ method: String, _ path: String, _ body: String, headers: [String] = [],
    _ expected: [String: String]
  ) {
    self.method = method
    self.path = path
    self.body = body
    self.headers = headers
    self.expected = expected
  }

  var testDescription: String { "\(method) \(path)" }
}

@Suite("Requests of each caller", .tags(.process), .from(.test), .onEveryStoreInAll)
struct ScenarioTests {
  /// The callers: no session, and the users.
  private static let callers = ["-", "ann", "bob", "eve", "root"]

  private static func all(_ status: String) -> [String: String] {
    Dictionary(uniqueKeysWithValues: callers.map { ($0, status) })
  }

  /// Requests that change nothing, so that they can be sent in any order.
  static let reads: [Scenario] = [
    Scenario("GET", "", all("200")),
    Scenario("GET", "/health", all("200")),
    Scenario("GET", "/nothing", all("404 not_found")),
    Scenario(
      "GET", "/metrics",
      ["-": "401 not_logged_in", "ann": "403 forbidden", "eve": "403 forbidden", "root": "200"]),
    Scenario("PUT", "/schemas", all("405 usage")),
    Scenario("GET", "/schemas", all("200")),
    Scenario("GET", "/schemas/note", all("200")),
    Scenario("GET", "/schemas/nope", all("404 schema_not_found")),
    Scenario(
      "GET", "/schemas/log",
      ["-": "401 not_logged_in", "ann": "403 forbidden", "eve": "403 forbidden", "root": "200"]),
    Scenario(
      "POST", "/schemas/plan", #"{"schema":"x","fields":{"x_id":{"type":"id"}}}"#,
      ["-": "401 not_logged_in", "ann": "403 forbidden", "root": "200"]),
    Scenario(
      "POST", "/schemas/plan", "{",
      ["-": "401 not_logged_in", "ann": "403 forbidden", "root": "422 invalid_schema"]),
    Scenario(
      "POST", "/schemas/apply?dry_run=true", "{",
      ["-": "401 not_logged_in", "ann": "403 forbidden", "root": "422 invalid_schema"]),
    Scenario(
      "POST", "/schemas/rename", "",
      ["-": "401 not_logged_in", "ann": "403 forbidden", "root": "400 usage"]),
    Scenario(
      "DELETE", "/schemas/note",
      ["-": "401 not_logged_in", "ann": "403 forbidden", "root": "409 loss"]),
    Scenario(
      "DELETE", "/schemas/nope",
      ["-": "401 not_logged_in", "ann": "403 forbidden", "root": "404 schema_not_found"]),
    Scenario("GET", "/whoami", ["-": "401 not_logged_in", "ann": "200", "root": "200"]),
    Scenario("GET", "/sessions", ["-": "401 not_logged_in", "ann": "200"]),
    Scenario(
      "GET", "/sessions?user=bob",
      ["-": "401 not_logged_in", "ann": "403 forbidden", "bob": "200", "root": "200"]),
    Scenario("GET", "/sessions?user=bob&name=ci", ["bob": "200", "root": "200"]),
    Scenario("GET", "/sessions?user=zed", ["ann": "403 forbidden", "root": "404 not_found"]),
    Scenario("GET", "/sessions?user=a%00", ["root": "404 not_found"]),
    Scenario("GET", "/sessions?output=text", all("400 usage")),
    Scenario("POST", "/logout?name=ci", "", all("400 usage")),
    Scenario("POST", "/logout?user=ann&all=true", "", all("400 usage")),
    Scenario(
      "POST", "/logout?user=zed", "",
      ["-": "401 not_logged_in", "ann": "403 forbidden", "root": "404 not_found"]),
    Scenario(
      "POST", "/logout?user=bob&name=none", "",
      ["-": "401 not_logged_in", "ann": "403 forbidden", "root": "404 not_found"]),
    Scenario("GET", "/records/nope", all("404 schema_not_found")),
    Scenario(
      "GET", "/records/vault",
      ["-": "404 schema_not_found", "ann": "404 schema_not_found", "root": "200"]),
    Scenario(
      "GET", "/records/vault/v1",
      ["-": "404 schema_not_found", "eve": "404 schema_not_found", "root": "200"]),
    Scenario("GET", "/records/note/pub", all("200")),
    Scenario(
      "GET", "/records/note/bobs",
      [
        "-": "404 not_found", "ann": "404 not_found", "bob": "200", "eve": "200", "root": "200",
      ]),
    Scenario("GET", "/records/note?id=pub&id=pub", all("200")),
    Scenario("GET", "/records/note?id=-", all("404 not_found")),
    Scenario("GET", "/records/note?limt=1", all("400 usage")),
    Scenario("GET", "/records/note?limit=x", all("400 usage")),
    Scenario("GET", "/records/note?limit=1&limit=2", all("400 usage")),
    Scenario("GET", "/records/note?store=/etc/passwd", all("400 usage")),
    Scenario("GET", "/records/note?map=/etc/passwd", all("400 usage")),
    Scenario("GET", "/records/note?yes=true", all("400 usage")),
    Scenario("GET", "/records/note?output=nope", all("400 usage")),
    Scenario("GET", "/records/note", headers: ["Accept: image/png"], all("406 usage")),
    Scenario("GET", "/records/note?where=nope%3D1", all("400 usage")),
    Scenario(
      "GET", "/records/note?explain=true",
      ["-": "401 not_logged_in", "ann": "403 forbidden", "root": "200"]),
    Scenario(
      "POST", "/records/note/query", "limit=1", headers: ["Content-Type: application/json"],
      all("415 usage")),
    Scenario(
      "POST", "/records/note/query", "limit=1&where=count+%3E+0",
      headers: ["Content-Type: application/x-www-form-urlencoded"], all("200")),
    Scenario(
      "GET", "/records/note", headers: ["Authorization: Basic YTpi"], ["-": "401 not_logged_in"]),
    Scenario(
      "GET", "/records/note", headers: ["Authorization: Bearer x"], ["-": "401 not_logged_in"]),
    Scenario("GET", "/records/note", headers: ["Host: evil.example"], all("400 usage")),
    Scenario("GET", "/health", headers: ["Host: localhost:x@evil.com"], all("400 usage")),
    Scenario("GET", "/health", headers: ["Host: 127.0.0.1:1x"], all("400 usage")),
    Scenario("GET", "/health", headers: ["Host: [::1]x"], all("400 usage")),
    Scenario("GET", "/health", headers: ["Host: [::1]:80"], all("200")),
    Scenario("GET", "/health", headers: ["Host: localhost:80"], all("200")),
    Scenario("GET", "/health", headers: ["Host: localhost"], all("200")),
    Scenario(
      "GET", "/records/note", headers: ["Origin: https://evil.example"], all("403 forbidden")),
    Scenario("DELETE", "/records/note", all("400 usage")),
    Scenario("DELETE", "/records/note?id=pub&agreed=1", all("400 usage")),
    Scenario("GET", "/records/note/%ff", all("400 usage")),
    Scenario("GET", "/records/note?a=%zz", all("400 usage")),
    Scenario("GET", "/records/note/a%2Fb", all("404 not_found")),
    Scenario("POST", "/batch", "{", all("422 syntax")),
    Scenario("POST", "/login", "{}", all("422 invalid")),
    Scenario(
      "POST", "/login", #"{"user":"ann","password":"x","name":"a\tb"}"#, all("400 usage")),
    Scenario("POST", "/login", #"{"user":"ann","password":"x","name":7}"#, all("422 invalid")),
    Scenario("POST", "/login", #"{"user":"ann","pasword":"x"}"#, all("422 unknown_field")),
  ]

  @Test("responds to read requests according to the rights of the caller")
  func reading() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let tokens = try Self.tokens(server)
    for scenario in Self.reads {
      for (caller, expected) in scenario.expected {
        let reply = try server.request(
          scenario.method, scenario.path, token: tokens[caller], body: scenario.body,
          headers: scenario.headers)
        let found = ["\(reply.status)", reply.status < 400 ? nil : reply.code]
        #expect(
          found.compactMap(\.self).joined(separator: " ") == expected,
          "\(scenario.testDescription) by \(caller): \(reply.report)")
        #expect(!reply.body.contains("shop.db"), "\(scenario.testDescription)")
      }
    }
    #expect(try server.stop().status == 0)
  }

  /// A field that the caller may not read is unknown in each position in which its name can occur.
  @Test(
    "treats a field that the caller may not read like an unknown field in every part of a request")
  func hiddenField() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let ann = try server.logIn("ann")
    let eve = try server.logIn("eve")
    let queries = [
      "where=FIELD%3D9.5", "where=FIELD%20is%20null", "order=FIELD", "order=-FIELD",
      "fields=FIELD", "fields=n%3DFIELD%2A2", "fields=-FIELD", "distinct=FIELD", "group_by=FIELD",
      "sum=FIELD", "avg=FIELD", "median=FIELD", "min=FIELD", "max=FIELD", "section_by=FIELD",
      "group_by=owner&having=max_FIELD%3E1&max=FIELD", "count=true&where=FIELD%3E1",
    ]
    for query in queries {
      let hidden = try server.request(
        path("note", query.replacingOccurrences(of: "FIELD", with: "price")), token: ann)
      let unknown = try server.request(
        path("note", query.replacingOccurrences(of: "FIELD", with: "prixe")), token: ann)
      #expect(hidden.status >= 400, "\(query): \(hidden.report)")
      #expect(hidden.status == unknown.status, "\(query): \(hidden.report) \(unknown.report)")
      #expect(
        try message(hidden).replacingOccurrences(of: "price", with: "prixe") == message(unknown),
        "\(query)")
      #expect(try !"\(unknown.json["problems"] ?? "")".contains("price"), "\(query)")
    }
    // Both callers may read the record, but only staff the field.
    #expect(try server.request("/records/note/pub", token: ann).json["price"] == nil)
    #expect(try server.request("/records/note/pub", token: eve).json["price"] as? Double == 9.5)
    #expect(try !server.request("/schemas/note", token: ann).body.contains("price"))
    for body in [#"{"price":1}"#, #"{"price":{"$add":1}}"#] {
      let hidden = try server.request("PATCH", "/records/note/anns", token: ann, body: body)
      let unknown = try server.request(
        "PATCH", "/records/note/anns", token: ann,
        body: body.replacingOccurrences(of: "price", with: "prixe"))
      #expect(hidden.status == unknown.status, "\(hidden.report) \(unknown.report)")
    }
    #expect(try folder.datactl.run(["get", "note", "anns"]).output.contains(#""price":8.5"#))
  }

  @Test("no response, count or error contains a record that the caller may not read")
  func hiddenRecord() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let ann = try server.logIn("ann")
    for query in [
      "", "?output=json", "?output=csv", "?output=xml", "?output=page", "?output=ids",
      "?section_by=title", "?group_by=title", "?distinct=title", "?max=title&group_by=owner",
      "?order=-title", "?id=bobs&id=pub", "?where=title%3D'hidden'",
    ] {
      let reply = try server.request("/records/note\(query)", token: ann)
      #expect(!reply.body.contains("hidden"), "\(query): \(reply.report)")
    }
    #expect(try server.request("/records/note?count=true", token: ann).body == "2\n")
    #expect(try server.request("/records/note?count=true").body == "1\n")
    for (method, body) in [("PATCH", "{}"), ("DELETE", nil)] {
      let reply = try server.request(
        method, "/records/note/bobs", token: ann, body: body, headers: ["If-Match: \"1\""])
      #expect(reply.status == 404, "\(method): \(reply.report)")
    }
    let put = try server.request(
      "PUT", "/records/note/bobs", token: ann, body: #"{"owner":"ann"}"#)
    #expect(put.status == 409 && put.code == "exists", "\(put.report)")
    let all = try server.request("DELETE", "/records/note?all=true&agreed=3", token: ann)
    #expect(all.status == 409, "\(all.report)")
    #expect(try folder.datactl.run(["list", "note", "--count"]).output == "3\n")
  }

  @Test("checks the rule for deletion if a form selects the records, and keeps delete as an id")
  func deletionForms() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let log = #"""
      {"schema": "log", "fields": {"log_id": {"type": "id"}, "n": {"type": "integer"}},
       "access": {"read": "users", "delete": "users", "update": "role:staff"}}
      """#
    try folder.prepare("schema", "apply", "-", input: .text(log))
    for id in ["a", "b", "delete"] { try folder.prepare("save", "log", id, "n=1", "-o", "none") }
    let server = try TestServer(folder)
    let tokens = try Self.tokens(server)
    func send(_ form: String, by caller: String, key: String = "k") throws -> Reply {
      try server.request(
        "POST", "/records/log/delete", token: tokens[caller], body: form,
        headers: ["Content-Type: application/x-www-form-urlencoded", "Idempotency-Key: \(key)"])
    }
    #expect(try send("id=a", by: "-").code == "schema_not_found")
    let deleted = try send("id=a", by: "ann")
    #expect(deleted.status == 200 && deleted.body.contains("\"count\":1"), "\(deleted.report)")
    let again = try send("id=a", by: "ann")
    #expect(again.headers["datactl-repeated"] == "true" && again.body == deleted.body)
    #expect(try send("match.n=2", by: "ann", key: "l").body.contains("\"count\":0"))
    #expect(try send("", by: "ann", key: "m").status == 400)
    let change = ["PATCH", "/records/log/delete"]
    let replies = try (1...2).map { _ in
      try server.request(
        change[0], change[1], token: tokens["eve"], body: #"{"n":2}"#,
        headers: ["Idempotency-Key: n"])
    }
    #expect(replies[1].headers["datactl-repeated"] == "true" && replies[1].body == replies[0].body)
    #expect(try folder.datactl.run(["list", "log", "-o", "ids"]).output == "b\ndelete\n")
  }

  @Test("executes a request of an administrator with the rights of the user in Datactl-As")
  func actingUsers() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder, "--log", "text")
    let tokens = try Self.tokens(server)
    func count(_ user: String, by caller: String) throws -> Reply {
      try server.request(
        "/records/note?count=true", token: tokens[caller], headers: ["Datactl-As\(user)"])
    }
    for (user, expected) in [(": ann", "2\n"), (": eve", "3\n"), (";", "1\n")] {
      let reply = try count(user, by: "root")
      #expect(reply.body == expected, "\(user): \(reply.report)")
      #expect(reply.headers["datactl-as"]?.hasPrefix("user=") == true, "\(reply.report)")
    }
    #expect(try count(": bob", by: "-").status == 401)
    #expect(try count(": bob", by: "ann").status == 403)
    #expect(try count(": %zz", by: "root").status == 400)
    #expect(try count(": zoe", by: "root").code == "not_found")
    let log = try server.stop().errors
    #expect(log.contains(" root_as_ann ") && log.contains(" root_as_- "), "\(log)")
  }

  @Test("checks the rights of a caller before the revision that If-Match requires")
  func rightsFirst() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let tokens = try Self.tokens(server)
    for (method, header) in [
      ("PATCH", "If-Match: \"99\""), ("DELETE", "If-Match: \"99\""), ("PUT", "If-Match: \"99\""),
      ("PATCH", "If-Match: \"1-00000000\""), ("PUT", "If-None-Match: \"1\""),
    ] {
      for (caller, status) in [("-", 401), ("bob", 403), ("root", 412)] {
        let reply = try server.request(
          method, "/records/note/pub", token: tokens[caller],
          body: method == "DELETE" ? nil : "{}", headers: [header])
        #expect(reply.status == status, "\(caller) \(method) \(header): \(reply.report)")
      }
    }
  }

  @Test(
    "suggests logging in when an anonymous caller requests a schema that the caller may not read")
  func hiddenSchema() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    for name in ["vault", "missing"] {
      let reply = try server.request("/records/\(name)")
      #expect(reply.status == 404 && reply.body.contains("log in"), "\(reply.report)")
      let ann = try server.request("/records/\(name)", token: try server.logIn("ann"))
      #expect(ann.status == 404 && !ann.body.contains("log in"), "\(ann.report)")
    }
  }

  @Test(
    "sends the schema first if schema=true is given, without fields that the caller may not read")
  func schemaFirst() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let ann = try server.logIn("ann")
    for query in ["schema=true", "schema=true&output=ndjson&limit=1", "schema=true&id=pub"] {
      let reply = try server.request("/records/note?\(query)", token: ann)
      let lines = reply.body.split(separator: "\n")
      #expect(lines[0].hasPrefix(#"{"schema":"note","#), "\(reply.report)")
      #expect(!lines[0].contains("price") && !lines[0].contains("access"), "\(reply.report)")
      #expect(lines[1].hasPrefix(#"{"note_id":"#), "\(reply.report)")
    }
    #expect(try server.request("/records/note?schema=false&count=true", token: ann).body == "2\n")
    #expect(try server.request("/records/note?schema=true&output=csv", token: ann).status == 400)
    #expect(try server.request("/records/vault?schema=true", token: ann).status == 404)
  }

  @Test("changes only the records and fields that the access rules let the caller change")
  func writing() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let tokens = try Self.tokens(server)
    func status(
      _ method: String, _ path: String, _ caller: String, _ body: String? = nil
    ) throws -> Int {
      try server.request(method, path, token: tokens[caller], body: body).status
    }
    let own = #"{"note_id":"n","owner":"ann"}"#
    #expect(try status("POST", "/records/note", "-", own) == 401)
    #expect(try status("POST", "/records/note", "bob", own) == 403)
    #expect(try status("POST", "/records/note?dry_run=true", "ann", own) == 200)
    #expect(try status("POST", "/records/note", "ann", own) == 201)
    #expect(try status("POST", "/records/note", "ann", own) == 200)
    #expect(try status("POST", "/records/note?mode=create", "ann", own) == 409)
    #expect(try status("PATCH", "/records/note/n", "-", #"{"title":"x"}"#) == 401)
    #expect(try status("PATCH", "/records/note/pub", "-", #"{"title":"x"}"#) == 401)
    #expect(try status("PATCH", "/records/note/pub", "bob", #"{"title":"x"}"#) == 403)
    #expect(try status("PATCH", "/records/note/pub", "eve", #"{"title":"x"}"#) == 200)
    #expect(try status("PATCH", "/records/note/none", "root", #"{"title":"x"}"#) == 404)
    #expect(try status("PUT", "/records/note/new", "root", #"{"title":"x"}"#) == 200)
    #expect(try status("DELETE", "/records/note/pub", "bob") == 403)
    #expect(try status("DELETE", "/records/note/pub", "eve") == 403)
    #expect(try status("DELETE", "/records/note/new", "root") == 200)
    #expect(try status("DELETE", "/records/note/new", "root") == 404)
    #expect(try status("DELETE", "/records/note/new?if_exists=true", "root") == 200)
    #expect(try status("POST", "/records/note?keep_system_fields=true", "ann", own) == 403)
    #expect(try status("POST", "/records/fresh?infer=true", "ann", #"{"a":1}"#) == 403)
    #expect(try status("POST", "/records/vault", "ann", #"{"vault_id":"x"}"#) == 404)
    #expect(try status("DELETE", "/schemas/vault?allow_loss=vault", "ann") == 403)
    #expect(try status("DELETE", "/schemas/note?allow_loss=note", "ann") == 403)
    #expect(try status("DELETE", "/schemas/vault", "root") == 409)
    #expect(try status("DELETE", "/schemas/vault?allow_loss=vault", "root") == 200)
    #expect(try status("POST", "/schemas/rename?from=note.title&to=name", "root") == 200)
    let user = #"{"user_id":"new","password":"canary98"}"#
    #expect(try status("POST", "/records/user", "-", user) == 201)
    #expect(
      try status("POST", "/records/user", "-", #"{"user_id":"n2","roles":["admin"]}"#) == 403
        || status("POST", "/records/user", "-", #"{"user_id":"n2","roles":["admin"]}"#) == 401)
    #expect(try server.logIn("new", password: "canary98").utf8.count == 64)
  }

  @Test("lets only administrators set several passwords with one request")
  func signUps() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let tokens = try Self.tokens(server)
    let users = ["x", "y"].map { #"{"user_id":"\#($0)","password":"canary98"}"# + "\n" }
    let operations = users.map { #"{"save":"user","record":\#($0.dropLast())}"# + "\n" }
    for (path, body) in [
      ("/records/user", users.joined()), ("/records/user?skip_invalid=true", users.joined()),
      ("/batch", operations.joined()),
    ] {
      for caller in ["-", "ann"] {
        let reply = try server.request("POST", path, token: tokens[caller], body: body)
        #expect(reply.status == 422 && reply.code == "invalid", "\(path): \(reply.report)")
        #expect(reply.body.contains("only administrators may set several passwords at once"))
        #expect(reply.body.contains(#""line":2"#), "\(path): \(reply.report)")
      }
      #expect(try server.request("/records/user?count=true", token: tokens["ann"]).body == "4\n")
    }
    let client = try TestFolder(store: server.address)
    try client.run("save", "user", input: .text(users.joined())).exits(6)
      .reports("standard input:2: password: only administrators may set several passwords at once")
    let plain = #"{"user_id":"p"} {"user_id":"q"} {"user_id":"r","password":"canary98"}"#
    #expect(try server.request("POST", "/records/user", body: plain).status == 201)
    let reply = try server.request(
      "POST", "/records/user", token: tokens["root"], body: users.joined())
    #expect(reply.headers["datactl-saved"] == "new=2, changed=0, same=0", "\(reply.report)")
  }

  @Test("uses the media type of a request for a file whose name implies no media type")
  func fileTypes() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let ann = try server.logIn("ann")
    let path = "/records/note/pub/photo/content"
    func type(_ header: String, _ query: String = "") throws -> String? {
      let reply = try server.request(
        "PUT", path + query, token: ann, body: "x", headers: ["Content-Type: \(header)"])
      #expect(reply.status == 200, "\(reply.report)")
      return try server.request(path).headers["content-type"]
    }
    #expect(try type("text/plain; charset=utf-8") == "text/plain; charset=utf-8")
    #expect(try type("application/pdf", "?name=report") == "application/pdf")
    #expect(try type("application/pdf", "?name=a.png") == "image/png")
    #expect(try type("application/x-www-form-urlencoded") == "application/octet-stream")
    #expect(try type("", "?name=a.unknown") == "application/octet-stream")
    let invalid = try server.request(
      "PUT", path, token: ann, body: "x", headers: ["Content-Type: text"])
    #expect(invalid.status == 422, "\(invalid.report)")
  }

  @Test(
    "applies the changes in the request body to all records that match the condition in the URL")
  func matching() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(Self.openTodo))
    let server = try TestServer(folder)
    let reply = try server.request(
      "POST", "/records/todo?where=priority%20%3E%3D%20:p&param.p=1",
      body: #"{"priority":{"$add":10},"tags":{"$append":["z"]},"title":"a=b","price":null}"#)
    #expect(reply.status == 200, "\(reply.report)")
    #expect(reply.headers["datactl-saved"] == "new=0, changed=2, same=0")
    #expect(
      try folder.datactl.run(["list", "todo", "--fields", "title,priority,tags,price"]).output
        == """
        {"todo_id":"a","title":"a=b","priority":11,"tags":["z"],"price":null}
        {"todo_id":"b","title":"a=b","priority":13,"tags":["x","y","z"],"price":null}
        {"todo_id":"c","title":"cheese","priority":null,"tags":null,"price":null}

        """)
    for body in [
      #"{"title@=/etc/passwd\u0000":"x"}"#, #"{"title@":"/etc/passwd"}"#, #"{"title=x;":1}"#,
      #"{"":1}"#, "[]", "{}",
    ] {
      let reply = try server.request("POST", "/records/todo?where=true", body: body)
      #expect(reply.status == 422, "\(body): \(reply.report)")
    }
    let create = try server.request(
      "POST", "/records/todo?where=true&mode=create", body: #"{"title":"x"}"#)
    #expect(create.status == 400, "\(create.report)")
    #expect(try folder.datactl.run(["list", "todo", "title=x", "--count"]).output == "0\n")
  }

  @Test("takes each value of a change to several records as it takes a value of one record")
  func matchingOperations() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "apply", "-", input: .text(Self.openItem))
    let server = try TestServer(folder)
    let values = [
      #"{"tags":{"$remove":["y"],"$append":["z"]}}"#,
      #"{"tags":{"$append":["z"],"$remove":["z"]}}"#,
      #"{"any":{"$add":1}}"#, #"{"any":{"$append":[1],"$remove":[2]}}"#, #"{"any":"text"}"#,
      #"{"count":{"$add":-2}}"#, #"{"tags":["a=b",""]}"#, #"{"count":{"$add":1,"$append":[2]}}"#,
      #"{"count":{"$add":"1"}}"#, #"{"tags":{"$append":"z"}}"#,
      #"{"tags":{"$remove":["x"],"a":1}}"#,
    ]
    for value in values {
      for id in ["one", "all"] {
        try folder.prepare(
          "save", "item", id, "tags:=[\"x\",\"y\"]", "any:={\"a\":1}", "count=5", "-o", "none")
      }
      let one = try folder.program.run(
        ["save", "item", "one", "-o", "none"], input: .text(value))
      let all = try server.request("POST", "/records/item?where=item_id%3D'all'", body: value)
      #expect((one.status == 0) == (all.status == 200), "\(value): \(one.report) \(all.report)")
      let rows = try folder.prepare("list", "item", "--fields", "tags,any,count", "-o", "csv").lines
        .dropFirst().map { $0.split(separator: ",", maxSplits: 1)[1] }
      #expect(rows.count == 2 && rows[0] == rows[1], "\(value): \(rows)")
    }
  }

  @Test("a page contains at most 1,000 records if the request has no limit")
  func pageSize() throws {
    let folder = try TestFolder()
    try folder.saveManyTodos(1_001)
    try folder.prepare("schema", "apply", "-", input: .text(Self.openTodo))
    let server = try TestServer(folder)
    func count(_ query: String) throws -> Int {
      try server.request("/records/todo?output=page\(query)").body.ranges(of: "\"todo_id\"").count
    }
    #expect(try count("") == 1_000)
    #expect(try count("&limit=1001") == 1_001)
    #expect(try count("&limit=2") == 2)
    #expect(
      try folder.prepare("list", "todo", "-o", "page").output.ranges(of: "\"todo_id\"").count
        == 1_001)
  }

  @Test("returns 412 if the revision of a record differs from the required revision")
  func revisions() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(Self.openTodo))
    let server = try TestServer(folder)
    let first = try #require(try server.request("/records/todo/a").headers["etag"])
    let unchanged = try server.request("/records/todo/a", headers: ["If-None-Match: \(first)"])
    #expect(unchanged.status == 304 && unchanged.body.isEmpty)
    func patch(_ tag: String, _ body: String = #"{"price":1}"#) throws -> Int {
      try server.request("PATCH", "/records/todo/a", body: body, headers: ["If-Match: \(tag)"])
        .status
    }
    #expect(try patch("\"9\"") == 412)
    #expect(try patch("\"1-00000000\"") == 412)
    #expect(try patch(first) == 200)
    #expect(try patch(first) == 412)
    #expect(try patch("\"2\"", #"{"price":2,"revision":1}"#) == 200)
    #expect(try patch("*") == 200)
    #expect(try patch("W/\"4\"") == 412)
    // The revision alone does not identify a response, because fields and formats differ.
    for query in ["", "?fields=title", "?output=xml"] {
      let reply = try server.request(
        "/records/todo/a\(query)", headers: ["If-None-Match: \"4\""])
      #expect(reply.status == 200, "\(query): \(reply.report)")
      let tag = try #require(reply.headers["etag"])
      let again = try server.request(
        "/records/todo/a\(query)", headers: ["If-None-Match: W/\(tag)"])
      #expect(again.status == 304, "\(query): \(again.report)")
    }
    let delete = try server.request("DELETE", "/records/todo/a", headers: ["If-Match: \"1\""])
    #expect(delete.status == 412)
    #expect(try server.request("/records/todo/a").status == 200)
  }

  @Test("creates a record with If-None-Match: * only if no record with this id exists")
  func absence() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(Self.openTodo))
    let server = try TestServer(folder)
    let before = try folder.datactl.run(["get", "todo", "a"]).output
    func put(_ id: String, _ query: String = "") throws -> Reply {
      try server.request(
        "PUT", "/records/todo/\(id)\(query)", body: #"{"title":"x"}"#,
        headers: ["If-None-Match: *"])
    }
    let existing = try put("a")
    #expect(existing.status == 412 && existing.code == "exists", "\(existing.report)")
    #expect(try put("a", "?skip_invalid=true").status == 400)
    #expect(try folder.datactl.run(["get", "todo", "a"]).output == before)
    let new = try put("new")
    #expect(new.status == 200, "\(new.report)")
    #expect(new.headers["datactl-saved"] == "new=1, changed=0, same=0")
    #expect(try put("new").status == 412)
  }

  @Test("changes a record only if no tag in If-None-Match matches its revision")
  func excludedTags() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(Self.openTodo))
    let server = try TestServer(folder)
    let tag = try #require(try server.request("/records/todo/a").headers["etag"])
    func send(_ method: String, _ id: String, _ header: String) throws -> Int {
      try server.request(
        method, "/records/todo/\(id)", body: method == "DELETE" ? nil : #"{"title":"x"}"#,
        headers: ["If-None-Match: \(header)"]
      ).status
    }
    for method in ["PATCH", "PUT", "DELETE"] {
      for header in ["*", tag, "W/\(tag)", "\"1\"", "\"9\", \(tag)"] {
        #expect(try send(method, "a", header) == 412, "\(method) \(header)")
      }
    }
    #expect(try server.request("/records/todo/a").headers["etag"] == tag)
    #expect(try send("PATCH", "none", "*") == 404)
    #expect(try send("PATCH", "none", "\"1\"") == 404)
    #expect(try send("DELETE", "none", "*") == 404)
    #expect(try send("PUT", "new", "\"1\"") == 200)
    #expect(try send("PUT", "a", "\"9\"") == 200)
    #expect(try send("PATCH", "a", tag) == 200)
    #expect(try send("DELETE", "a", tag) == 200)
  }

  @Test(
    "rejects If-Match, If-None-Match and Idempotency-Key on routes that do not support the header")
  func unsupportedConditions() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let root = try server.logIn("root")
    for (method, path, header) in [
      ("POST", "/schemas/apply", "Idempotency-Key"), ("POST", "/password", "Idempotency-Key"),
      ("POST", "/login", "Idempotency-Key"), ("DELETE", "/schemas/vault", "If-Match"),
      ("POST", "/records/note", "If-Match"), ("DELETE", "/records/note?all=true", "If-None-Match"),
      ("PUT", "/records/note/pub/photo/content", "If-Match"), ("POST", "/batch", "If-Match"),
    ] {
      let reply = try server.request(
        method, path, token: root, body: "{}", headers: ["\(header): \"1\""])
      #expect(reply.status == 400, "\(method) \(path): \(reply.report)")
      #expect(
        try reply.json["detail"] as? String == "this request cannot have the header \(header)")
    }
    #expect(try server.request("/records/note?count=true", token: root).body == "3\n")
  }

  @Test("explains why the server rejects a malformed batch or a password change without a session")
  func plainErrors() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let batch = try server.request("POST", "/batch", body: "where title = 'x'")
    #expect(batch.status == 422 && batch.body.contains("one operation per line"), "\(batch.report)")
    for body in [#"{"user":"ann","old":"canary99","new":"canary98"}"#, "{", ""] {
      let reply = try server.request("POST", "/password", body: body)
      #expect(reply.status == 401, "\(reply.report)")
      #expect(try reply.json["detail"] as? String == "changing a password requires a session")
    }
  }

  @Test("executes a request only once if it is sent twice with the same idempotency key")
  func idempotency() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    try folder.prepare("schema", "apply", "-", input: .text(Self.openCounter))
    let server = try TestServer(folder)
    let (ann, bob) = (try server.logIn("ann"), try server.logIn("bob"))
    try folder.prepare("save", "counter", "c", "n=10", "-o", "none")
    func send(
      _ key: String, _ body: String = #"{"n":{"$add":-2}}"#, by token: String? = nil,
      _ method: String = "PATCH", _ path: String = "/records/counter/c", headers: [String] = []
    ) throws -> Reply {
      try server.request(
        method, path, token: token, body: body, headers: ["Idempotency-Key: \(key)"] + headers)
    }
    let first = try send("k1", by: ann)
    #expect(first.status == 200 && first.headers["datactl-repeated"] == nil, "\(first.report)")
    let second = try send("k1", by: ann)
    #expect(second.status == 200 && second.headers["datactl-repeated"] == "true")
    #expect(second.headers["datactl-saved"] == first.headers["datactl-saved"])
    #expect(second.headers["content-type"] == "application/json")
    #expect(second.body == first.body)
    #expect(try send("k1", #"{"n":{"$add":-3}}"#, by: ann).status == 422)
    #expect(
      try folder.datactl.run(["get", "counter", "c", "--fields", "n"]).output.contains(":8}"))
    // The key of another user is another key.
    #expect(try send("k1", by: bob).headers["datactl-repeated"] == nil)
    // A request that changed nothing keeps no key.
    #expect(try send("k2", #"{"m":1}"#, by: ann).status == 422)
    #expect(try send("k2", by: ann).status == 200)
    let match = ["If-Match: \"4\""]
    #expect(try send("k3", by: ann, headers: match).status == 200)
    #expect(try send("k3", by: ann, headers: match).headers["datactl-repeated"] == "true")
    #expect(try send("k4", by: ann, headers: match).status == 412)
    let batch = #"{"save":"counter","id":"c","record":{"n":{"$add":100}}}"# + "\n"
    #expect(try send("k5", batch, by: ann, "POST", "/batch").status == 200)
    #expect(
      try send("k5", batch, by: ann, "POST", "/batch").headers["datactl-repeated"] == "true")
    let delete = try send("k6", "", by: ann, "DELETE", "/records/counter/c")
    let repeated = try send("k6", "", by: ann, "DELETE", "/records/counter/c")
    #expect(delete.body == "{\"did\":\"delete\",\"count\":1}\n")
    #expect(repeated.body == delete.body && repeated.headers["datactl-repeated"] == "true")
    let long = String(repeating: "k", count: 65)
    #expect(try send(long, by: ann, "DELETE", "/records/counter/c").status == 400)
    #expect(try server.request("/sessions", token: ann).status == 200)
  }

  private static let openCounter = """
    {"schema": "counter", "fields": {"counter_id": {"type": "id"}, "n": {"type": "integer"}},
     "access": {"read": "anyone", "create": "anyone", "update": "anyone", "delete": "anyone"}}

    """

  /// The schema `todo` of the tests, open to everyone.
  static let openTodo = """
    {"schema": "todo", "fields": {"todo_id": {"type": "id"},
      "title": {"type": "text", "required": true}, "done": {"type": "boolean"},
      "priority": {"type": "integer"}, "price": {"type": "number"}, "due": {"type": "datetime"},
      "tags": {"type": "[text]"}},
     "access": {"read": "anyone", "create": "anyone", "update": "anyone", "delete": "anyone"}}

    """

  private static let openItem = """
    {"schema": "item", "fields": {"item_id": {"type": "id"}, "tags": {"type": "[text]"},
      "any": {"type": "json"}, "count": {"type": "integer"}},
     "access": {"read": "anyone", "update": "anyone"}}

    """

  private func path(_ schema: String, _ query: String) -> String { "/records/\(schema)?\(query)" }

  private func message(_ reply: Reply) throws -> String {
    try reply.json["detail"] as? String ?? ""
  }

  /// Returns the token of each user.
  private static func tokens(_ server: TestServer) throws -> [String: String] {
    var tokens: [String: String] = [:]
    for caller in callers where caller != "-" { tokens[caller] = try server.logIn(caller) }
    return tokens
  }
}
