import Foundation
import PostgresHarness
import ProgramHarness
import Testing

@Suite("Connecting to a PostgreSQL server", .serialized)
struct PostgresReachingTests {
  private let server: PostgresServer
  private let place: Place
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    (place, database) = try Place.onPostgres()
  }

  /// The server's folder as the host part of addresses.
  private var host: String {
    URL(filePath: server.socket).deletingLastPathComponent().path.replacing("/", with: "%2F")
  }

  @Test("gives up after connect_timeout, wherever it is set")
  func silence() throws {
    let mute = try SilentServer()
    defer { mute.close() }
    let address = "postgres://tester@\(mute.host)/x"
    try place.run("list", "todo", "--store", address + "?connect_timeout=1").exits(7)
      .says(
        "the server does not answer", "to wait longer, set connect_timeout=SECONDS in the address")
    let program = place.program.with(["PGCONNECT_TIMEOUT": "1"])
    try program.run(["list", "todo", "--store", address]).exits(7)
      .says("the server does not answer")
    try place.write(
      "services",
      "[mute]\nhost=\(mute.host.replacing("%2F", with: "/"))\n"
        + "connect_timeout=1\n")
    try place.program.with(["PGSERVICEFILE": place.path("services")])
      .run(["list", "todo", "--store", "postgres://?service=mute"]).exits(7)
      .says("the server does not answer")
    try place.run("list", "todo", "--store", address + "?connect_timeout=abc").exits(2)
      .says("connect_timeout: expected a whole number of seconds, found \"abc\"")
  }

  @Test("skips a host that does not respond")
  func severalHosts() throws {
    try place.keepTodos()
    let mute = try SilentServer()
    defer { mute.close() }
    for hosts in ["\(mute.host),\(host)", "%2Fnowhere,\(mute.host),\(mute.host),\(host)"] {
      let address = "postgres://tester@\(hosts)/\(database)?connect_timeout=1"
      try place.run("list", "todo", "--count", "--store", address).exits(0).prints("3\n")
    }
  }

  @Test("waits until connect_timeout for a server that is starting up")
  func startingUp() throws {
    try place.keepTodos()
    let soon = try StartingServer(before: server, refusing: 3)
    defer { soon.close() }
    try place.run(
      "list", "todo", "--count", "--store", "postgres://tester@\(soon.host)/\(database)"
    )
    .exits(0).prints("3\n").saysNothing()
    let never = try StartingServer(before: server, refusing: 1_000)
    defer { never.close() }
    try place.run(
      "list", "todo", "--store", "postgres://tester@\(never.host)/\(database)?connect_timeout=1"
    ).exits(7).says("the server is not ready: the database system is starting up")
  }

  @Test("hides passwords in addresses of any spelling")
  func passwords() throws {
    for password in ["ge?heim", "ge@heim", "ge/heim", "ge@x/heim", "ge/heim@x", "ge%heim"] {
      let address = server.address(database, user: "locked:\(password)")
      let run = try place.run("list", "todo", "--count", "-v", "--store", address).fails()
        .says("locked:***@\(host)")
      #expect(!run.errors.contains("heim") && !run.errors.contains("ge@"), "\(run.report)")
    }
    for address in [
      " " + server.address(database, user: "locked:geheim"), "postgres:/locked:geheim@x/y",
      "host=x password=geheim", server.address(database, user: "locked") + "?pass%77ord=geheim",
    ] {
      let run = try place.run("list", "todo", "-v", "--store", address).fails()
      #expect(!run.errors.contains("geheim"), "\(run.report)")
    }
  }

  @Test("ignores a password file that others can read, and reports it on failure")
  func exposedPasswords() throws {
    let file = "\(place.outside)/home/.pgpass"
    try "*:*:*:*:right".write(toFile: file, atomically: true, encoding: .utf8)
    try place.tool("chmod", "644", file)
    try place.run("list", "todo", "--count").exits(7).says("there is no such store")
    #expect(!(try place.run("list", "todo").errors.contains("WARNING")))
    let address = server.address(database, user: "locked")
    let run = try place.run("list", "todo", "--errors", "json", "--store", address).exits(7)
      .says("\(file) was ignored, since others can read it: chmod 600 \(file)")
    #expect(run.errorLines.count == 1)
    try place.tool("chmod", "600", file)
    try place.run("list", "todo", "--store", address).exits(7)
      .says("there is no such store")
  }

  @Test("reports the cause of a failed connection with a hint")
  func hints() throws {
    let cases = [
      (server.address("not_there"), "there is no such database", "createdb"),
      (
        server.address(database, user: "nobody"), "role \"nobody\" does not exist",
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
    for (address, words, hint) in cases {
      let run = try place.run("list", "todo", "--store", address).exits(7).says(words, hint)
      #expect(!run.errors.contains("\\u0009") && !run.errors.contains("LOCATION"), "\(run.report)")
    }
    for (address, words, hint) in [
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
      try place.run("list", "todo", "--store", address).exits(2).says(words, hint)
    }
    try server.run("create role few login connection limit 0")
    defer { _ = try? server.run("drop role few") }
    try place.run("list", "todo", "--store", server.address(database, user: "few")).exits(7)
      .says("too many connections for role \"few\"", "when the load is lower")
  }

  @Test("does not suggest a retry when the database accepts no connections")
  func closed() throws {
    let closed = try server.newDatabase()
    defer { _ = try? server.drop(closed) }
    try server.run("alter database \(closed) allow_connections false")
    for words in [["list", "todo"], ["save", "todo", "title=x"]] {
      let run = try place.program.run(words + ["--store", server.address(closed)]).exits(7)
        .says("cannot be reached: database \"\(closed)\" is not currently accepting connections")
      #expect(!run.errors.contains("run the command again"), "\(run.report)")
    }
  }

  @Test("reports unsupported settings of pgbouncer with a hint")
  func pgbouncer() throws {
    try place.keepTodos()
    let bouncer = try PgBouncer(before: server, mode: "statement")
    defer { bouncer.stop() }
    try place.run("list", "todo", "--store", bouncer.address("not_there")).exits(7)
      .says("cannot be reached: ", "not_there", "createdb")
    let address = bouncer.address(database)
    try place.run("list", "todo", "--store", address + "?options=-cwork_mem%3D8MB").exits(7)
      .says("unsupported startup parameter", "set it for the user or the database")
    try place.run("save", "todo", "title=x", "--store", address).exits(7).printsNothing().says(
      "the connection to the server was lost: transaction blocks not allowed in statement pooling",
      "set pool_mode of pgbouncer to transaction or session")
    #expect(try place.todoCount == 3)
  }

  @Test("a session belongs to a database regardless of the address")
  func sessions() throws {
    try place.prepare("schema", "create", "user", "--user")
    try place.prepare(
      "save", "user", input: .text(#"{"username":"ann","password":"secret"}"#))
    let environment = ["PGHOST": host.replacing("%2F", with: "/"), "PGUSER": "tester"]
    let program = place.program.with(environment.merging(["PGDATABASE": database]) { $1 })
    try program.run(
      ["login", "-u", "ann", "--password-stdin", "--store", "postgres://"],
      input: .text("secret\n")
    ).exits(0)
    try program.run(["whoami", "--store", "postgres://"]).exits(0).printsSomething()
    for user in ["tester", "tester:any"] {
      try place.run("whoami", "--store", server.address(database, user: user)).exits(0)
        .printsSomething()
    }
    let other = try server.newDatabase()
    try place.prepare("schema", "create", "user", "--user", "--store", server.address(other))
    let elsewhere = place.program.with(environment.merging(["PGDATABASE": other]) { $1 })
    try elsewhere.run(["whoami", "--store", "postgres://"]).fails().printsNothing()
    try server.drop(other)
  }
}
