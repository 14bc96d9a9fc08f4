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
    try await client.save([["person_id": "ann"], ["person_id": "bob"]], in: "person")
    try await client.save(
      [["line_id": "l1", "seller": "bob"], ["line_id": "l2"]], in: "line")
    try await client.save(
      [
        ["purchase_id": "p1", "buyer": "ann", "lines": ["l2", "l1"]],
        ["purchase_id": "p2", "buyer": "ann"],
      ], in: "purchase")
    return client
  }

  @Test("expands two levels of relations, such as lines.seller, in the order of the references")
  func levels() async throws {
    let client = try await client()
    let purchase = try #require(
      try await client.get("p1", in: "purchase", expanding: "buyer,lines.seller"))
    #expect(purchase.related("buyer")?.map(\.id) == ["ann"])
    let lines = try #require(purchase.related("lines"))
    #expect(lines.map(\.id) == ["l2", "l1"])
    #expect(lines.map { $0.related("seller")?.map(\.id) } == [[], ["bob"]])
    #expect(purchase.related("purchase_id") == nil)
    #expect(try await client.get("p1", in: "purchase")?.related("buyer") == nil)
    #expect(try await client.get("p9", in: "purchase", expanding: "buyer") == nil)
  }

  @Test("follows an inverse relation to the records that refer to a record")
  func inverses() async throws {
    let client = try await client()
    var purchases: [String: [String]] = [:]
    for try await person in client.list("person", order: "-person_id", expanding: "purchases") {
      purchases[person.id] = person.related("purchases")?.map(\.id)
    }
    #expect(purchases == ["ann": ["p1", "p2"], "bob": []])
    let ann = try await client.get(["ann"], in: "person", expanding: "purchases.lines")
    #expect(ann[0].related("purchases")?[0].related("lines")?.map(\.id) == ["l2", "l1"])
  }

  @Test(
    "reports all invalid names in a list of relations to expand, and the ids of missing records")
  func problems() async throws {
    let client = try await client()
    let error = try await problem {
      _ = try await client.get("p1", in: "purchase", expanding: "buyr,purchase_id")
    }
    #expect(error.problems.count == 2)
    let missing = try await problem {
      _ = try await client.get(["p1", "p9"], in: "purchase", expanding: "buyer")
    }
    #expect(missing.problems.map(\.id) == ["p9"])
  }
}
