import DataModel
import DataStore
import Testing

@Suite("Store contract: types")
struct TypeTests {
  private func row(_ id: String, _ sample: TypeSample, _ value: Value) -> Row {
    ["item_id": .value(.text(id)), "value": sample.input(value)]
  }

  private func record(_ id: String, _ value: Value, note: Value = nil) -> Record {
    ["item_id": .text(id), "value": value, "note": note]
  }

  @Test(
    "returns a value of each type exactly as it was saved", arguments: Engine.all, TypeSample.all)
  func roundTrip(engine: Engine, sample: TypeSample) async throws {
    let fixture = try await sample.fixture(engine)
    let rows = sample.values.enumerated().map { row("i\($0.offset + 10)", sample, $0.element) }
    let expected = sample.values.enumerated().map {
      record("i\($0.offset + 10)", $0.element).stamped()
    }
    let saved = try await fixture.trySave("item", rows)
    #expect(saved.error == nil)
    #expect(saved.outcomes == rows.map { _ in .created })
    #expect(saved.records == expected)
    #expect(try await fixture.all("item") == expected)
    #expect(try await fixture.reopened().all("item") == expected)
  }

  @Test(
    "returns an omitted value as null or, for a to-many relation, as an empty array",
    arguments: Engine.all, TypeSample.all)
  func empty(engine: Engine, sample: TypeSample) async throws {
    let fixture = try await sample.fixture(engine)
    try await fixture.save("item", ["item_id": "a"])
    #expect(try await fixture.record("item", "a") == record("a", sample.empty).stamped())
    guard sample.empty == nil else { return }
    try await fixture.save("item", ["item_id": "b", "value": nil])
    #expect(try await fixture.record("item", "b") == record("b", nil).stamped())
  }

  @Test(
    "updates the revision and time of a changed record and keeps its other fields",
    arguments: Engine.all, TypeSample.all)
  func change(engine: Engine, sample: TypeSample) async throws {
    let fixture = try await sample.fixture(engine)
    try await fixture.save(
      "item", ["item_id": "a", "value": sample.input(sample.values[0]), "note": "kept"], user: "ann"
    )
    let outcomes = try await fixture.save(
      "item", row("a", sample, sample.values[1]), user: "bob", at: StoreFixture.later)
    #expect(outcomes == [.changed([1])])
    #expect(
      try await fixture.all("item") == [
        record("a", sample.values[1], note: "kept")
          .stamped(revision: 2, by: "ann", modified: StoreFixture.later, by: "bob")
      ])
  }

  @Test("changes nothing when the same value is saved", arguments: Engine.all, TypeSample.all)
  func unchanged(engine: Engine, sample: TypeSample) async throws {
    let fixture = try await sample.fixture(engine)
    for (index, value) in sample.values.enumerated() {
      try await fixture.save("item", row("i\(index)", sample, value), user: "ann")
    }
    let before = try await fixture.everything()
    for (index, value) in sample.values.enumerated() {
      let outcomes = try await fixture.save(
        "item", row("i\(index)", sample, value), user: "bob", at: StoreFixture.later)
      #expect(outcomes == [.same])
    }
    #expect(try await fixture.everything() == before)
  }

  @Test("clears a value when null is saved", arguments: Engine.all, TypeSample.all)
  func clear(engine: Engine, sample: TypeSample) async throws {
    let fixture = try await sample.fixture(engine)
    try await fixture.save("item", row("a", sample, sample.values[1]))
    let outcomes = try await fixture.save(
      "item", ["item_id": "a", "value": .value(sample.empty)], at: StoreFixture.later)
    #expect(outcomes == [.changed([1])])
    #expect(
      try await fixture.all("item") == [
        record("a", sample.empty).stamped(revision: 2, modified: StoreFixture.later)
      ])
  }

  @Test(
    "clears a value that a record omits when --replace is given", arguments: Engine.all,
    TypeSample.all)
  func replace(engine: Engine, sample: TypeSample) async throws {
    let fixture = try await sample.fixture(engine)
    try await fixture.save("item", row("a", sample, sample.values[1]))
    try await fixture.save(
      "item", ["item_id": "a", "note": "new"], by: SavePolicy(mode: .replace),
      at: StoreFixture.later)
    let value = sample.type == .file ? sample.values[1] : sample.empty
    #expect(
      try await fixture.all("item") == [
        record("a", value, note: "new").stamped(revision: 2, modified: StoreFixture.later)
      ])
  }

  @Test(
    "replaces an omitted value of a new record by the default, but keeps null",
    arguments: Engine.all, TypeSample.withDefaults)
  func defaults(engine: Engine, sample: TypeSample) async throws {
    let fixture = try await sample.fixture(engine, defaultValue: sample.values[1])
    try await fixture.save("item", ["item_id": "a"], ["item_id": "b", "value": nil])
    try await fixture.save("item", ["item_id": "c", "value": nil])
    try await fixture.save(
      "item", ["item_id": "c"], by: SavePolicy(mode: .replace), at: StoreFixture.later)
    #expect(
      try await fixture.all("item") == [
        record("a", sample.values[1]).stamped(), record("b", nil).stamped(),
        record("c", sample.values[1]).stamped(revision: 2, modified: StoreFixture.later),
      ])
  }

  @Test(
    "rejects a new record without a required value", arguments: Engine.all,
    TypeSample.all.filter { $0.empty == nil })
  func required(engine: Engine, sample: TypeSample) async throws {
    let fixture = try await sample.fixture(engine, isRequired: true)
    let problems = try await fixture.rejection(of: "item", ["item_id": "a"])
    #expect(
      problems == [
        Problem(.invalid, "required", schema: "item", id: "a", field: "value", line: 1)
      ])
  }

  @Test(
    "rejects a unique value that another record has, but accepts the record's own value",
    arguments: Engine.all, TypeSample.ordered)
  func unique(engine: Engine, sample: TypeSample) async throws {
    let fixture = try await sample.fixture(engine, isUnique: true)
    for (index, value) in sample.values.enumerated() {
      try await fixture.save("item", row("i\(index)", sample, value))
    }
    try await fixture.save("item", ["item_id": "n1"], ["item_id": "n2", "value": nil])
    for (index, value) in sample.values.enumerated() {
      try await fixture.save("item", row("i\(index)", sample, value), at: StoreFixture.later)
      let problems = try await fixture.rejection(
        of: "item", ["item_id": "fine"], row("other", sample, value))
      #expect(
        problems == [
          Problem(
            .notUnique, "\(value.display) is already used by \"i\(index)\"", schema: "item",
            id: "other", field: "value", line: 2
          ).held(by: "i\(index)")
        ])
    }
  }

  @Test(
    "sorts null first in ascending order and last in descending order",
    arguments: Engine.all, TypeSample.ordered)
  func order(engine: Engine, sample: TypeSample) async throws {
    let fixture = try await sample.fixture(engine)
    let ids = sample.values.indices.map { Value.text("i\($0 + 10)") }
    for (index, value) in sample.values.enumerated().reversed() {
      try await fixture.save("item", row("i\(index + 10)", sample, value))
    }
    try await fixture.save("item", ["item_id": "none"])
    #expect(try await fixture.ids("item", order: "value") == ["none"] + ids)
    #expect(try await fixture.ids("item", order: "-value") == ids.reversed() + ["none"])
    #expect(try await fixture.ids("item", order: "value", limit: 2) == ["none", ids[0]])
  }

  @Test(
    "finds records by a value of each type, and by an element of an array",
    arguments: Engine.all, TypeSample.comparable)
  func equality(engine: Engine, sample: TypeSample) async throws {
    let fixture = try await sample.fixture(engine)
    for (index, value) in sample.values.enumerated() {
      try await fixture.save("item", row("i\(index + 10)", sample, value))
    }
    try await fixture.save("item", ["item_id": "none"])
    for wanted in Set(sample.values.flatMap(\.elements)) {
      let expected = sample.values.enumerated().filter { $0.element.elements.contains(wanted) }
        .map { Value.text("i\($0.offset + 10)") }
      let condition = Condition.equals(field: "value", value: wanted)
      #expect(try await fixture.ids("item", where: condition) == expected, "\(wanted)")
    }
    let isNull = try await fixture.ids("item", where: .isNull(field: "value"))
    #expect(isNull == (sample.empty == nil ? ["none"] : []))
  }

  @Test("stores negative zero as zero", arguments: Engine.all)
  func negativeZero(engine: Engine) async throws {
    let fixture = try await StoreFixture(
      engine, [try .test("item", Field("value", .number), Field("values", .array(.number)))])
    try await fixture.save("item", ["item_id": "a", "value": -0.0, "values": [-0.0]])
    #expect(
      try await fixture.save("item", ["item_id": "a", "value": 0.0, "values": [0.0]]) == [.same])
    let record = try await fixture.record("item", "a")
    guard case .number(let number) = record?["value"] else {
      Issue.record("no number: \(String(describing: record))")
      return
    }
    #expect(number.sign == .plus)
  }

  @Test("compares ids byte by byte and accepts ids of up to 255 bytes", arguments: Engine.all)
  func ids(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine, [try .test("item")])
    let ids = [
      " ", "%", "A", "a", String(repeating: "b", count: 255), "e\u{301}", "é", "🙂",
      String(repeating: "🙂", count: 63),
    ]
    for id in ids.reversed() { try await fixture.save("item", ["item_id": .value(.text(id))]) }
    #expect(try await fixture.ids("item") == ids.map { .text($0) })
    #expect(try await fixture.ids("item", order: "-item_id") == ids.reversed().map { .text($0) })
    for id in ids {
      #expect(
        try await fixture.record("item", id) == (["item_id": .text(id)] as Record).stamped())
    }
  }
}
