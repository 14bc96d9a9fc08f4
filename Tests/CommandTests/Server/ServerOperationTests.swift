import Foundation
import Glibc
import PostgresHarness
import ProgramHarness
import TestSupport
import Testing

@Suite("Operation of a server", .tags(.process), .from(.test))
struct ServerOperationTests {
  private func serve() throws -> TestServer {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    return try TestServer(folder)
  }

  @Test("reads the certificate again on SIGHUP, and keeps the old one if the new one is invalid")
  func renewedCertificate() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    func makeCertificate(_ name: String) throws {
      try folder.tool(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(name).key",
        "-out",
        "\(name).pem", "-days", "1", "-subj", "/CN=localhost", "-addext",
        "subjectAltName=IP:127.0.0.1")
    }
    try makeCertificate("cert")
    try makeCertificate("new")
    try folder.tool("cp", "cert.pem", "old.pem")
    let server = try TestServer(folder, "--tls-cert", "cert.pem", "--tls-key", "cert.key")
    func accepts(_ certificate: String) -> Bool {
      (try? folder.tool("curl", "-sS", "--cacert", certificate, "\(server.address)/v1/health"))
        != nil
    }
    func reload(_ message: String) throws {
      server.child.signal(SIGHUP)
      try server.child.wait(for: message) {
        String(decoding: $0.errorBytes, as: UTF8.self).contains(message)
      }
    }
    #expect(accepts("old.pem") && !accepts("new.pem"))
    try folder.tool("cp", "new.pem", "cert.pem")
    try reload("The certificate was not replaced: ")
    #expect(accepts("old.pem") && !accepts("new.pem"))
    try folder.tool("cp", "new.key", "cert.key")
    try reload("The certificate was read again.")
    #expect(!accepts("old.pem") && accepts("new.pem"))
    try folder.tool("rm", "cert.key")
    try reload("The certificate was not replaced: cert.key: No such file")
    #expect(accepts("new.pem"))
    #expect(try server.stop().status == 0)
    #expect(!accepts("new.pem"))
  }

  @Test("counts connections from before a certificate renewal toward the connection limit")
  func connectionsAfterRenewal() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    try folder.tool(
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "cert.key", "-out",
      "cert.pem", "-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1")
    let server = try TestServer(
      folder, "--tls-cert", "cert.pem", "--tls-key", "cert.key", "--connections", "4")
    var open = try (0..<4).map { _ in try server.connect() }
    defer { for connection in open { close(connection) } }
    server.child.signal(SIGHUP)
    try server.child.wait(for: "the certificate") {
      String(decoding: $0.errorBytes, as: UTF8.self).contains("The certificate was read again.")
    }
    let get = ["curl", "-sS", "--cacert", "cert.pem"]
    #expect(throws: (any Error).self) {
      try folder.tool(arguments: get + ["\(server.address)/v1/health"])
    }
    for connection in open { close(connection) }
    open = []
    try folder.tool(
      arguments: get + [
        "--retry", "60", "--retry-delay", "1", "--retry-all-errors", "\(server.address)/v1/health",
      ])
    #expect(try server.stop().status == 0)
  }

  @Test("keeps serving after SIGHUP unless the terminal of the server was closed")
  func hangUp() throws {
    let server = try serve()
    server.child.signal(SIGHUP)
    try server.child.wait(for: "a message") {
      String(decoding: $0.errorBytes, as: UTF8.self).contains("There is no certificate")
    }
    #expect(try server.request("/health").status == 200)
    #expect(try server.stop().status == 0)
    let child = try server.folder.program.start(
      ["serve", "--listen", "127.0.0.1:0"], errors: .terminal)
    try child.wait(for: "an address") { $0.errorBytes.contains(UInt8(ascii: "\n")) }
    child.signal(SIGHUP)
    #expect(try child.finish().status == 143)
  }

  @Test("counts commands by exit status in /metrics, and logs commands and calls of server methods")
  func commandLog() throws {
    let folder = try TestFolder()
    try folder.saveShop()
    try folder.tool("mkdir", "-m", "755", "methods")
    try folder.write("methods/hello", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n")
    try folder.tool("chmod", "755", "methods/hello")
    let server = try TestServer(folder, "--log", "text", "--methods", "methods")
    let client = try TestFolder(store: server.address)
    try client.run("list", "note", "-o", "ids").exits(0)
    try client.run("save", "note", "x", "title=x").exits(4)
    try client.run("list", "none").exits(3)
    try client.prepare("login", "-u", "root", "--password-stdin", input: .text("canary99\n"))
    try client.run("save", "note", "--infer", "--skip-invalid", input: .text("{")).fails()
    try client.run("call", "hello").exits(0)
    let metrics = try server.request("/metrics", token: try server.logIn("root")).body
    for line in [#"{command="list",exit="0"} 1"#, #"{command="list",exit="3"} 1"#] {
      #expect(metrics.contains("datactl_commands_total\(line)\n"), "\(metrics)")
    }
    let log = try server.stop().exits(0).errors
    #expect(log.contains(#/POST /v1/commands/save 200 [^\n]* exit=4\n/#), "\(log)")
    #expect(log.contains(#/POST /v1/commands/list 200 [^\n]* schema=note exit=0\n/#), "\(log)")
    #expect(log.contains(#/POST /v1/commands/list 200 [^\n=]* exit=3\n/#), "\(log)")
    #expect(log.contains(#/ root GET /v1/methods/hello 200 [^\n=]*\n/#), "\(log)")
  }

  @Test("does not reveal the address of a database that the server cannot reach", .tags(.postgres))
  func unreachableStore() throws {
    let (folder, database) = try TestFolder.onPostgres()
    try folder.saveShop()
    let server = try TestServer(folder, "--log", "text")
    try PostgresServer.shared.get().drop(database)
    let health = try server.request("/health")
    #expect(health.status == 503 && !health.body.contains(database), "\(health.report)")
    let client = try TestFolder(store: server.address)
    let run = try client.run("list", "note").exits(7)
    #expect(!run.errors.contains(database), "\(run.report)")
    for text in [health.body, run.errors] {
      #expect(text.contains("the log of the server has the details of request"), "\(text)")
    }
    let log = try server.stop().exits(0).errors
    #expect(log.contains(": postgres:") && log.contains(database), "\(log)")
  }

  @Test("copies a store with the command in `help stores` while the server uses the store")
  func backup() throws {
    let server = try serve()
    let help = try server.folder.prepare("help", "stores").output
    let line = try #require(
      help.firstMatch(of: /\$ (datactl backup copy.db --store shop.db --verify)\n/)
    ).1
    #expect(try server.request("POST", "/records/todo", body: #"{"title":"new"}"#).status == 201)
    try server.folder.shell(String(line)).exits(0)
    for store in ["shop.db", "copy.db"] {
      try server.folder.run("list", "todo", "--count", "--store", store).exits(0).prints("4\n")
      // In another mode, a command that reads the store blocks the command that it is piped into.
      try server.folder.tool("sqlite3", store, "pragma journal_mode").prints("wal\n")
    }
    #expect(try TestFolder.permissions(server.folder.path("copy.db")) == 0o600)
  }

  @Test(
    "copies a PostgreSQL store with the commands in `help stores` while the server uses the store",
    .tags(.postgres))
  func databaseBackup() throws {
    let (folder, database) = try TestFolder.onPostgres()
    let copy = try TestFolder.onPostgres()
    defer {
      for name in [database, copy.database] { try? PostgresServer.shared.get().drop(name) }
    }
    try folder.saveTodos()
    try folder.prepare("schema", "apply", "-", input: .text(ScenarioTests.openTodo))
    let server = try TestServer(folder)
    #expect(try server.request("POST", "/records/todo", body: #"{"title":"new"}"#).status == 201)
    let help = try folder.prepare("help", "stores").output
    let lines = help.matches(of: /\$ ((\(umask 077; pg_dump|pg_restore) .*)/).map { String($0.1) }
    #expect(lines.count == 2)
    for line in lines {
      let words = line.replacing("postgres://db.example/shop", with: folder.address)
        .replacing("postgres://db.example/copy", with: copy.folder.address)
      try folder.shell(words).exits(0)
    }
    try folder.run("list", "todo", "--count", "--store", copy.folder.address).exits(0)
      .prints("4\n")
  }
}
