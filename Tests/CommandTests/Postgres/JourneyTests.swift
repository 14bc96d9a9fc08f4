import Foundation
import PostgresHarness
import ProgramHarness
import Testing

/// How often commands wait for the server, which is most of what they take where it is far away.
@Suite("Journeys to the server", .serialized)
struct JourneyTests {
  /// What a run sends, one line a journey, after the first words by which it introduces itself.
  private static func journeys(
    _ place: Place, _ words: [String], _ input: Input = .nothing
  ) throws -> [String] {
    try SystemCall.trace("sendto", place, words, input).map(\.line)
      .filter { !$0.contains("\"X\\0") && !$0.contains("user\\0") }
  }

  @Test(
    "a command makes so many journeys",
    arguments: [
      (["get", "todo", "a"], 1), (["get", "todo", "a", "b"], 2),
      (["get", "todo", "a", "--by", "todo_id"], 3),
      (["save", "todo", "a", "priority+=1"], 4), (["save", "todo", "title=tea"], 3),
      (["list", "todo", "priority=1"], 2), (["delete", "todo", "a"], 5),
    ])
  func single(_ words: [String], count: Int) throws {
    let place = try Place.onPostgres().place
    try place.keepTodos()
    let journeys = try Self.journeys(place, words)
    #expect(journeys.count == count, "\(journeys.joined(separator: "\n"))")
  }

  @Test("records that are there are found and changed in one journey a batch, and few more")
  func upsert() throws {
    let place = try Place.onPostgres().place
    try place.declareTodos()
    try place.prepare("save", "todo", "-o", "none", input: .bytes(Place.todos(4_000)))
    let ids = try place.prepare("list", "todo", "-o", "ids").lines
    let changes = ids.map { "{\"todo_id\":\"\($0)\",\"priority\":-1}\n" }.joined()
    let journeys = try Self.journeys(place, ["save", "todo", "-o", "none"], .text(changes))
    let statements = journeys.filter { $0.contains("update") }
    #expect(statements.count <= 12, "\(statements.count)")
    try place.run("list", "todo", "priority=-1", "--count").prints("4000\n")
  }

  @Test("values by which records are looked for are one question a batch")
  func lookup() throws {
    let place = try Place.onPostgres().place
    try place.declareTodos()
    try place.prepare("save", "todo", "-o", "none", input: .bytes(Place.todos(2_000)))
    let ids = (0..<2_000).map { "\(1_000_000_000 + $0)\n" }.joined()
    let words = ["get", "todo", "-", "--by", "todo_id", "-o", "ids"]
    let journeys = try Self.journeys(place, words, .text(ids))
    #expect(journeys.count { $0.contains("declare") } == 2)
    // Measured: 16, of which most fetch what is found, more each time.
    #expect(journeys.count <= 18, "\(journeys.joined(separator: "\n"))")
  }
}
