import DataModel
import DataStore
import Testing

@Suite("Store contract: comparing integers with numbers, and joining geopoint components")
struct FieldComparisonTests {
  private func fixture(_ engine: Engine) async throws -> (fixture: StoreFixture, schema: Schema) {
    let schema = try Schema.test(
      "item", Field("stock", .integer), Field("price", .number), Field("home", .geopoint))
    let fixture = try await StoreFixture(engine, [schema])
    let home = try GeoPoint(latitude: 47.5, longitude: -8.25)
    for (id, stock, price) in [
      ("a", 9_007_199_254_740_993, 9_007_199_254_740_992), ("b", 2, 2), ("c", 2, 2.5),
      ("d", .max, 0x1p63), ("e", -9_007_199_254_740_993, -9_007_199_254_740_992),
    ] as [(String, Int64, Double)] {
      try await fixture.save(
        "item",
        [
          "item_id": .value(.text(id)), "stock": .value(.integer(stock)),
          "price": .value(.number(price)), "home": .value(.geopoint(home)),
        ])
    }
    try await fixture.save("item", ["item_id": "f", "stock": 1])
    return (fixture, schema)
  }

  @Test(
    "compares an integer field with a number field without rounding",
    arguments: Engine.all)
  func fields(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    func ids(_ field: String, _ comparison: Comparison, _ other: String) async throws -> String {
      let test = Condition.test(FieldPath(field), .comparePath(comparison, FieldPath(other)))
      return try await fixture.ids(Query(schema, where: test)).joined()
    }
    #expect(try await ids("stock", .equal, "price") == "b")
    #expect(try await ids("stock", .less, "price") == "cde")
    #expect(try await ids("price", .less, "stock") == "a")
    #expect(try await ids("price", .greaterOrEqual, "stock") == "bcde")
  }

  @Test(
    "returns components of a geopoint, such as home.lat, when a query selects them",
    arguments: Engine.all)
  func parts(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let paths = [FieldPath(dotted: "home.lon"), FieldPath(dotted: "home.lat")]
    let query = Query(
      schema, order: [OrderTerm("home.lat")], limit: 2, slots: [0], joinedFields: paths)
    let stream: any RecordStream = try await fixture.store.records(query)
    let rows = try #require(try await stream.next(reusing: Rows(width: query.width)))
    let values = (0..<rows.count).map { row in
      (0..<2).map { rows.value(rows[row, schema.width + $0], of: .number) }
    }
    #expect(values == [[.null, .null], [.number(-8.25), .number(47.5)]])
  }
}
