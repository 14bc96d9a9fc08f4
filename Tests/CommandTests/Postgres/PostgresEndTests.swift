import Foundation
import PostgresHarness
import ProgramHarness
import Testing

@Suite("Disconnecting from a PostgreSQL server", .serialized)
struct PostgresEndTests {
  private static let alone = Result { try PostgresServer.alone() }
  private let server: PostgresServer
  private let place: Place

  init() throws {
    server = try Self.alone.get()
    place = try Place(store: server.address(try server.newDatabase()))
  }

  @Test("nothing is saved when the server crashes during a load")
  func death() throws {
    try place.declareTodos()
    let todos = Place.todos(300_000)
    let load = try place.program.start(["save", "todo", "-o", "none"], input: .bytes(todos))
    let asking = """
      select count(*) from pg_stat_activity where application_name = 'datactl' \
      and query like 'copy%'
      """
    let deadline = ContinuousClock.now + .seconds(60)
    while try server.run(asking) == "0", ContinuousClock.now < deadline {
      try load.run(for: .milliseconds(5))
    }
    try server.kill()
    let (lost, unreachable) = (try load.finish(), try place.run("list", "todo"))
    try server.start()
    try lost.exits(7).printsNothing().says("the connection to the server was lost")
    try unreachable.exits(7).printsNothing().says("cannot be reached")
    #expect(try place.todoCount == 0)
    try place.run("save", "todo", "-o", "none", input: .bytes(todos)).exits(0)
    #expect(try place.todoCount == 300_000)
  }

  @Test("terminates the connection properly after every command")
  func leave() throws {
    try place.keepManyTodos(20_000)
    try server.kill()
    // Each log line begins with the name of the client.
    try server.start(with: [
      "log_min_messages=debug1", "log_disconnections=on", "log_line_prefix=%a:",
    ])
    for words in [
      "list todo", "list todo | head -1", "list todo --limit 1", "list todo --limit 10 -o page",
      "list todo --count",
      "list todo --where 'priority = :x'", "list todo > /dev/full", "list todo --expand nothing",
      "list todo --distinct title", "get todo 1000000000", "get todo nothing", "schema show todo",
      "save todo a title=tea", "delete todo a", "delete todo nothing", "list nothing",
    ] {
      _ = try place.shell("datactl \(words)")
    }
    let asking = "select count(*) from pg_stat_activity where application_name = 'datactl'"
    let deadline = ContinuousClock.now + .seconds(60)
    while try server.run(asking) != "0", ContinuousClock.now < deadline { usleep(10_000) }
    let lines = try server.log.split(separator: "\n").filter { $0.hasPrefix("datactl:") }
    #expect(lines.count { $0.contains("disconnection:") } >= 16)
    #expect(lines.filter { $0.contains("EOF") || $0.contains("reset by peer") } == [])
  }
}
