import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

@Suite("Limits of a server", .tags(.process), .from(.test))
struct ServerLimitTests {
  private static let request = "GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"

  private func serve(_ arguments: String...) throws -> TestServer {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    return try TestServer(folder, arguments: arguments)
  }

  /// Opens connections, each of which gets a response and stays open.
  private func openConnections(_ count: Int, to server: TestServer) throws -> [Int32] {
    try (0..<count).map { _ in
      let connection = try server.connect()
      server.send(Self.request.utf8, on: connection)
      #expect(receive(on: connection, seconds: 20)?.hasPrefix("HTTP/1.1 200") == true)
      return connection
    }
  }

  /// Returns what arrives first; an empty text if the server closes the connection, or nil if
  /// neither happens.
  private func receive(on connection: Int32, seconds: Int) -> String? {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    unsafe setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(connection, &buffer, buffer.count, 0)
    if count < 0 { return errno == EAGAIN ? nil : "" }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  @Test("lets connections above the limit wait until others are closed")
  func connections() throws {
    let server = try serve("--connections", "4")
    var open = try openConnections(4, to: server)
    let waiting = try server.connect()
    defer { for connection in open + [waiting] { close(connection) } }
    let body = #"{"title":"fifth"}"#
    let header = "Host: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    server.send("PATCH /v1/records/todo/a HTTP/1.1\r\n\(header)\(body)".utf8, on: waiting)
    // The others are still answered.
    server.send(Self.request.utf8, on: open[0])
    #expect(receive(on: open[0], seconds: 20)?.hasPrefix("HTTP/1.1 200") == true)
    #expect(try server.folder.prepare("get", "todo", "a").output.contains("tea"))
    for connection in open { close(connection) }
    open = []
    #expect(receive(on: waiting, seconds: 20)?.hasPrefix("HTTP/1.1 200") == true)
    #expect(try server.folder.prepare("get", "todo", "a").output.contains("fifth"))
  }

  @Test("accepts fewer connections if the process may open only few files")
  func openFiles() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    func limited(_ count: Int) -> [String] {
      ["/bin/sh", "-c", "ulimit -n \(count); exec \"$@\"", "sh"]
    }
    let options = ["--connections", "30", "--behind-proxy"]
    let refused = try folder.datactl.prefixed(limited(40))
      .run(["serve", "--listen", "127.0.0.1:0"] + options).exits(1)
      .reports("the limit of open files is too low: it is 40")
    let match = try #require(
      refused.errors.firstMatch(of: /--connections 30 needs ulimit -n ([0-9]+)/))
    let needed = try #require(Int(match.1))
    let server = try TestServer(folder, arguments: options, prefix: limited(needed - 10))
    // The system accepts all connections, and the server accepts 20 of them.
    let connections = try (0..<60).map { _ in try server.connect() }
    defer { for connection in connections { close(connection) } }
    let request = "GET /v1/records/todo HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for connection in connections.prefix(3) {
      server.send(request.utf8, on: connection)
      #expect(receive(on: connection, seconds: 20)?.hasPrefix("HTTP/1.1 200") == true)
    }
    let run = try server.stop().exits(0)
    #expect(run.errors.contains("At most 20 connections are possible on each address"))
  }

  @Test("accepts at most 100 connections from one address, except behind a proxy")
  func connectionsPerAddress() throws {
    for isBehindProxy in [false, true] {
      let server = isBehindProxy ? try serve("--behind-proxy") : try serve()
      var open = try openConnections(100, to: server)
      open.append(try server.connect())
      defer { for connection in open { close(connection) } }
      server.send(Self.request.utf8, on: open[100])
      let reply = receive(on: open[100], seconds: 20)
      #expect(isBehindProxy ? reply?.hasPrefix("HTTP/1.1 200") == true : reply == "")
      #expect(try server.stop().status == 0)
    }
  }

  @Test("accepts at most 100 requests at once from one client of a proxy")
  func forwardedAddress() throws {
    let server = try serve("--behind-proxy")
    let body = #"{"title":"x"}"#
    func head(_ address: String) -> String {
      "POST /v1/records/todo HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: \(address)\r\n"
        + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
    }
    func reply(_ address: String) throws -> Reply {
      try server.exchange([Array((head(address) + body).utf8)])
    }
    // The server answers the 100 requests only when their bodies are complete.
    let open = try (0..<100).map { index in
      let connection = try server.connect()
      server.send(head("[2001:db8::\(index)]:\(4_000 + index)").utf8, on: connection)
      return connection
    }
    defer { for connection in open { close(connection) } }
    for address in ["192.0.2.1", "2001:db8:0:1::1"] {
      #expect(try reply(address).status == 201, "\(address)")
    }
    let refused = try reply("2001:db8::ffff")
    #expect(refused.status == 429 && refused.headers["retry-after"] != nil, "\(refused.report)")
    server.send(body.utf8, on: open[0])
    #expect(server.rest(on: open[0]).hasPrefix("HTTP/1.1 201"))
    #expect(try reply("2001:db8::ffff").status == 201)
  }

  @Test(
    "closes connections that send the body of a request without a session too slowly",
    .from(.all), arguments: ["", "Authorization: Bearer junk\r\n"])
  func slowBody(authorization: String) throws {
    let server = try serve()
    let connection = try server.connect()
    defer { close(connection) }
    server.send(
      """
      POST /v1/records/todo HTTP/1.1\r
      Host: localhost\r
      \(authorization)Content-Length: 100\r
      \r

      """.utf8, on: connection)
    var (reply, count) = (String?.none, 0)
    while reply == nil, count < 50 {
      server.send(" ".utf8, on: connection)
      reply = receive(on: connection, seconds: 1)
      count += 1
    }
    #expect(reply == "" && (10..<30).contains(count))
  }

  @Test("does not delay other requests while short reads wait for a lock of SQLite")
  func lockedStore() throws {
    let server = try serve()
    // While another program has this lock, connections cannot be opened, as at the start of an
    // exclusive transaction.
    let file = unsafe open(server.folder.path("shop.db"), O_RDWR | O_CLOEXEC)
    defer { close(file) }
    func lock(_ type: Int32) -> Int32 {
      var lock = flock(
        l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: 0x4000_0000, l_len: 1, l_pid: 0)
      return unsafe fcntl(file, F_SETLK, &lock)
    }
    #expect(lock(F_WRLCK) == 0)
    var waiting: [Int32] = []
    defer { for connection in waiting { close(connection) } }
    for _ in 0..<6 {
      let connection = try server.connect()
      waiting.append(connection)
      server.send(
        "GET /v1/records/todo/a HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8, on: connection)
    }
    for _ in 0..<6 {
      let other = try server.connect()
      defer { close(other) }
      server.send("GET /v1/none HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8, on: other)
      #expect(receive(on: other, seconds: 20)?.hasPrefix("HTTP/1.1 404") == true)
    }
    #expect(lock(F_UNLCK) == 0)
    for connection in waiting {
      #expect(receive(on: connection, seconds: 20)?.hasPrefix("HTTP/1.1 200") == true)
    }
  }

  @Test("cancels a request that makes no progress for the time given with --timeout")
  func timeout() throws {
    let server = try serve("--timeout", "1")
    let lock = try StoreLock(server.folder.path("shop.db"))
    defer { lock.release() }
    let reply = try server.request("PATCH", "/records/todo/a?wait=600", body: #"{"title":"x"}"#)
    #expect(reply.status == 503 && reply.headers["retry-after"] != nil, "\(reply.report)")
    #expect(reply.body.contains("took longer than the server permits"), "\(reply.report)")
    #expect(try server.request("/records/todo/a").body.contains("tea"))
  }

  @Test(
    "closes connections that do not send a complete header or any data in time", .from(.all))
  func slowness() throws {
    let server = try serve()
    let head = "POST /v1/records/todo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"
    for request in ["", "GET /v1/hea", head] {
      let connection = try server.connect()
      server.send(request.utf8, on: connection)
      #expect(receive(on: connection, seconds: 100) == "", "\(request)")
      close(connection)
    }
  }

  /// The server cuts off a connection without progress after a minute, so only `make test-all` waits
  /// for it. Otherwise, the client disconnects.
  @Test(
    "limits the output for slow clients, and cuts off a response whose client does not read",
    arguments: TestTier.current == .all ? [false, true] : [false])
  func slowReaders(isCutOff: Bool) throws {
    let folder = try TestFolder()
    try folder.saveManyTodos(60_000, title: String(repeating: "t", count: 200))
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let server = try TestServer(folder, "--spool", "1M", "--timeout", "2")
    let size = try folder.datactl.run(["list", "todo"]).outputBytes.count
    let slow = try server.connect()
    defer { if isCutOff { close(slow) } }
    server.send("GET /v1/records/todo HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8, on: slow)
    func list() throws -> Reply { try server.request("/records/todo?limit=500") }
    var reply = try list()
    while reply.status == 200 { reply = try list() }
    #expect(reply.status == 503 && reply.headers["retry-after"] != nil, "\(reply.report)")
    #expect(try server.request("/records/todo?limit=5").status == 200)
    #expect(try server.request("PATCH", "/records/todo/i7", body: #"{"priority":3}"#).status < 500)
    if !isCutOff { close(slow) }
    while reply.status == 503 { reply = try list() }
    #expect(reply.status == 200, "\(reply.report)")
    if isCutOff { #expect(server.rest(on: slow).utf8.count < size) }
  }

  @Test("needs little memory for many ids of large records")
  func manyIDs() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    let title = String(repeating: "t", count: 900_000)
    try folder.prepare(
      "save", "todo", "-o", "none", input: .text(#"{"todo_id":"big","title":"\#(title)"}"#))
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let server = try TestServer(folder)
    server.child.watchesMemory = true
    let ids = Array(repeating: "id=big", count: 150).joined(separator: "&")
    let reply = try server.request(
      "POST", "/records/todo/query", body: ids,
      headers: ["Content-Type: application/x-www-form-urlencoded"])
    #expect(reply.status == 200 && reply.body.utf8.count > 130_000_000, "\(reply.status)")
    #expect(try server.stop().peakMemory < 128 << 20)
  }

  @Test("limits how often a request may rewrite the lists of a record")
  func listEdits() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let server = try TestServer(folder)
    try folder.prepare("save", "todo", "a", "title=x")
    let tag = String(repeating: "t", count: 200)
    func save(_ count: Int, id: (Int) -> String) throws -> Reply {
      let lines = (0..<count).map {
        #"{"todo_id":"\#(id($0))","tags":{"$append":["\#(tag)\#($0)"]}}"#
      }
      return try server.request(
        "POST", "/records/todo?output=none", body: lines.joined(separator: "\n"))
    }
    let few = try save(500) { _ in "a" }
    #expect(few.status == 200, "\(few.report)")
    let many = try save(1_000) { _ in "a" }
    #expect(many.status == 422 && many.body.contains("too many changes of large"), "\(many.report)")
    let title = String(repeating: "n", count: 100_000)
    try folder.prepare("save", "todo", "big", "title=\(title)", "-o", "none")
    let changes = (0..<2_000).map { #"{"todo_id":"big","priority":\#($0)}"# }
    let large = try server.request(
      "POST", "/records/todo?output=none", body: changes.joined(separator: "\n"))
    #expect(large.status == 422 && large.body.contains("too many changes"), "\(large.report)")
    let others = try save(3_000) { "n\($0)" }
    #expect(others.status == 422 && others.body.contains("required"), "\(others.report)")
  }
}
