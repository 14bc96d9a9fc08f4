import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

@Suite("A server process", .tags(.process), .from(.test))
struct ServerProcessTests {
  private func serve(_ arguments: String...) throws -> TestServer {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    return try TestServer(folder, arguments: arguments)
  }

  @Test(
    "serve fails without a store, with invalid options, or on a public address without TLS or a proxy"
  )
  func starting() throws {
    let folder = try TestFolder()
    try folder.run("serve").exits(7)
    try folder.saveTodos()
    for address in ["0.0.0.0:0", "[::]:0", "example.org:80"] {
      let run = try folder.run("serve", "--listen", address).exits(2)
      #expect(run.errors.contains("--tls-cert") && run.errors.contains("--behind-proxy"))
    }
    try folder.run("serve", "--listen", "localhost").exits(2)
    for origin in ["shop.example", "https://", "https://shop.example/"] {
      try folder.run("serve", "--cors", origin).exits(2).reports("--cors: expected an origin")
    }
    try folder.run("serve", "--tls-cert", "x").exits(2)
    for size in ["", "0", "x", "-1", "10Q", "1.5M", "M", "99999999999G"] {
      #expect(try folder.run("serve", "--max-body", size).exits(2).errors.contains("--max-body"))
    }
    try folder.write("not.pem", "not PEM")
    try folder.run(
      "serve", "--listen", "127.0.0.1:0", "--tls-cert", "not.pem", "--tls-key", "not.pem"
    ).exits(1)
  }

  @Test("creates a Unix socket of mode 0660 even if a stale socket exists")
  func unixSocket() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let socket = folder.path("api")
    let first = try TestServer(folder, "--listen", "unix:\(socket)")
    var status = stat()
    #expect(unsafe lstat(socket, &status) == 0 && status.st_mode & 0o777 == 0o660)
    try folder.run("serve", "--listen", "unix:\(socket)").exits(7)
    #expect(
      try folder.tool("curl", "-sS", "--unix-socket", socket, "http://x/v1/health").output
        == "{\"status\":\"ok\"}\n")
    first.child.signal(SIGKILL)
    _ = try first.child.finish()
    let second = try TestServer(folder, "--listen", "unix:\(socket)")
    #expect(try second.stop().status == 0)
    #expect(!FileManager.default.fileExists(atPath: socket))
    try folder.write("file", "x")
    try folder.run("serve", "--listen", "unix:\(folder.path("file"))").exits(7)
    #expect(try folder.bytes("file") == [UInt8(ascii: "x")])
  }

  @Test("encrypts connections with the certificate given by --tls-cert")
  func encryption() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.tool(
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out",
      "cert.pem", "-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1")
    let server = try TestServer(folder, "--tls-cert", "cert.pem", "--tls-key", "key.pem")
    #expect(server.address.hasPrefix("https://"))
    #expect(
      try folder.tool("curl", "-sS", "--cacert", "cert.pem", "\(server.address)/v1/health").output
        == "{\"status\":\"ok\"}\n")
    #expect(try server.stop().status == 0)
  }

  @Test("logs one line for each request, without any secrets")
  func log() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder, "--log", "json")
    let token = try server.logIn("ann")
    _ = try server.request("/records/note/secret1?fields=secret2", token: token)
    _ = try server.request(
      "PATCH", "/records/note/anns", token: token, body: #"{"title":"secret3"}"#)
    _ = try server.request("/secret4/secret5")
    _ = try server.request("/records/secret6", token: token)
    let run = try server.stop().exits(0)
    #expect(!run.errors.contains("secret") && !run.errors.contains("canary"))
    #expect(!run.errors.contains(token))
    let lines = run.errorLines.dropFirst()
    let routes = try lines.map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      return ["user", "method", "route", "status", "schema"].map { "\(value[$0] ?? "")" }
        .joined(separator: " ")
    }
    #expect(
      routes == [
        "ann POST /v1/login 200 <null>", "ann GET /v1/records/SCHEMA/ID 400 <null>",
        "ann PATCH /v1/records/SCHEMA/ID 200 note", "<null> GET <null> 404 <null>",
        "ann GET /v1/records/SCHEMA 404 <null>",
      ])
  }

  @Test("says at its address what it is, and where its API is described")
  func home() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let server = try TestServer(folder)
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    let reply = try server.exchange([Array(request.utf8)])
    #expect(reply.status == 200 && reply.headers["content-type"] == "text/plain; charset=utf-8")
    #expect(reply.body.hasPrefix("This is a datactl server."), "\(reply.report)")
    let path = try #require(reply.body.firstMatch(of: /\/v1([a-z\/.]+)/)).1
    #expect(try server.request(String(path)).status == 200)
  }

  @Test("trusts the headers of a proxy only with --behind-proxy")
  func proxy() throws {
    for trustsProxy in [false, true] {
      let folder = try TestFolder()
      try folder.saveTodos()
      let options = trustsProxy ? ["--behind-proxy"] : []
      let server = try TestServer(folder, arguments: ["--log", "text"] + options)
      _ = try server.request(
        "/health", headers: ["X-Forwarded-For: 6.6.6.6, 10.1.2.3", "Host: shop.example"])
      let run = try server.stop()
      #expect(run.errors.contains("10.1.2.3") == trustsProxy, "\(run.errors)")
      #expect(!run.errors.contains("6.6.6.6"))
    }
  }

  @Test("rejects all writes except login when --read-only is given")
  func readOnly() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder, "--read-only")
    let token = try server.logIn("root")
    #expect(
      try server.request("POST", "/records/vault", token: token, body: "{}").status == 403)
    #expect(try server.request("DELETE", "/records/vault/v1", token: token).status == 403)
    #expect(try server.request("/records/vault/v1", token: token).status == 200)
  }

  @Test("reports that a login is required before any other error of a request")
  func endedSession() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let token = try server.logIn("ann")
    let paths = ["/records/note?limit=x", "/records/note/pub?fields=none", "/metrics?x=y"]
    #expect(try server.request(paths[0], token: token).status == 400)
    #expect(try server.request("POST", "/logout", token: token).status < 300)
    for path in paths {
      let reply = try server.request(path, token: token)
      #expect(reply.status == 401 && reply.code == "not_logged_in", "\(path): \(reply.report)")
    }
    for (method, path) in [
      ("GET", "/metrics?x=y"), ("GET", "/schemas/log?x=y"), ("DELETE", "/schemas/note?x=y"),
    ] {
      let reply = try server.request(method, path)
      #expect(reply.status == 401 && reply.code == "not_logged_in", "\(path): \(reply.report)")
    }
  }

  @Test("permits requests from web pages whose origin is listed in --cors")
  func origins() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let server = try TestServer(folder, "--cors", "https://a.example")
    let allowed = try server.request("/health", headers: ["Origin: https://a.example"])
    #expect(allowed.headers["access-control-allow-origin"] == "https://a.example")
    #expect(try server.request("/health", headers: ["Origin: https://b.example"]).status == 403)
    let preflight = try server.request(
      "OPTIONS", "/records/todo/a",
      headers: ["Origin: https://a.example", "Access-Control-Request-Method: PATCH"])
    #expect(preflight.status == 204)
    #expect(preflight.headers["access-control-allow-methods"] == "GET, PATCH, PUT, DELETE, HEAD")
  }

  @Test("permits requests from web pages that have the same address as the API")
  func ownOrigin() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let server = try TestServer(folder)
    func status(_ server: TestServer, _ headers: [String]) throws -> Int {
      try server.request("PATCH", "/records/todo/a", body: "{}", headers: headers).status
    }
    let local = "localhost:\(server.port)"
    #expect(try status(server, ["Origin: \(server.address)"]) == 200)
    #expect(try status(server, ["Host: \(local)", "Origin: http://\(local)"]) == 200)
    #expect(try status(server, ["Host: localhost", "Origin: http://localhost:80"]) == 403)
    #expect(try status(server, ["Host: localhost:80", "Origin: http://localhost"]) == 200)
    #expect(try status(server, ["Host: localhost:443", "Origin: https://localhost"]) == 200)
    for origin in ["http://localhost:1", "null", "http://", "\(server.address)/x", "localhost"] {
      #expect(try status(server, ["Origin: \(origin)"]) == 403, "\(origin)")
    }
    // The host name of a page can resolve to this machine.
    #expect(try status(server, ["Host: evil.example", "Origin: http://evil.example"]) == 400)
    let forwarded = ["X-Forwarded-Host: a.example, shop.example", "Origin: https://shop.example"]
    #expect(try status(server, forwarded) == 403)
    let proxied = try TestServer(folder, "--behind-proxy")
    #expect(try status(proxied, forwarded) == 200)
    #expect(try status(proxied, ["Host: Shop.example", "Origin: https://shop.example"]) == 200)
    #expect(try status(proxied, ["Host: shop.example", "Origin: https://a.example"]) == 403)
  }

  @Test("accepts requests whose target is a complete URL")
  func absoluteTargets() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    let server = try TestServer(folder)
    for (target, host, status) in [
      ("http://localhost/v1/health", "localhost", 200), ("HTTP://127.0.0.1/v1", "localhost", 200),
      // The name in the target replaces the header.
      ("http://localhost/v1/health", "evil.example", 200),
      ("http://evil.example/v1/health", "localhost", 400),
      ("http://localhost/v1/health?x=1", "localhost", 400),
      ("http://localhost", "localhost", 200), ("ftp://localhost/v1/health", "localhost", 404),
    ] {
      let head = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
      let reply = try server.exchange([Array(head.utf8)])
      #expect(reply.status == status, "\(target): \(reply.report)")
    }
    let head = "GET http://localhost/v1 HTTP/1.1\r\nConnection: close\r\n\r\n"
    #expect(try server.exchange([Array(head.utf8)]).status == 400)
  }

  @Test("limits request bodies to --max-body, and to 1 MB for anonymous callers")
  func bodies() throws {
    let server = try serve("--max-body", "2M")
    let big = #"{"title":""# + String(repeating: "x", count: 1_100_000) + #""}"#
    let anonymous = try server.request("POST", "/records/todo", body: big)
    #expect(anonymous.status == 413, "\(anonymous.report)")
    let chunked = try server.request(
      "POST", "/records/todo", body: big, headers: ["Transfer-Encoding: chunked"])
    #expect(chunked.status == 413, "\(chunked.report)")
    #expect(try server.request("/records/todo?count=true").body == "3\n")
    #expect(try server.request("POST", "/records/todo", body: #"{"title":"x"}"#).status == 201)
    // An invalid token does not permit a long body. The body is never sent.
    for size in ["Content-Length: 1500000", "Transfer-Encoding: chunked"] {
      let head = """
        POST /v1/batch HTTP/1.1\r
        Host: localhost\r
        Authorization: Bearer \(String(repeating: "a", count: 64))\r
        \(size)\r
        \r

        """
      let reply = try server.exchange([Array(head.utf8)])
      #expect(reply.status == 401, "\(size): \(reply.report)")
    }
  }

  @Test("limits the size of a decompressed request body without storing the whole body")
  func compressedBodies() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let server = try TestServer(folder, "--max-body", "3M")
    let root = try server.logIn("root")
    func write(_ name: String, records: Int) throws {
      try folder.write(name, String(repeating: #"{"title":"tea"}"# + "\n", count: records))
      try folder.tool("gzip", "-kf", name)
    }
    try write("small", records: 100)
    try write("large", records: 100_000)
    try write("huge", records: 300_000)
    try folder.tool("gzip", "-kf", "huge.gz")
    func send(_ name: String, _ headers: [String] = [], by token: String? = nil) throws -> Reply {
      try server.request("POST", "/records/todo", token: token, file: name, headers: headers)
    }
    let coding = ["Content-Encoding: gzip"]
    for headers in [[], coding] {
      #expect(try send("small.gz", headers).headers["datactl-saved"]?.hasPrefix("new=100,") == true)
      for (name, token) in [("large.gz", nil), ("huge.gz", root)] {
        let reply = try send(name, headers, by: token)
        // A compressed file is decompressed by the command, and a compressed body by the server.
        #expect(reply.status == (headers == coding ? 413 : 422), "\(name): \(reply.report)")
        #expect(reply.body.contains("is longer than"), "\(name): \(reply.report)")
      }
      let reply = try send("large.gz", headers, by: root)
      #expect(reply.status == 201, "\(reply.headers)")
    }
    // A compressed file with a content coding is compressed twice.
    #expect(try send("huge.gz.gz", coding, by: root).status == 422)
    #expect(try server.request("/records/todo?count=true").body == "200200\n")
    let form = try server.request(
      "POST", "/records/todo/query", file: "small.gz",
      headers: coding + ["Content-Type: application/x-www-form-urlencoded"])
    #expect(form.status == 400 && form.body.contains("unknown parameter"), "\(form.report)")
    try folder.write("cut.gz", "\u{1f}")
    #expect(try send("cut.gz", coding).status == 422)
  }

  @Test("hashes at most as many passwords at once as there are cores", .tags(.postgres))
  func hashing() throws {
    try StoreKind.$current.withValue(.postgres) {
      let folder = try TestFolder()
      try folder.saveShop()
      let server = try TestServer(folder, "--pool", "16")
      server.child.watchesMemory = true
      let body = #"{"user":"ann","password":"canary99"}"#
      try folder.write("login", body)
      let shell = try folder.shell(
        """
        for i in $(seq 16); do
          curl -sS -o /dev/null -w '%{http_code}\n' --data-binary @login \
            \(server.address)/v1/login &
        done; wait
        """)
      #expect(shell.output == String(repeating: "200\n", count: 16), "\(shell.report)")
      let cores = ProcessInfo.processInfo.processorCount
      #expect(try server.stop().peakMemory < (cores * 64 + 100) << 20)
    }
  }

  @Test("closes the connection after a request whose length is ambiguous")
  func ambiguousLength() throws {
    let server = try serve()
    for lengths in [
      "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 5\r\nContent-Length: 5",
    ] {
      let first = "POST /v1/records/todo HTTP/1.1\r\nHost: localhost\r\n\(lengths)\r\n\r\nabcde"
      let second = "GET /v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      let reply = try server.exchange([Array((first + second).utf8)])
      #expect(reply.status == 400, "\(lengths): \(reply.report)")
      #expect(!reply.body.contains("HTTP/1.1"), "\(lengths): \(reply.report)")
    }
  }

  @Test(
    "closes the connection after a body in chunks, whose end a proxy may find elsewhere",
    arguments: ["5\nid=aa\n0\n\n", "5;x\nid=aa\r\n0\r\n\r\n", "5\r\nid=aa\r\n0\r\n\r\n"])
  func chunks(body: String) throws {
    let server = try serve()
    let head = """
      POST /v1/records/todo/query HTTP/1.1\r
      Host: localhost\r
      Content-Type: application/x-www-form-urlencoded\r
      Transfer-Encoding: chunked\r
      \r

      """
    let next = "GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let reply = try server.exchange([Array((head + body + next).utf8)])
    #expect(reply.headers["connection"] == "close", "\(reply.report)")
    #expect(!reply.body.contains("HTTP/1.1"), "\(reply.report)")
  }

  @Test("rejects a request before its body is sent if the caller may not write")
  func permission() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let token = try server.logIn("ann")
    func head(_ path: String, _ authorization: String) -> [UInt8] {
      Array(
        """
        POST /v1\(path) HTTP/1.1\r
        Host: localhost\r
        \(authorization)Content-Length: 100000\r
        Expect: 100-continue\r
        \r

        """.utf8)
    }
    // The body is never sent, so only a server that answers before it ends this exchange.
    let anonymous = try server.exchange([head("/records/note", "")])
    #expect(anonymous.status == 401, "\(anonymous.report)")
    let closed = try server.exchange([
      head("/records/vault", "Authorization: Bearer \(token)\r\n")
    ])
    #expect(closed.status == 404, "\(closed.report)")
    for path in ["/schemas/apply", "/schemas/plan"] {
      #expect(try server.exchange([head(path, "")]).status == 401)
      let reply = try server.exchange([head(path, "Authorization: Bearer \(token)\r\n")])
      #expect(reply.status == 403, "\(path): \(reply.report)")
    }
    let reply = try server.request(
      "POST", "/records/note", token: token, body: #"{"owner":"ann"}"#,
      headers: ["Expect: 100-continue"])
    #expect(reply.status == 201, "\(reply.report)")
  }

  @Test(
    "continues to serve other requests after a malformed request or a request of ambiguous length")
  func hostileRequests() throws {
    let server = try serve()
    let head = "POST /v1/records/todo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    for (request, status) in [
      (head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
      (head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde", 400),
      (head + "Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n", 400),
      (head + "Content-Length: x\r\n\r\n", 400),
      (head + "Content-Encoding: br\r\nContent-Length: 2\r\n\r\n{}", 415),
      ("GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
      ("GET /v1/health HTTP/1.1\r\nHost : localhost\r\nConnection: close\r\n\r\n", 400),
      ("GET /v1/health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
      ("GET /v1/he alth HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400),
      (head + "X: \(String(repeating: "x", count: 40_000))\r\n\r\n", 431),
    ] {
      let reply = try server.exchange([Array(request.utf8)])
      #expect(reply.status == status, "\(request.prefix(150)): \(reply.report)")
      // The service never sees a request whose length is not a number.
      if !request.contains("Content-Length: x") {
        #expect(reply.code != nil && reply.headers["datactl-request"] != nil, "\(reply.report)")
      }
    }
    let unknown = "GET /v2 HTTP/1.1\r\nHost: localhost\r\n"
    let both = try server.exchange([
      Array("\(unknown)\r\n\(unknown)Connection: close\r\n\r\n".utf8)
    ])
    #expect(
      both.status == 404 && both.body.contains("HTTP/1.1 404"), "a refusal keeps the connection")
    for junk in ["\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", String(repeating: "\r\n", count: 1_000)]
    {
      let connection = try server.connect()
      server.send(junk.utf8, on: connection)
      close(connection)
    }
    #expect(try server.request("/health").status == 200)
    #expect(try server.request("/records/todo?count=true").body == "3\n")
  }

  @Test("sends one response and closes the connection if a request is ambiguous")
  func ambiguousRequests() throws {
    let server = try serve()
    let get = "GET /v1/health HTTP/1.1\r\n"
    let host = "Host: localhost\r\n"
    let post = "POST /v1/login HTTP/1.1\r\n\(host)"
    let next = "GET /v1/none HTTP/1.1\r\n\(host)\r\n"
    let size = next.utf8.count
    for (request, status) in [
      ("\(post)Content-Length : \(size)\r\n\r\n", 400),
      ("\(post)Content-Length\t: \(size)\r\n\r\n", 400),
      ("\(post)Content-Len: \(size)\r\n gth\r\n\r\n", 400),
      ("\(post)Content-Length: 0\u{0}1\r\n\r\n", 400),
      ("\(post)Content-Length: +5\r\n\r\n", 400),
      ("\(post)Content-Length: 5, 5\r\n\r\n", 400),
      ("\(post)Content-Length:\r\n\r\n", 400),
      ("\(post)Content-Length: \(UInt64.max)\r\n\r\n", 413),
      ("\(post)Content-Length: \(UInt64.max)0\r\n\r\n", 413),
      ("\(post)Content-Length: 9223372036854775808\r\n\r\n", 413),
      ("\(post)Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
      ("POST /v1/login HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
      ("GET /v1/health\u{0}x HTTP/1.1\r\n\(host)\r\n", 400),
      ("GET /v1/health?a=b\u{0}c HTTP/1.1\r\n\(host)\r\n", 400),
      ("GET /v1/he\u{1}alth HTTP/1.1\r\n\(host)\r\n", 400),
      ("GET\u{0}X /v1/health HTTP/1.1\r\n\(host)\r\n", 400),
      ("\(get)Host: localhost\u{0}.evil.example\r\n\r\n", 400),
      ("\(get)\(host)X: a\u{0}b\r\nY: c\r\n\r\n", 400),
      ("\(get)\(host)\u{0}\r\n", 400), ("\(get)\(host)\u{0}Y: 1\r\n\r\n", 400),
      ("\(get)\(host)X: a\r\n b\r\n\r\n", 400), ("\(get) X: a\r\n\(host)\r\n", 400),
      ("\(get)\(host): x\r\n\r\n", 400), ("\(get)\(host)X: a\rY: b\r\n\r\n", 400),
      ("GET /v1/health HTTP/1.1\nHost: localhost\n\n", 400), ("\(get)\r\n", 400),
      ("\(get)\(host)\(host)\r\n", 400),
    ] {
      // The header arrives in two pieces, beside that of another connection.
      let other = try server.connect()
      defer { close(other) }
      server.send(get.utf8, on: other)
      let bytes = Array("\(request)\(next)".utf8)
      let reply = try server.exchange([Array(bytes.prefix(30)), Array(bytes.dropFirst(30))])
      #expect(reply.status == status, "\(request): \(reply.report)")
      #expect(!reply.body.contains("HTTP/1.1"), "\(request): \(reply.report)")
      server.send("\(host)Connection: close\r\n\r\n".utf8, on: other)
      #expect(server.rest(on: other).hasPrefix("HTTP/1.1 200"), "\(request)")
    }
    let value = String(repeating: "\tx ", count: 2_000)
    let valid = "\(get)\(host)x-A.1:\(value)\r\nEmpty:\r\nCookie: a=b\r\nConnection: close\r\n\r\n"
    #expect(try server.exchange([Array(valid.utf8)]).status == 200)
  }

  @Test("sends only the requested byte range of a file")
  func ranges() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let token = try server.logIn("ann")
    let path = "/records/note/pub/photo/content"
    #expect(try server.request("PUT", path, token: token, body: "0123456789").status == 200)
    let huge = "99999999999999999999"
    for (range, status, body) in [
      ("2-4", 206, "234"), ("7-", 206, "789"), ("-3", 206, "789"), ("8-\(huge)", 206, "89"),
      ("-\(huge)", 206, "0123456789"), ("+2-4", 200, "0123456789"), ("4-2", 200, "0123456789"),
    ] {
      let reply = try server.request(path, headers: ["Range: bytes=\(range)"])
      #expect(reply.status == status && reply.body == body, "\(range): \(reply.report)")
    }
    for range in ["10-", "\(huge)-", "\(huge)-\(huge)", "-0"] {
      let reply = try server.request(path, headers: ["Range: bytes=\(range)"])
      #expect(reply.status == 416, "\(range): \(reply.report)")
      #expect(reply.headers["content-range"] == "bytes */10")
    }
  }

  @Test("responds to a client while other clients send their requests slowly or not at all")
  func slowClients() throws {
    let server = try serve()
    var connections: [Int32] = []
    defer { for connection in connections { close(connection) } }
    for _ in 0..<90 {
      let connection = try server.connect()
      connections.append(connection)
      server.send("GET /v1/he".utf8, on: connection)
    }
    for _ in 0..<5 { #expect(try server.request("/health").status == 200) }
    #expect(try server.stop().status == 0)
  }

  @Test("streams a long list also to a slow client, and cuts the response if the list fails")
  func streaming() throws {
    let folder = try TestFolder()
    try folder.saveManyTodos(60_000, title: String(repeating: "t", count: 200))
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let server = try TestServer(folder)
    let expected = try folder.datactl.run(["list", "todo"]).outputBytes
    let listed = try folder.tool("curl", "-sS", "\(server.address)/v1/records/todo")
    #expect(listed.outputBytes == expected)
    let old = try folder.tool("curl", "-sS", "-0", "-i", "\(server.address)/v1/records/todo")
    #expect(old.output.contains("Content-Length: \(expected.count)\r\n"))
    let slow = try folder.tool(
      "curl", "-sS", "--limit-rate", "20M", "\(server.address)/v1/records/todo")
    #expect(slow.outputBytes == expected)
    // A client that has read nothing holds no lock and no client of the pool.
    var connections: [Int32] = []
    defer { for connection in connections { close(connection) } }
    let request = "GET /v1/records/todo HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for _ in 0..<10 {
      let connection = try server.connect()
      connections.append(connection)
      server.send(request.utf8, on: connection)
    }
    #expect(try server.request("PATCH", "/records/todo/i7", body: #"{"priority":3}"#).status < 500)
    #expect(try server.request("/health").status == 200)
    #expect(try server.stop().status == 0)
  }

  @Test("ends the transaction of a list when the client disconnects")
  func disconnectedReaders() throws {
    let folder = try TestFolder()
    try folder.saveManyTodos(20_000)
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let server = try TestServer(folder)
    let request = "GET /v1/records/todo?order=-title HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for _ in 0..<8 {
      let connection = try server.connect()
      server.send(request.utf8, on: connection)
      close(connection)
    }
    let change = try server.request(
      "PATCH", "/records/todo/1000000000", body: #"{"title":"x"}"#)
    #expect(change.status == 200, "\(change.report)")
    try server.child.wait(for: "the end of all transactions") { _ in
      let run = try? folder.tool("sqlite3", "shop.db", "pragma wal_checkpoint(truncate)")
      return run?.output.hasPrefix("0|") == true
    }
  }

  @Test("truncates the write-ahead log when it is large")
  func checkpoints() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let server = try TestServer(folder)
    let body = #"{"title":"\#(String(repeating: "t", count: 900_000))"}"#
    for _ in 0..<12 {
      #expect(try server.request("POST", "/records/todo?output=none", body: body).status == 201)
    }
    let size = try FileManager.default.attributesOfItem(atPath: folder.path("shop.db-wal"))[.size]
    #expect(try #require(size as? Int) < 7 << 20)
  }

  @Test("finishes the current requests and closes the store when asked to stop")
  func stopping() throws {
    let server = try serve()
    let head = """
      POST /v1/records/todo HTTP/1.1\r
      Host: localhost\r
      Content-Length: 13\r
      Connection: close\r
      \r

      """
    let connection = try server.connect()
    defer { close(connection) }
    server.send(head.utf8, on: connection)
    // The reply to another request shows that the header of the first one has arrived.
    #expect(try server.request("/health").status == 200)
    server.child.signal(SIGTERM)
    server.send(#"{"title":"x"}"#.utf8, on: connection)
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe recv(connection, &buffer, buffer.count, 0)
    #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).contains("201 Created"))
    let run = try server.child.finish()
    #expect(run.status == 0, "\(run.report)")
    #expect(try server.folder.datactl.run(["list", "todo", "--count"]).output == "4\n")
    #expect(!FileManager.default.fileExists(atPath: server.folder.path("shop.db-wal")))
  }

  @Test("rejects log-ins from one address after five wrong passwords, but not from other addresses")
  func throttling() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder, "--behind-proxy")
    func logIn(_ user: String, _ password: String, from address: String) throws -> Int {
      let reply = try server.request(
        "POST", "/login", body: #"{"user":"\#(user)","password":"\#(password)"}"#,
        headers: ["X-Forwarded-For: \(address)"])
      if reply.status == 429 {
        let seconds = try #require(reply.headers["retry-after"].flatMap { Int($0) })
        #expect((1...10).contains(seconds) && reply.body.contains("again in \(seconds) second"))
      }
      return reply.status
    }
    for _ in 0..<5 { #expect(try logIn("ann", "wrong", from: "10.0.0.1") == 401) }
    #expect(try logIn("ann", "canary99", from: "10.0.0.1") == 429)
    #expect(try logIn("bob", "canary99", from: "10.0.0.1") == 429)
    #expect(try logIn("bob", "canary99", from: "10.0.0.1:4711") == 429)
    // Others cannot lock a user out.
    #expect(try logIn("ann", "canary99", from: "10.0.0.2") == 200)
    // A client has all addresses of an IPv6 network.
    for index in 0..<5 {
      #expect(try logIn("bob", "wrong", from: "[2001:db8::\(index)]:\(4_000 + index)") == 401)
    }
    #expect(try logIn("ann", "canary99", from: "2001:db8:0:0:f::1") == 429)
    #expect(try logIn("ann", "canary99", from: "2001:db8:0:1::1") == 200)
  }

  @Test("changes only the passwords that the caller may change, and ends the user's other sessions")
  func sessions() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let (first, second) = (try server.logIn("ann"), try server.logIn("ann"))
    func change(_ body: String, _ token: String?) throws -> Int {
      try server.request("POST", "/password", token: token, body: body).status
    }
    #expect(try change(#"{"old":"wrong","new":"canary98"}"#, first) == 403)
    #expect(try server.request("/whoami", token: first).status == 200)
    #expect(try change(#"{"old":"canary99","new":"canary98"}"#, nil) == 401)
    #expect(try change(#"{"user":"bob","new":"canary98"}"#, first) == 403)
    let own = try server.request(
      "POST", "/password", token: first, body: #"{"user":"ann","new":"canary98"}"#)
    #expect(own.status == 403 && own.body.contains("send old instead of user"), "\(own.report)")
    #expect(try change(#"{"old":"canary99","new":"canary98"}"#, first) == 200)
    #expect(try server.request("/whoami", token: second).status == 401)
    #expect(try server.request("/whoami", token: first).status == 200)
    #expect(try change(#"{"user":"bob","new":"canary97"}"#, try server.logIn("root")) == 200)
    let bob = try server.logIn("bob", password: "canary97")
    #expect(try server.request("POST", "/logout", token: bob).status == 200)
    #expect(try server.request("POST", "/logout", token: bob).status == 401)
    #expect(try server.request("POST", "/logout?all=true", token: first).status == 200)
    #expect(try server.request("/whoami", token: first).status == 401)
  }
}
