import DataClient
import Testing

@Suite("Getting, listing and deleting records")
struct QueryTests {
  private func filled() async throws -> Shop {
    let shop = try await Shop()
    try await shop.client.records("person").save(["person_id": "ann", "name": "Ann"])
    try await shop.client.records("todo").save(
      (1...5).map { number in
        [
          "todo_id": .text("t\(number)"), "title": .text("title \(number % 2)"),
          "stock": .integer(Int64(10 - number)), "tags": number > 3 ? ["late", "x"] : [],
          "owner": number == 1 ? "ann" : nil,
        ]
      })
    return shop
  }

  private func ids(_ records: RecordSequence<Record>) async throws -> [String] {
    var ids: [String] = []
    for try await record in records { ids.append(record.id) }
    return ids
  }

  @Test(
    "returns nil for a single unknown id, but throws an error when one of several ids is unknown")
  func getting() async throws {
    let client = try await filled().client
    #expect(try await client.records("todo").get("t1")?.id == "t1")
    #expect(try await client.records("todo").get("t9") == nil)
    #expect(
      try await client.records("todo").get(["t3", "t1", "t3"]).map(\.id) == ["t3", "t1", "t3"])
    let error = try await problem { _ = try await client.records("todo").get(["t9", "t1", "t8"]) }
    #expect(error.code == .notFound)
    #expect(error.problems.map(\.id) == ["t9", "t8"])
  }

  @Test("lists matching records in the given order, up to the limit")
  func listing() async throws {
    let client = try await filled().client
    #expect(try await ids(client.records("todo").list()) == ["t1", "t2", "t3", "t4", "t5"])
    #expect(
      try await ids(client.records("todo").list(order: "stock")) == ["t5", "t4", "t3", "t2", "t1"])
    #expect(
      try await ids(client.records("todo").list(order: "-title, stock")) == [
        "t5", "t3", "t1", "t4", "t2",
      ])
    #expect(try await ids(client.records("todo").list(limit: 2)) == ["t1", "t2"])
    #expect(try await ids(client.records("todo").list(limit: 0)) == [])
    #expect(
      try await ids(client.records("todo").list(matching: ["title": "title 1", "stock": 7])) == [
        "t3"
      ])
    #expect(try await ids(client.records("todo").list(matching: ["tags": "late"])) == ["t4", "t5"])
    #expect(try await ids(client.records("todo").list(matching: ["assignee": "ann"])) == ["t1"])
    #expect(
      try await ids(client.records("todo").list(matching: ["owner": nil])) == [
        "t2", "t3", "t4", "t5",
      ])
    #expect(try await ids(client.records("todo").list(matching: ["todoID": "t2"])) == ["t2"])
    #expect(try await client.records("todo").count(matching: ["revision": 1]) == 5)
    #expect(try await client.records("person").count(matching: ["age": -1]) == 0)
    #expect(
      try await ids(
        client.records("todo").list(where: "stock > 6 and tags is empty", order: "stock"))
        == ["t3", "t2", "t1"])
    #expect(
      try await client.records("todo").count(
        where: "title = :title", parameters: ["title": "title 1"])
        == 3)
    #expect(
      try await client.records("todo").count(
        where: "stock = :n and revision = :r", parameters: ["n": 7, "r": 1])
        == client.records("todo").count(where: "stock = 7"))
  }

  @Test("reports all problems of an invalid query at once")
  func invalidQueries() async throws {
    let client = try await filled().client
    let error = try await problem {
      _ = try await ids(
        client.records("todo").list(
          matching: ["stock": "many", "titel": "x"], order: "tags,-colour", limit: -1))
    }
    #expect(error.problems.allSatisfy { $0.code == .usage })
    #expect(
      error.problems.map(\.message) == [
        "stock: expected an integer, found text \"many\"", "todo has no field titel",
        "cannot order by tags, which may have several values",
        "todo has no field colour", "the limit is negative: -1",
      ])
    #expect(error.problems[1].hint == "did you mean title?")
    let unordered = try await problem {
      _ = try await ids(client.records("todo").list(where: "title < 5 and stock like 'x'"))
    }
    #expect(unordered.problems.count == 2)
  }

  @Test("deletes records by id, by condition, or all at once")
  func deleting() async throws {
    let client = try await filled().client
    let gone = try await client.records("todo").delete("t1")
    #expect(gone.deleted == 1)
    let missing = try await problem { try await client.records("todo").delete(["t2", "t9"]) }
    #expect(missing.code == .notFound)
    #expect(try await client.records("todo").delete(matching: ["title": "title 0"]).deleted == 2)
    let careless = try await problem { try await client.records("todo").delete(matching: [:]) }
    #expect(careless.code == .usage)
    #expect(try await ids(client.records("todo").list()) == ["t3", "t5"])
    let conflict = try await problem { try await client.records("todo").delete("t3", revision: 2) }
    #expect(conflict.code == .changed)
    #expect(try await client.records("todo").deleteAll().deleted == 2)
    #expect(try await client.records("todo").count() == 0)
  }

  @Test(
    "returns the number of references that a deletion cleared and of records it cascaded to")
  func consequences() async throws {
    let client = try await filled().client
    let deletion = try await client.records("person").delete("ann")
    #expect(deletion.nullified == 1)
    #expect(deletion.cascaded == [:])
    #expect(try await client.records("todo").get("t1")?["owner"] == .null)
  }

  @Test("decodes a field value as a Swift type")
  func typedValues() async throws {
    let client = try await filled().client
    let record = try #require(try await client.records("todo").get("t5"))
    #expect(try record.value("stock", as: Int.self) == 5)
    #expect(try record.value("due", as: Timestamp.self) == nil)
    #expect(try record.value("tags", as: [String].self) == ["late", "x"])
    let wrong = try #require(throws: DataError.self) { try record.value("title", as: Int.self) }
    #expect(
      wrong
        == DataError(
          Problem(
            .invalid, "expected Int, found text \"title 1\"", schema: "todo", id: "t5",
            field: "title")))
    let unknown = try #require(throws: DataError.self) { try record.value("titel", as: Int.self) }
    #expect(unknown.problems.map(\.hint) == ["did you mean title?"])
  }
}
