import DataModel
import DataStore
import QuestionSamples
import Testing

@Suite("Store contract: pages")
struct PageTests {
  @Test("splits the records at a cursor in any order", arguments: Engine.all, 0..<10)
  func places(engine: Engine, seed: Int) async throws {
    var world = try World(seed: UInt64(seed))
    let bench = try await Workbench(engine, world.catalog.schemas)
    try await bench.save(world)
    for _ in 0..<5 {
      let (schema, terms) = try world.order()
      let query = Query(schema, order: terms)
      let places = try await bench.places(query)
      let ids = places.map(\.id)
      #expect(ids.count == world.records[schema.name]?.count)
      for (index, (_, place)) in places.enumerated() {
        for limit in [nil, 0, 1, 3] {
          let comment: Comment = "seed \(seed): \(terms) at \(place), limit \(limit ?? -1)"
          var page = query
          page.limit = limit
          page.bound = .after(place)
          let behind = Array(ids[(index + 1)...].prefix(limit ?? .max))
          #expect(try await bench.ids(page) == behind, comment)
          #expect(try await bench.store.count(page) == behind.count, comment)
          page.bound = .before(place)
          let before = Array(ids[..<index].suffix(limit ?? .max))
          #expect(try await bench.ids(page) == before, comment)
          #expect(try await bench.store.count(page) == before.count, comment)
        }
      }
    }
  }

  private func bench(_ engine: Engine, count: Int) async throws -> (Workbench, Query) {
    let schema = try Schema.test(
      "item", Field("title", .text), Field("stock", .integer), indexes: [["stock", "-title"]])
    let bench = try await Workbench(engine, [schema])
    try await bench.save(items: count)
    return (
      bench, Query(schema, order: [OrderTerm("stock"), OrderTerm(text: "-title")], limit: 7)
    )
  }

  @Test("returns each record once while other writes are committed", arguments: Engine.all)
  func writing(engine: Engine) async throws {
    let (bench, query) = try await bench(engine, count: 100)
    var page = query
    let all = try await bench.ids(Query(query.schema, order: query.order))
    var seen: [String] = []
    while true {
      let places = try await bench.places(page)
      guard let last = places.last else { break }
      seen += places.map(\.id)
      page.bound = .after(last.place)
      // Deletes the record of the cursor and inserts others before it.
      try await bench.delete("item", .ids([last.id]))
      try await bench.save("item", ["item_id": .value(.text("new-\(seen.count)")), "title": "z"])
    }
    #expect(seen == all)
  }

  @Test("returns a page backwards over many chunks", arguments: Engine.all)
  func batches(engine: Engine) async throws {
    let (bench, query) = try await bench(engine, count: 2_000)
    var page = Query(query.schema, order: query.order)
    let places = try await bench.places(page)
    page.bound = .before(try #require(places.last).place)
    page.limit = 1_500
    #expect(try await bench.ids(page) == places.map(\.id).dropLast().suffix(1_500))
  }

  @Test("rejects a cursor of another order", arguments: Engine.all)
  func strangers(engine: Engine) async throws {
    let (bench, query) = try await bench(engine, count: 1)
    for values: [Value] in [
      [], ["x"], [1, "x"], ["x", "y", "z"], [1, "y", nil], [1.5, "y", "z"],
    ] {
      var page = query
      page.bound = .after(Query.Place(values))
      await #expect(
        throws: DataError(
          Problem(.usage, "the cursor does not belong to this order", schema: "item"))
      ) {
        try await bench.ids(page)
      }
    }
  }

  @Test("rejects an invalid order", arguments: Engine.all)
  func orders(engine: Engine) async throws {
    let schema = try Schema.test(
      "item", Field("tags", .array(.text)), Field("place", .geopoint),
      Field("parts", .relation(Relation(to: "item", isMany: true))))
    let bench = try await Workbench(engine, [schema])
    for field in ["tags", "place", "parts", "parts.item_id", "none", "item_id.x", ""] {
      await #expect(throws: DataError.self, "\(field)") {
        try await bench.ids(Query(schema, order: [OrderTerm(field)]))
      }
    }
  }
}

extension Workbench {
  /// Returns the ids of a query's records with their cursors.
  fileprivate func places(_ query: Query) async throws -> [(id: String, place: Query.Place)] {
    let query = query.withPlaces()
    let catalog = try await store.catalog().catalog
    let stream = try await store.records(query)
    var places: [(id: String, place: Query.Place)] = []
    while let rows = try await stream.next(reusing: Rows(width: query.width)) {
      for row in 0..<rows.count {
        let id = rows.text(rows[row, query.schema.keySlot])
        places.append((id, try query.place(of: row, in: rows, catalog)))
      }
    }
    return places
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
