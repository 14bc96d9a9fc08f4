import DataModel
import DataStore
import SQLiteStore
import TestSupport
import Testing

@Suite("SQLite: cost of queries")
struct QueryCostTests {
  private static let counts = [10_000, 100_000]

  private static func schemas() throws -> (town: Schema, item: Schema, basket: Schema) {
    let town = try Schema.test("town", Field("name", .text, isUnique: true))
    let item = try Schema.test(
      "item", Field("stock", .integer), Field("due", .integer), Field("place", .geopoint),
      Field("town", .relation(Relation(to: "town"))), indexes: [["stock", "-due"]])
    let basket = try Schema.test(
      "basket", Field("items", .relation(Relation(to: "item", isMany: true))))
    return (town, item, basket)
  }

  /// Returns a store of items: ten with each stock, all but a few of their points spread over the
  /// earth, and each in a basket with the item before it.
  private static func store(_ folder: TestFolder, count: Int) async throws -> SQLiteStore {
    let (town, item, basket) = try schemas()
    let store = try folder.open()
    try await store.createSchemas([town, item, basket])
    var towns = RowChanges(for: town)
    for number in 0..<count / 10 {
      try towns.add(line: number, id: "t\(number)") { $0.set(1, text: "n\(number)".utf8.span) }
    }
    try await store.save([towns], in: town)
    var chunks: [RowChanges] = []
    for number in 0..<count {
      if number % 1_000 == 0 { chunks.append(RowChanges(for: item)) }
      try chunks[chunks.count - 1].add(line: number, id: "i\(number)") { changes in
        changes.set(1, number: "\(number / 10)".utf8.span)
        changes.set(2, number: "\(number % 4)".utf8.span)
        let isNear = number < 200
        let (row, column) = (Double(number % 317), Double(number / 317 % 331))
        changes.set(
          3, latitude: isNear ? 47.37 + row / 5_000 : -80 + row / 2,
          longitude: isNear ? 8.54 : -170 + column)
        changes.set(4, text: "t\(number / 10)".utf8.span)
      }
    }
    try await store.save(chunks, in: item)
    var baskets = RowChanges(for: basket)
    for number in 1..<count {
      try baskets.add(line: number, id: "b\(number)") { changes in
        changes.openList(1)
        changes.append(text: "i\(number - 1)".utf8.span)
        changes.append(text: "i\(number)".utf8.span)
        changes.closeList()
      }
    }
    try await store.save([baskets], in: basket)
    return store
  }

  @Test(
    "executes a query at the same cost when there are ten times as many records",
    .tags(.slow), .from(.all))
  func sizes() async throws {
    let (town, schema, basket) = try Self.schemas()
    let towns = (0..<100).map { "t\($0 * 7)" }
    let order = [OrderTerm("stock"), OrderTerm(text: "-due")]
    let center = try GeoPoint(latitude: 47.37, longitude: 8.54)
    let circle = try #require(GeoCircle(center: center, meters: 5_000))
    var costs: [[String: ExecutionCounters]] = []
    for count in Self.counts {
      let folder = try TestFolder()
      let store = try await Self.store(folder, count: count)
      let last = Int64(count / 10)
      func position(_ stock: Int64) -> Query.Cursor {
        Query.Cursor([.integer(stock), .integer(2), .text("i\(stock * 10 + 6)")])
      }
      let stock = FieldPath("stock")
      let queries: [String: Query] = [
        "an equality": Query(schema, where: .test(stock, .compare(.equal, .integer(70)))),
        "a range": Query(schema, where: .test(stock, .between(.integer(70), .integer(79)))),
        "the first page": Query(schema, order: order, limit: 100),
        "a page after a cursor": Query(
          schema, order: order, bound: .after(position(70)), limit: 100),
        "a page near the end": Query(
          schema, order: order, bound: .after(position(last - 20)), limit: 100),
        "a page before a place near the end": Query(
          schema, order: order, bound: .before(position(last - 5)), limit: 100),
        "a town's name": Query(
          schema,
          where: .test(FieldPath(names: ["town", "name"]), .compare(.equal, .text("n70")))),
        "baskets with an item of a town": Query(
          basket,
          where: .test(FieldPath(names: ["items", "town"]), .compare(.equal, .text("t70")))),
        "baskets with an item of a town by its name": Query(
          basket,
          where: .test(
            FieldPath(names: ["items", "town", "name"]), .compare(.equal, .text("n70")))),
        "a circle": Query(schema, where: .test(FieldPath("place"), .withinCircle(circle))),
      ]
      var work: [String: ExecutionCounters] = [:]
      for (name, query) in queries {
        work[name] = try await store.counters(of: query)
        Self.expectSearch(name, try await store.explain(query), query)
      }
      work["an expand of 100 records"] = try await store.counters(finding: towns, in: town)
      costs.append(work)
      #expect(try await store.count(queries["a circle"] ?? Query(schema)) == 200)
    }
    for (name, small) in costs[0] {
      let large = try #require(costs[1][name])
      #expect(large.scannedRows <= small.scannedRows + 5, "\(name): \(small), \(large)")
      #expect(large.sorts <= small.sorts, "\(name): \(small), \(large)")
      #expect(
        Double(large.instructions) < 1.2 * Double(small.instructions) + 200,
        "\(name): \(small), \(large)")
      #expect(small.instructions < 40_000, "\(name): \(small)")
    }
    #expect(costs[1]["an expand of 100 records"]?.scannedRows == 0)
  }

  /// Expects a search of an index. A first page scans the index in order instead and stops.
  private static func expectSearch(_ name: String, _ plan: Explanation, _ query: Query) {
    let isFirstPage = query.bound == nil && query.limit != nil
    let expectedStep = isFirstPage ? "SCAN item USING INDEX item.stock.-due" : "SEARCH "
    #expect(plan.steps.contains { $0.contains(expectedStep) }, "\(name): \(plan.steps)")
    #expect(
      !plan.steps.contains { $0.contains("SCAN item") && !isFirstPage }, "\(name): \(plan.steps)")
    #expect(plan.ordering == .byIndex || query.order.isEmpty, "\(name): \(plan.steps)")
  }

  @Test("needs one sort for the sums of all groups, but none for counts or for sums with a limit")
  func groups() async throws {
    let folder = try TestFolder()
    let store = try await Self.store(folder, count: 1_000)
    let (_, item, _) = try Self.schemas()
    let sum = Aggregate.sum(FieldPath("stock"))
    func sorts(_ aggregates: [Aggregate], limit: Int? = nil) async throws -> Int {
      let query = GroupQuery(item, by: [FieldPath("town")], aggregates: aggregates, limit: limit)
      return try await store.counters(of: query).sorts
    }
    #expect(try await sorts([.count, sum]) == 1)
    #expect(try await sorts([.count, sum], limit: 3) == 0)
    #expect(try await sorts([.count]) == 0)
  }

  @Test("evaluates a condition on related records cheaply, whether many or few records are related")
  func relatedRecords() async throws {
    let place = try Schema.test("place", Field("name", .text))
    let visit = try Schema.test(
      "visit", Field("n", .integer),
      Field("place", .relation(Relation(to: "place", inverse: "visits"))),
      indexes: [["place", "n"]])
    let visits = FieldPath("visits")
    let large = Condition.test(FieldPath("n"), .compare(.greater, .integer(20)))
    let path = Condition.test(
      FieldPath(names: ["visits", "n"]), .compare(.greater, .integer(20)))
    // The numbers of places, of visits, and of places with visits.
    for (places, count, visited) in [(100, 5_000, 80), (400, 10_000, 40), (5_000, 20, 20)] {
      let folder = try TestFolder()
      let store = try folder.open()
      try await store.createSchemas([place, visit])
      var rows = RowChanges(for: place)
      for number in 0..<places { try rows.add(line: number, id: "p\(number)") { _ in } }
      try await store.save([rows], in: place)
      rows = RowChanges(for: visit)
      for number in 0..<count {
        try rows.add(line: number, id: "v\(number)") { changes in
          changes.set(1, number: "\(number % 50)".utf8.span)
          changes.set(2, text: "p\(number % visited * (places / visited))".utf8.span)
        }
      }
      try await store.save([rows], in: visit)
      for condition in [.any(visits, .all), .any(visits, large), path] {
        let cost = try await store.counters(of: Query(place, where: condition))
        #expect(cost.instructions < 10_000, "\(places), \(condition): \(cost)")
      }
      guard count > places else { continue }
      for condition in [Condition.any(visits, .all), .any(visits, large)] {
        let cost = try await store.counters(of: Query(place, where: condition.negation))
        #expect(cost.instructions < 10_000, "no \(condition): \(cost)")
      }
    }
  }

  @Test(
    "deletes thousands of records with thousands of references in one request", .tags(.slow),
    .from(.test))
  func deleting() async throws {
    let count = 20_000
    let folder = try TestFolder()
    let store = try await Self.store(folder, count: count)
    let (_, item, basket) = try Self.schemas()
    let condition = Condition.test(FieldPath("stock"), .compare(.less, .integer(1_900)))
    let versions = try await store.catalog().versions(concerning: item)
    let summary = try await store.delete(
      DeleteRequest(item, .matching(condition)),
      WriteRequest(to: [item], versions: versions, stamp: Stamp(time: .later)))
    #expect(summary == DeleteSummary(deleted: 19_000, nullified: 19_000))
    let empty = Condition.test(FieldPath("items"), .isEmpty)
    #expect(try await store.count(Query(basket, where: empty)) == 18_999)
  }
}

extension RowChanges {
  /// Adds a record. Throws its problems.
  fileprivate mutating func add(
    line: Int, id: String, _ fill: (inout RowChanges) -> Void
  ) throws {
    beginRecord(line: line)
    set(schema.keySlot, text: id.utf8.span)
    fill(&self)
    if let error = DataError(endRecord()) { throw error }
  }
}
