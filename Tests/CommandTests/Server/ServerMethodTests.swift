import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

@Suite("Methods of a server", .tags(.process), .from(.test))
struct ServerMethodTests {
  private func serve(
    _ methods: [String: String], declarations: String = "{}", options: [String] = [],
    prefix: [String] = []
  ) throws -> TestServer {
    let folder = try TestFolder()
    try folder.saveShop()
    try folder.tool("mkdir", "-m", "755", "methods")
    for (name, script) in methods {
      try folder.write("methods/\(name)", "#!/bin/sh\n\(script)\n")
      try folder.tool("chmod", "755", "methods/\(name)")
    }
    try folder.write("methods/methods.json", declarations)
    return try TestServer(folder, arguments: ["--methods", "methods"] + options, prefix: prefix)
  }

  /// Prints a header, so that the rest of a script prints the body.
  private static let text = "printf 'Content-Type: text/plain\\n\\n'\n"

  @Test("passes only the CGI variables of a request to the program of a method")
  func environment() throws {
    let server = try serve(
      ["show": Self.text + "env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= | sort; cat"],
      declarations: #"{"show":{"access":"users"}}"#)
    let version = try server.folder.prepare("--version").lines[0].replacing("datactl ", with: "")
    let token = try server.logIn("ann")
    let reply = try server.request(
      "POST", "/methods/show?a=1&b=%20x", token: token, body: "the body",
      headers: ["Content-Type: text/x", "Proxy: evil", "X-Secret: canary"])
    #expect(reply.status == 200 && reply.headers["content-type"] == "text/plain", "\(reply.report)")
    #expect(
      reply.body == """
        CONTENT_LENGTH=8
        CONTENT_TYPE=text/x
        DATACTL_STORE=sqlite:\(server.folder.path("shop.db"))
        DATACTL_USER=ann
        GATEWAY_INTERFACE=CGI/1.1
        PATH=\(server.folder.datactl.environment["PATH"] ?? "")
        QUERY_STRING=a=1&b=%20x
        REMOTE_ADDR=127.0.0.1
        REMOTE_USER=ann
        REQUEST_METHOD=POST
        SCRIPT_NAME=/v1/methods/show
        SERVER_NAME=127.0.0.1
        SERVER_PORT=\(server.port)
        SERVER_PROTOCOL=HTTP/1.1
        SERVER_SOFTWARE=datactl/\(version)
        the body
        """)
    let head = try server.request("HEAD", "/methods/show", token: token)
    #expect(head.status == 200 && head.body.isEmpty)
  }

  @Test("passes no open files except the standard streams to the program of a method")
  func descriptors() throws {
    let server = try serve(
      [
        "show": Self.text + "for n in 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$n ] && echo $n; done\ncat"
      ],
      declarations: #"{"show":{"access":"anyone"}}"#,
      prefix: ["/bin/sh", "-c", #"exec 8</dev/null 9</dev/null; exec "$@""#, "sh"])
    let reply = try server.request("POST", "/methods/show", body: "the body")
    #expect(reply.status == 200 && reply.body == "the body", "\(reply.report)")
  }

  @Test("executes a method only for the callers that methods.json permits")
  func access() throws {
    let declarations =
      #"{"open":{"access":"anyone"},"staff":{"access":["role:staff","role:none"]},"own":{}}"#
    let names = ["open", "staff", "own", "other"]
    let server = try serve(
      Dictionary(uniqueKeysWithValues: names.map { ($0, Self.text) }), declarations: declarations)
    let expected: [(caller: String?, statuses: [Int])] = [
      (nil, [200, 401, 401, 401]), ("ann", [200, 403, 403, 403]), ("eve", [200, 200, 403, 403]),
      ("root", [200, 200, 200, 200]),
    ]
    for (caller, statuses) in expected {
      let token = try caller.map { try server.logIn($0) }
      let found = try names.map { try server.request("/methods/\($0)", token: token).status }
      #expect(found == statuses, "\(caller ?? "-")")
    }
    let root = try server.logIn("root")
    for name in ["missing", "methods.json", "..", ".", "Open", "%2e%2e%2fbin", "open/x", ""] {
      #expect(try server.request("/methods/\(name)", token: root).status == 404, "\(name)")
    }
    #expect(try server.request("/methods/open", headers: ["Idempotency-Key: k"]).status == 200)
    #expect(
      try server.request("POST", "/methods/open", headers: ["Idempotency-Key: k"]).status == 400)
  }

  @Test("rejects a method whose program is a symbolic link or can be written by other users")
  func store() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    try folder.tool("mkdir", "-m", "755", "methods")
    let script = "#!/bin/sh\n\(Self.text)\(Binary.path) save vault v2 code=4712 -o ids\n"
    for name in ["add", "loose", "plain"] { try folder.write("methods/\(name)", script) }
    try folder.tool("chmod", "755", "methods/add")
    try folder.tool("chmod", "757", "methods/loose")
    try folder.tool("ln", "-s", "add", "methods/link")
    let server = try TestServer(folder, "--methods", "methods")
    let root = try server.logIn("root")
    #expect(try server.request("POST", "/methods/add", token: root).body == "v2\n")
    #expect(try server.request("/records/vault?count=true", token: root).body == "2\n")
    for (name, status) in [("loose", 500), ("plain", 404), ("link", 404)] {
      #expect(try server.request("/methods/\(name)", token: root).status == status, "\(name)")
    }
    try folder.write("methods/methods.json", #"{"add":{"seconds":"x"}}"#)
    let invalid = try server.request("/methods/add", token: root)
    #expect(invalid.status == 500 && !invalid.body.contains("seconds"), "\(invalid.report)")
    #expect(try server.stop().status == 0)
    func start() throws -> Run { try folder.run("serve", "--methods", "methods") }
    #expect(try start().exits(6).errors.contains("add.seconds"))
    try folder.write("methods/methods.json", #"{"add":{"access":"price > 3"}}"#)
    try start().exits(6)
    try folder.tool("chmod", "777", "methods")
    #expect(try start().exits(7).errors.contains("other users can change the folder"))
    try folder.run("serve", "--methods", "missing").exits(3)
    try folder.run("serve", "--methods", "methods", "--read-only").exits(2)
      .reports("--methods", "--read-only")
  }

  @Test("reports at the start of the server which server methods cannot be called")
  func problems() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    try folder.tool("mkdir", "-m", "755", "methods")
    for name in ["good", "plain", "loose", "Big.sh", "README"] {
      try folder.write("methods/\(name)", "#!/bin/sh\n")
    }
    for (name, mode) in [("good", "755"), ("loose", "757"), ("Big.sh", "755")] {
      try folder.tool("chmod", mode, "methods/\(name)")
    }
    try folder.write("methods/methods.json", #"{"good":{},"helo":{"access":"anyone"}}"#)
    let server = try TestServer(folder, "--methods", "methods")
    let methods = folder.path("methods")
    #expect(
      try server.stop().exits(0).errorLines.dropFirst() == [
        "\(methods)/Big.sh: not a method: a name consists of lowercase letters, digits and _",
        "\(methods)/loose: other users can change the file, so calls fail",
        "\(methods)/plain: not a method: the file is not executable, or is a link",
        "\(methods)/methods.json: there is no file helo",
      ])
  }

  @Test("forwards the status and only permitted headers of a server method's response")
  func headers() throws {
    let header = """
      Content-Type: text/html; charset=utf-8\\r\\nStatus: 201 Created\\r\\nCache-Control: max-age=5\\r\\n\
      Set-Cookie: a=b\\r\\nX-Other: 1\\r\\nAccess-Control-Allow-Origin: *\\r\\n\\r\\n<p>
      """
    let server = try serve(
      [
        "a": "printf '\(header)'", "b": "printf 'Location: /x\\n\\n'",
        "c": "printf 'Status: 204\\n\\n'",
      ],
      declarations: #"{"a":{"access":"anyone"},"b":{"access":"anyone"},"c":{"access":"anyone"}}"#)
    let reply = try server.request("/methods/a")
    #expect(reply.status == 201 && reply.body == "<p>", "\(reply.report)")
    #expect(reply.headers["content-type"] == "text/html; charset=utf-8")
    #expect(reply.headers["cache-control"] == "max-age=5")
    for name in ["set-cookie", "x-other", "access-control-allow-origin", "status"] {
      #expect(reply.headers[name] == nil, "\(name)")
    }
    let moved = try server.request("/methods/b")
    #expect(moved.status == 302 && moved.headers["location"] == "/x", "\(moved.report)")
    #expect(try server.request("/methods/c").status == 204)
  }

  @Test(
    "responds with 502 when a method fails, and writes the method's error output only to the log")
  func failures() throws {
    let scripts = [
      "status": Self.text + "echo canary; echo 'log canary' >&2; exit 3",
      "signal": "kill -9 $$", "silent": "exit 0", "nothing": "printf 'no header\\n'",
      "bad": "printf 'Content-Type: a\\nbad line\\n\\nx'",
      "twice":
        "printf 'Content-Type: a\\nContent-Type: b\\n\\nx'", "body": "printf 'Status: 200\\n\\nx'",
      "low": "printf 'Status: 101 Switching\\nContent-Type: a\\n\\n'",
      "text": "printf 'Status: 2xx\\nContent-Type: a\\n\\n'",
      "control": "printf 'Content-Type: a\\001\\n\\n'", "endless": "cat /dev/zero",
      "large": Self.text + "head -c 11000000 /dev/zero",
      "long": "head -c 40000 /dev/zero | tr '\\0' a",
    ]
    let server = try serve(scripts, options: ["--log", "text"])
    let root = try server.logIn("root")
    for name in scripts.keys.sorted() {
      let reply = try server.request("/methods/\(name)", token: root)
      #expect(reply.status == 502, "\(name): \(reply.report)")
      #expect(!reply.body.contains("canary"), "\(name): \(reply.report)")
    }
    #expect(try server.request("/health").status == 200)
    let log = try server.stop().exits(0).errors
    #expect(
      log.contains(": log canary\n") && log.contains("the method status failed: exit status 3"))
    #expect(log.contains("the method endless failed: it wrote more than 10 MB"))
  }

  @Test("ends all processes of a server method at the time limit or when the client disconnects")
  func ending() throws {
    let wait = "trap '' TERM; echo $$ > pids.$1; sleep 100 & echo $! >> pids.$1; wait; sleep 100"
    let server = try serve(
      [
        "slow": wait.replacing("$1", with: "slow"), "left": wait.replacing("$1", with: "left"),
        "closed": "exec <&- >&- 2>&-; sleep 100",
        "orphan": Self.text + "echo done; sleep 100 & echo $! > pids.orphan",
      ],
      declarations: """
        {"slow":{"seconds":1,"access":"anyone"},"closed":{"seconds":1,"access":"anyone"},
         "left":{"access":"anyone"},"orphan":{"access":"anyone"}}
        """)
    for name in ["slow", "closed"] {
      let reply = try server.request("POST", "/methods/\(name)", body: "unread")
      #expect(
        reply.status == 504 && reply.headers["retry-after"] == nil, "\(name): \(reply.report)")
    }
    #expect(try server.request("/methods/orphan").body == "done\n")
    let connection = try server.connect()
    server.send("GET /v1/methods/left HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8, on: connection)
    try waitForLines(server, "pids.left", lines: 2)
    close(connection)
    for name in ["slow", "orphan", "left"] {
      for pid in try pids(server, name) {
        try server.child.wait(for: "the end of \(name) \(pid)") { _ in !isRunning(pid) }
      }
    }
    #expect(try server.stop().status == 0)
  }

  @Test("runs the programs of at most four methods at once, and rejects further requests")
  func limit() throws {
    let server = try serve(
      ["wait": "echo >> started; \(Self.text)while [ ! -e go ]; do sleep 0.05; done; echo done"],
      declarations: #"{"wait":{"access":"anyone"}}"#)
    var connections: [Int32] = []
    defer { for connection in connections { close(connection) } }
    for _ in 0..<4 {
      let connection = try server.connect()
      connections.append(connection)
      server.send(
        "GET /v1/methods/wait HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8,
        on: connection)
    }
    try waitForLines(server, "started", lines: 4)
    let fifth = try server.request("/methods/wait")
    #expect(fifth.status == 503 && fifth.headers["retry-after"] != nil, "\(fifth.report)")
    try server.folder.write("go", "")
    for connection in connections {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      var bytes: [UInt8] = []
      while case let count = unsafe recv(connection, &buffer, buffer.count, 0), count > 0 {
        bytes += buffer.prefix(count)
      }
      #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("done\n"))
    }
    #expect(try server.request("/methods/wait").body == "done\n")
  }

  /// Waits until a file in the working folder of the server has a number of lines.
  private func waitForLines(_ server: TestServer, _ name: String, lines: Int) throws {
    try server.child.wait(for: "\(lines) lines in \(name)") { _ in
      let text = (try? server.folder.bytes(name)) ?? []
      return text.count { $0 == UInt8(ascii: "\n") } >= lines
    }
  }

  /// Returns whether a process has not ended. Its parent may never wait for it.
  private func isRunning(_ pid: pid_t) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    return status?.contains("State:\tZ") == false
  }

  private func pids(_ server: TestServer, _ name: String) throws -> [pid_t] {
    try String(decoding: server.folder.bytes("pids.\(name)"), as: UTF8.self)
      .split(separator: "\n").compactMap { pid_t($0) }
  }
}
