import DataClient
import DataModel
import DataStore
import Testing

@Suite("Pages of the library")
struct RecordPageTests {
  private struct Todo: Codable, Sendable {
    var todoID: RecordID
    var title: String
    var steps: [Todo] = []
  }

  private func client() async throws -> Client {
    let client = try await Shop().client
    try await client.records("person").save(["person_id": "ann", "name": "Ann"])
    try await client.records("todo").save(
      (1...5).map { ["todo_id": .text("t\($0)"), "title": .text("title \($0)"), "owner": "ann"] })
    try await client.records("todo").save(["todo_id": "t1", "steps": ["t4", "t2"]])
    return client
  }

  @Test("reads all records page by page, forward and backward")
  func paging() async throws {
    let client = try await client()
    var pages: [[String]] = []
    var page = try await client.records("todo").page(limit: 2, order: "-title")
    #expect(page.previous == nil)
    pages.append(page.records.map(\.id))
    while let next = page.next {
      page = try await client.records("todo").page(after: next, limit: 2, order: "-title")
      pages.append(page.records.map(\.id))
    }
    #expect(pages == [["t5", "t4"], ["t3", "t2"], ["t1"]])
    let previous = try #require(page.previous)
    let middle = try await client.records("todo").page(before: previous, limit: 2, order: "-title")
    #expect(middle.records.map(\.id) == ["t3", "t2"])
    #expect(try await client.records("todo").page(limit: 5).next == nil)
  }

  @Test("expands relations of the records on a page")
  func expanding() async throws {
    let page = try await client().records("todo").page(limit: 1, expanding: "owner,steps")
    #expect(page.records[0].related("assignee")?.map(\.id) == ["ann"])
    #expect(page.records[0].related("steps")?.map(\.id) == ["t4", "t2"])
    #expect(page.next != nil)
  }

  @Test(
    "decodes the records of a page, and the records nested in them, as instances of a model type")
  func models() async throws {
    let page = try await client().records(of: Todo.self).page(
      limit: 2, where: "title like 'title%'")
    #expect(page.records.map(\.todoID) == ["t1", "t2"])
    #expect(page.records[0].steps.map(\.title) == ["title 4", "title 2"])
  }

  @Test("rejects a page token of another query, and text that is not a page token")
  func wrongPositions() async throws {
    let client = try await client()
    let page = try await client.records("todo").page(limit: 2, order: "title")
    let next = try #require(page.next)
    let other = try await problem {
      _ = try await client.records("todo").page(after: next, limit: 2, order: "-title")
    }
    #expect(other.problems[0].message == "after: the token belongs to another query")
    #expect(other.problems[0].hint == "use a token of a page of the same query")
    let noToken = try await problem {
      _ = try await client.records("todo").page(before: "x", limit: 2)
    }
    #expect(noToken.code == .usage)
  }
}
