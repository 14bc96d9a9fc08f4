import DataClient
import DataModel
import DataStore
import Testing

@Suite("Expanded relations of the library")
struct ExpansionTests {
  private func client() async throws -> Client {
    let client = try await Client.open("memory:", in: Shop.environment())
    try await client.applySchemas([
      """
      {"schema": "person", "fields": {"person_id": {"type": "id"}, "name": {"type": "text"}}}
      """,
      """
      {"schema": "line", "fields": {"line_id": {"type": "id"}, "seller": {"type": "relation", "to": "person"}}}
      """,
      """
      {"schema": "purchase", "fields": {
        "purchase_id": {"type": "id"},
        "buyer": {"type": "relation", "to": "person", "inverse": "purchases"},
        "lines": {"type": "relation", "to": "line", "many": true}}}
      """,
    ])
    try await client.records("person").save([["person_id": "ann"], ["person_id": "bob"]])
    try await client.records("line").save(
      [["line_id": "l1", "seller": "bob"], ["line_id": "l2"]])
    try await client.records("purchase").save(
      [
        ["purchase_id": "p1", "buyer": "ann", "lines": ["l2", "l1"]],
        ["purchase_id": "p2", "buyer": "ann"],
      ])
    return client
  }

  @Test("expands two levels of relations, such as lines.seller, in the order of the references")
  func levels() async throws {
    let client = try await client()
    let purchase = try #require(
      try await client.records("purchase").get("p1", expanding: "buyer,lines.seller"))
    #expect(purchase.related("buyer")?.map(\.id) == ["ann"])
    let lines = try #require(purchase.related("lines"))
    #expect(lines.map(\.id) == ["l2", "l1"])
    #expect(lines.map { $0.related("seller")?.map(\.id) } == [[], ["bob"]])
    #expect(purchase.related("purchase_id") == nil)
    #expect(try await client.records("purchase").get("p1")?.related("buyer") == nil)
    #expect(try await client.records("purchase").get("p9", expanding: "buyer") == nil)
  }

  @Test("follows an inverse relation to the records that refer to a record")
  func inverses() async throws {
    let client = try await client()
    var purchases: [String: [String]] = [:]
    for try await person in client.records("person").list(
      order: "-person_id", expanding: "purchases")
    {
      purchases[person.id] = person.related("purchases")?.map(\.id)
    }
    #expect(purchases == ["ann": ["p1", "p2"], "bob": []])
    let ann = try await client.records("person").get(["ann"], expanding: "purchases.lines")
    #expect(ann[0].related("purchases")?[0].related("lines")?.map(\.id) == ["l2", "l1"])
  }

  @Test(
    "reports all invalid names in a list of relations to expand, and the ids of missing records")
  func problems() async throws {
    let client = try await client()
    let error = try await problem {
      _ = try await client.records("purchase").get("p1", expanding: "buyr,purchase_id")
    }
    #expect(error.problems.count == 2)
    let missing = try await problem {
      _ = try await client.records("purchase").get(["p1", "p9"], expanding: "buyer")
    }
    #expect(missing.problems.map(\.id) == ["p9"])
  }
}
