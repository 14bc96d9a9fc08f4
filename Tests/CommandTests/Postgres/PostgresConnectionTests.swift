import Foundation
import PostgresHarness
import ProgramHarness
import Testing

@Suite("Connecting to a PostgreSQL server", .serialized)
struct PostgresConnectionTests {
  private let server: PostgresServer
  private let folder: TestFolder
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    (folder, database) = try TestFolder.onPostgres()
  }

  /// The directory of the server's socket, encoded for use as the host of an address.
  private var host: String {
    URL(filePath: server.socket).deletingLastPathComponent().path.replacing("/", with: "%2F")
  }

  @Test(
    "stops connecting after the connect_timeout of the address, environment or service file")
  func connectTimeout() throws {
    let silent = try SilentServer()
    defer { silent.close() }
    let address = "postgres://tester@\(silent.host)/x"
    try folder.run("list", "todo", "--store", address + "?connect_timeout=1").exits(7)
      .reports(
        "the server does not respond", "to wait longer, set connect_timeout=SECONDS in the address")
    let program = folder.program.with(["PGCONNECT_TIMEOUT": "1"])
    try program.run(["list", "todo", "--store", address]).exits(7)
      .reports("the server does not respond")
    try folder.write(
      "services",
      "[mute]\nhost=\(silent.host.replacing("%2F", with: "/"))\n"
        + "connect_timeout=1\n")
    try folder.program.with(["PGSERVICEFILE": folder.path("services")])
      .run(["list", "todo", "--store", "postgres://?service=mute"]).exits(7)
      .reports("the server does not respond")
    try folder.run("list", "todo", "--store", address + "?connect_timeout=abc").exits(2)
      .reports("connect_timeout: expected a whole number of seconds, found \"abc\"")
  }

  @Test("tries the next host when a host does not respond")
  func severalHosts() throws {
    try folder.saveTodos()
    let silent = try SilentServer()
    defer { silent.close() }
    for hosts in ["\(silent.host),\(host)", "%2Fnowhere,\(silent.host),\(silent.host),\(host)"] {
      let address = "postgres://tester@\(hosts)/\(database)?connect_timeout=1"
      try folder.run("list", "todo", "--count", "--store", address).exits(0).prints("3\n")
    }
  }

  @Test("waits until connect_timeout for a server that is starting up")
  func startingUp() throws {
    try folder.saveTodos()
    let starting = try StartingServer(becoming: server, rejecting: 3)
    defer { starting.close() }
    try folder.run(
      "list", "todo", "--count", "--store", "postgres://tester@\(starting.host)/\(database)"
    )
    .exits(0).prints("3\n").reportsNothing()
    let neverReady = try StartingServer(becoming: server, rejecting: 1_000)
    defer { neverReady.close() }
    try folder.run(
      "list", "todo", "--store",
      "postgres://tester@\(neverReady.host)/\(database)?connect_timeout=1"
    ).exits(7).reports("the server is not ready: the database system is starting up")
  }

  @Test("hides the password in errors, however the address is written")
  func passwords() throws {
    for password in ["ge?heim", "ge@heim", "ge/heim", "ge@x/heim", "ge/heim@x", "ge%heim"] {
      let address = server.address(database, user: "locked:\(password)")
      let run = try folder.run("list", "todo", "--count", "-v", "--store", address).fails()
        .reports("locked:***@\(host)")
      #expect(!run.errors.contains("heim") && !run.errors.contains("ge@"), "\(run.report)")
    }
    for address in [
      " " + server.address(database, user: "locked:geheim"), "postgres:/locked:geheim@x/y",
      "host=x password=geheim", server.address(database, user: "locked") + "?pass%77ord=geheim",
    ] {
      let run = try folder.run("list", "todo", "-v", "--store", address).fails()
      #expect(!run.errors.contains("geheim"), "\(run.report)")
    }
  }

  @Test("ignores a password file that other users can read, and names the file if login fails")
  func exposedPasswords() throws {
    let file = "\(folder.root)/home/.pgpass"
    try "*:*:*:*:right".write(toFile: file, atomically: true, encoding: .utf8)
    let address = server.address(database, user: "locked")
    for permissions in ["644", "640"] {
      try folder.tool("chmod", permissions, file)
      try folder.run("list", "todo", "--count").exits(7).reports("there is no such store")
      #expect(!(try folder.run("list", "todo").errors.contains("WARNING")))
      let run = try folder.run("list", "todo", "--errors", "json", "--store", address).exits(7)
        .reports("\(file) was ignored, since other users can read it: run chmod 600 \(file)")
      #expect(run.errorLines.count == 1)
    }
    try folder.tool("chmod", "600", file)
    try folder.run("list", "todo", "--store", address).exits(7)
      .reports("there is no such store")
  }

  @Test("reports the cause of a failed connection with a hint")
  func hints() throws {
    let cases = [
      (server.address("not_there"), "there is no such database", "createdb"),
      (
        server.address(database, user: "unknown"), "role \"unknown\" does not exist",
        "set the user with postgres://USER@HOST"
      ),
      ("postgres://%2Fnowhere/x", "No such file or directory", "start the server"),
      ("postgres://127.0.0.1:1/x", "Connection refused", "correct the host and port"),
      ("postgres://h.invalid/x", "could not translate host name", "check the host name"),
      ("postgres://?service=none", "definition of service \"none\" not found", "PGSERVICEFILE"),
      (
        server.address(database) + "?target_session_attrs=standby",
        "server is not in hot standby mode", "target_session_attrs"
      ),
    ]
    for (address, message, hint) in cases {
      let run = try folder.run("list", "todo", "--store", address).exits(7).reports(message, hint)
      #expect(!run.errors.contains("\\u0009") && !run.errors.contains("LOCATION"), "\(run.report)")
    }
    for (address, message, hint) in [
      (
        server.address(database) + "?sslmod=require", "invalid URI query parameter: \"sslmod\"",
        "write postgres://"
      ),
      (
        server.address(database) + "?sslmode=requier", "invalid sslmode value: \"requier\"",
        "verify-ca or verify-full"
      ),
      ("postgres://127.0.0.1:99999/x", "invalid port number: \"99999\"", "from 1 to 65535"),
      ("postgres://127.0.0.1/x?port=abc", "invalid integer value \"abc\"", "a whole number"),
    ] {
      try folder.run("list", "todo", "--store", address).exits(2).reports(message, hint)
    }
    try server.run("create role few login connection limit 0")
    defer { _ = try? server.run("drop role few") }
    try folder.run("list", "todo", "--store", server.address(database, user: "few")).exits(7)
      .reports("too many connections for role \"few\"", "when the load is lower")
  }

  @Test("does not suggest a retry when the database does not allow connections")
  func closed() throws {
    let closed = try server.newDatabase()
    defer { _ = try? server.drop(closed) }
    try server.run("alter database \(closed) allow_connections false")
    for arguments in [["list", "todo"], ["save", "todo", "title=x"]] {
      let run = try folder.program.run(arguments + ["--store", server.address(closed)]).exits(7)
        .reports("cannot be reached: database \"\(closed)\" is not currently accepting connections")
      #expect(!run.errors.contains("run the command again"), "\(run.report)")
    }
  }

  @Test("reports unsupported pgbouncer settings with a hint")
  func pgbouncer() throws {
    try folder.saveTodos()
    let bouncer = try PgBouncer(to: server, mode: "statement")
    defer { bouncer.stop() }
    try folder.run("list", "todo", "--store", bouncer.address("not_there")).exits(7)
      .reports("cannot be reached: ", "not_there", "createdb")
    let address = bouncer.address(database)
    try folder.run("list", "todo", "--store", address + "?options=-cwork_mem%3D8MB").exits(7)
      .reports("unsupported startup parameter", "set it for the user or the database")
    try folder.run("save", "todo", "title=x", "--store", address).exits(7).printsNothing().reports(
      "the connection to the server was lost: transaction blocks not allowed in statement pooling",
      "set pool_mode of pgbouncer to transaction or session")
    #expect(try folder.todoCount == 3)
  }

  @Test("finds the saved login session, however the database's address is written")
  func sessions() throws {
    try folder.prepare("schema", "create", "user", "--user")
    try folder.prepare(
      "save", "user", input: .text(#"{"username":"ann","password":"secret word"}"#))
    let environment = ["PGHOST": host.replacing("%2F", with: "/"), "PGUSER": "tester"]
    let program = folder.program.with(environment.merging(["PGDATABASE": database]) { $1 })
    try program.run(
      ["login", "-u", "ann", "--password-stdin", "--store", "postgres://"],
      input: .text("secret word\n")
    ).exits(0)
    try program.run(["whoami", "--store", "postgres://"]).exits(0).printsSomething()
    for user in ["tester", "tester:any"] {
      try folder.run("whoami", "--store", server.address(database, user: user)).exits(0)
        .printsSomething()
    }
    let other = try server.newDatabase()
    try folder.prepare("schema", "create", "user", "--user", "--store", server.address(other))
    let elsewhere = folder.program.with(environment.merging(["PGDATABASE": other]) { $1 })
    try elsewhere.run(["whoami", "--store", "postgres://"]).fails().printsNothing()
    try server.drop(other)
  }
}
