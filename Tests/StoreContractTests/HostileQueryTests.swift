import DataModel
import DataStore
import Testing

@Suite("Store contract: hostile queries")
struct HostileQueryTests {
  private static let texts = [
    "'", "\"", "';--", "\"; drop table \"select\"; --", "/*", "*/ or 1=1", "?", ":x", "$1", "%s",
    "\\", "x' or 'a'='a", "\u{1}", "🙂\u{301}", "\r\n", "null", "(", ")",
  ]

  @Test(
    "quotes names that are SQL keywords, and binds values that look like SQL",
    arguments: Engine.all)
  func names(engine: Engine) async throws {
    let inner = try Schema.test(
      "order", Field("select", .text), Field("source", .text), Field("target", .integer),
      Field("position", .geopoint), Field("value", .array(.text)))
    let outer = try Schema.test(
      "select", Field("from", .relation(Relation(to: "order"))),
      Field("where", .relation(Relation(to: "order", isMany: true))), Field("order", .text),
      Field("rowid", .text), Field("key", .json))
    let fixture = try await StoreFixture(engine, [inner, outer])
    for (number, text) in Self.texts.enumerated() {
      let id: Row.Input = .value(.text(text))
      try await fixture.save(
        "order",
        [
          "order_id": .value(.text("\(number)")), "select": id, "source": id, "target": 1,
          "value": .value(.list([.text(text)])),
        ])
      try await fixture.save(
        "select",
        [
          "select_id": .value(.text("\(number)")), "from": .value(.text("\(number)")),
          "where": .value(.list([.text("\(number)")])), "order": id, "rowid": id,
        ])
    }
    let paths: [FieldPath] = [
      "order", "rowid", "from.select", "from.source", "where.select", "where.source",
      "from.value", "where.value",
    ]
    for (number, text) in Self.texts.enumerated() {
      for path in paths {
        for criterion: Criterion in [
          .compare(.equal, .text(text)), .isIn([.text(text)]), .between(.text(text), .text(text)),
        ] {
          let query = Query(outer, where: .test(path, criterion))
          #expect(try await fixture.ids(query) == ["\(number)"], "\(path) \(criterion)")
        }
      }
      let missingKey = Condition.test(FieldPath(names: ["key", text]), .isNull)
      #expect(try await fixture.ids(Query(outer, where: missingKey)).count == Self.texts.count)
    }
    let ordered = Query(outer, order: [OrderTerm("from.select"), OrderTerm("order")])
    #expect(try await fixture.ids(ordered).count == Self.texts.count)
    let groups = GroupQuery(outer, by: ["from.select", "order"], aggregates: [.count])
    #expect(try await fixture.groups(groups).count == Self.texts.count)
  }

  @Test(
    "evaluates lists of 100,000 values and conditions with 200 nested `not` operators",
    arguments: Engine.forLargestQueries)
  func sizes(engine: Engine) async throws {
    let schema = try Schema.test(
      "item", Field("title", .text), Field("stock", .integer), Field("price", .number))
    let fixture = try await StoreFixture(engine, [schema])
    try await fixture.save("item", ["item_id": "a", "title": "t5", "stock": 5, "price": 5])
    let texts = (0..<100_000).map { Value.text("t\($0)") }
    let integers = (0..<100_000).map { Value.integer($0) }
    let numbers = (0..<100_000).map { Value.number(Double($0)) }
    for (path, values): (FieldPath, [Value]) in [
      ("title", texts), ("stock", integers), ("price", numbers),
    ] {
      #expect(try await fixture.ids(Query(schema, where: .test(path, .isIn(values)))) == ["a"])
      #expect(try await fixture.ids(Query(schema, where: .not(.test(path, .isIn(values))))) == [])
    }
    var nots = Condition.equals(field: "title", value: "t5")
    for _ in 0..<200 { nots = .not(nots) }
    #expect(try await fixture.ids(Query(schema, where: nots)) == ["a"])
  }
}
