import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: query size limits")
struct QueryLimitsTests {
  /// Returns a store with an item that refers to itself in every way.
  private func fixture(_ engine: Engine) async throws -> (StoreFixture, Schema) {
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
    let fixture = try await StoreFixture(engine, [schema])
    var row: Row = [
      "item_id": "a", "title": "t5", "stock": 5, "tags": .value(.list(["x"])), "next": "a",
      "many": .value(.list(["a"])),
      "place": .value(.geopoint(try GeoPoint(latitude: 47, longitude: 8))),
    ]
    for field in relations { row.entries.append((field.name, "a")) }
    try await fixture.save("item", row)
    return (fixture, schema)
  }

  /// Runs the condition in every kind of request and expects the only record.
  private func expectOnlyRecord(
    _ condition: Condition, _ fixture: StoreFixture, _ schema: Schema,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let query = Query(schema, where: condition, limit: 5)
    #expect(try await fixture.ids(query) == ["a"], sourceLocation: sourceLocation)
    #expect(try await fixture.store.count(query) == 1, sourceLocation: sourceLocation)
    _ = try await fixture.store.explain(query)
    let groups = GroupQuery(schema, where: condition, by: [], aggregates: [.count])
    #expect(try await fixture.groups(groups).count == 1, sourceLocation: sourceLocation)
    let deleted = try await fixture.delete("item", .matching(condition), end: .rollBack)
    #expect(deleted.deleted == 1, sourceLocation: sourceLocation)
  }

  /// Runs the condition in every kind of request and expects the same error each time.
  private func expectError(
    _ condition: Condition, _ fixture: StoreFixture, _ schema: Schema, expecting message: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    func errorMessages(_ body: () async throws -> Void) async -> [String] {
      do {
        try await body()
        return []
      } catch {
        return (error as? DataError)?.problems.map { "\($0.code) \($0.message)" } ?? ["\(error)"]
      }
    }
    let query = Query(schema, where: condition, limit: 5)
    let groups = GroupQuery(schema, where: condition, by: [], aggregates: [.count])
    let answers = [
      await errorMessages { _ = try await fixture.ids(query) },
      await errorMessages { _ = try await fixture.store.count(query) },
      await errorMessages { _ = try await fixture.store.explain(query) },
      await errorMessages { _ = try await fixture.groups(groups) },
      await errorMessages {
        _ = try await fixture.delete("item", .matching(condition), end: .rollBack)
      },
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

  private static let depth = QueryLimits.maxNesting
  private static let maxHops = QueryLimits.maxRelationsInPath

  @Test(
    "accepts `and` and `or` nested up to the maximum depth", .from(.test), .tags(.slow),
    arguments: Engine.forLargestQueries)
  func depth(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let sizes = 2_000 / Self.depth
    for inner: Condition in [
      .equals(field: "title", value: "t5"),
      .test(path("next", Self.maxHops, "title"), .compare(.equal, "t5")),
      .test(path("many", 4, "title"), .compare(.equal, "t5")),
      .test(path("many", 4, "tags"), .contains("x")),
      .not(.test(path("many", 4, "details", "a"), .compare(.equal, "t5"))),
    ] {
      try await expectOnlyRecord(deep(Self.depth, around: inner), fixture, schema)
      let wide = deep(Self.depth, parts: sizes, around: inner)
      #expect(try await fixture.ids(Query(schema, where: wide, limit: 5)) == ["a"])
      try await expectError(
        deep(Self.depth + 1, around: inner), fixture, schema,
        expecting: "\"and\" and \"or\" can be nested at most 20 levels deep")
    }
    for (inner, depth) in [(path("many", 4, "title"), 6), (path("next", 8, "title"), 12)] {
      try await expectOnlyRecord(
        balanced(depth, around: .test(inner, .isIn(["t5"]))), fixture, schema)
    }
  }

  /// Nests `and` and `or` alternately to a depth, with two operands on each level.
  private func balanced(_ depth: Int, around inner: Condition) -> Condition {
    if depth == 0 { return inner }
    let part = balanced(depth - 1, around: inner)
    return depth % 2 == 0 ? .and([part, part]) : .or([part, part])
  }

  @Test("accepts paths that follow up to the maximum number of relations", arguments: Engine.all)
  func paths(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let criterion = Criterion.like(try LikePattern("%", .exact))
    for (relation, limit, expectedMessage) in [
      ("next", 8, "a path can follow at most 8 relations"),
      ("many", 4, "a path can follow at most 4 to-many relations"),
    ] {
      for end in ["title", "item_id"] {
        try await expectOnlyRecord(.test(path(relation, limit, end), criterion), fixture, schema)
        for length in [limit + 1, 100_000] {
          try await expectError(
            .test(path(relation, length, end), criterion), fixture, schema,
            expecting: expectedMessage)
        }
      }
    }
    let keys = FieldPath(names: ["details"] + Array(repeating: "a", count: 50_000))
    try await expectOnlyRecord(.not(.test(keys, .isEmpty)), fixture, schema)
  }

  @Test(
    "accepts queries that follow up to the maximum number of relations", .from(.test), .tags(.slow),
    arguments: Engine.forLargestQueries)
  func relations(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    func tests(_ count: Int) -> [Condition] {
      (0..<count).map { .test(path("r\($0)", 1, "title"), .compare(.equal, "t5")) }
    }
    let expectedMessage = "a query can follow at most 50 relations"
    try await expectOnlyRecord(.and(tests(50) + tests(50)), fixture, schema)
    try await expectError(.and(tests(51)), fixture, schema, expecting: expectedMessage)
    let joinedPaths = (0..<50).map { path("r\($0)", 1, "place") }
    let ordered = joinedPaths.map { OrderTerm("\($0.names[0]).title") }
    let query = Query(schema, where: .and(tests(50)), order: ordered, joinedFields: joinedPaths)
    #expect(try await fixture.ids(query) == ["a"])
    let aggregates = joinedPaths.map {
      Aggregate.maximum(FieldPath(names: [$0.names[0], "stock"]))
    }
    let groups = GroupQuery(
      schema, where: .and(tests(50)), by: ordered.map { FieldPath(dotted: $0.field) },
      aggregates: aggregates)
    #expect(try await fixture.groups(groups).count == 1)
    for query in [
      Query(schema, where: .and(tests(50)), order: [OrderTerm("r50.title")]),
      Query(schema, where: .and(tests(50)), joinedFields: ["r50.title"]),
    ] {
      await #expect(throws: DataError.self) { _ = try await fixture.ids(query) }
    }
    let sum = GroupQuery(
      schema, where: .and(tests(50)), by: [], aggregates: [.minimum("r50.stock")])
    await #expect(throws: DataError.self) { _ = try await fixture.groups(sum) }
  }

  @Test(
    "accepts conditions with up to the maximum number of comparisons and any number of values",
    .from(.test), .tags(.slow),
    arguments: Engine.forLargestQueries)
  func tests(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let point = try GeoPoint(latitude: 47, longitude: 8)
    let values = (0..<100).map { Value.text("t\($0)") }
    let circle = try #require(GeoCircle(center: point, meters: 5_000))
    let tests: [Condition] = [
      .equals(field: "title", value: "t5"), .test("title", .isIn(values)),
      .test("stock", .between(1, 5)), .test("title", .like(try LikePattern("t%5", .exact))),
      .test("place", .withinCircle(circle)), .test("place", .withinBox(circle.box)),
      .test("place", .isIn(Array(repeating: .geopoint(point), count: 8))),
      .test("place", .compare(.equal, .geopoint(point))), .test("tags", .contains("x")),
      .test("many", .contains("a")), .test("many.title", .isIn(values)),
    ]
    for test in tests.prefix(TestTier.current == .all ? tests.count : 2) {
      let many = Array(repeating: test, count: QueryLimits.maxTests)
      #expect(try await fixture.ids(Query(schema, where: .or(many))) == ["a"], "\(test)")
      // Planning time grows with the number of joins, so these use fewer tests.
      let few = Array(repeating: test, count: 60)
      #expect(try await fixture.ids(Query(schema, where: .and(few))) == ["a"], "\(test)")
      #expect(try await fixture.ids(Query(schema, where: .not(.or(few)))) == [], "\(test)")
    }
    let test = Condition.equals(field: "title", value: "t5")
    try await expectError(
      .or(Array(repeating: test, count: QueryLimits.maxTests + 1)), fixture, schema,
      expecting: "a query can have at most 10000 comparisons")
  }

  @Test(
    "accepts queries with up to the maximum number of sort fields, group keys and joined fields",
    arguments: Engine.all)
  func terms(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    func order(_ count: Int) -> [OrderTerm] {
      (0..<count).map { OrderTerm("f\($0)", isDescending: $0 % 2 == 0) }
    }
    func names(_ count: Int) -> [FieldPath] { (0..<count).map { FieldPath("f\($0)") } }
    let cursor = Query.Cursor(Array(repeating: .null, count: 50) + [.text("")])
    var query = Query(schema, order: order(50))
    #expect(try await fixture.ids(query) == ["a"])
    query.bound = .after(cursor)
    #expect(try await fixture.ids(query).count <= 1)
    query.bound = .before(Query.Cursor(Array(repeating: .integer(3), count: 50) + ["b"]))
    #expect(try await fixture.ids(query).count <= 1)
    let groups = GroupQuery(
      schema, by: names(50), aggregates: names(50).map(Aggregate.sum), order: order(50))
    #expect(try await fixture.groups(groups).count == 1)
    let joinedPaths = Array(repeating: path("next", 8, "place"), count: 100)
    #expect(try await fixture.ids(Query(schema, joinedFields: joinedPaths)) == ["a"])
    await #expect(throws: DataError.self) {
      try await fixture.ids(Query(schema, order: order(51)))
    }
    await #expect(throws: DataError.self) {
      try await fixture.ids(Query(schema, joinedFields: joinedPaths + joinedPaths))
    }
    for groups in [
      GroupQuery(schema, by: names(51)), GroupQuery(schema, by: names(1), order: order(51)),
      GroupQuery(
        schema, by: [], aggregates: names(51).map(Aggregate.sum) + names(51).map(Aggregate.minimum)),
    ] {
      await #expect(throws: DataError.self) { try await fixture.groups(groups) }
    }
  }
}
