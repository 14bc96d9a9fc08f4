import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("Each route of a server", .tags(.process), .from(.test), .onEveryStoreInAll)
struct ServerRouteTests {
  /// A request for a route.
  private struct Request {
    /// The method and the path, as the description of the API contains them.
    let operation: String
    var path: String
    var body: String?
    var headers: [String]

    init(
      _ operation: String, at path: String? = nil, _ body: String? = nil, headers: [String] = []
    ) {
      self.operation = operation
      self.path = path ?? String(operation.split(separator: " ")[1])
      self.body = body
      self.headers = headers
    }

    var method: String { String(operation.prefix { $0 != " " }) }
  }

  private static let extra = #"{"schema":"extra","fields":{"extra_id":{"type":"id"}}}"#

  /// A request for each route, in the order in which they are sent by an administrator.
  private static let requests = [
    Request("GET /v1"), Request("GET /v1", at: "/v1/"), Request("GET /v1/health"),
    Request("GET /v1/metrics"),
    Request("GET /v1/openapi.json"), Request("GET /v1/schemas"), Request("GET /v1/schemas/log"),
    Request("POST /v1/schemas/plan", extra), Request("POST /v1/schemas/apply", extra),
    Request("POST /v1/schemas/rename", at: "/v1/schemas/rename?from=extra&to=other"),
    Request("GET /v1/schemas/{schema}", at: "/v1/schemas/other"),
    Request("DELETE /v1/schemas/{schema}", at: "/v1/schemas/other"),
    Request("GET /v1/whoami"), Request("GET /v1/sessions"),
    Request("POST /v1/login", #"{"user":"ann","password":"canary99"}"#),
    Request("POST /v1/password", #"{"user":"bob","new":"canary98"}"#),
    Request("GET /v1/records/note"),
    Request(
      "POST /v1/records/note/query", "limit=1",
      headers: ["Content-Type: application/x-www-form-urlencoded"]),
    Request(
      "POST /v1/records/note/delete", "where=false",
      headers: ["Content-Type: application/x-www-form-urlencoded"]),
    Request("POST /v1/records/note", #"{"note_id":"n","title":"new"}"#),
    Request("GET /v1/records/note/{id}", at: "/v1/records/note/n"),
    Request("PATCH /v1/records/note/{id}", at: "/v1/records/note/n", #"{"count":1}"#),
    Request("PUT /v1/records/note/{id}", at: "/v1/records/note/m", #"{"count":1}"#),
    Request("DELETE /v1/records/note/{id}", at: "/v1/records/note/m"),
    Request("PUT /v1/records/note/{id}/photo/content", at: "/v1/records/note/n/photo/content", "x"),
    Request("GET /v1/records/note/{id}/photo/content", at: "/v1/records/note/n/photo/content"),
    Request("DELETE /v1/records/note/{id}/photo/content", at: "/v1/records/note/n/photo/content"),
    Request("DELETE /v1/records/note", at: "/v1/records/note?id=n"),
    Request("POST /v1/batch", #"{"get":"note","id":"pub"}"#),
    Request("GET /v1/methods/{method}", at: "/v1/methods/hello"),
    Request("POST /v1/methods/{method}", at: "/v1/methods/hello"),
    Request("PUT /v1/methods/{method}", at: "/v1/methods/hello"),
    Request("PATCH /v1/methods/{method}", at: "/v1/methods/hello"),
    Request("DELETE /v1/methods/{method}", at: "/v1/methods/hello"), Request("GET /v1/walk"),
    Request("POST /v1/logout"),
  ]

  private func serve() throws -> TestServer {
    let folder = try TestFolder()
    try folder.saveShop()
    try folder.tool("mkdir", "-m", "755", "methods")
    try folder.write("methods/hello", "#!/bin/sh\nprintf 'Status: 200\\n\\n'\n")
    try folder.tool("chmod", "755", "methods/hello")
    return try TestServer(folder, "--methods", "methods")
  }

  @Test("executes a request on each route of the API description")
  func requests() throws {
    let server = try serve()
    let root = try server.logIn("root")
    for request in Self.requests {
      let reply = try server.request(
        request.method, String(request.path.dropFirst(3)), token: root, body: request.body,
        headers: request.headers)
      let created = request.operation == "POST /v1/records/note"
      #expect(reply.status == (created ? 201 : 200), "\(request.operation): \(reply.report)")
    }
    let document = try server.request("/openapi.json", token: try server.logIn("root")).json
    let paths = try #require(document["paths"] as? [String: [String: Any]])
    let operations = paths.flatMap { path, item in
      item.keys.filter { $0 != "parameters" }.map { "\($0.uppercased()) \(path)" }
    }.filter { !$0.contains("/records/") || $0.contains("/records/note") }
    #expect(Set(operations) == Set(Self.requests.map(\.operation)))
    #expect(try server.stop().status == 0)
  }

  @Test("finds no record for an id that contains NUL, on each route")
  func nul() throws {
    let server = try serve()
    let root = try server.logIn("root")
    func status(_ method: String, _ path: String, _ body: String? = nil) throws -> Int {
      try server.request(method, path, token: root, body: body).status
    }
    for path in [
      "/records/note/a%00b", "/records/note?id=%00", "/records/note?id=pub&id=pub%00",
      "/records/note?function=%00", "/records/note/a%00b/photo/content", "/schemas/note%00",
    ] {
      #expect(try status("GET", path) == 404, "\(path)")
    }
    for path in ["/records/note/a%00b", "/records/note?id=pub&id=%00"] {
      #expect(try status("DELETE", path) == 404, "\(path)")
    }
    for path in ["/records/note/a%00b", "/records/note/a%00b/photo/content"] {
      #expect(
        try status(path.hasSuffix("content") ? "PUT" : "PATCH", path, #"{"title":"x"}"#) == 404,
        "\(path)")
    }
    for operation in ["get", "delete"] {
      let batch = #"{"\#(operation)":"note","id":"pub\u0000"}"#
      #expect(try status("POST", "/batch", batch) == 404, "\(batch)")
    }
    #expect(try status("GET", "/records/note/pub") == 200)
  }

  @Test("accepts the id - like others")
  func hyphen() throws {
    let server = try serve()
    let root = try server.logIn("root")
    func send(_ method: String, _ path: String, _ body: String? = nil, tag: String? = nil) throws
      -> Reply
    {
      try server.request(
        method, path, token: root, body: body, headers: tag.map { ["If-Match: \($0)"] } ?? [])
    }
    let new = #"{"note_id":"-","title":"a"}"#
    #expect(try send("POST", "/records/note", new).status == 201)
    let got = try send("GET", "/records/note/-")
    #expect(try got.json["title"] as? String == "a")
    let tag = try #require(got.headers["etag"])
    #expect(try send("PATCH", "/records/note/-", #"{"title":"b"}"#, tag: tag).status == 200)
    #expect(try send("PATCH", "/records/note/-", #"{"title":"c"}"#, tag: tag).status == 412)
    #expect(try send("PUT", "/records/note/-/photo/content", "bytes").status == 200)
    #expect(try send("GET", "/records/note/-/photo/content").body == "bytes")
    #expect(try send("GET", "/records/note?id=-&id=pub").body.contains(#""title":"b""#))
    #expect(try send("DELETE", "/records/note/-", tag: #""9""#).status == 412)
    #expect(try send("DELETE", "/records/note/-").status == 200)
    #expect(try send("GET", "/records/note/-").status == 404)
    #expect(try send("PUT", "/records/note/-", #"{"title":"d"}"#).status == 200)
    #expect(try send("DELETE", "/records/note?id=-").status == 200)
    #expect(try send("DELETE", "/records/note?id=-").status == 404)
  }

  @Test("saves a record with its parts by each method that saves")
  func deep() throws {
    let server = try serve()
    let root = try server.logIn("root")
    try server.folder.prepare("schema", "create", "ord", "title:text")
    try server.folder.prepare("schema", "create", "line", "ord:ord:lines:owned")
    func send(
      _ method: String, _ path: String, _ body: String, tag: String? = nil
    ) throws -> Reply {
      try server.request(
        method, path, token: root, body: body, headers: tag.map { ["If-Match: \($0)"] } ?? [])
    }
    func lines() throws -> [String] {
      try server.folder.prepare("list", "line", "-o", "ids").lines
    }
    let new = #"{"ord_id":"o","lines":[{"line_id":"a"},{"line_id":"b"}]}"#
    #expect(try send("POST", "/records/ord", new).status == 422)
    #expect(try send("POST", "/records/ord?deep=true", new).status == 201)
    let tag = #""1""#
    let patched = try send(
      "PATCH", "/records/ord/o?deep=true", #"{"lines":["b",{"line_id":"c"}]}"#, tag: tag)
    #expect(patched.status == 200)
    #expect(try patched.json["revision"] as? Int == 2)
    #expect(try lines() == ["b", "c"])
    let late = try send("PATCH", "/records/ord/o?deep=true", #"{"lines":[]}"#, tag: tag)
    #expect(late.status == 412)
    let put = try send("PUT", "/records/ord/o?deep=true", #"{"title":"x","lines":["c"]}"#)
    #expect(put.status == 200)
    #expect(try lines() == ["c"])
    let batch = #"{"save":"ord","id":"o","deep":true,"record":{"lines":[]}}"#
    #expect(try send("POST", "/batch", batch).status == 200)
    #expect(try lines() == [])
  }

  @Test("returns a valid OpenAPI document that describes only what the caller may read")
  func description() throws {
    let server = try serve()
    for user in [nil, "ann", "eve", "root"] {
      let token = try user.map { try server.logIn($0) }
      let reply = try server.request("/openapi.json", token: token)
      try server.folder.write("openapi.json", reply.body)
      try server.folder.tool(
        "python3", Binary.file("Tests/CommandTests/Schemas/validate.py"), "openapi", "openapi.json")
      #expect(reply.body.contains("/v1/records/note/{id}") == true)
      let components = try #require(reply.json["components"] as? [String: [String: Any]])
      let schemas = try #require(components["schemas"])
      #expect((schemas["vault"] != nil) == (user == "root"), "\(user ?? "-")")
      #expect(reply.body.contains("vault") == (user == "root"), "\(user ?? "-")")
      let seesPrice = "\(schemas["note"] ?? "")".contains("price")
      #expect(seesPrice == ["eve", "root"].contains(user), "\(user ?? "-")")
    }
    let plain = try TestServer(server.folder)
    let reply = try plain.request("/openapi.json")
    #expect(reply.status == 200 && !reply.body.contains("/v1/methods"))
    let whole = try plain.request("/openapi.json", token: try plain.logIn("root"))
    let exported = try server.folder.run("schema", "export", "--format", "openapi").exits(0)
    #expect(exported.output == whole.body)
    let paths = try #require(reply.json["paths"] as? [String: [String: Any]])
    let list = try #require(paths["/v1/records/note"]?["get"] as? [String: Any])
    let references = try #require(list["parameters"] as? [[String: String]])
    let components = try #require(reply.json["components"] as? [String: [String: Any]])
    let parameters = try #require(components["parameters"] as? [String: [String: Any]])
    let names = Set(
      try references.map { reference in
        let name = try #require(reference["$ref"]?.split(separator: "/").last)
        return try #require(parameters[String(name)]?["name"] as? String)
      })
    // Each parameter is described once, however many schemas there are.
    #expect(reply.body.ranges(of: #""in":"query""#).count + 3 == parameters.count)
    #expect(names.isSuperset(of: ["id", "where", "order", "limit", "fields", "output", "count"]))
    #expect(names.isDisjoint(with: ["system", "yes", "param", "store"]))
  }
}
