import DataModel
import DataStore
import Testing

@Suite("Store contract: schema alterations")
struct AlterationTests {
  /// Saves values of a field, changes the field, and returns the stored values or the problems.
  private func change(
    _ engine: Engine, _ old: Field, _ values: [Value?], to new: Field, consents: Set<String> = []
  ) async throws -> (values: [Value?], problems: [Problem]) {
    let others = [try Schema.test("other"), try Schema.test("third")]
    let fixture = try await StoreFixture(engine, others + [try .test("item", old)])
    for id in ["o1", "o2", "1"] { try await fixture.save("other", ["other_id": .value(.text(id))]) }
    for (index, value) in values.enumerated() {
      var row: Row = ["item_id": .value(.text("i\(index)"))]
      if let value { row.entries.append((name: old.name, input: .value(value))) }
      try await fixture.save("item", row, user: "ann")
    }
    let before = try await fixture.everything()
    let stored = try await fixture.store.catalog()
    do {
      try await fixture.apply([try .test("item", new)], allowingLoss: consents)
    } catch let error as DataError {
      #expect(try await fixture.everything() == before)
      #expect(try await fixture.store.catalog().catalog == stored.catalog)
      return ([], error.problems)
    }
    let again = try await fixture.reopened()
    let records = try await again.all("item")
    #expect(records.allSatisfy { $0["revision"] == 1 && $0["modified_by"] == "ann" })
    try await again.apply([try .test("item", new)])
    let kept = try await again.store.catalog()
    #expect(kept.catalog["item"] == (try .test("item", new)))
    return (records.map { $0[new.name] }, [])
  }

  @Test(
    "converts values when the type of a field changes",
    arguments: Engine.all, ConversionCase.all)
  func conversions(engine: Engine, sample: ConversionCase) async throws {
    let done = try await change(
      engine, Field("value", sample.old), sample.values, to: Field("value", sample.new))
    #expect(done.problems == [])
    #expect(done.values == sample.expected)
  }

  @Test(
    "rejects a schema change that existing records violate, with their number and the first ids",
    arguments: Engine.all)
  func incompatibleValues(engine: Engine) async throws {
    func problems(_ old: Field, _ values: [Value?], to new: Field) async throws -> [Problem] {
      try await change(engine, old, values, to: new).problems
    }
    let text = Field("value", .text)
    #expect(
      try await problems(text, ["1", "x", "y", "z", "w"], to: Field("value", .integer)) == [
        Problem(
          .incompatibleData,
          """
          4 records violate the new schema: expected integer, found text "x", in "i1", "i2", \
          "i3", …
          """, hint: "change these records first; nothing was changed", schema: "item",
          field: "value")
      ])
    #expect(
      try await problems(text, ["abc", nil], to: Field("value", .text, maximum: .integer(2))) == [
        Problem(
          .incompatibleData,
          #"1 record violates the new schema: expected at most 2 characters, found 3, in "i0""#,
          hint: "change this record first; nothing was changed", schema: "item", field: "value")
      ])
    #expect(
      try await problems(text, ["a", nil], to: Field("value", .text, isRequired: true)) == [
        Problem(
          .incompatibleData,
          #"1 record violates the new schema: expected a value, found null, in "i1""#,
          hint: "change this record first; nothing was changed", schema: "item", field: "value")
      ])
    #expect(
      try await problems(text, ["a", "b", "a"], to: Field("value", .text, isUnique: true)) == [
        Problem(
          .incompatibleData, #"2 records have duplicate values: "i0", "i2""#,
          hint: "list these records: datactl list item --order value", schema: "item",
          field: "value")
      ])
    #expect(
      try await problems(text, ["o1", "none"], to: Field("value", ConversionCase.one)) == [
        Problem(
          .incompatibleData, #"1 record refers to a missing other: "i1""#,
          hint: "change this record first, or save the missing other", schema: "item",
          field: "value")
      ])
    let third = FieldType.relation(Relation(to: "third", isMany: true))
    #expect(
      try await problems(
        Field("value", ConversionCase.many), [["o1"], []], to: Field("value", third)
      ).map(
        \.message) == [#"1 record refers to a missing third: "i0""#])
    for (field, value) in [
      (Field("value", .text, pattern: try Pattern("[0-9]+")), "a"),
      (Field("value", .text, oneOf: ["b"]), "a"),
      (Field("value", .text, minimum: .integer(2)), "a"),
      (Field("value", .boolean), "yes"), (Field("value", .datetime), "noon"),
      (Field("value", .number), "0x5"), (Field("value", .number), "1e999"),
    ] as [(Field, Value)] {
      #expect(try await problems(text, [value], to: field).map(\.code) == [.incompatibleData])
    }
    #expect(
      try await problems(
        Field("value", .number), [1e300], to: Field("value", .integer)
      ).map(\.code) == [.incompatibleData])
    let long = Value.text(String(repeating: "a", count: 2_401))
    #expect(
      try await problems(text, [long], to: Field("value", .text, isUnique: true)).map(\.code) == [
        .incompatibleData
      ])
  }

  @Test(
    "converts values with loss only when the loss is allowed",
    arguments: Engine.all)
  func losses(engine: Engine) async throws {
    for (old, values, new, expected) in [
      (.integer, [9_007_199_254_740_993], .number, [9007199254740992.0]),
      (.number, [1.5, 2.0], .integer, [2, 2]),
      (.text, ["9007199254740993", "1.0"], .number, [9007199254740992.0, 1.0]),
      (.text, ["12345678901234567890.123", "0.1"], .number, [12345678901234567168.0, 0.1]),
      (.text, ["9007199254740993.0", "-2e0"], .number, [9007199254740992.0, -2.0]),
      (.array(.text), [["a", "b"], ["c"]], .text, ["a", "c"]),
      (.array(.text), [[], ["c"]], .text, [.null, "c"]),
      (
        .array(.integer), [[9_007_199_254_740_993], [1]], .array(.number),
        [[9007199254740992.0], [1.0]]
      ),
      (ConversionCase.many, [["o2", "o1"], []], ConversionCase.one, ["o2", .null]),
    ] as [(FieldType, [Value], FieldType, [Value])] {
      let (old, new) = (Field("value", old), Field("value", new))
      let refused = try await change(engine, old, values, to: new)
      #expect(
        refused.problems == [
          Problem(
            .loss, #"1 record would lose part of its value: "i0""#,
            hint: "pass --allow-loss item.value", schema: "item", field: "value")
        ])
      let other = try await change(engine, old, values, to: new, consents: ["item", "other.value"])
      #expect(other.problems == refused.problems)
      let done = try await change(engine, old, values, to: new, consents: ["item.value"])
      #expect(done.values == expected)
    }
  }

  @Test(
    "drops an empty field, and drops a field with values only when the loss is allowed",
    arguments: Engine.all)
  func drops(engine: Engine) async throws {
    for sample in TypeSample.all {
      let fixture = try await sample.fixture(engine)
      let bare = try Schema.test("item", Field("note", .text))
      let full = try sample.schemas()
      try await fixture.save("item", ["item_id": "a", "note": "kept"])
      try await fixture.apply([bare])
      try await fixture.apply(full)
      try await fixture.save("item", ["item_id": "a", "value": sample.input(sample.values[0])])
      let before = try await fixture.everything()
      let error = await #expect(throws: DataError.self) { try await fixture.apply([bare]) }
      #expect(
        error?.problems == [
          Problem(
            .loss, "1 record would lose the value of this field",
            hint: "pass --allow-loss item.value", schema: "item", field: "value")
        ])
      #expect(try await fixture.everything() == before)
      try await fixture.apply([bare], allowingLoss: ["item.value"])
      #expect(try await fixture.all("item").map(\.bare) == [["item_id": "a", "note": "kept"]])
    }
  }

  @Test("fills null values with the default when a field becomes required", arguments: Engine.all)
  func fills(engine: Engine) async throws {
    let new = Field("value", .integer, isRequired: true, defaultValue: 3)
    let done = try await change(engine, Field("value", .integer), [1, nil], to: new)
    #expect(done.values == [1, 3])
    let converted = try await change(engine, Field("value", .text), ["1", nil], to: new)
    #expect(converted.values == [1, 3])
  }

  @Test(
    "reports that an empty array is lost when an array field becomes a single value",
    arguments: Engine.all)
  func emptyArrays(engine: Engine) async throws {
    let old = Field("value", .array(.text))
    let new = Field("value", .text, isRequired: true, defaultValue: "x")
    let refused = try await change(engine, old, [[], ["c"], nil], to: new)
    #expect(
      refused.problems == [
        Problem(
          .loss, #"1 record would lose part of its value: "i0""#,
          hint: "pass --allow-loss item.value", schema: "item", field: "value")
      ])
    let done = try await change(engine, old, [[], ["c"], nil], to: new, consents: ["item.value"])
    #expect(done.values == ["x", "c", "x"])
    let json = Field("value", .json, isRequired: true, defaultValue: .json("1"))
    let kept = try await change(engine, old, [[], nil], to: json)
    #expect(kept.values == [.json("[]"), .json("1")])
  }

  @Test(
    "can drop a schema if the same change turns the only relation to it into a text field",
    arguments: Engine.all)
  func relations(engine: Engine) async throws {
    let relation = Field("owner", .relation(Relation(to: "person", onDelete: .deny)))
    let fixture = try await StoreFixture(
      engine, [try .test("person"), try .test("todo", relation)])
    try await fixture.save("person", ["person_id": "p"])
    try await fixture.save("todo", ["todo_id": "t", "owner": "p"])
    let desired = DeclaredSchema(try .test("todo", Field("owner", .text)))
    for _ in 0..<2 {
      try await fixture.apply([desired], reading: .complete, allowingLoss: ["person"])
      #expect(try await fixture.all("todo").map(\.bare) == [["todo_id": "t", "owner": "p"]])
      #expect(try await fixture.store.catalog().catalog["person"] == nil)
    }
  }

  @Test(
    "rejects a default for a unique field when several records would get this value",
    arguments: Engine.all)
  func uniqueDefault(engine: Engine) async throws {
    let old = Field("value", .text, isUnique: true)
    let new = Field("value", .text, isRequired: true, isUnique: true, defaultValue: "x")
    #expect(try await change(engine, old, ["a", nil], to: new).values == ["a", "x"])
    #expect(
      try await change(engine, old, ["a", nil, nil], to: new).problems == [
        Problem(
          .incompatibleData, #"2 records have duplicate values: "i1", "i2""#,
          hint: "list these records: datactl list item --order value", schema: "item",
          field: "value")
      ])
  }

  @Test(
    "reports all dangling references and duplicate values that a schema change would cause",
    arguments: Engine.all)
  func severalKinds(engine: Engine) async throws {
    func item(_ target: String, isUnique: Bool) throws -> Schema {
      try .test(
        "item", Field("parent", .relation(Relation(to: target))),
        Field("value", .text, isUnique: isUnique))
    }
    let fixture = try await StoreFixture(
      engine, [.test("other"), .test("third"), item("other", isUnique: false)])
    try await fixture.save("other", ["other_id": .value(.text("o1"))])
    for id in ["i0", "i1"] {
      try await fixture.save(
        "item",
        ["item_id": .value(.text(id)), "parent": .value(.text("o1")), "value": .value(.text("x"))])
    }
    let error = await #expect(throws: DataError.self) {
      try await fixture.apply([try item("third", isUnique: true)])
    }
    #expect(error?.problems.map(\.field) == ["parent", "value"])
  }

  @Test("rejects a type change for which no conversion exists, and adds a hint")
  func unsupportedConversion() throws {
    let stored = StoredCatalog(
      try Catalog(checking: [try .test("item", Field("value", .geopoint))]), version: 1)
    let error = #expect(throws: DataError.self) {
      try SchemaPlan(
        from: stored, to: [try .test("item", Field("value", .integer))], reading: .partial)
    }
    #expect(
      error?.problems == [
        Problem(
          .incompatibleData, "cannot convert geopoint to integer",
          hint: """
            to discard the values, remove the field and apply with --allow-loss item.value; \
            then declare the field again
            """, schema: "item", field: "value")
      ])
  }
}
