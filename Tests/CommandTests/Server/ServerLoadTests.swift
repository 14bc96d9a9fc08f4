import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

@Suite("A server under load", .tags(.process, .slow), .from(.all))
struct ServerLoadTests {
  @Test("responds to other clients while 10,000 connections are open")
  func connections() throws {
    let count = 10_000
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    guard raiseFileLimit(to: count + 200) else {
      print("skipped: the system does not permit \(count + 200) open files")
      return
    }
    let server = try TestServer(
      folder, "--listen", "unix:\(folder.path("api"))", "--connections", "\(count + 100)")
    var connections: [Int32] = []
    defer { for connection in connections { close(connection) } }
    while connections.count < count {
      let connection = try connect(to: folder.path("api"))
      connections.append(connection)
      // Some wait for a response, some have sent a part of a header, and some nothing.
      switch connections.count % 3 {
      case 0: server.send("GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n".utf8, on: connection)
      case 1: server.send("GET /v1/hea".utf8, on: connection)
      default: break
      }
    }
    for _ in 0..<20 {
      let reply = try folder.tool(
        "curl", "-sS", "--max-time", "60", "--unix-socket", "api",
        "http://x/v1/records/todo?count=true")
      #expect(reply.output == "3\n")
    }
    #expect(try server.stop().status == 0)
  }

  /// `ITERATIONS` is the number of seconds; before a release, use 1800.
  @Test("needs no more memory after a long time of reads, writes and broken connections")
  func memory() throws {
    let seconds = Seeds.count(test: 30, all: 30).count
    let folder = try TestFolder()
    try folder.saveManyTodos(2_000)
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let server = try TestServer(folder, arguments: [], timeLimit: .seconds(2 * seconds + 300))
    try folder.write("load.sh", Self.script)
    func load(_ seconds: Int) throws {
      let run = try folder.tool(
        arguments: ["sh", "load.sh", "\(server.address)/v1", "\(seconds)"],
        timeLimit: .seconds(seconds + 120))
      #expect(run.errors.isEmpty, "\(run.errors.prefix(2_000))")
    }
    try load(max(10, seconds / 5))
    let before = try memory(of: server)
    try load(seconds)
    let after = try memory(of: server)
    #expect(after < before + 8 << 20, "\(before >> 10) KB, then \(after >> 10) KB")
    #expect(try server.request("/records/todo?count=true").body == "2000\n")
    #expect(try server.stop().status == 0)
  }

  /// Sends requests of several kinds at once. The address is the first argument, and the number of
  /// seconds the second one.
  private static let script = """
    api=$1 end=$(($(date +%s) + $2))
    repeat() { while [ "$(date +%s)" -lt "$end" ]; do "$@" || echo "$* failed" >&2; done; }
    get() { curl -sSf -o /dev/null "$api/records/todo/1000000[100-199]"; }
    list() { curl -sSf --compressed -o /dev/null "$api/records/todo?order=-priority"; }
    group() { curl -sSf -o /dev/null "$api/records/todo?group_by=title&max=priority"; }
    save() {
      curl -sSf -o /dev/null -X PATCH -d '{"priority":{"$add":1}}' "$api/records/todo/1000000001"
    }
    create() {
      curl -sSf -o /dev/null -X PUT -d '{"title":"x"}' "$api/records/todo/new" &&
        curl -sSf -o /dev/null -X DELETE "$api/records/todo/new"
    }
    interrupt() { curl -sS -m 0.01 -o /dev/null "$api/records/todo" 2>/dev/null; true; }
    refuse() { [ "$(curl -sS -o /dev/null -w '%{http_code}' -d '{' "$api/batch")" = 422 ]; }
    for work in get list group save create interrupt refuse; do repeat "$work" & done
    wait
    """

  /// The resident memory of the server in bytes.
  private func memory(of server: TestServer) throws -> Int {
    let status = try String(
      contentsOfFile: "/proc/\(server.child.pid)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.filter(\.isNumber))) << 10
  }

  /// Raises the limit of open files of this process and the programs that it starts. Returns false
  /// if the system does not permit that many.
  private func raiseFileLimit(to count: Int) -> Bool {
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(kind, &limit) == 0, limit.rlim_max >= rlim_t(count) else { return false }
    limit.rlim_cur = max(limit.rlim_cur, rlim_t(count))
    return unsafe setrlimit(kind, &limit) == 0
  }

  private func connect(to path: String) throws -> Int32 {
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      unsafe bytes.copyBytes(from: path.utf8)
    }
    let status = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe Glibc.connect(connection, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw Violation("connection \(connection): error \(errno)") }
    return connection
  }
}

@Suite("The description of the API", .tags(.process, .slow), .from(.all))
struct ServerDescriptionTests {
  @Test("responds to requests generated by Schemathesis as the API description specifies")
  func schemathesis() throws {
    let folder = try TestFolder()
    let environment = folder.path("environment")
    let install = try folder.shell(
      "python3 -m venv '\(environment)' && '\(environment)/bin/pip' install -q schemathesis")
    guard install.status == 0 else {
      print("skipped: Schemathesis cannot be installed without a network")
      return
    }
    try folder.saveShop()
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let server = try TestServer(folder)
    for token in [nil, try server.logIn("root")] {
      let header = token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
      var program = Program(
        ["\(environment)/bin/st"], environment: folder.datactl.environment,
        directory: folder.directory)
      program.timeLimit = .seconds(600)
      // These requests end the session, change what others need, or have a body of NDJSON, which
      // Schemathesis cannot create.
      let excluded = ["--exclude-path-regex", "log(in|out)|password|schemas/(apply|rename)|batch"]
      let run = try program.run(
        ["run", "\(server.address)/v1/openapi.json", "--max-examples", "20", "--seed", "1"]
          + ["--checks", "not_a_server_error,content_type_conformance,response_schema_conformance"]
          + excluded + header)
      #expect(run.status == 0, "\(run.report)")
    }
    #expect(try server.request("/health").status == 200)
    #expect(try server.stop().status == 0)
  }
}
