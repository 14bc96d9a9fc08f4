import DataClient
import Foundation
import Testing

/// The examples of the DocC article, in order, as one program.
private enum Examples {
  struct Todo: Codable, Sendable {
    var todoID: RecordID
    var title: String
    var done = false
    var due: Date?
    var tags: [String]?
    var owner: Reference?
  }

  static func run(_ address: String, print: (Any...) -> Void) async throws -> Client {
    let client = try await Client.open(address)

    try await client.createSchema("person", ["name:text!", "age:integer"])
    try await client.createSchema(
      "todo", ["title:text!", "done:boolean!", "due:datetime", "tags:text+", "owner:person"])

    var joe: Draft = ["name": "Joe", "age": 25]
    joe.assignID(in: "person")
    let saved = try await client.save(joe, in: "person")

    try await client.save(["person_id": .text(saved.id), "age": .add(1)], in: "person")

    if let record = try await client.get(saved.id, in: "person") {
      var draft = record.draft
      draft["name"] = "Joseph"
      try await client.save(draft, in: "person")
    }

    let tea = Todo(todoID: .new(), title: "Buy tea", tags: ["shop"], owner: Reference(saved.id))
    try await client.save(tea)
    for try await todo in client.list(Todo.self, matching: ["done": false], order: "-due") {
      print(todo.title)
    }

    do {
      try await client.save(["person_id": "ann", "age": "old"], in: "person")
    } catch let error as DataError {
      for problem in error.problems { print(problem.field ?? "", problem.message) }
    }
    return client
  }

  static func logIn(_ client: Client, password: String) async throws {
    try await client.logIn("ann", password: password)
  }
}

@Suite("DocC article")
struct ArticleTests {
  @Test("runs the examples with the documented results")
  func running() async throws {
    var printed: [String] = []
    let client = try await Examples.run("memory:") { parts in
      printed.append(parts.map { "\($0)" }.joined(separator: " "))
    }
    #expect(
      printed == ["Buy tea", "age expected integer, found text \"old\""])
    for try await person in client.list("person") {
      #expect(person["name"] == .text("Joseph"))
      #expect(person["age"] == .integer(26))
      #expect(person.revision == 3)
    }
    let shop = try await Shop()
    try await shop.client.save(["username": "ann", "password": "canary"], in: "user")
    try await Examples.logIn(shop.client, password: "canary")
    #expect(try await shop.client.whoAmI()?.user == "ann")
  }

  @Test("contains every example of the article, line by line")
  func verbatim() throws {
    let here = URL(filePath: #filePath)
    let article = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(
        path: "Sources/DataClient/DataClient.docc/DataClient.md")
    let program = lines(try String(contentsOf: here, encoding: .utf8))
    let examples = try String(contentsOf: article, encoding: .utf8)
      .components(separatedBy: "```swift\n").dropFirst()
      .map { lines($0.components(separatedBy: "```")[0]) }
    #expect(examples.count == 9)
    for example in examples {
      #expect(
        program.indices.contains { program[$0...].starts(with: example) }, "\(example)")
    }
  }

  /// Returns the nonempty lines, trimmed.
  private func lines(_ text: String) -> [String] {
    text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}
