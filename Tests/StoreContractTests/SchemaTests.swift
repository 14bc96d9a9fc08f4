import DataModel
import DataStore
import Testing

@Suite("Store contract: schemas")
struct SchemaTests {
  @Test("returns no schemas for a new store", arguments: Engine.all)
  func empty(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine)
    let stored = try await fixture.store.catalog()
    #expect(stored.catalog == Catalog())
  }

  @Test(
    "stores schemas without loss, and changes the catalog version when a schema changes",
    arguments: Engine.all)
  func create(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine)
    let first = try await fixture.store.catalog().version
    let schemas = try everything()
    try await fixture.apply(schemas)
    let stored = try await fixture.store.catalog()
    #expect(stored.catalog.schemas == schemas)
    #expect(stored.version != first)
    let reopened = try await fixture.reopened().store.catalog()
    #expect(reopened.catalog.schemas == schemas)
    #expect(reopened.version == stored.version)
    try await fixture.apply(schemas)
    #expect(try await fixture.store.catalog().version == stored.version)
  }

  @Test("finds a schema by its name", arguments: Engine.all)
  func named(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine)
    #expect(try await fixture.store.schema(named: "item") == nil)
    let schemas = try everything()
    try await fixture.apply(schemas)
    #expect(try await fixture.store.schema(named: "item") == schemas[0])
    #expect(try await fixture.store.schema(named: "Item") == nil)
  }

  /// Returns schemas that use every feature.
  private func everything() throws -> [Schema] {
    [
      try .test(
        "item",
        Field(
          "title", .text, isRequired: true, isUnique: true, maximum: .integer(9),
          doc: "A \"title\"."),
        Field("code", .text, minimum: .integer(1), pattern: try Pattern("[a-z]+")),
        Field("size", .text, defaultValue: "m", oneOf: ["s", "m", "é"]),
        Field(
          "stock", .integer, defaultValue: -1, minimum: .integer(.min), maximum: .integer(.max)),
        Field(
          "price", .number, defaultValue: 0.1, minimum: .number(.leastNonzeroMagnitude),
          oneOf: [0.1, 1e300]),
        Field("done", .boolean, defaultValue: false),
        Field(
          "due", .datetime, defaultValue: .datetime(StoreFixture.noon), maximum: .datetime(.latest)),
        Field("place", .geopoint, defaultValue: .point(1.5, -2)), Field("photo", .file),
        Field("more", .json, defaultValue: .json(#"{"a":[1e2,null]}"#)),
        Field(
          "tags", .array(.text), defaultValue: ["a", ""], maximum: .integer(5), oneOf: ["a", ""]),
        Field("owner", .relation(Relation(to: "user", onDelete: .deny))),
        Field("parts", .relation(Relation(to: "item", isMany: true, onDelete: .cascade))),
        indexes: [["done", "-due"], ["-item_id"]], doc: "A thing.\nAny thing.",
        properties: [("assignee", "owner"), ("name", "title")]),
      try .test("user", Field("password", .password, isRequired: true), kind: .user),
    ]
  }

  @Test(
    "rejects a schema change if the schemas have changed since it was planned",
    arguments: Engine.all)
  func conflict(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine)
    let stored = try await fixture.store.catalog()
    let plan = try SchemaPlan(from: stored, to: [try .test("a")], reading: .partial)
    try await fixture.apply([try .test("b")])
    await #expect(throws: DataError.schemaChanged) {
      try await fixture.apply(plan)
    }
    #expect(try await fixture.store.catalog().catalog.schemas.map(\.name) == ["b"])
  }

  @Test("accepts schemas that refer to each other in a cycle", arguments: Engine.all)
  func cycle(engine: Engine) async throws {
    let fixture = try await StoreFixture(
      engine,
      [
        try .test("a", Field("b", .relation(Relation(to: "b")))),
        try .test("b", Field("a", .relation(Relation(to: "a", isMany: true)))),
      ])
    try await fixture.save("a", ["a_id": "x"])
    try await fixture.save("b", ["b_id": "y", "a": ["x"]])
    try await fixture.save("a", ["a_id": "x", "b": "y"])
    #expect(try await fixture.delete("b", .ids(["y"])) == DeleteSummary(deleted: 1, nullified: 1))
  }

  @Test(
    "adds fields in declaration order and fills existing records with their defaults",
    arguments: Engine.all)
  func addFields(engine: Engine) async throws {
    let last = Field("last", .text)
    let fixture = try await StoreFixture(engine, [try .test("item", last, indexes: [["last"]])])
    try await fixture.save("item", ["item_id": "a", "last": "kept"], user: "ann")
    let new = try Schema.test(
      "item", Field("stock", .integer, isRequired: true, defaultValue: 3),
      Field("slug", .text, isUnique: true), last,
      Field("tags", .array(.text), defaultValue: ["x"]),
      Field("links", .relation(Relation(to: "item", isMany: true))),
      Field("place", .geopoint), Field("photo", .file), indexes: [["last"]])
    try await fixture.apply([new])
    #expect(try await fixture.store.catalog().catalog.schemas == [new])
    let kept: Record = [
      "item_id": "a", "stock": 3, "slug": nil, "last": "kept", "tags": ["x"], "links": [],
      "place": nil, "photo": nil,
    ]
    #expect(try await fixture.all("item") == [kept.stamped(by: "ann", by: "ann")])
    #expect(
      try await fixture.save("item", ["item_id": "a", "stock": 3, "last": "kept"]) == [.same])
    try await fixture.save(
      "item", ["item_id": "b", "stock": 4, "slug": "s", "links": ["a"], "photo": .file("p", [1])])
    #expect(try await fixture.ids("item", order: "-stock") == ["b", "a"])
    let problems = try await fixture.rejection(of: "item", ["item_id": "c", "slug": "s"])
    #expect(problems.map(\.code) == [.notUnique])
    let reopened = try await fixture.reopened()
    #expect(try await reopened.record("item", "a") == kept.stamped(by: "ann", by: "ann"))
    #expect(try await reopened.content("item", "b", "photo") == [1])
  }

  @Test(
    "rejects a new required field without a default when there are records", arguments: Engine.all)
  func requiredField(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine, [try .test("item"), try .test("empty")])
    try await fixture.save("item", ["item_id": "a"], ["item_id": "b"])
    let version = try await fixture.store.catalog().version
    let field = Field("title", .text, isRequired: true)
    let expected = DataError(
      Problem(
        .incompatibleData, "a new required field would have no value in 2 existing records",
        hint: "add a default, or remove required", schema: "item", field: "title"))
    await #expect(throws: expected) {
      try await fixture.apply([try .test("item", field), try .test("empty", field)])
    }
    await #expect(throws: expected) {
      try await fixture.apply([try .test("item", field)], end: .rollBack)
    }
    #expect(try await fixture.store.catalog().version == version)
    try await fixture.apply([try .test("empty", field)])
    #expect(
      try await fixture.rejection(of: "empty", ["empty_id": "a"]).map(\.message) == ["required"])
  }

  @Test(
    "accepts a default for a new unique field only if there is at most one record",
    arguments: Engine.all)
  func uniqueField(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine, [try .test("one"), try .test("two")])
    try await fixture.save("one", ["one_id": "a"])
    try await fixture.save("two", ["two_id": "a"], ["two_id": "b"])
    let field = Field("rank", .integer, isUnique: true, defaultValue: 1)
    try await fixture.apply([try .test("one", field)])
    #expect(
      try await fixture.all("one") == [(["one_id": "a", "rank": 1] as Record).stamped()])
    let expected = DataError(
      Problem(
        .incompatibleData,
        "a new unique field would have the same default in 2 existing records",
        hint: "remove the default", schema: "two", field: "rank"))
    await #expect(throws: expected) { try await fixture.apply([try .test("two", field)]) }
    await #expect(throws: expected) {
      try await fixture.apply([try .test("two", field)], end: .rollBack)
    }
    #expect(try await fixture.all("two").map(\.bare) == [["two_id": "a"], ["two_id": "b"]])
  }

  @Test(
    "leaves schemas and records unchanged when a schema change is rolled back",
    arguments: Engine.all)
  func rolledBack(engine: Engine) async throws {
    let item = try Schema.test("item", Field("parent", .relation(Relation(to: "item"))))
    let fixture = try await StoreFixture(engine, [item, try .test("other")])
    try await fixture.save("item", ["item_id": "a", "parent": "a"])
    let before = try await fixture.store.catalog()
    let everything = try await fixture.everything()
    let grown = try Schema.test(
      "item", Field("parent", .relation(Relation(to: "item"))),
      Field("others", .relation(Relation(to: "other", isMany: true))),
      Field("rank", .integer, isUnique: true, defaultValue: 1), indexes: [["rank"]])
    try await fixture.apply([grown, try .test("new")], end: .rollBack)
    let dropping = try SchemaPlan(dropping: ["item", "other"], from: before)
    try await fixture.apply(dropping, allowingLoss: ["item"], end: .rollBack)
    let after = try await fixture.store.catalog()
    #expect(after.version == before.version)
    #expect(after.catalog == before.catalog)
    #expect(try await fixture.everything() == everything)
    try await fixture.apply([grown, try .test("new")])
    #expect(
      try await fixture.all("item").map(\.bare) == [
        ["item_id": "a", "parent": "a", "others": [], "rank": 1]
      ])
  }

  @Test(
    "relaxes rules of fields, such as `required`, without changing the records",
    arguments: Engine.all)
  func loosen(engine: Engine) async throws {
    let other = try Schema.test("other")
    let owner = Relation(to: "other", onDelete: .deny)
    let fixture = try await StoreFixture(
      engine,
      [
        other,
        try .test(
          "item", Field("title", .text, isRequired: true, isUnique: true, maximum: .integer(3)),
          Field("owner", .relation(owner), isRequired: true),
          Field("stock", .integer, minimum: .integer(0), oneOf: [1, 2]), indexes: [["title"]]),
      ])
    try await fixture.save("other", ["other_id": "o"])
    try await fixture.save("item", ["item_id": "a", "title": "tea", "owner": "o", "stock": 1])
    let new = try Schema.test(
      "item",
      Field("stock", .integer, defaultValue: 5, minimum: .integer(-1), oneOf: [1, 2, -1, 5]),
      Field("owner", .relation(Relation(to: "other"))),
      Field("title", .text, maximum: .integer(5), doc: "New."), indexes: [["-stock", "title"]],
      doc: "Looser.", properties: [("name", "title")])
    try await fixture.apply([new])
    #expect(try await fixture.store.catalog().catalog.schemas == [new, other])
    let first: Record = ["item_id": "a", "title": "tea", "owner": "o", "stock": 1]
    #expect(try await fixture.all("item") == [first.stamped()])
    try await fixture.save("item", ["item_id": "b", "name": "tea"], ["item_id": "c", "stock": -1])
    #expect(
      try await fixture.delete("other", .ids(["o"])) == DeleteSummary(deleted: 1, nullified: 1))
    let reopened = try await fixture.reopened()
    #expect(
      try await reopened.all("item", order: [OrderTerm("stock")]).map(\.bare) == [
        ["item_id": "c", "title": nil, "owner": nil, "stock": -1],
        ["item_id": "a", "title": "tea", "owner": nil, "stock": 1],
        ["item_id": "b", "title": "tea", "owner": nil, "stock": 5],
      ])
  }

  @Test(
    "drops a schema with its records, so that its name can be used again", arguments: Engine.all)
  func drop(engine: Engine) async throws {
    let item = try Schema.test("item", Field("parent", .relation(Relation(to: "item"))))
    let other = try Schema.test(
      "other", Field("items", .relation(Relation(to: "item", isMany: true))))
    let fixture = try await StoreFixture(engine, [item, other])
    try await fixture.save("item", ["item_id": "a", "parent": "a"])
    try await fixture.save("other", ["other_id": "o", "items": ["a"]])
    let plan = try SchemaPlan(
      dropping: ["item", "other"], from: try await fixture.store.catalog())
    let error = await #expect(throws: DataError.self) { try await fixture.apply(plan) }
    #expect(
      error?.problems == [
        Problem(
          .loss, "1 record would be lost", hint: "pass --allow-loss other", schema: "other"),
        Problem(
          .loss, "1 record would be lost", hint: "pass --allow-loss item", schema: "item"),
      ])
    #expect(try await fixture.ids("item") == ["a"])
    try await fixture.apply(plan, allowingLoss: ["item", "other"])
    #expect(try await fixture.store.catalog().catalog == Catalog())
    try await fixture.apply([try .test("item", Field("title", .text))])
    #expect(try await fixture.all("item") == [])
    try await fixture.save("item", ["item_id": "a", "title": "new"])
  }
}
