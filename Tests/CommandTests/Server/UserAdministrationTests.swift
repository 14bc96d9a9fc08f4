import ProgramHarness
import TestSupport
import Testing

@Suite("Users of a server", .tags(.process), .from(.test), .onEveryStoreInAll)
struct UserAdministrationTests {
  private static let schemas = """
    {"schema": "user", "kind": "user", "roles": "roles", "disabled": "locked",
     "fields": {"user_id": {"type": "id"}, "password": {"type": "password"},
       "roles": {"type": "[text]"}, "locked": {"type": "boolean"}, "team": {"type": "text"}},
     "access": {"read": "users", "create": "anyone", "update": "user_id = :user"}}
    {"schema": "todo",
     "fields": {"todo_id": {"type": "id"}, "title": {"type": "text"},
       "owner": {"type": "relation", "to": "user", "default": ":user"},
       "author": {"type": "text", "default": ":user", "access": {"write": "role:admin"}}},
     "access": {"read": "anyone", "create": "anyone", "update": "users"}}

    """

  private func serve(_ arguments: String...) throws -> TestServer {
    let folder = try TestFolder()
    try folder.prepare("schema", "apply", "-", input: .text(Self.schemas))
    for user in ["ann", "bob", "root"] {
      try folder.prepare(
        "save", "user", user, "password@=-", "-o", "none", input: .text("canary99"))
    }
    try folder.prepare("save", "user", "root", "roles+=admin", "-o", "none")
    return try TestServer(folder, arguments: arguments)
  }

  @Test("names sessions, and lets administrators list and end those of other users")
  func names() throws {
    let server = try serve()
    let root = try server.logIn("root")
    func logIn(_ user: String, _ name: String) throws -> String {
      let body = #"{"user":"\#(user)","password":"canary99","name":"\#(name)"}"#
      let reply = try server.request("POST", "/login", body: body)
      #expect(Set(try reply.json.keys) == ["token", "user", "expires"])
      return try #require(reply.json["token"] as? String)
    }
    let ci = try logIn("ann", "ci")
    let home = try logIn("ann", "at home")
    let bob = try logIn("bob", "ci")
    #expect(
      try server.request("/sessions", token: ci).body.contains(#""current": true, "name": "ci""#))
    let listed = try server.request("/sessions?user=ann&name=at%20home", token: root)
    #expect(listed.body.contains(#""current": false, "name": "at home""#), "\(listed.report)")
    #expect(!listed.body.contains(#""ci""#))
    let ended = try server.request("POST", "/logout?user=ann&name=ci", token: root)
    #expect(ended.body == "{\"ended\":1}\n")
    #expect(try server.request("/whoami", token: ci).status == 401)
    #expect(try server.request("/whoami", token: home).status == 200)
    #expect(try server.request("POST", "/logout?user=bob", token: home).code == "forbidden")
    #expect(try server.request("/whoami", token: bob).status == 200)
    let own = try server.request("POST", "/logout?user=ann&name=at+home", token: home)
    #expect(own.body == "{\"ended\":1}\n")
    #expect(try server.request("/whoami", token: home).status == 401)

    // The same with the command.
    let remote = server.folder.datactl.with(["DATACTL_STORE": server.address])
    try remote.with(["DATACTL_TOKEN": root])
      .run(["whoami", "--sessions", "--user", "bob", "--name", "ci"]).exits(0)
    try remote.with(["DATACTL_TOKEN": root]).run(["logout", "--user", "bob"]).exits(0)
      .reports("Ended 1 session of bob in \(server.address).")
    try remote.with(["DATACTL_TOKEN": root]).run(["logout", "--user", "zed"]).exits(3)
    #expect(try server.request("/whoami", token: bob).status == 401)
    try remote.run(
      ["login", "-u", "bob", "--password-stdin", "--print-token", "--name", "nightly"],
      input: .text("canary99")
    ).exits(0)
    #expect(try server.request("/sessions?user=bob", token: root).body.contains("nightly"))
  }

  @Test(
    "ends the open sessions of a user who is disabled in any way, and refuses to log the user in",
    arguments: [
      "PATCH /records/user/ann {\"locked\":true}",
      "PUT /records/user/ann {\"locked\":true}",
      "POST /records/user {\"user_id\":\"ann\",\"locked\":true}",
      "POST /records/user?mode=update&keep_system_fields=true {\"user_id\":\"ann\",\"locked\":true}",
      "POST /records/user?where=team%20is%20null {\"locked\":true}",
      "POST /batch {\"save\":\"user\",\"record\":{\"user_id\":\"ann\",\"locked\":true}}",
      "command",
    ])
  func disabling(request: String) throws {
    let server = try serve()
    let root = try server.logIn("root")
    try server.folder.prepare("save", "user", "root", "team=ops", "-o", "none")
    let ann = try server.logIn("ann")
    #expect(try server.request("/whoami", token: ann).status == 200)
    if request == "command" {
      let remote = server.folder.datactl.with(["DATACTL_STORE": server.address])
      try remote.with(["DATACTL_TOKEN": root])
        .run(["save", "user", "ann", "locked=true", "-o", "none"]).exits(0)
    } else {
      let parts = request.split(separator: " ", maxSplits: 2).map(String.init)
      let reply = try server.request(parts[0], parts[1], token: root, body: parts[2])
      #expect(reply.status < 300, "\(reply.report)")
    }
    for path in ["/whoami", "/sessions", "/records/todo"] {
      #expect(try server.request(path, token: ann).status == 401)
    }
    let body = #"{"todo_id":"a"}"#
    #expect(try server.request("POST", "/records/todo", token: ann, body: body).status == 401)
    let right = try server.request(
      "POST", "/login", body: #"{"user":"ann","password":"canary99"}"#)
    #expect(right.status == 403)
    #expect(right.body.contains("the user is disabled"), "\(right.report)")
    let wrong = try server.request("POST", "/login", body: #"{"user":"ann","password":"x"}"#)
    #expect(wrong.code == "wrong_login")
    #expect(!wrong.body.contains("disabled"))
    let enabled = try server.request(
      "PATCH", "/records/user/ann", token: root, body: #"{"locked":null}"#)
    #expect(enabled.status == 200)
    #expect(try server.request("/whoami", token: ann).status == 401)
    #expect(try server.request("/whoami", token: server.logIn("ann")).status == 200)
  }

  @Test("refuses the sessions of users whom another program has disabled in the store")
  func disabledBesides() throws {
    let server = try serve()
    let ann = try server.logIn("ann")
    switch StoreKind.current {
    case .file:
      try server.folder.tool(
        "sqlite3", "shop.db", "update user set locked = 1 where user_id = 'ann'")
    case .postgres:
      try server.folder.tool(
        "psql", "-XAqt", server.folder.address, "-c",
        "update datactl.\"user\" set locked = true where user_id = 'ann'")
    }
    for path in ["/whoami", "/sessions", "/records/todo"] {
      let reply = try server.request(path, token: ann)
      #expect(reply.status == 401, "\(reply.report)")
      #expect(reply.body.contains("the user is disabled"), "\(reply.report)")
    }
    let body = #"{"todo_id":"a"}"#
    #expect(try server.request("POST", "/records/todo", token: ann, body: body).status == 401)
  }

  @Test("lets only administrators write the field that disables users")
  func fieldOfAdministrators() throws {
    let server = try serve()
    let ann = try server.logIn("ann")
    for value in ["true", "false"] {
      let record = #"{"user_id":"new","password":"canary99","locked":\#(value)}"#
      let created = try server.request("POST", "/records/user", body: record)
      #expect(created.status == 401, "\(created.report)")
      let batch = #"{"save":"user","record":\#(record)}"#
      #expect(try server.request("POST", "/batch", body: batch).status == 401)
      try server.folder.datactl.with(["DATACTL_STORE": server.address])
        .run(["save", "user"], input: .text(record)).exits(4)
      for method in ["PATCH", "PUT"] {
        let changed = try server.request(
          method, "/records/user/ann", token: ann, body: #"{"locked":\#(value)}"#)
        #expect(changed.code == "forbidden", "\(changed.report)")
      }
    }
    let created = try server.request(
      "POST", "/records/user", body: #"{"user_id":"new","password":"canary99"}"#)
    #expect(created.status == 201)
    // A replacement by the user keeps the field.
    try server.folder.prepare("save", "user", "bob", "locked=false", "-o", "none")
    let bob = try server.logIn("bob")
    let replaced = try server.request("PUT", "/records/user/bob", token: bob, body: "{}")
    #expect(try replaced.json["locked"] as? Bool == false, "\(replaced.report)")
  }

  @Test("gives new records the user of the session, and keeps the user in replacements")
  func userDefault() throws {
    let server = try serve()
    let (ann, bob) = (try server.logIn("ann"), try server.logIn("bob"))
    func owners(_ reply: Reply) throws -> [String?] {
      ["owner", "author"].map { try? reply.json[$0] as? String }
    }
    let created = try server.request(
      "POST", "/records/todo", token: ann, body: #"{"todo_id":"a","title":"tea"}"#)
    #expect(try owners(created) == ["ann", "ann"], "\(created.report)")
    let replaced = try server.request(
      "PUT", "/records/todo/a", token: bob, body: #"{"title":"milk"}"#)
    #expect(try owners(replaced) == ["ann", "ann"], "\(replaced.report)")
    let anonymous = try server.request("POST", "/records/todo", body: #"{"todo_id":"b"}"#)
    #expect(try owners(anonymous) == [nil, nil], "\(anonymous.report)")
    let put = try server.request("PUT", "/records/todo/c", token: bob, body: "{}")
    #expect(try owners(put) == ["bob", "bob"], "\(put.report)")
    try server.folder.datactl.with(["DATACTL_STORE": server.address])
      .with(["DATACTL_TOKEN": ann]).run(["save", "todo", "d", "-o", "none", "title=x"]).exits(0)
    #expect(try owners(server.request("/records/todo/d")) == ["ann", "ann"])
    let given = try server.request(
      "POST", "/records/todo", token: ann, body: #"{"todo_id":"e","author":"bob"}"#)
    #expect(given.code == "forbidden", "\(given.report)")
  }

  @Test("limits how many users anonymous callers create in an hour, by any route")
  func signUps() throws {
    let server = try serve("--signups", "3")
    let root = try server.logIn("root")
    func save(_ name: String, _ path: String = "/records/user", token: String? = nil) throws
      -> Reply
    {
      try server.request("POST", path, token: token, body: #"{"user_id":"\#(name)"}"#)
    }
    // What is not created does not count.
    for _ in 0..<4 {
      #expect(try save("dry", "/records/user?dry_run=true").status == 200)
      #expect(try save("ann", "/records/user?mode=create").code == "exists")
      #expect(try save("r", "/records/user", token: root).status < 300)
    }
    #expect(try save("u1").status == 201)
    let batch = #"{"save":"user","record":{"user_id":"u2"}}"#
    #expect(try server.request("POST", "/batch", body: batch).status == 200)
    // All users of a request count.
    let two = try server.request(
      "POST", "/records/user", body: #"{"user_id":"u3"} {"user_id":"u4"}"#)
    #expect(two.status == 429)
    let remote = server.folder.datactl.with(["DATACTL_STORE": server.address])
    try remote.run(["save", "user", "u3", "team=a"]).exits(0)
    for path in ["/records/user", "/records/user?skip_invalid=true", "/records/user?dry_run=true"] {
      let refused = try save("u4", path)
      #expect(refused.status == 429, "\(refused.report)")
      #expect(refused.code == "throttled")
      #expect(refused.body.contains("--signups"))
      #expect(Int(refused.headers["retry-after"] ?? "").map((1...3_600).contains) == true)
    }
    let put = try server.request("PUT", "/records/user/u4", body: "{}")
    #expect(put.status == 429, "\(put.report)")
    #expect(
      try server.request("POST", "/batch", body: batch.replacing("u2", with: "u4")).status == 429)
    try remote.run(["save", "user", "u4", "team=a"]).exits(4).reports("--signups")
    #expect(try save("u4", token: root).status == 201)
    let count = try server.folder.run("list", "user", "--count").exits(0)
    #expect(count.output == "8\n")
  }

  @Test("says that clients without an address share the limit, and permits none with --signups 0")
  func noSignUps() throws {
    let server = try serve("--signups", "0")
    let refused = try server.request("POST", "/records/user", body: #"{"user_id":"new"}"#)
    #expect(refused.status == 429)
    #expect(refused.body.contains("--signups"))
    #expect(refused.headers["retry-after"] == "3600")
    let stopped = try server.stop()
    #expect(!stopped.errors.contains("--signups"))
    let socket = try TestServer(
      server.folder, "--signups", "7", "--listen", "unix:\(server.folder.path("api"))")
    #expect(
      try socket.stop().errors.contains(
        "have no address: --signups 7 limits the users of all of them together."))
  }
}
