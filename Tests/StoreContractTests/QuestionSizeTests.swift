import DataModel
import DataStore
import Testing

@Suite("Store contract: query size limits")
struct QuestionSizeTests {
  /// Returns a store with an item that refers to itself in every way.
  private func bench(_ engine: Engine) async throws -> (Workbench, Schema) {
    let relations = (0..<51).map { Field("r\($0)", .relation(Relation(to: "item"))) }
    let fields = (0..<51).map { Field("f\($0)", .integer) }
    var draft = SchemaDraft(name: "item")
    draft.fields =
      ([
        Field("item_id", .id), Field("title", .text), Field("stock", .integer),
        Field("place", .geopoint), Field("tags", .array(.text)), Field("details", .json),
        Field("next", .relation(Relation(to: "item"))),
        Field("many", .relation(Relation(to: "item", isMany: true))),
      ] + relations + fields).map { .init($0) }
    let schema = try Schema(checking: draft)
    let bench = try await Workbench(engine, [schema])
    var row: Row = [
      "item_id": "a", "title": "t5", "stock": 5, "tags": .value(.list(["x"])), "next": "a",
      "many": .value(.list(["a"])),
      "place": .value(.geopoint(try GeoPoint(latitude: 47, longitude: 8))),
    ]
    for field in relations { row.entries.append((field.name, "a")) }
    try await bench.save("item", row)
    return (bench, schema)
  }

  /// Runs the condition in every kind of request and expects the only record.
  private func isAnswered(
    _ condition: Condition, _ bench: Workbench, _ schema: Schema,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let query = Query(schema, where: condition, limit: 5)
    #expect(try await bench.ids(query) == ["a"], sourceLocation: sourceLocation)
    #expect(try await bench.store.count(query) == 1, sourceLocation: sourceLocation)
    _ = try await bench.store.explain(query)
    let groups = GroupQuery(schema, where: condition, by: [], sums: [.count])
    #expect(try await bench.groups(groups).count == 1, sourceLocation: sourceLocation)
    let deleted = try await bench.delete("item", .matching(condition), end: .rollBack)
    #expect(deleted.deleted == 1, sourceLocation: sourceLocation)
  }

  /// Runs the condition in every kind of request and expects the same error each time.
  private func isRefused(
    _ condition: Condition, _ bench: Workbench, _ schema: Schema, saying message: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    func said(_ body: () async throws -> Void) async -> [String] {
      do {
        try await body()
        return []
      } catch {
        return (error as? DataError)?.problems.map { "\($0.code) \($0.message)" } ?? ["\(error)"]
      }
    }
    let query = Query(schema, where: condition, limit: 5)
    let groups = GroupQuery(schema, where: condition, by: [], sums: [.count])
    let answers = [
      await said { _ = try await bench.ids(query) },
      await said { _ = try await bench.store.count(query) },
      await said { _ = try await bench.store.explain(query) },
      await said { _ = try await bench.groups(groups) },
      await said { _ = try await bench.delete("item", .matching(condition), end: .rollBack) },
    ]
    #expect(
      answers == Array(repeating: ["usage \(message)"], count: 5), sourceLocation: sourceLocation)
  }

  /// Nests `and` and `or` alternately around a test, with `parts` further tests on each level.
  private func deep(_ depth: Int, parts: Int = 1, around inner: Condition) -> Condition {
    var condition = inner
    for level in 0..<depth {
      let isAnd = level % 2 == 0
      let other = Condition.equals(field: "stock", value: .integer(isAnd ? 5 : 6))
      let others = Array(repeating: other, count: parts)
      condition = isAnd ? .and(others + [condition]) : .or([condition] + others)
    }
    return condition
  }

  private func path(_ relation: String, _ count: Int, _ end: String...) -> FieldPath {
    FieldPath(names: Array(repeating: relation, count: count) + end)
  }

  private static let depth = QuestionSize.deepestJunction
  private static let hops = QuestionSize.mostRelationsInPath

  @Test("accepts nested and/or up to the maximum depth", arguments: Engine.all)
  func depth(engine: Engine) async throws {
    let (bench, schema) = try await bench(engine)
    let sizes = 2_000 / Self.depth
    for inner: Condition in [
      .equals(field: "title", value: "t5"),
      .test(path("next", Self.hops, "title"), .compare(.equal, "t5")),
      .test(path("many", 4, "title"), .compare(.equal, "t5")),
      .test(path("many", 4, "tags"), .contains("x")),
      .not(.test(path("many", 4, "details", "a"), .compare(.equal, "t5"))),
    ] {
      try await isAnswered(deep(Self.depth, around: inner), bench, schema)
      let wide = deep(Self.depth, parts: sizes, around: inner)
      #expect(try await bench.ids(Query(schema, where: wide, limit: 5)) == ["a"])
      try await isRefused(
        deep(Self.depth + 1, around: inner), bench, schema,
        saying: "\"and\" and \"or\" nest at most 20 deep")
    }
    for (inner, depth) in [(path("many", 4, "title"), 6), (path("next", 8, "title"), 12)] {
      try await isAnswered(balanced(depth, around: .test(inner, .isIn(["t5"]))), bench, schema)
    }
  }

  /// Nests `and` and `or` alternately to a depth, with two operands on each level.
  private func balanced(_ depth: Int, around inner: Condition) -> Condition {
    if depth == 0 { return inner }
    let part = balanced(depth - 1, around: inner)
    return depth % 2 == 0 ? .and([part, part]) : .or([part, part])
  }

  @Test("accepts paths up to the maximum number of relations", arguments: Engine.all)
  func paths(engine: Engine) async throws {
    let (bench, schema) = try await bench(engine)
    let criterion = Criterion.like(try LikePattern("%", .exact))
    for (relation, most, fault) in [
      ("next", 8, "a path follows at most 8 relations"),
      ("many", 4, "a path follows at most 4 to-many relations"),
    ] {
      for end in ["title", "item_id"] {
        try await isAnswered(.test(path(relation, most, end), criterion), bench, schema)
        for length in [most + 1, 100_000] {
          try await isRefused(
            .test(path(relation, length, end), criterion), bench, schema, saying: fault)
        }
      }
    }
    let keys = FieldPath(names: ["details"] + Array(repeating: "a", count: 50_000))
    try await isAnswered(.not(.test(keys, .isEmpty)), bench, schema)
  }

  @Test("accepts a query up to the maximum number of relations", arguments: Engine.all)
  func relations(engine: Engine) async throws {
    let (bench, schema) = try await bench(engine)
    func tests(_ count: Int) -> [Condition] {
      (0..<count).map { .test(path("r\($0)", 1, "title"), .compare(.equal, "t5")) }
    }
    let fault = "a query follows at most 50 relations"
    try await isAnswered(.and(tests(50) + tests(50)), bench, schema)
    try await isRefused(.and(tests(51)), bench, schema, saying: fault)
    let shown = (0..<50).map { path("r\($0)", 1, "place") }
    let ordered = shown.map { OrderTerm("\($0.names[0]).title") }
    let query = Query(schema, where: .and(tests(50)), order: ordered, alongside: shown)
    #expect(try await bench.ids(query) == ["a"])
    let sums = shown.map { GroupSum.greatest(FieldPath(names: [$0.names[0], "stock"])) }
    let groups = GroupQuery(
      schema, where: .and(tests(50)), by: ordered.map { FieldPath(dotted: $0.field) }, sums: sums)
    #expect(try await bench.groups(groups).count == 1)
    for query in [
      Query(schema, where: .and(tests(50)), order: [OrderTerm("r50.title")]),
      Query(schema, where: .and(tests(50)), alongside: ["r50.title"]),
    ] {
      await #expect(throws: DataError.self) { _ = try await bench.ids(query) }
    }
    let sum = GroupQuery(schema, where: .and(tests(50)), by: [], sums: [.least("r50.stock")])
    await #expect(throws: DataError.self) { _ = try await bench.groups(sum) }
  }

  @Test(
    "accepts conditions up to the maximum number of tests, with any number of values",
    arguments: Engine.all)
  func tests(engine: Engine) async throws {
    let (bench, schema) = try await bench(engine)
    let place = try GeoPoint(latitude: 47, longitude: 8)
    let values = (0..<100).map { Value.text("t\($0)") }
    let circle = try #require(GeoCircle(centre: place, metres: 5_000))
    for test: Condition in [
      .equals(field: "title", value: "t5"), .test("title", .isIn(values)),
      .test("stock", .between(1, 5)), .test("title", .like(try LikePattern("t%5", .exact))),
      .test("place", .withinCircle(circle)), .test("place", .withinBox(circle.box)),
      .test("place", .isIn(Array(repeating: .geopoint(place), count: 8))),
      .test("place", .compare(.equal, .geopoint(place))), .test("tags", .contains("x")),
      .test("many", .contains("a")), .test("many.title", .isIn(values)),
    ] {
      let many = Array(repeating: test, count: QuestionSize.mostTests)
      #expect(try await bench.ids(Query(schema, where: .or(many))) == ["a"], "\(test)")
      // Planning time grows with the number of joins, so these use fewer tests.
      let few = Array(repeating: test, count: 60)
      #expect(try await bench.ids(Query(schema, where: .and(few))) == ["a"], "\(test)")
      #expect(try await bench.ids(Query(schema, where: .not(.or(few)))) == [], "\(test)")
    }
    let test = Condition.equals(field: "title", value: "t5")
    try await isRefused(
      .or(Array(repeating: test, count: QuestionSize.mostTests + 1)), bench, schema,
      saying: "a query has at most 10000 comparisons")
  }

  @Test("accepts up to the maximum number of order, group and joined fields", arguments: Engine.all)
  func terms(engine: Engine) async throws {
    let (bench, schema) = try await bench(engine)
    func order(_ count: Int) -> [OrderTerm] {
      (0..<count).map { OrderTerm("f\($0)", isDescending: $0 % 2 == 0) }
    }
    func names(_ count: Int) -> [FieldPath] { (0..<count).map { FieldPath("f\($0)") } }
    let place = Query.Place(Array(repeating: .null, count: 50) + [.text("")])
    var query = Query(schema, order: order(50))
    #expect(try await bench.ids(query) == ["a"])
    query.bound = .after(place)
    #expect(try await bench.ids(query).count <= 1)
    query.bound = .before(Query.Place(Array(repeating: .integer(3), count: 50) + ["b"]))
    #expect(try await bench.ids(query).count <= 1)
    let groups = GroupQuery(
      schema, by: names(50), sums: names(50).map(GroupSum.sum), order: order(50))
    #expect(try await bench.groups(groups).count == 1)
    let shown = Array(repeating: path("next", 8, "place"), count: 100)
    #expect(try await bench.ids(Query(schema, alongside: shown)) == ["a"])
    await #expect(throws: DataError.self) {
      try await bench.ids(Query(schema, order: order(51)))
    }
    await #expect(throws: DataError.self) {
      try await bench.ids(Query(schema, alongside: shown + shown))
    }
    for groups in [
      GroupQuery(schema, by: names(51)), GroupQuery(schema, by: names(1), order: order(51)),
      GroupQuery(
        schema, by: [], sums: names(51).map(GroupSum.sum) + names(51).map(GroupSum.least)),
    ] {
      await #expect(throws: DataError.self) { try await bench.groups(groups) }
    }
  }
}
