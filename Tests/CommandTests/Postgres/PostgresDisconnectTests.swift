import Foundation
import PostgresHarness
import ProgramHarness
import Testing

@Suite("Disconnecting from a PostgreSQL server", .serialized)
struct PostgresDisconnectTests {
  private static let standalone = Result { try PostgresServer.standalone() }
  private let server: PostgresServer
  private let folder: TestFolder

  init() throws {
    server = try Self.standalone.get()
    folder = try TestFolder(store: server.address(try server.newDatabase()))
  }

  @Test("saves nothing when the server crashes during a save")
  func crash() throws {
    try folder.createTodoSchema()
    let todos = TestFolder.todos(300_000)
    let load = try folder.program.start(["save", "todo", "-o", "none"], input: .bytes(todos))
    let countQuery = """
      select count(*) from pg_stat_activity where application_name = 'datactl' \
      and query like 'copy%'
      """
    let deadline = ContinuousClock.now + .seconds(60)
    while try server.run(countQuery) == "0", ContinuousClock.now < deadline {
      try load.run(for: .milliseconds(5))
    }
    try server.kill()
    let (lost, unreachable) = (try load.finish(), try folder.run("list", "todo"))
    try server.start()
    try lost.exits(7).printsNothing().reports("the connection to the server was lost")
    try unreachable.exits(7).printsNothing().reports("cannot be reached")
    #expect(try folder.todoCount == 0)
    try folder.run("save", "todo", "-o", "none", input: .bytes(todos)).exits(0)
    #expect(try folder.todoCount == 300_000)
  }

  @Test("sends a Terminate message to the server at the end of every command")
  func termination() throws {
    try folder.saveManyTodos(20_000)
    try server.kill()
    // Make each log line begin with the name of the client application.
    try server.start(with: [
      "log_min_messages=debug1", "log_disconnections=on", "log_line_prefix=%a:",
    ])
    for arguments in [
      "list todo", "list todo | head -1", "list todo --limit 1", "list todo --limit 10 -o page",
      "list todo --count",
      "list todo --where 'priority = :x'", "list todo > /dev/full", "list todo --expand nothing",
      "list todo --distinct title", "get todo 1000000000", "get todo nothing", "schema show todo",
      "save todo a title=tea", "delete todo a", "delete todo nothing", "list nothing",
    ] {
      _ = try folder.shell("datactl \(arguments)")
    }
    let countQuery = "select count(*) from pg_stat_activity where application_name = 'datactl'"
    let deadline = ContinuousClock.now + .seconds(60)
    while try server.run(countQuery) != "0", ContinuousClock.now < deadline { usleep(10_000) }
    let lines = try server.log.split(separator: "\n").filter { $0.hasPrefix("datactl:") }
    #expect(lines.count { $0.contains("disconnection:") } >= 16)
    #expect(lines.filter { $0.contains("EOF") || $0.contains("reset by peer") } == [])
  }
}
