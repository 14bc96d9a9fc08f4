import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: pages")
struct PageTests {
  @Test(
    "returns exactly the records before or after a cursor, in any sort order", .tags(.random),
    arguments: Engine.all, Seeds.count(test: 1, all: 10))
  func cursors(engine: Engine, seed: Int) async throws {
    var sampleData = try SampleData(seed: UInt64(seed))
    let fixture = try await StoreFixture(engine, sampleData.catalog.schemas)
    try await fixture.save(sampleData)
    for _ in 0..<5 {
      let (schema, terms) = try sampleData.order()
      let query = Query(schema, order: terms)
      let cursors = try await fixture.cursors(query)
      let ids = cursors.map(\.id)
      #expect(ids.count == sampleData.records[schema.name]?.count)
      for (index, (_, cursor)) in cursors.enumerated() {
        for limit in [nil, 0, 1, 3] {
          let comment: Comment = "seed \(seed): \(terms) at \(cursor), limit \(limit ?? -1)"
          var page = query
          page.limit = limit
          page.bound = .after(cursor)
          let following = Array(ids[(index + 1)...].prefix(limit ?? .max))
          #expect(try await fixture.ids(page) == following, comment)
          #expect(try await fixture.store.count(page) == following.count, comment)
          page.bound = .before(cursor)
          let before = Array(ids[..<index].suffix(limit ?? .max))
          #expect(try await fixture.ids(page) == before, comment)
          #expect(try await fixture.store.count(page) == before.count, comment)
        }
      }
    }
  }

  private func fixture(_ engine: Engine, count: Int) async throws -> (StoreFixture, Query) {
    let schema = try Schema.test(
      "item", Field("title", .text), Field("stock", .integer), indexes: [["stock", "-title"]])
    let fixture = try await StoreFixture(engine, [schema])
    try await fixture.save(items: count)
    return (
      fixture, Query(schema, order: [OrderTerm("stock"), OrderTerm(text: "-title")], limit: 7)
    )
  }

  @Test("returns each record once while concurrent writes are committed", arguments: Engine.all)
  func writing(engine: Engine) async throws {
    let (fixture, query) = try await fixture(engine, count: 100)
    var page = query
    let all = try await fixture.ids(Query(query.schema, order: query.order))
    var seen: [String] = []
    while true {
      let cursors = try await fixture.cursors(page)
      guard let last = cursors.last else { break }
      seen += cursors.map(\.id)
      page.bound = .after(last.cursor)
      // Deletes the record of the cursor and inserts others before it.
      try await fixture.delete("item", .ids([last.id]))
      try await fixture.save("item", ["item_id": .value(.text("new-\(seen.count)")), "title": "z"])
    }
    #expect(seen == all)
  }

  @Test(
    "returns the records before a cursor in the right order, even in many chunks",
    arguments: Engine.all)
  func chunks(engine: Engine) async throws {
    let (fixture, query) = try await fixture(engine, count: 2_000)
    var page = Query(query.schema, order: query.order)
    let cursors = try await fixture.cursors(page)
    page.bound = .before(try #require(cursors.last).cursor)
    page.limit = 1_500
    #expect(try await fixture.ids(page) == cursors.map(\.id).dropLast().suffix(1_500))
  }

  @Test("rejects a cursor that was created for a different order", arguments: Engine.all)
  func foreignCursors(engine: Engine) async throws {
    let (fixture, query) = try await fixture(engine, count: 1)
    for values: [Value] in [
      [], ["x"], [1, "x"], ["x", "y", "z"], [1, "y", nil], [1.5, "y", "z"],
    ] {
      var page = query
      page.bound = .after(Query.Cursor(values))
      await #expect(
        throws: DataError(
          Problem(.usage, "the cursor was created for a different order", schema: "item"))
      ) {
        try await fixture.ids(page)
      }
    }
  }

  @Test(
    "rejects an order by a field that cannot be sorted or does not exist", arguments: Engine.all)
  func orders(engine: Engine) async throws {
    let schema = try Schema.test(
      "item", Field("tags", .array(.text)), Field("place", .geopoint),
      Field("parts", .relation(Relation(to: "item", isMany: true))))
    let fixture = try await StoreFixture(engine, [schema])
    for field in ["tags", "place", "parts", "parts.item_id", "none", "item_id.x", ""] {
      await #expect(throws: DataError.self, "\(field)") {
        try await fixture.ids(Query(schema, order: [OrderTerm(field)]))
      }
    }
  }
}

extension StoreFixture {
  /// Returns the ids of a query's records with their cursors.
  fileprivate func cursors(_ query: Query) async throws -> [(id: String, cursor: Query.Cursor)] {
    let catalog = try await store.catalog().catalog
    let query = try query.withCursors(in: catalog)
    let stream = try await store.records(query)
    var cursors: [(id: String, cursor: Query.Cursor)] = []
    while let rows = try await stream.next(reusing: Rows(width: query.width)) {
      for row in 0..<rows.count {
        let id = rows.text(rows[row, query.schema.keySlot])
        cursors.append((id, try query.cursor(of: row, in: rows, catalog)))
      }
    }
    return cursors
  }

  /// Saves items: ten with each stock, and every eleventh without one.
  fileprivate func save(items count: Int) async throws {
    let rows = (0..<count).map { number -> Row in
      [
        "item_id": .value(.text("i\(number)")), "title": .value(.text("t\(number % 7)")),
        "stock": .value(number % 11 == 0 ? .null : .integer(Int64(number / 10))),
      ]
    }
    #expect(try await trySave("item", rows).error == nil)
  }
}
