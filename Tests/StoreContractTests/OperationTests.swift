import DataModel
import DataStore
import Testing

@Suite("Store contract: field operations")
struct OperationTests {
  private func fixture(_ engine: Engine) async throws -> StoreFixture {
    let fixture = try await StoreFixture(
      engine,
      [
        try .test("target"),
        try .test(
          "item", Field("stock", .integer, minimum: .integer(-5)), Field("price", .number),
          Field("tags", .array(.text), maximum: .integer(3)), Field("marks", .array(.integer)),
          Field("links", .relation(Relation(to: "target", isMany: true)))),
      ])
    for id in ["t1", "t2", "t3"] {
      try await fixture.save("target", ["target_id": .value(.text(id))])
    }
    return fixture
  }

  private func record(
    stock: Value = nil, price: Value = nil, tags: Value = nil, marks: Value = nil,
    links: Value = []
  ) -> Record {
    ["item_id": "a", "stock": stock, "price": price, "tags": tags, "marks": marks, "links": links]
  }

  @Test("treats null as 0 in an addition, also in a new record", arguments: Engine.all)
  func addToNothing(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "stock": .add("3"), "price": .add("-0.5")])
    try await fixture.save("item", ["item_id": "a", "stock": .add("-7"), "price": .add("2")])
    #expect(try await fixture.all("item") == [record(stock: -4, price: 1.5).stamped(revision: 2)])
  }

  @Test("applies several additions to a field in one save", arguments: Engine.all)
  func addAgain(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let outcomes = try await fixture.save(
      "item", ["item_id": "a", "stock": .add("1")], ["item_id": "a", "stock": .add("1")],
      ["item_id": "a", "stock": .add("0")], ["item_id": "a", "stock": .add("5")])
    #expect(outcomes == [.created, .changed([1]), .same, .changed([1])])
    #expect(try await fixture.all("item") == [record(stock: 7).stamped(revision: 3)])
  }

  @Test(
    "rejects an addition to a field when the sum overflows", arguments: Engine.all)
  func overflow(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "item", ["item_id": "a", "stock": .value(.integer(.max)), "price": 1.7e308])
    let problems = try await fixture.rejection(
      of: "item", ["item_id": "a", "stock": .add("1"), "price": .add("1.7e308")])
    #expect(
      problems == [
        Problem(
          .invalid, "9223372036854775807 plus 1 overflows 64 bits", schema: "item", id: "a",
          field: "stock", line: 1),
        Problem(
          .invalid, "the sum exceeds the range of a number", schema: "item", id: "a",
          field: "price", line: 1),
      ])
    try await fixture.save("item", ["item_id": "a", "stock": .add("-9223372036854775807")])
    #expect(
      try await fixture.all("item") == [record(stock: 0, price: 1.7e308).stamped(revision: 2)])
  }

  @Test("validates the value that results from an addition or an append", arguments: Engine.all)
  func rules(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "stock": 2, "tags": ["x", "y"]])
    let problems = try await fixture.rejection(
      of: "item",
      ["item_id": "a", "stock": .add("-8"), "tags": .edit(append: ["p", "q"])])
    #expect(
      problems == [
        Problem(
          .invalid, "expected at least -5, found -6", schema: "item", id: "a", field: "stock",
          line: 1),
        Problem(
          .invalid, "expected at most 3 elements, found 4", schema: "item", id: "a", field: "tags",
          line: 1),
      ])
    try await fixture.save(
      "item",
      ["item_id": "a", "stock": .add("-7"), "tags": .edit(remove: ["x"], append: ["p", "q"])])
    #expect(
      try await fixture.all("item") == [
        record(stock: -5, tags: ["y", "p", "q"]).stamped(revision: 2)
      ])
  }

  @Test(
    "appends duplicates to an array, and removes all occurrences of a value", arguments: Engine.all)
  func arrays(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "marks": .edit(append: [3, 1, 3])])
    #expect(try await fixture.all("item") == [record(marks: [3, 1, 3]).stamped()])
    try await fixture.save("item", ["item_id": "a", "marks": .edit(remove: [3, 9], append: [1])])
    #expect(try await fixture.all("item") == [record(marks: [1, 1]).stamped(revision: 2)])
    let outcomes = try await fixture.save("item", ["item_id": "a", "marks": .edit(remove: [7])])
    #expect(outcomes == [.same])
    try await fixture.save("item", ["item_id": "a", "marks": .edit(remove: [1])])
    #expect(try await fixture.all("item") == [record(marks: []).stamped(revision: 3)])
  }

  @Test(
    "keeps the position of an id that is appended to a to-many relation again",
    arguments: Engine.all)
  func links(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "links": .edit(append: ["t2", "t1", "t2"])])
    #expect(try await fixture.all("item") == [record(links: ["t2", "t1"]).stamped()])
    try await fixture.save("item", ["item_id": "a", "links": .edit(append: ["t2", "t3"])])
    #expect(
      try await fixture.all("item") == [record(links: ["t2", "t1", "t3"]).stamped(revision: 2)])
    try await fixture.save(
      "item", ["item_id": "a", "links": .edit(remove: ["t2", "t1"], append: ["t2"])])
    #expect(try await fixture.all("item") == [record(links: ["t3", "t2"]).stamped(revision: 3)])
    let problems = try await fixture.rejection(
      of: "item", ["item_id": "a", "links": .edit(append: ["t9"])])
    #expect(
      problems == [
        Problem(
          .danglingReference, "there is no target \"t9\"", schema: "item", id: "a", field: "links",
          line: 1)
      ])
  }
}
