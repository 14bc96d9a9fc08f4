import Foundation
import PostgresHarness
import ProgramHarness
import Testing

@Suite("Failures between datactl and PostgreSQL", .serialized)
struct PostgresFailureTests {
  private let server: PostgresServer
  private let folder: TestFolder
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    (folder, database) = try TestFolder.onPostgres()
  }

  @Test("saves nothing when the connection is lost before the commit")
  func cutBeforeCommit() throws {
    try folder.createTodoSchema()
    let proxy = try CuttingProxy(to: server, cutting: .before("\0commit\0"))
    defer { proxy.close() }
    try folder.run("save", "todo", "title=tea", "--store", proxy.address(database)).exits(7)
      .printsNothing().reports("the connection to the server was lost", "nothing was changed")
    #expect(proxy.hasCut)
    #expect(try folder.todoCount == 0)
  }

  @Test("reports success when the connection is lost after the server has committed")
  func cutAfterCommit() throws {
    try folder.createTodoSchema()
    let proxy = try CuttingProxy(to: server, cutting: .after("\0commit\0"))
    defer { proxy.close() }
    try folder.run("save", "todo", "title=tea", "--store", proxy.address(database)).exits(0)
      .printsSomething().reports("1 saved: 1 new")
    #expect(proxy.hasCut)
    #expect(try folder.todoCount == 1)
  }

  @Test("waits for the server to finish a commit when the connection is lost during the commit")
  func cutDuringCommit() throws {
    try folder.createTodoSchema()
    try delayCommits(of: "todo")
    let proxy = try CuttingProxy(to: server, cutting: .during("\0commit\0"))
    defer { proxy.close() }
    try folder.run("save", "todo", "title=tea", "--store", proxy.address(database)).exits(0)
      .printsSomething().reports("1 saved: 1 new")
    #expect(proxy.hasCut)
    #expect(try folder.todoCount == 1)
  }

  @Test(
    "lets no other command change what a batch has checked until the batch has committed",
    arguments: [
      (#"{"check": "todo", "where": "done = true", "count": 0}"#, ["title=tea", "done=true"]),
      (#"{"check": "todo", "id": "a", "where": "done = false"}"#, ["a", "done=true"]),
    ])
  func lockedCheck(check: String, change: [String]) throws {
    try folder.createTodoSchema()
    try folder.prepare("schema", "create", "log", "text:text")
    try folder.prepare("save", "todo", "a", "title=A", "done=false", "-o", "none")
    try delayCommits(of: "log")
    let batch = try folder.program.start(
      ["batch"],
      input: .text(check + "\n" + #"{"save": "log", "record": {"text": "checked"}}"#))
    let query = """
      select count(*) from pg_stat_activity where datname = '\(database)' \
      and application_name = 'datactl' and query = 'commit' and state = 'active'
      """
    let deadline = ContinuousClock.now + .seconds(60)
    while try server.run(query) == "0", ContinuousClock.now < deadline {
      try batch.run(for: .milliseconds(5))
    }
    let save = ["save", "todo"] + change + ["-o", "none"]
    try folder.program.run(save + ["--wait", "0"]).exits(7).reports("conflict")
    try batch.finish().exits(0)
    try folder.program.run(save).exits(0)
  }

  @Test("saves nothing when the server terminates the connection during a save")
  func killedLoad() throws {
    try folder.createTodoSchema()
    let load = try folder.program.start(
      ["save", "todo", "-o", "none"], input: .bytes(TestFolder.todos(300_000)))
    let countQuery = """
      select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '\(database)' \
      and application_name = 'datactl' and query like 'copy%'
      """
    let deadline = ContinuousClock.now + .seconds(60)
    while try server.run(countQuery) == "0", ContinuousClock.now < deadline {
      try load.run(for: .milliseconds(5))
    }
    try load.finish().exits(7).printsNothing().reports("the connection to the server was lost")
    #expect(try folder.todoCount == 0)
  }

  @Test("retries the save when the commit fails with a serialization failure")
  func conflictsAtCommit() throws {
    try folder.createTodoSchema()
    try failCommits(until: 4)
    try folder.run("save", "todo", "a", "title=tea", "priority+=1").exits(0)
      .reports("1 saved: 1 new")
    #expect(try folder.prepare("get", "todo", "a").output.contains("\"priority\":1,"))
    #expect(try server.run("select last_value from tries", in: database) == "4")
  }

  @Test("stops retrying after the time given with --wait when conflicts persist")
  func persistentConflicts() throws {
    try folder.createTodoSchema()
    try failCommits(until: 1_000_000)
    try folder.run("save", "todo", "title=tea", "--wait", "1").exits(7).printsNothing()
      .reports("conflict with concurrent writers")
    #expect(try folder.todoCount == 0)
  }

  @Test("rejects a wrong password without printing it")
  func wrongPassword() throws {
    let address = server.address(database, user: "locked:wr0ng-secret")
    let run = try folder.run("list", "todo", "--store", address).exits(7)
      .reports("rejected the user name or the password", "locked:***@")
    #expect(!run.errors.contains("wr0ng-secret"))
    let right = server.address(database, user: "locked:right")
    try folder.run("list", "todo", "--store", right).exits(7).reports("there is no such store")
  }

  @Test("rejects a server that is too old and prints its version", arguments: ["9.6.24", "12.22"])
  func tooOld(_ version: String) throws {
    let old = try ScriptedServer(version: version)
    defer { old.close() }
    let number = version.prefix { $0 != "." }
    for arguments in [["list", "todo"], ["save", "todo", "title=tea"]] {
      try folder.program.run(arguments + ["--store", old.address]).exits(7).printsNothing()
        .reports("PostgreSQL \(number) is too old", "PostgreSQL 13 or newer")
    }
  }

  @Test("saves nothing when the server's disk is full during the save", arguments: [1, 50, 20_000])
  func fullDisk(_ count: Int) throws {
    try folder.createTodoSchema()
    try server.withFullDisk(whenGrowing: "datactl.todo", in: database) {
      try folder.run("save", "todo", input: .bytes(TestFolder.todos(count))).exits(7)
        .printsNothing()
        .reports("the server's disk is full", "nothing was changed")
      #expect(try folder.todoCount == 0)
    }
    try folder.run("save", "todo", "-o", "none", input: .bytes(TestFolder.todos(count))).exits(0)
      .reports("new")
    #expect(try folder.todoCount == count)
  }

  @Test("saves nothing when the server's disk is full at the commit")
  func fullDiskAtCommit() throws {
    try folder.createTodoSchema()
    try failCommits(until: 1_000_000, with: "53100")
    try folder.run("save", "todo", "title=tea").exits(7).printsNothing()
      .reports("the server's disk is full", "nothing was changed")
    #expect(try folder.todoCount == 0)
    #expect(try server.run("select last_value from tries", in: database) == "1")
  }

  @Test("loads libpq only for PostgreSQL, and reports why libpq cannot be loaded")
  func unusableLibrary() throws {
    try folder.write("libpq.so.5", "no library")
    let line = "LD_LIBRARY_PATH=\"$PWD\" datactl list todo"
    try folder.shell(line).exits(7).printsNothing()
      .reports("stores on PostgreSQL require libpq, which cannot be loaded", "libpq.so.5")
    try folder.shell("LD_LIBRARY_PATH=\"$PWD\" datactl list todo --store sqlite:none.db").exits(7)
      .reports("there is no such store")
  }

  @Test("reports why a connection fails: unreachable server, missing database or invalid address")
  func unreachable() throws {
    try folder.run("list", "todo", "--store", "postgres://%2Fnowhere/x").exits(7)
      .reports("cannot be reached")
    try folder.run("list", "todo", "--store", server.address("not_there")).exits(7)
      .reports("not_there")
    try folder.run("list", "todo", "--store", "postgres://%zz/x").exits(2)
      .reports("not an address that libpq understands")
  }

  @Test("connects with a libpq service file, a password file or a list of hosts")
  func libpqFeatures() throws {
    let directory = URL(filePath: server.socket).deletingLastPathComponent().path
    try folder.write("services", "[shop]\nhost=\(directory)\nuser=locked\ndbname=\(database)\n")
    try folder.write("pass", "*:*:*:locked:right\n")
    try folder.tool("chmod", "600", "pass")
    let program = folder.program.with([
      "PGSERVICEFILE": folder.path("services"), "PGPASSFILE": folder.path("pass"),
    ])
    let several = server.address(database).replacing("@", with: "@%2Fnowhere,")
    for address in ["postgres://?service=shop", several] {
      try program.run(["list", "todo", "--store", address]).exits(7)
        .reports("there is no such store")
    }
    try folder.run("list", "todo", "--store", "postgres://?service=shop").exits(7)
      .reports("cannot be reached")
  }

  @Test(
    "cancels the statement on the server when interrupted",
    arguments: [
      ("insert", "save todo title=tea", "interrupted: nothing was saved"),
      ("delete", "delete todo old", "interrupted: nothing was deleted"),
      ("delete", "delete todo --all --yes", "interrupted: nothing was deleted"),
    ])
  func interrupted(event: String, line: String, expected: String) throws {
    try folder.createTodoSchema()
    try folder.prepare("save", "todo", "old", "title=old", "-o", "none")
    try server.run(
      """
      create function pause() returns trigger language plpgsql as $$ begin perform pg_sleep(30); \
      return new; end $$; create trigger pause before \(event) on datactl.todo for each row \
      execute function pause()
      """, in: database)
    let command = try folder.program.start(line.split(separator: " ").map(String.init))
    let countQuery = """
      select count(*) from pg_stat_activity where datname = '\(database)' \
      and application_name = 'datactl' and state = 'active'
      """
    let deadline = ContinuousClock.now + .seconds(60)
    while try server.run(countQuery) == "0", ContinuousClock.now < deadline {
      try command.run(for: .milliseconds(5))
    }
    // A further command waits for the lock that the statement has.
    let drop = try folder.program.start(["schema", "drop", "todo", "--allow-loss", "todo"])
    let waitQuery = "select count(*) from pg_locks where not granted"
    while try server.run(waitQuery, in: database) == "0", ContinuousClock.now < deadline {
      try drop.run(for: .milliseconds(5))
    }
    drop.signal(15)
    try drop.finish().exits(143).reports("interrupted: nothing was changed")
    command.signal(2)
    try command.finish().exits(130).printsNothing().reports(expected)
    while try server.run(countQuery) != "0", ContinuousClock.now < deadline { usleep(10_000) }
    #expect(try folder.todoCount == 1)
  }

  /// Creates a trigger that makes a commit take a second after records of a schema were added.
  private func delayCommits(of schema: String) throws {
    try server.run(
      """
      create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(1); \
      return null; end $$; create constraint trigger wait after insert on datactl.\(schema) \
      deferrable initially deferred for each row execute function wait()
      """, in: database)
  }

  /// Creates a trigger that makes commits fail, up to the given attempt. The default error is a
  /// serialization failure.
  private func failCommits(until number: Int, with state: String = "40001") throws {
    try server.run(
      """
      create sequence tries; create function refuse() returns trigger language plpgsql as $$ begin \
      if nextval('tries') < \(number) then raise exception 'in the way' using errcode = '\(state)'; \
      end if; return null; end $$; create constraint trigger refuse after insert or update \
      on datactl.todo deferrable initially deferred for each row execute function refuse()
      """, in: database)
  }
}
