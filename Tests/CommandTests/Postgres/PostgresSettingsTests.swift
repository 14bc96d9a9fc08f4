import Foundation
import PostgresHarness
import ProgramHarness
import Testing

/// Tests with settings that an administrator may change, and with database objects that datactl did
/// not create.
@Suite("Settings of a PostgreSQL server", .serialized)
struct PostgresSettingsTests {
  private let server: PostgresServer
  private let folder: TestFolder
  private let database: String

  init() throws {
    server = try PostgresServer.shared.get()
    (folder, database) = try TestFolder.onPostgres()
  }

  private func set(_ setting: String) throws {
    try server.run("alter database \(database) set \(setting)")
  }

  @Test("reports a statement that exceeds statement_timeout")
  func statementTimeout() throws {
    try folder.saveManyTodos(100_000)
    try set("statement_timeout = '5ms'")
    for (arguments, hint) in [
      (
        ["list", "todo", "--order", "title,-priority", "-o", "none"],
        "the printed output is incomplete"
      ),
      (["delete", "todo", "--all", "--yes"], "nothing was changed"),
    ] {
      try folder.program.run(arguments).exits(7).printsNothing().reports(
        "the server stopped the statement: canceling statement due to statement timeout",
        "\(hint); statement_timeout of the database or the user")
    }
  }

  @Test("reports a statement that was canceled by an administrator")
  func canceled() throws {
    try folder.createTodoSchema()
    try server.run(
      """
      create function pause() returns trigger language plpgsql as $$ begin perform pg_sleep(30); \
      return new; end $$; create trigger pause before insert on datactl.todo for each row \
      execute function pause()
      """, in: database)
    let save = try folder.program.start(["save", "todo", "title=tea"])
    let cancelQuery = """
      select count(pg_cancel_backend(pid)) from pg_stat_activity where datname = '\(database)' \
      and application_name = 'datactl' and wait_event = 'PgSleep'
      """
    let deadline = ContinuousClock.now + .seconds(60)
    while try server.run(cancelQuery) == "0", ContinuousClock.now < deadline {
      try save.run(for: .milliseconds(5))
    }
    try save.finish().exits(7).printsNothing()
      .reports("the server stopped the statement: canceling statement due to user request")
  }

  @Test("reports a read-only store, wherever default_transaction_read_only is set")
  func readOnly() throws {
    try folder.saveTodos()
    let address = server.address(database)
    let option = address + "?options=-cdefault_transaction_read_only%3Don"
    let commands = [
      ["save", "todo", "title=x"], ["delete", "todo", "a"], ["schema", "create", "foo", "a:text"],
      ["save", "todo", "a", "title=x", "--dry-run"],
    ]
    let program = folder.program.with(["PGOPTIONS": "-c default_transaction_read_only=on"])
    for arguments in commands {
      for (program, store) in [(folder.program, option), (program, address)] {
        let run = try program.run(arguments + ["--store", store]).exits(7).printsNothing().reports(
          "cannot be written: default_transaction_read_only is on",
          """
          look for this setting in the address, in PGOPTIONS, and in the settings of the user and \
          the database
          """)
        #expect(!run.errors.contains("standby"))
      }
    }
    try set("default_transaction_read_only = on")
    try folder.run("save", "todo", "title=x").exits(7).reports(
      "default_transaction_read_only is on")
    try folder.run("list", "todo", "--count").exits(0).prints("3\n")
  }

  @Test("reads from a standby server, but rejects a write because a standby is read-only")
  func standby() throws {
    let standalone = try PostgresServer.standalone()
    let folder = try TestFolder(store: standalone.address())
    try folder.saveTodos()
    try standalone.restartAsStandby()
    try folder.run("list", "todo", "--count").exits(0).prints("3\n")
    for arguments in [
      ["save", "todo", "title=x"], ["delete", "todo", "a", "--dry-run"],
      ["schema", "create", "foo", "a:text"],
    ] {
      let run = try folder.program.run(arguments).exits(7).printsNothing().reports(
        "cannot be written: the server is a standby", "target_session_attrs=primary")
      #expect(!run.errors.contains("PGOPTIONS"))
    }
  }

  @Test("turns synchronous_commit on when the database has turned it off")
  func synchronousCommit() throws {
    try folder.createTodoSchema()
    try server.run(
      """
      create function look() returns trigger language plpgsql as $$ begin \
      new.title = current_setting('synchronous_commit'); return new; end $$; \
      create trigger look before insert on datactl.todo for each row execute function look()
      """, in: database)
    for (setting, expected) in [
      ("off", "on"), ("local", "local"), ("remote_apply", "remote_apply"),
    ] {
      try set("synchronous_commit = \(setting)")
      try folder.prepare("save", "todo", setting, "title=x")
      try folder.run("get", "todo", setting, "--fields", "title")
        .prints("{\"todo_id\":\"\(setting)\",\"title\":\"\(expected)\"}\n")
    }
  }

  @Test("names idle_in_transaction_session_timeout when the server ends an idle transaction")
  func idleReader() throws {
    try folder.prepare("schema", "create", "owner", "name:text")
    try folder.prepare("save", "owner", "a", "name=ann")
    try folder.prepare("schema", "create", "todo", "title:text", "owner:owner")
    let todos = String(
      repeating: #"{"title":"a title of some length","owner":"a"}"# + "\n", count: 20_000)
    try folder.prepare("save", "todo", "-o", "none", input: .text(todos))
    try set("idle_in_transaction_session_timeout = '100ms'")
    // The reader of the pipe does not read until the server has terminated the session.
    let countCommand = try (server.shell("postgres") + ["-c", endedSessionsQuery]).map { word in
      "'\(word.replacing("'", with: "'\\''"))'"
    }.joined(separator: " ")
    let reader = """
      datactl list todo --expand owner |
        (while test "$(\(countCommand))" = 0; do :; done; cat >/dev/null); \
      exit ${PIPESTATUS[0]}
      """
    try folder.shell(reader).exits(7).reports(
      "the connection to the server was lost",
      "due to idle-in-transaction timeout",
      "idle_in_transaction_session_timeout of the server is too short")
  }

  @Test("reconnects when the server ends the idle session before any input arrives")
  func idleInput() throws {
    try folder.createTodoSchema()
    try set("idle_session_timeout = '100ms'")
    let save = try folder.program.start(["save", "todo"], input: .open)
    try wait(for: endedSessionsQuery, save)
    save.send("{\"title\":\"tea\"}\n")
    try save.run(for: .milliseconds(20))
    save.closeInput()
    try save.finish().exits(0).reports("1 saved: 1 new")
  }

  /// A query for the number of sessions that the server has terminated.
  private var endedSessionsQuery: String {
    "select sessions_fatal from pg_stat_database where datname = '\(database)'"
  }

  @Test("rejects a PostgreSQL schema with the store's name if datactl did not create the schema")
  func foreignNamespace() throws {
    try server.run("create schema datactl; create table datactl._meta (x int)", in: database)
    for arguments in [
      ["list", "todo"], ["schema", "create", "todo", "title:text"], ["schema", "list"],
    ] {
      try folder.program.run(arguments).exits(7).printsNothing().reports(
        "the namespace datactl was not created by datactl",
        "alter schema datactl rename to NEW_NAME")
    }
  }

  @Test("rejects a new schema when a table of another program has the same name")
  func foreignTable() throws {
    try folder.createTodoSchema()
    try server.run("create table datactl.item (x int)", in: database)
    try folder.run("schema", "create", "item", "title:text").exits(5).printsNothing().reports(
      "relation \"item\" already exists, and this table was not created by datactl",
      "use psql to rename the table, or to move it out of the namespace datactl")
  }

  @Test("names the column or table that another program has dropped")
  func missingParts() throws {
    try folder.saveTodos()
    try server.run("alter table datactl.todo drop column title", in: database)
    for arguments in [["list", "todo"], ["save", "todo", "title=x"], ["get", "todo", "a"]] {
      try folder.program.run(arguments).exits(7).printsNothing().reports(
        "the table todo has no column title", "restore the store from a backup")
    }
    try server.run("drop table datactl.todo", in: database)
    try folder.run("list", "todo").exits(7).reports("the table todo is missing")
  }

  @Test("retries a read when a field is renamed concurrently")
  func renamedMeanwhile() throws {
    try folder.prepare("schema", "create", "person", "name:text")
    try folder.prepare("schema", "create", "book", "title:text", "author:person")
    try folder.prepare("save", "person", "p", "name=Ann")
    try folder.prepare("save", "book", "b", "title=x", "author=p")
    try closeGate()
    let rename = try folder.program.start(["schema", "rename", "book.title", "name"])
    try wait(for: count("wait_event = 'PgSleep'"), rename)
    let arguments = ["get", "book", "b", "--expand", "author"]
    let get = try folder.program.start(arguments)
    try wait(for: count("wait_event_type = 'Lock'"), get)
    try server.run("insert into public.gate values (true)", in: database)
    try rename.finish().exits(0)
    let after = try folder.program.run(arguments).exits(0).output
    #expect(after.contains("\"name\":\"x\""))
    try get.finish().exits(0).prints(after)
  }

  @Test(
    "uses the ids from standard input again when a concurrent rename forces a retry",
    arguments: ["get book -", "get book - --expand author", "delete book -"])
  func idsKept(command: String) throws {
    try folder.prepare("schema", "create", "person", "name:text")
    try folder.prepare("schema", "create", "book", "title:text", "author:person")
    try folder.prepare("save", "book", "b", "title=x")
    try closeGate()
    let rename = try folder.program.start(["schema", "rename", "book.title", "name"])
    try wait(for: count("wait_event = 'PgSleep'"), rename)
    let reader = try folder.withDatactlInPath("/bin/sh").start(
      ["-c", "printf 'b\\n' | datactl \(command)"])
    try wait(for: count("wait_event_type = 'Lock'"), reader)
    try server.run("insert into public.gate values (true)", in: database)
    try rename.finish().exits(0)
    let run = try reader.finish().exits(0)
    let isGet = command.hasPrefix("get")
    #expect(isGet == run.output.contains("\"name\":\"x\""), "\(run.output)")
    #expect(run.errors == (isGet ? "" : "1 deleted\n"))
  }

  @Test(
    "reads either all or none of the changes of a concurrent schema change",
    arguments: [
      ["list", "item"], ["list", "item", "--where", "n is null"], ["get", "item", "a"],
      ["get", "item", "a", "b"], ["list", "item", "--group-by", "n"],
      ["list", "item", "--count", "--where", "n is null"], ["list", "item", "--distinct", "n"],
      ["list", "box", "--where", "item.n is null"], ["list", "box", "--expand", "item"],
      ["get", "box", "x", "--expand", "item"],
    ])
  func migratedMeanwhile(_ arguments: [String]) throws {
    try folder.prepare("schema", "create", "item", "n:text")
    try folder.prepare("schema", "create", "box", "item:item")
    try folder.prepare("save", "item", "a", "n=1")
    try folder.prepare("save", "item", "b", "n=2")
    try folder.prepare("save", "box", "x", "item=a")
    try folder.write(
      "item.json", #"{"schema":"item","fields":{"item_id":{"type":"id"},"n":{"type":"integer"}}}"#)
    try closeGate()
    let migration = try folder.program.start(["schema", "apply", "item.json"])
    try wait(for: count("wait_event = 'PgSleep'"), migration)
    let reader = try folder.program.start(arguments)
    try wait(for: count("wait_event_type = 'Lock'"), reader)
    try server.run("insert into public.gate values (true)", in: database)
    try migration.finish().exits(0)
    let after = try folder.program.run(arguments).exits(0).output
    try reader.finish().exits(0).prints(after)
  }

  /// Creates a trigger that blocks every change of a table, whose transaction then holds its table
  /// lock, until the gate is opened.
  private func closeGate() throws {
    try server.run(
      """
      create table public.gate (is_open boolean); \
      create function wait() returns event_trigger language plpgsql as $$ begin \
      while not exists (select from public.gate) loop perform pg_sleep(0.01); end loop; \
      end $$; create event trigger wait on ddl_command_end when tag in ('ALTER TABLE') \
      execute function wait()
      """, in: database)
  }

  /// Returns a query for the number of datactl's sessions that match a condition.
  private func count(_ state: String) -> String {
    """
    select count(*) from pg_stat_activity where datname = '\(database)' \
    and application_name = 'datactl' and \(state)
    """
  }

  /// Runs a command until the query returns a number other than 0.
  private func wait(for countQuery: String, _ child: Child) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try server.run(countQuery) == "0", ContinuousClock.now < deadline {
      try child.run(for: .milliseconds(5))
    }
  }
}
