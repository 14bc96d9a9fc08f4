import Foundation
import PostgresHarness
import ProgramHarness
import Testing

/// Tests of the number of round trips to the server. With a remote server, they take most of the
/// time of a command.
@Suite("Round trips to the PostgreSQL server", .serialized)
struct RoundTripCountTests {
  /// Returns the messages that a command sends to the server, one for each round trip. Startup and
  /// terminate messages are omitted, and calls that the end of the program has cut off.
  private static func roundTrips(
    _ folder: TestFolder, _ arguments: [String], _ input: Input = .nothing, textLimit: Int = 32
  ) throws -> [String] {
    try SystemCall.trace("sendto", folder, arguments, input, textLimit: textLimit)
      .filter { $0.name != "???" }.map(\.line)
      .filter { !$0.contains("\"X\\0") && !$0.contains("user\\0") }
  }

  /// Returns whether a message contains a commit and nothing else.
  private static func endsRead(_ message: String) -> Bool {
    let size = message.components(separatedBy: " = ").last.flatMap { Int($0) }
    return message.contains("commit") && size ?? 0 < 100
  }

  @Test(
    "executes each command in a fixed number of round trips to the PostgreSQL server",
    arguments: [
      (["get", "todo", "a"], 1), (["get", "todo", "a", "b"], 2),
      (["get", "todo", "a", "--by", "todo_id"], 2),
      (["save", "todo", "a", "priority+=1"], 4), (["save", "todo", "title=tea"], 3),
      (["list", "todo", "priority=1"], 2), (["delete", "todo", "a"], 5),
    ])
  func single(_ arguments: [String], count: Int) throws {
    let folder = try TestFolder.onPostgres().folder
    try folder.saveTodos()
    var roundTrips = try Self.roundTrips(folder, arguments)
    // The end of a read transaction is not awaited: it is sent before the program exits, or the
    // connection is closed first.
    if arguments[0] == "list" || arguments[0] == "get" {
      roundTrips.removeAll(where: Self.endsRead)
    }
    #expect(roundTrips.count == count, "\(roundTrips.joined(separator: "\n"))")
  }

  @Test("updates existing records in about one round trip for each chunk of records")
  func upsert() throws {
    let folder = try TestFolder.onPostgres().folder
    try folder.createTodoSchema()
    try folder.prepare("save", "todo", "-o", "none", input: .bytes(TestFolder.todos(4_000)))
    let ids = try folder.prepare("list", "todo", "-o", "ids").lines
    let changes = ids.map { "{\"todo_id\":\"\($0)\",\"priority\":-1}\n" }.joined()
    let roundTrips = try Self.roundTrips(folder, ["save", "todo", "-o", "none"], .text(changes))
    let statements = roundTrips.filter { $0.contains("update") }
    #expect(statements.count <= 12, "\(statements.count)")
    try folder.run("list", "todo", "priority=-1", "--count").prints("4000\n")
  }

  @Test("requests the next records before it prints the previous ones")
  func prefetch() throws {
    let folder = try TestFolder.onPostgres().folder
    try folder.createTodoSchema()
    try folder.prepare("save", "todo", "-o", "none", input: .bytes(TestFolder.todos(1_000)))
    let calls = try SystemCall.trace(
      "sendto,write", folder, ["list", "todo", "-o", "ids"], textLimit: 1 << 20)
    let firstOutput = calls.firstIndex { $0.name == "write" } ?? calls.count
    let requests = calls.indices.filter { calls[$0].line.contains("fetch ") }
    #expect(requests.count > 3 && requests.count { $0 < firstOutput } >= 2, "\(calls)")
  }

  @Test("looks up the next records before it writes the previous ones")
  func lookAhead() throws {
    let folder = try TestFolder.onPostgres().folder
    try folder.createTodoSchema()
    try folder.prepare("save", "todo", "-o", "none", input: .bytes(TestFolder.todos(2_000)))
    let ids = try folder.prepare("list", "todo", "-o", "ids").lines
    let changes = ids.map { "{\"todo_id\":\"\($0)\",\"priority\":-1}\n" }.joined()
    let calls = try SystemCall.trace(
      "sendto,recvfrom", folder, ["save", "todo", "-o", "none"], .text(changes),
      textLimit: 1 << 20)
    let order = calls.compactMap { call -> String? in
      if call.name == "recvfrom" { return call.line.contains("EAGAIN") ? nil : "wait" }
      return call.line.contains("for no key update")
        ? "look up" : call.line.contains("as _old set") ? "update" : nil
    }
    #expect(order.filter { $0 != "wait" } == ["look up", "look up", "update", "update"])
    #expect(order.firstRange(of: ["look up", "look up"]) != nil, "\(order)")
  }

  /// The chunks have 4, 16, 64 and then 128 values, unless the records are large. The values are read
  /// in thousands.
  @Test("looks up records by value with one query for each chunk of values")
  func lookup() throws {
    let folder = try TestFolder.onPostgres().folder
    try folder.createTodoSchema()
    try folder.prepare("save", "todo", "-o", "none", input: .bytes(TestFolder.todos(2_000)))
    let ids = (0..<2_000).map { "\(1_000_000_000 + $0)\n" }.joined()
    let arguments = ["get", "todo", "-", "--by", "todo_id", "-o", "ids"]
    let roundTrips = try Self.roundTrips(folder, arguments, .text(ids), textLimit: 4_096)
    #expect(roundTrips.count { $0.contains("declare") } == 3 + 8 + 8)
    // Measured: 50. Most of the others fetch results, in chunks of increasing size.
    #expect(roundTrips.count <= 52, "\(roundTrips.joined(separator: "\n"))")
  }
}
