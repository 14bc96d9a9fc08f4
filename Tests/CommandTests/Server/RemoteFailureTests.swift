import Foundation
import Glibc
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("A connection to a server that fails", .tags(.process), .from(.test))
struct RemoteFailureTests {
  /// Returns a served folder whose server listens on a Unix socket, its path, and a token.
  private func serve() throws -> (server: Child, path: String, folder: TestFolder, token: String) {
    let folder = try TestFolder()
    try folder.saveShop()
    let path = "/tmp/datactl-\(UUID().uuidString.prefix(8)).sock"
    var program = folder.datactl
    program.timeLimit = .seconds(600)
    let child = try program.start(["serve", "--listen", "unix:\(path)", "--log", "none"])
    try child.wait(for: "an address") { $0.errorBytes.contains(UInt8(ascii: "\n")) }
    let token = try folder.prepare(
      "login", "-u", "root", "--password-stdin", "--print-token", input: .text("canary99\n")
    ).lines[0]
    return (child, path, folder, token)
  }

  private func count(_ folder: TestFolder, _ id: String) throws -> Int {
    let record = try folder.prepare("get", "note", id).output
    return record.firstMatch(of: /"count":([0-9]+)/).flatMap { Int($0.1) } ?? -1
  }

  @Test(
    "executes a save exactly once when the connection is cut at any byte",
    arguments: [ByteCuttingProxy.Direction.requests, .responses])
  func cuts(direction: ByteCuttingProxy.Direction) throws {
    let (server, path, folder, token) = try serve()
    defer {
      server.signal(SIGKILL)
      try? FileManager.default.removeItem(atPath: path)
    }
    let client = try TestFolder(store: "unix:\(path)")
    let steps =
      TestTier.current == .all ? Array(stride(from: 1, to: 900, by: 7)) : [1, 150, 400, 650]
    var expected = try count(folder, "pub")
    for step in steps {
      let proxy = try ByteCuttingProxy(to: path, cutting: direction, after: step)
      defer { proxy.close() }
      let program = client.program.with([
        "DATACTL_TOKEN": token, "DATACTL_STORE": "unix:\(proxy.path)",
      ])
      let save = try program.run(["save", "note", "pub", "count+=1"])
      expected += 1
      #expect(try count(folder, "pub") == expected, "\(direction) \(step): \(save.report)")
      #expect(
        save.status == 0 && save.errors == "1 saved: 1 changed\n"
          && save.output.wholeMatch(of: /\{.*"count":[0-9]+.*\}\n/) != nil
          && save.output.contains("\"count\":\(expected)"), "\(step): \(save.report)")
      let second = try ByteCuttingProxy(to: path, cutting: direction, after: step)
      defer { second.close() }
      let list = try program.with(["DATACTL_STORE": "unix:\(second.path)"]).run(["list", "note"])
      let all = try folder.prepare("list", "note").output
      #expect(
        list.status == 0 && list.output == all || list.status == 7 && all.hasPrefix(list.output),
        "\(step): \(list.report)")
    }
  }

  @Test(
    "executes deletions, batches and saves with --skip-invalid exactly once if the connection is cut",
    arguments: [ByteCuttingProxy.Direction.requests, .responses])
  func otherCuts(direction: ByteCuttingProxy.Direction) throws {
    let (server, path, folder, token) = try serve()
    defer {
      server.signal(SIGKILL)
      try? FileManager.default.removeItem(atPath: path)
    }
    let client = try TestFolder(store: "unix:\(path)")
    let batch = #"{"save":"note","id":"pub","record":{"count":{"$add":1}}}"#
    var expected = try count(folder, "pub")
    for step in TestTier.current == .all ? Array(stride(from: 1, to: 900, by: 31)) : [150, 650] {
      func run(_ arguments: [String], _ input: String = "") throws -> Run {
        let proxy = try ByteCuttingProxy(to: path, cutting: direction, after: step)
        defer { proxy.close() }
        return try client.program.with([
          "DATACTL_TOKEN": token, "DATACTL_STORE": "unix:\(proxy.path)",
        ]).run(arguments, input: .text(input))
      }
      try folder.prepare("save", "note", "gone", "title=x", "-o", "none")
      try run(["delete", "note", "gone"]).exits(0)
      try folder.datactl.run(["get", "note", "gone"]).exits(3)
      let batched = try run(["batch"], batch)
      expected += 1
      #expect(try count(folder, "pub") == expected, "\(step): \(batched.report)")
      #expect(
        batched.status == 0 && batched.output.contains(#""count":\#(expected)"#),
        "\(step): \(batched.report)")
      let arguments = ["save", "note", "--skip-invalid", "--rejects", "bad\(step)", "-o", "none"]
      let records = "{\"note_id\":\"n\(step)\",\"count\":\(step)}\n{\"count\":\"x\"}\n"
      let save = try run(arguments, records).exits(6)
      #expect(try count(folder, "n\(step)") == step, "\(save.report)")
      let rejects = String(decoding: (try? client.bytes("bad\(step)")) ?? [], as: UTF8.self)
      #expect(
        rejects.contains("expected integer") || save.errors.contains("the errors were lost"),
        "\(step): \(save.report) \(rejects)")
      #expect(rejects.ranges(of: "\n").count <= 1, "\(step): \(rejects)")
    }
  }

  @Test("advises an anonymous user to log in, even if another schema has a similar name")
  func hiddenSchema() throws {
    let shop = try TestFolder()
    try shop.saveShop()
    let server = try TestServer(shop)
    let folder = try TestFolder(store: server.address)
    try folder.run("list", "notes").exits(3).reports(
      "no schema notes\n  log in: datactl login")
  }

  @Test("reports an address that is unreachable, not permitted, or not that of a datactl server")
  func noServer() throws {
    let folder = try TestFolder(store: "http://127.0.0.1:1")
    try folder.run("list", "note").exits(7)
      .reports("cannot connect to http://127.0.0.1:1", "127.0.0.1 port 1")
    try folder.run("save", "note", "a=b").exits(7).reports("cannot connect")
    try folder.run("list", "note", "--store", "unix:none.sock").exits(7)
      .reports("cannot connect to unix:", "no server listens on the socket")
    try folder.run("list", "note", "--store", "http://shop.example").exits(2)
      .reports("without encryption")
    try folder.run("list", "note", "--store", "https://ann:canary@shop.example").exits(2)
      .reports("log in: datactl login")
    try folder.run("serve").exits(2).reports("cannot serve a store that is on a server")
    let shop = try TestFolder()
    try shop.saveShop()
    let server = try TestServer(shop)
    try folder.run("list", "note", "--store", "\(server.address)/other").exits(7)
      .reports("has another version of the API")
  }

  @Test("exits at once when a signal arrives during the wait for a response")
  func signals() throws {
    let silent = try SilentSocket()
    defer { silent.close() }
    let client = try TestFolder(store: "unix:\(silent.path)")
    for (arguments, signal, status, text) in [
      (["list", "note"], SIGINT, Int32(130), "interrupted"),
      (["save", "note", "n", "a=b"], SIGTERM, 143, "the server may have completed the command"),
    ] {
      let before = silent.count
      let child = try client.program.start(arguments)
      try child.wait(for: "the request") { _ in silent.count > before }
      child.signal(signal)
      let run = try child.finish()
      #expect(run.status == status, "\(run.report)")
      #expect(run.errors.contains(text), "\(run.report)")
    }
  }

  /// Returns a frame of a response.
  private static func frame(_ kind: UInt8, _ text: String) -> [UInt8] {
    let size = text.utf8.count
    return [kind, 0, 0, 0, 0, 0, 0, UInt8(size >> 8), UInt8(size & 0xFF)] + Array(text.utf8)
  }

  private static let output = "200 OK\r\nContent-Type: application/vnd.datactl.output"

  @Test("a hostile server cannot write files that the command does not name, or print escape codes")
  func hostileServer() throws {
    let done = Self.frame(9, #"{"done":true}"#)
    let bodies: [[UInt8]] = [
      Self.frame(7, #"{"name":"evil"}"#) + Self.frame(3, "x") + Self.frame(8, "") + done,
      Self.frame(7, #"{"name":"../evil","folder":"out"}"#) + Self.frame(8, "") + done,
      Self.frame(7, #"{"name":".evil","folder":"out"}"#) + Self.frame(8, "") + done,
      Self.frame(7, #"{"name":"out/../evil"}"#) + Self.frame(8, "") + done,
      Self.frame(7, #"{"name":"evil","folder":"/tmp"}"#) + Self.frame(8, "") + done,
      Self.frame(6, #"{"name":"evil"}"#) + done, Self.frame(3, "x") + done,
      Self.frame(1, "{}") + done, done + done, [99] + done, Self.frame(9, "{}"),
      [4, 0, 0, 0, 0, 0xFF, 0, 0, 0] + done,
    ]
    for body in bodies {
      let socket = try CannedSocket([CannedSocket.response(Self.output, body)])
      defer { socket.close() }
      let folder = try TestFolder(store: "unix:\(socket.path)")
      let run = try folder.run("get", "note", "n", "--content", "photo", "--into", "out").exits(7)
        .reports("the response of unix:\(socket.path) is invalid: ")
      #expect(!run.errors.contains("may have completed"), "\(run.report)")
      #expect(try folder.files.isEmpty, "\(run.report)")
    }
    for body in [[99] + done, []] {
      let socket = try CannedSocket([CannedSocket.response(Self.output, body)])
      defer { socket.close() }
      try TestFolder(store: "unix:\(socket.path)").run("save", "note", "n", "a=b").exits(7)
        .reports("the response of unix:\(socket.path) is invalid: ", "may have completed")
    }
    let escapes =
      Self.frame(4, "a\u{1B}]0;x\u{7}\n") + Self.frame(5, "b\u{1B}]0;x\u{7}\n") + done
    let socket = try CannedSocket([CannedSocket.response(Self.output, escapes)])
    defer { socket.close() }
    let folder = try TestFolder(store: "unix:\(socket.path)")
    let run = try folder.run("list", "note", output: .terminal, errors: .terminal).exits(0)
    #expect(!run.outputBytes.contains(0x1B) && !run.errorBytes.contains(0x1B), "\(run.report)")
  }

  @Test("reports a response that is incomplete, or that does not come from a datactl server")
  func otherServers() throws {
    let json = "Content-Type: application/problem+json"
    let problem = #"{"status":404,"request":"r","problems":[{"code":"not_found","message":"m"}]}"#
    for (response, message) in [
      (CannedSocket.response(Self.output, []), "ends early"),
      (CannedSocket.response(Self.output, Self.frame(4, "x")), "ends early"),
      (CannedSocket.response("200 OK\r\nContent-Type: text/html", [0x3C]), "no datactl server"),
      (CannedSocket.response("404 Not Found", []), "no datactl server"),
      (
        CannedSocket.response("404 Not Found\r\n\(json)", Array(problem.utf8)),
        "another version of the API"
      ),
      (
        CannedSocket.response("302 Found\r\nLocation: https://evil.example/", []),
        "redirects requests to another address: https://evil.example/"
      ), ([], "was cut"), (Array("nonsense".utf8), "was cut"),
    ] {
      let socket = try CannedSocket([response, response])
      defer { socket.close() }
      let folder = try TestFolder(store: "unix:\(socket.path)")
      try folder.run("list", "note").exits(7).reports(message)
    }
  }

  @Test("repeats a change with its idempotency key after the delay that a busy server requests")
  func repetition() throws {
    let busy = CannedSocket.response("503 Service Unavailable\r\nRetry-After: 0", [])
    let done = CannedSocket.response(Self.output, Self.frame(9, #"{"done":true}"#))
    let proxy = CannedSocket.response("502 Bad Gateway\r\nContent-Type: text/html", [0x3C])
    let socket = try CannedSocket([busy, [], proxy, done])
    defer { socket.close() }
    let folder = try TestFolder(store: "unix:\(socket.path)")
    try folder.run("save", "note", "n", "a=b", "--store", "unix:\(socket.path)").exits(0)
    #expect(socket.requests.count == 4)
    let keys = socket.requests.compactMap {
      $0.firstMatch(of: /Idempotency-Key: ([0-9a-f]+)/).map { String($0.1) }
    }
    #expect(keys.count == 4 && Set(keys).count == 1)
    #expect(Set(socket.requests).count == 1)
    // A change of schemas has no key, so it is not sent again after it may have been executed.
    let cutting = try CannedSocket([[], done])
    defer { cutting.close() }
    try folder.run(
      "schema", "create", "x", "a:text", "--errors", "json", "--store", "unix:\(cutting.path)"
    ).exits(7)
      .reports("was cut", "the server may have completed the command", #""code":"outcome_unknown""#)
    #expect(cutting.requests.count == 1)
    #expect(!cutting.requests[0].contains("Idempotency-Key"))
  }

  @Test("writes the rejected records only once when a save is repeated after a lost response")
  func repeatedRejects() throws {
    let record = Self.frame(7, #"{"name":"bad"}"#) + Self.frame(3, "{}\n")
    let rest = Self.frame(8, "") + Self.frame(9, #"{"done":true}"#)
    let whole = CannedSocket.response(Self.output, record + rest)
    let socket = try CannedSocket([Array(whole.dropLast(rest.count)), whole])
    defer { socket.close() }
    let folder = try TestFolder(store: "unix:\(socket.path)")
    let arguments = ["save", "note", "--skip-invalid", "--rejects", "bad"]
    try folder.program.run(arguments, input: .text("{}\n")).exits(0)
    #expect(socket.requests.count == 2)
    #expect(try folder.bytes("bad") == Array("{}\n".utf8))
  }

  @Test("repeats requests until a restarting server responds")
  func restart() throws {
    let done = CannedSocket.response(Self.output, Self.frame(9, #"{"done":true}"#))
    let proxy = CannedSocket.response("502 Bad Gateway\r\nContent-Type: text/html", [0x3C])
    for arguments in [["list", "note"], ["save", "note", "n", "a=b"]] {
      let socket = try CannedSocket([proxy, proxy, proxy, proxy, done])
      defer { socket.close() }
      let folder = try TestFolder(store: "unix:\(socket.path)")
      try folder.program.run(arguments).exits(0)
      #expect(socket.requests.count == 5)
    }
    let socket = try CannedSocket([proxy, proxy])
    defer { socket.close() }
    let folder = try TestFolder(store: "unix:\(socket.path)")
    let schema = try folder.run("schema", "create", "x", "a:text").exits(7)
      .reports("a proxy at unix:", "the status is 502", "may have completed the command")
    let logIn = try folder.run(
      "login", "-u", "ann", "--password-stdin", input: .text("canary99\n")
    ).exits(7).reports("cannot reach the server: the status is 502")
    #expect(schema.errorLines.count == 2 && logIn.errorLines.count == 1)
  }

  @Test("reports rejected records even if the response was lost")
  func lostRejections() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let root = try server.logIn("root")
    for _ in 0..<2 {
      let reply = try server.request(
        "POST", "/records/note?skip_invalid=true", token: root,
        body: #"{"note_id":"a"} {"note_id":"b","count":"x"}"#, headers: ["Idempotency-Key: k"])
      #expect(reply.headers["datactl-saved"] == "new=1, changed=0, same=0, rejected=1")
    }
    let end = #"{"repeated":"new=1, changed=0, same=0, rejected=1","deleted":0,"nullified":0}"#
    let repeated = CannedSocket.response(Self.output, Self.frame(9, end))
    let socket = try CannedSocket([[], repeated])
    defer { socket.close() }
    try TestFolder(store: "unix:\(socket.path)")
      .run("save", "note", "--skip-invalid", "-o", "none", input: .text("{}")).exits(6)
      .reports("1 record not saved", "the errors were lost")
  }

  @Test("reports that a proxy rejected a request because of its size")
  func proxyLimit() throws {
    let response = CannedSocket.response("413 Too Large\r\nContent-Type: text/html", [0x3C])
    let socket = try CannedSocket([response])
    defer { socket.close() }
    try TestFolder(store: "unix:\(socket.path)").run("save", "note", "n", "a=b").exits(6)
      .reports("a proxy at unix:", "refuses the size", "client_max_body_size")
  }

  @Test("names the store in the suggested login command if an option named the store")
  func hints() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let option = ["--store", server.address]
    for arguments in [
      ["whoami"], ["whoami", "--sessions"], ["save", "note", "n", "title=x"],
      ["delete", "note", "pub"],
    ] {
      try folder.program.run(arguments + option).exits(4)
        .reports("log in: datactl login --store \(server.address)\n")
    }
    try folder.run("whoami").exits(4).reports("log in: datactl login\n")
    try folder.run("whoami", "--store", "shop.db").exits(4)
      .reports("log in: datactl login --store sqlite:")
  }

  private static let ignored = """
    DATACTL_TOKEN was ignored: --store or DATACTL_STORE must contain the address of the store, not \
    a name

    """

  @Test("says that the token was ignored in the hint of each error that requires a login")
  func ignoredToken() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    try folder.tool("mkdir", "-m", "755", "methods")
    try folder.write("methods/fail", "#!/bin/sh\nprintf 'Status: 401\\n\\n'\n")
    try folder.write("methods/own", "#!/bin/sh\nprintf 'Status: 200\\n\\n'\n")
    try folder.write("methods/methods.json", #"{"fail":{"access":"anyone"}}"#)
    for name in ["fail", "own"] { try folder.tool("chmod", "755", "methods/\(name)") }
    let server = try TestServer(folder, "--methods", "methods")
    let token = try server.logIn("ann")
    let client = try TestFolder()
    try client.write("datactl.json", #"{"store":"live","stores":{"live":"\#(server.address)"}}"#)
    let program = client.program.with(["DATACTL_STORE": nil, "DATACTL_TOKEN": token])
    let commands = [
      ["whoami"], ["whoami", "--sessions"], ["save", "note", "n", "title=x"],
      ["delete", "note", "pub"], ["logout"], ["logout", "--all"], ["call", "fail"],
      ["call", "own"], ["whoami", "--store", "live"], ["delete", "note", "pub", "--store", "live"],
    ]
    for arguments in commands { try program.run(arguments).exits(4).reports(Self.ignored) }
    try program.run(["passwd", "--password-stdin"], input: .text("canary99\ncanary98\n")).exits(4)
      .reports(Self.ignored)
    // No login is needed, or the token is used.
    let silent = [
      ["list", "note"], ["get", "note", "pub"], ["whoami", "--store", server.address],
      ["delete", "note", "none", "--store", server.address],
    ]
    for arguments in silent {
      #expect(try !program.run(arguments).errors.contains("DATACTL_TOKEN"), "\(arguments)")
    }
    try program.with(["DATACTL_TOKEN": nil]).run(["whoami"]).exits(4)
      .reports("log in: datactl login\n")
  }

  @Test("says that the token was ignored if the saved session has ended")
  func ignoredTokenOfEndedSession() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let client = try TestFolder()
    try client.write("datactl.json", #"{"store":"live","stores":{"live":"\#(server.address)"}}"#)
    let program = client.program.with(["DATACTL_STORE": nil])
    try program.run(["login", "-u", "ann", "--password-stdin"], input: .text("canary99\n")).exits(0)
    try folder.prepare("save", "user", "ann", "password@=-", input: .text("canary98"))
    let token = String(repeating: "ab", count: 32)
    try program.with(["DATACTL_TOKEN": token]).run(["whoami"]).exits(4)
      .reports("log in again: datactl login", Self.ignored)
  }

  @Test(
    "logout with DATACTL_TOKEN keeps the saved session of another user", arguments: [true, false])
  func otherSession(throughServer: Bool) throws {
    let folder = try TestFolder()
    try folder.saveShop()
    let server = try TestServer(folder)
    let client = try TestFolder()
    let address = throughServer ? server.address : folder.address
    let ann = (throughServer ? client : folder).program.with(["DATACTL_STORE": address])
    func logIn(_ name: String, _ password: String, _ options: String...) throws -> String {
      try ann.run(
        ["login", "-u", name, "--password-stdin"] + options, input: .text(password + "\n")
      ).exits(0).lines.first ?? ""
    }
    _ = try logIn("ann", "canary99")
    for option in [[], ["--all"]] {
      let token = try logIn("root", "canary99", "--print-token")
      let root = ann.with(["DATACTL_TOKEN": token])
      try root.run(["logout"] + option).exits(0)
      try root.run(["whoami"]).exits(4)
      #expect(try ann.run(["whoami"]).exits(0).output.contains("ann"))
    }
    let token = try logIn("ann", "canary99", "--print-token")
    try ann.with(["DATACTL_TOKEN": token]).run(["logout", "--all"]).exits(0)
    try ann.run(["whoami"]).exits(4).reports("log in: datactl login")
  }

  @Test("says that the token was ignored for the default store")
  func ignoredTokenOfDefaultStore() throws {
    let folder = try TestFolder()
    let token = String(repeating: "ab", count: 32)
    let program = folder.program.with(["DATACTL_STORE": nil, "DATACTL_TOKEN": token])
    try program.run(["schema", "create", "user", "--user"]).exits(0)
    for arguments in [["whoami"], ["logout"], ["logout", "--all"]] {
      try program.run(arguments).exits(4).reports(Self.ignored)
    }
    #expect(try !program.run(["list", "user"]).exits(0).errors.contains("DATACTL_TOKEN"))
  }

  @Test("prints output once when a save is repeated because the response was cut after the output")
  func repeatedOutput() throws {
    let line = Self.frame(4, "{\"a\":1}\n")
    let done = Self.frame(
      9, #"{"done":true,"committed":{"code":"stopped","message":"1 record is saved"}}"#)
    let dry = Self.frame(9, #"{"done":true}"#)
    for (rest, expected) in [(done, "1 record is saved"), (dry, "was lost")] {
      let whole = CannedSocket.response(Self.output, line + rest)
      let socket = try CannedSocket([Array(whole.dropLast(rest.count)), whole])
      defer { socket.close() }
      let folder = try TestFolder(store: "unix:\(socket.path)")
      let run = try folder.run("save", "note", "n", "a=b").exits(1).reports(expected)
      #expect(run.output == "{\"a\":1}\n", "\(run.report)")
      #expect(socket.requests.count == 2)
    }
  }

  @Test("prints each message once when a save is repeated because the response was lost")
  func repeatedMessages() throws {
    let summary = "1 saved: 1 new\n"
    let rejects = Self.frame(7, #"{"name":"bad"}"#) + Self.frame(3, "{}\n") + Self.frame(8, "")
    let end = #"{"repeated":"new=1, changed=0, same=0, rejected=1","deleted":0,"nullified":0}"#
    let repeated = CannedSocket.response(Self.output, Self.frame(9, end))
    let whole = CannedSocket.response(
      Self.output, rejects + Self.frame(5, summary) + Self.frame(9, #"{"done":true}"#))
    let cut = Array(whole.dropLast(Self.frame(9, #"{"done":true}"#).count))
    let arguments = ["save", "note", "--skip-invalid", "--rejects", "bad", "-o", "none"]
    let lost = try CannedSocket([cut, repeated])
    defer { lost.close() }
    let folder = try TestFolder(store: "unix:\(lost.path)")
    let run = try folder.program.run(arguments, input: .text("{}\n")).exits(6)
      .reports("1 record not saved", "the record was written to bad")
    #expect(run.errors.ranges(of: "1 new").count == 1, "\(run.report)")
    #expect(!run.errors.contains("lost"), "\(run.report)")
    #expect(try folder.bytes("bad") == Array("{}\n".utf8))
    let again = try CannedSocket([cut, whole])
    defer { again.close() }
    let other = try TestFolder(store: "unix:\(again.path)")
    let second = try other.program.run(arguments, input: .text("{}\n")).exits(0)
    #expect(second.errors == summary, "\(second.report)")
  }

  @Test(
    "sends DATACTL_TOKEN only to an address in DATACTL_STORE, not to one in datactl.json")
  func tokens() throws {
    let done = CannedSocket.response(Self.output, Self.frame(9, #"{"done":true}"#))
    let socket = try CannedSocket([done, done, done])
    defer { socket.close() }
    let token = String(repeating: "ab", count: 32)
    let folder = try TestFolder(store: "unix:\(socket.path)")
    let program = folder.program.with(["DATACTL_TOKEN": token])
    try program.run(["list", "note"]).exits(0)
    try folder.write("datactl.json", #"{"store":"live","stores":{"live":"unix:\#(socket.path)"}}"#)
    try program.with(["DATACTL_STORE": nil]).run(["list", "note"]).exits(0)
    #expect(socket.requests[0].contains("Authorization: Bearer \(token)"))
    try program.with(["DATACTL_STORE": "live"]).run(["list", "note"]).exits(0)
    #expect(!socket.requests[1].contains("Authorization"))
    #expect(!socket.requests[2].contains("Authorization"))
  }

  @Test("verifies the certificate of a server with the certificates in SSL_CERT_FILE")
  func certificates() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    try folder.tool(
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days",
      "2", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem")
    let server = try TestServer(folder, "--tls-cert", "cert.pem", "--tls-key", "key.pem")
    #expect(server.address.hasPrefix("https://"))
    let client = try TestFolder(store: server.address)
    try client.run("list", "note", "-o", "ids").exits(7)
      .reports("cannot connect", "certificate", "SSL_CERT_FILE")
    let program = client.program.with(["SSL_CERT_FILE": folder.path("cert.pem")])
    try program.run(["list", "note", "-o", "ids"]).exits(0).prints("pub\n")
    try program.run(["login", "-u", "ann", "--password-stdin"], input: .text("canary99\n")).exits(0)
    try program.run(["list", "note", "-o", "ids"]).exits(0).prints("anns\npub\n")
  }

  @Test(
    "the client exits when the reader of its output closes the pipe, and the server keeps running")
  func closedPipe() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    try folder.prepare("schema", "create", "line", "text:text")
    let text = String(repeating: "x", count: 1_000)
    let lines = (0..<5_000).map { "{\"line_id\":\"\($0)\",\"text\":\"\(text)\"}\n" }.joined()
    try folder.prepare("save", "line", "-o", "none", input: .text(lines))
    let server = try TestServer(folder)
    let client = try TestFolder(store: server.address)
    let program = client.program.with(["DATACTL_TOKEN": try server.logIn("root")])
    let child = try program.start(["list", "line"])
    try child.waitUntilOutputBegins()
    child.closeOutput()
    #expect(try child.finish().status == 141)
    try program.run(["list", "line", "--count"]).exits(0).prints("5000\n")
    try client.write("lines.ndjson", lines)
    let save = try program.start(["save", "line", "--file", "lines.ndjson"])
    try save.waitUntilOutputBegins()
    save.closeOutput()
    let run = try save.finish()
    #expect(run.status == 141 && run.errors.contains("5,000 saved"), "\(run.report)")
  }
}
