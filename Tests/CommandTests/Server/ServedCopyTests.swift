import Foundation
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("copy from a server", .tags(.process), .onEveryStore)
struct ServedCopyTests {
  private static let user = """
    {"schema": "user", "kind": "user", "roles": "roles", "fields": {"username": {"type": "id"},
     "password": {"type": "password"}, "name": {"type": "text"},
     "roles": {"type": "[text]"}}}
    """

  /// Serves the sample store, with the administrator `root` and the user `bob`, who have passwords.
  private func serve(_ arguments: String...) throws -> TestServer {
    let folder = try DumpTests.sample()
    try folder.prepare("schema", "apply", "-", input: .text(Self.user))
    for name in ["root", "bob"] {
      try folder.prepare("save", "user", name, "password@=-", input: .text("canary99"))
    }
    try folder.prepare("save", "user", "root", "roles+=admin")
    return try TestServer(folder, arguments: arguments)
  }

  /// Returns a folder whose store is the served one, in which a user is logged in.
  private func client(of server: TestServer, as user: String = "root") throws -> TestFolder {
    let folder = try TestFolder(store: server.address)
    try folder.prepare("login", "-u", user, "--password-stdin", input: .text("canary99\n"))
    return folder
  }

  @Test("copies all but the passwords to a file")
  func copies() throws {
    let server = try serve()
    let folder = try client(of: server)
    let run = try folder.run("copy", server.address, "a.db").exits(0)
    #expect(
      run.errors == "8 records of 4 schemas copied\n3 users need a new password\n", "\(run.report)")
    let local = try server.folder.run("copy", server.folder.address, "b.db").exits(0)
    #expect(run.output == local.output)
    let digests = try folder.run("doctor", "--digest").exits(0).prints(local.output)
    #expect(digests.errors == "8 records of 4 schemas read\n")
    let part = try folder.run("doctor", "todo", "--digest").exits(0)
    #expect(local.output.contains(part.output) && part.output.contains(#""schema":"todo""#))
    try folder.run("doctor", "nothing", "--digest").exits(3)
    let copy = folder.program.with(["DATACTL_STORE": "sqlite:a.db"])
    try copy.run(["get", "todo", "tea", "--content", "photo"]).prints("hallo\n")
    try copy.run(["login", "-u", "bob", "--password-stdin"], input: .text("canary99\n")).exits(4)
    try copy.run(["passwd", "bob", "--password-stdin"], input: .text("canary98\n")).exits(0)
    try copy.run(["login", "-u", "bob", "--password-stdin"], input: .text("canary98\n")).exits(0)

    let chosen = try folder.run("copy", server.address, "c.db", "--only", "todo").exits(0)
    #expect(
      chosen.errors == """
        8 records of 3 schemas copied
        Also copied, because the chosen schemas need them: step, user
        Functions left out, because they use other schemas: notes
        3 users need a new password

        """)
    let dryRun = try folder.run("copy", server.address, "d.db", "--dry-run").exits(0)
    #expect(dryRun.errors.hasPrefix("8 records of 4 schemas would be copied\n"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("d.db")))
  }

  @Test("dumps a store as the command on its machine does")
  func dumps() throws {
    let server = try serve()
    let folder = try client(of: server)
    let local = try server.folder.run("dump").exits(0)
    let run = try folder.run("dump", "a.tgz").exits(0)
    #expect(run.errors == local.errors)
    #expect(try folder.bytes("a.tgz") == local.outputBytes)
    let part = try folder.run("dump", "-", "--only", "todo").exits(0)
    #expect(
      try server.folder.run("dump", "--only", "todo").exits(0).outputBytes == part.outputBytes)
    try client(of: server, as: "bob").run("dump", "b.tgz").exits(4).reports("administrator")
    try folder.run("dump", "c.tgz", "--only", "nothing").exits(3)
    #expect(try folder.files.filter { $0.hasSuffix(".tgz") } == ["a.tgz"])
  }

  @Test("is refused to other users, and changes nothing then")
  func refusals() throws {
    let server = try serve()
    let bob = try client(of: server, as: "bob")
    try bob.run("copy", server.address, "a.db").exits(4).reports("administrator")
    try bob.run("doctor", "--digest").exits(4).prints("").reports("administrator")
    let anonymous = try TestFolder(store: server.address)
    try anonymous.run("copy", server.address, "a.db").exits(4).reports("log in: ")
    let root = try client(of: server)
    try root.run("copy", server.address, "a.db", "--only", "nothing").exits(3)
    try root.run("copy", server.address, "a.db", "--only", "function").exits(2)
    try root.run("copy", "unix:missing", "a.db").exits(7)
    try root.run("copy", server.address, server.address).exits(2)
    for folder in [bob, anonymous, root] {
      #expect(try folder.files.filter { $0.hasPrefix("a.db") } == [])
    }
    try root.prepare("schema", "create", "x", "t:text", "--store", "sqlite:used.db")
    try root.run("copy", server.address, "used.db").exits(5)
    let token = try server.logIn("root")
    #expect(try server.request("HEAD", "/walk", token: token).status == 200)
    #expect(try server.request("/walk?limit=1", token: token).status == 400)
    #expect(try server.request("/walk").status == 401)
  }

  @Test("sends the store as fast as it is read, to one client at a time")
  func slowReader() throws {
    let server = try serve("--timeout", "2", "--spool", "64k")
    try server.folder.prepare(
      "save", "note", "-o", "none",
      input: .text((0..<150_000).map { "{\"note_id\":\"note number \($0)\"}\n" }.joined()))
    let token = try server.logIn("root")
    let slow = try server.connect()
    defer { close(slow) }
    server.send(
      Array(
        """
        GET /v1/walk HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n\r\n
        """.utf8), on: slow)
    var byte: UInt8 = 0
    #expect(unsafe recv(slow, &byte, 1, 0) == 1)
    let second = try server.request("/walk", token: token)
    #expect(second.status == 503)
    #expect(second.headers["retry-after"] == "5")
    // The first client reads nothing for longer than the timeout.
    let folder = try client(of: server)
    try folder.run("copy", server.address, "a.db").exits(0)
    #expect(!server.rest(on: slow).hasSuffix("0\r\n\r\n"))
  }

  @Test("accepts no response that is cut or changed")
  func lies() throws {
    let server = try serve()
    let token = try server.logIn("root")
    try server.folder.tool(
      "curl", "-sS", "-o", "walk", "-H", "Authorization: Bearer \(token)",
      "\(server.address)/v1/walk")
    let data = FileManager.default.contents(atPath: server.folder.path("walk")) ?? Data()
    let walk = [UInt8](data)
    func copy(_ body: [UInt8], _ command: String = "copy") throws -> Run {
      let head = "200 OK\r\nContent-Type: application/vnd.datactl.walk"
      let socket = try CannedSocket([CannedSocket.response(head, body)])
      defer { socket.close() }
      let folder = try TestFolder()
      let address = "unix:\(socket.path)"
      let run = try folder.program.run(
        command == "copy"
          ? ["copy", address, "a.db", "-o", "none"] : ["dump", "a.tgz", "--store", address])
      if run.status != 0 {
        try folder.run("list", "todo", "--store", "a.db").exits(7)
        #expect(try !folder.files.contains("a.tgz"))
      }
      return run
    }
    try copy(walk).exits(0)
    try copy(walk, "dump").exits(0)
    for size in stride(from: 0, to: walk.count, by: max(1, walk.count / 15)) {
      try copy(Array(walk[..<size])).exits(7)
    }
    try copy(walk.dropLast()).exits(7)
    for index in stride(from: 7, to: walk.count, by: max(1, walk.count / 25)) {
      var changed = walk
      changed[index] ^= 1
      for command in ["copy", "dump"] {
        let run = try copy(changed, command)
        #expect([6, 7].contains(run.status), "\(command), byte \(index): \(run.report)")
      }
    }
  }
}
