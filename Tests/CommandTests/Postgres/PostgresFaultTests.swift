import Foundation
import PostgresHarness
import ProgramHarness
import Testing

@Suite("Failures between datactl and PostgreSQL", .serialized)
struct PostgresFaultTests {
  private let server: PostgresServer
  private let place: Place
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    (place, database) = try Place.onPostgres()
  }

  @Test("nothing is saved when the connection is cut before the commit")
  func cutBeforeCommit() throws {
    try place.declareTodos()
    let proxy = try CuttingProxy(before: server, cutting: .before("\0commit\0"))
    defer { proxy.close() }
    try place.run("save", "todo", "title=tea", "--store", proxy.address(database)).exits(7)
      .printsNothing().says("the connection to the server was lost", "nothing was changed")
    #expect(proxy.hasCut)
    #expect(try place.todoCount == 0)
  }

  @Test("finds out that the save succeeded when the connection is cut after the commit")
  func cutBehindCommit() throws {
    try place.declareTodos()
    let proxy = try CuttingProxy(before: server, cutting: .behind("\0commit\0"))
    defer { proxy.close() }
    try place.run("save", "todo", "title=tea", "--store", proxy.address(database)).exits(0)
      .printsSomething().says("1 saved: 1 new")
    #expect(proxy.hasCut)
    #expect(try place.todoCount == 1)
  }

  @Test("nothing is saved when the server terminates the connection during a load")
  func killedLoad() throws {
    try place.declareTodos()
    let load = try place.program.start(
      ["save", "todo", "-o", "none"], input: .bytes(Place.todos(300_000)))
    let asking = """
      select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '\(database)' \
      and application_name = 'datactl' and query like 'copy%'
      """
    let deadline = ContinuousClock.now + .seconds(60)
    while try server.run(asking) == "0", ContinuousClock.now < deadline {
      try load.run(for: .milliseconds(5))
    }
    try load.finish().exits(7).printsNothing().says("the connection to the server was lost")
    #expect(try place.todoCount == 0)
  }

  @Test("retries when the commit fails with a serialization failure")
  func conflictsAtCommit() throws {
    try place.declareTodos()
    try refuseCommits(until: 4)
    try place.run("save", "todo", "a", "title=tea", "priority+=1").exits(0)
      .says("1 saved: 1 new")
    #expect(try place.prepare("get", "todo", "a").output.contains("\"priority\":1,"))
    #expect(try server.run("select last_value from tries", in: database) == "4")
  }

  @Test("gives up after the wait time when conflicts persist")
  func conflictsForGood() throws {
    try place.declareTodos()
    try refuseCommits(until: 1_000_000)
    try place.run("save", "todo", "title=tea", "--wait", "1").exits(7).printsNothing()
      .says("conflict with concurrent writers")
    #expect(try place.todoCount == 0)
  }

  @Test("rejects a wrong password without printing it")
  func wrongPassword() throws {
    let address = server.address(database, user: "locked:wr0ng-secret")
    let run = try place.run("list", "todo", "--store", address).exits(7)
      .says("rejects the user or the password", "locked:***@")
    #expect(!run.errors.contains("wr0ng-secret"))
    let right = server.address(database, user: "locked:right")
    try place.run("list", "todo", "--store", right).exits(7).says("there is no such store")
  }

  @Test("rejects a server that is too old and prints its version", arguments: ["9.6.24", "12.22"])
  func tooOld(_ version: String) throws {
    let old = try ScriptedServer(version: version)
    defer { old.close() }
    let number = version.prefix { $0 != "." }
    for words in [["list", "todo"], ["save", "todo", "title=tea"]] {
      try place.program.run(words + ["--store", old.address]).exits(7).printsNothing()
        .says("PostgreSQL \(number) is too old", "PostgreSQL 13 or newer")
    }
  }

  @Test("nothing is saved when the disk is full during the save", arguments: [1, 50, 20_000])
  func fullDisk(_ count: Int) throws {
    try place.declareTodos()
    try server.filling(under: "datactl.todo", in: database) {
      try place.run("save", "todo", input: .bytes(Place.todos(count))).exits(7).printsNothing()
        .says("the server's disk is full", "nothing was changed")
      #expect(try place.todoCount == 0)
    }
    try place.run("save", "todo", "-o", "none", input: .bytes(Place.todos(count))).exits(0)
      .says("new")
    #expect(try place.todoCount == count)
  }

  @Test("nothing is saved when the disk is full at the commit")
  func fullDiskAtCommit() throws {
    try place.declareTodos()
    try refuseCommits(until: 1_000_000, with: "53100")
    try place.run("save", "todo", "title=tea").exits(7).printsNothing()
      .says("the server's disk is full", "nothing was changed")
    #expect(try place.todoCount == 0)
    #expect(try server.run("select last_value from tries", in: database) == "1")
  }

  @Test("names the package to install when libpq is missing")
  func withoutLibrary() throws {
    try place.write("libpq.so.5", "no library")
    let line = "LD_LIBRARY_PATH=\"$PWD\" datactl list todo"
    try place.shell(line).exits(7).printsNothing()
      .says("stores on PostgreSQL need libpq: install the package libpq5")
    try place.shell("LD_LIBRARY_PATH=\"$PWD\" datactl list todo --store sqlite:none.db").exits(7)
      .says("there is no such store")
  }

  @Test("reports an unreachable server, a missing database and an invalid address")
  func unreachable() throws {
    try place.run("list", "todo", "--store", "postgres://%2Fnowhere/x").exits(7)
      .says("cannot be reached")
    try place.run("list", "todo", "--store", server.address("not_there")).exits(7)
      .says("not_there")
    try place.run("list", "todo", "--store", "postgres://%zz/x").exits(2)
      .says("not an address that libpq understands")
  }

  @Test("supports services, password files and multiple hosts of libpq")
  func libraryOwn() throws {
    let folder = URL(filePath: server.socket).deletingLastPathComponent().path
    try place.write("services", "[shop]\nhost=\(folder)\nuser=locked\ndbname=\(database)\n")
    try place.write("pass", "*:*:*:locked:right\n")
    try place.tool("chmod", "600", "pass")
    let program = place.program.with([
      "PGSERVICEFILE": place.path("services"), "PGPASSFILE": place.path("pass"),
    ])
    let several = server.address(database).replacing("@", with: "@%2Fnowhere,")
    for address in ["postgres://?service=shop", several] {
      try program.run(["list", "todo", "--store", address]).exits(7)
        .says("there is no such store")
    }
    try place.run("list", "todo", "--store", "postgres://?service=shop").exits(7)
      .says("cannot be reached")
  }

  @Test("cancels the statement on the server when interrupted during a load")
  func interrupted() throws {
    try place.declareTodos()
    try server.run("create table held (x int)", in: database)
    try server.run(
      """
      create function pause() returns trigger language plpgsql as $$ begin perform pg_sleep(30); \
      return new; end $$; create trigger pause before insert on datactl.todo for each row \
      execute function pause()
      """, in: database)
    let save = try place.program.start(["save", "todo", "title=tea"])
    let asking = """
      select count(*) from pg_stat_activity where datname = '\(database)' \
      and application_name = 'datactl' and state = 'active'
      """
    let deadline = ContinuousClock.now + .seconds(60)
    while try server.run(asking) == "0", ContinuousClock.now < deadline {
      try save.run(for: .milliseconds(5))
    }
    save.signal(2)
    try save.finish().exits(130).printsNothing()
    while try server.run(asking) != "0", ContinuousClock.now < deadline { usleep(10_000) }
    #expect(try place.todoCount == 0)
  }

  /// Makes the first commits fail, by default with a serialization failure.
  private func refuseCommits(until number: Int, with state: String = "40001") throws {
    try server.run(
      """
      create sequence tries; create function refuse() returns trigger language plpgsql as $$ begin \
      if nextval('tries') < \(number) then raise exception 'in the way' using errcode = '\(state)'; \
      end if; return null; end $$; create constraint trigger refuse after insert or update \
      on datactl.todo deferrable initially deferred for each row execute function refuse()
      """, in: database)
  }
}
