import DataClient
import DataModel
import Testing

@Suite("Groups and aggregates of the library")
struct AggregateTests {
  private struct Todo: Codable, Sendable {
    var todoID: RecordID
    var title: String
    var stock: Int?
  }

  private func client() async throws -> Client {
    let client = try await Shop().client
    try await client.records("person").save(["person_id": "ann", "name": "Ann"])
    try await client.records("todo").save(
      (1...5).map { number in
        [
          "todo_id": .text("t\(number)"), "title": .text("title \(number % 2)"),
          "stock": .integer(number), "owner": number < 3 ? "ann" : nil,
        ]
      })
    return client
  }

  @Test("computes aggregates of each group, in the requested order")
  func groups() async throws {
    let groups = try await client().records("todo").groups(
      by: "title", [.sum("stock"), .average("stock"), .maximum("m = stock * 2")],
      order: "-count")
    #expect(
      groups.map(\.names)
        == Array(
          repeating: ["title", "count", "sum_stock", "avg_stock", "m"], count: 2))
    #expect(groups.map { $0["title"] } == [.text("title 1"), .text("title 0")])
    #expect(groups.map(\.count) == [3, 2])
    #expect(try groups.map { try $0.value("sum_stock", as: Int.self) } == [9, 6])
    #expect(groups.map { $0["avg_stock"] } == [.number(3), .number(3)])
    #expect(groups.map { $0["m"] } == [.integer(10), .integer(8)])
    #expect(groups[0]["min_stock"] == nil)
  }

  @Test("computes aggregates of all matching records when no group keys are given")
  func totals() async throws {
    let client = try await client()
    let total = try #require(
      try await client.records("todo").groups(
        [.sum("stock"), .median("stock")], where: "stock > 1"
      ).first)
    #expect(total.count == 4)
    #expect(total["sum_stock"] == .integer(14) && total["median_stock"] == .number(3.5))
    let none = try #require(
      try await client.records("todo").groups([.minimum("stock")], matching: ["stock": 99]).first)
    #expect(none.count == 0 && none["min_stock"] == .null)
    #expect(try none.value("min_stock", as: Int.self) == nil)
  }

  @Test("groups by a path such as owner.name, and filters groups by a condition with a parameter")
  func having() async throws {
    let client = try await client()
    let groups = try await client.records("todo").groups(
      by: "owner.name", parameters: ["least": 3], having: "count >= :least")
    #expect(groups.map { $0["owner.name"] } == [.null])
    #expect(
      try await client.records(of: Todo.self).groups(by: "title", limit: 1).map(\.count) == [2])
  }

  @Test(
    "reports all invalid fields of a grouping at once, and suggests a name for an unknown column")
  func problems() async throws {
    let client = try await client()
    let error = try await problem {
      _ = try await client.records("todo").groups(by: "titel", [.sum("title"), .sum("stok")])
    }
    #expect(error.problems.map(\.message).count >= 2)
    #expect(error.code == .usage)
    let group = try #require(try await client.records("todo").groups(by: "title").first)
    let unknown = try await problem { _ = try group.value("titel", as: String.self) }
    #expect(unknown.problems[0].hint == "did you mean title?")
    let mismatch = try await problem { _ = try group.value("title", as: Int.self) }
    #expect(mismatch.problems[0].field == "title")
  }
}
