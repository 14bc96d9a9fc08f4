import DataModel
import DataStore
import Testing

@Suite("Store contract: finding, listing and counting records")
struct QueryTests {
  private func fixture(_ engine: Engine, count: Int = 0) async throws -> StoreFixture {
    let fixture = try await StoreFixture(
      engine,
      [try .test("item", Field("title", .text), Field("stock", .integer), indexes: [["-stock"]])])
    let rows = (0..<count).map { number -> Row in
      [
        "item_id": .value(.text(id(number))), "title": number.isMultiple(of: 2) ? "even" : "odd",
        "stock": .value(.integer(Int64(number / 10))),
      ]
    }
    #expect(try await fixture.trySave("item", rows).error == nil)
    return fixture
  }

  private func id(_ number: Int) -> String {
    "i" + String(repeating: "0", count: 4 - "\(number)".count) + "\(number)"
  }

  @Test(
    "returns records in the order of the given ids, including duplicates", arguments: Engine.all)
  func find(engine: Engine) async throws {
    let fixture = try await fixture(engine, count: 3)
    let schema = try await fixture.store.catalog().catalog.schema("item")
    let ids = ["i0002", "none", "i0000", "i0002", ""]
    let found = try await fixture.store.find(ids, in: schema, slots: [0, schema.slot(.revision)])
    #expect(found.missing == [1, 4])
    #expect(
      (0..<found.rows.count).map { Record(found.rows, $0, of: schema) } == [
        ["item_id": "i0002", "revision": 1], ["item_id": "i0000", "revision": 1],
        ["item_id": "i0002", "revision": 1],
      ])
    let none = try await fixture.store.find([], in: schema, slots: [0])
    #expect(none.missing == [])
    #expect(none.rows.count == 0)
  }

  @Test(
    "returns records that are found by id together with fields of related records",
    arguments: Engine.all)
  func joinedFields(engine: Engine) async throws {
    let schema = try Schema.test(
      "item", Field("title", .text), Field("next", .relation(Relation(to: "item"))),
      Field("place", .geopoint))
    let fixture = try await StoreFixture(engine, [schema])
    let ids = (0..<200).map(id)
    let rows = ids.indices.map { number -> Row in
      [
        "item_id": .value(.text(ids[number])), "title": .value(.text("t\(number)")),
        "next": number == 0 ? .value(.null) : .value(.text(ids[number - 1])),
      ]
    }
    #expect(try await fixture.trySave("item", rows).error == nil)
    let requested = ["none"] + ids.reversed() + [ids[7], "\(ids[7])\u{301}"]
    let found = try await fixture.store.find(
      requested, in: schema, slots: [1],
      joinedFields: [FieldPath(names: ["next", "title"]), FieldPath(names: ["place", "lat"])])
    #expect(found.missing == [0, 202])
    #expect(found.rows.width == schema.width + 2)
    let texts = (0..<found.rows.count).map { row in
      [0, 1, schema.width].map { found.rows.value(found.rows[row, $0], of: .text) }
    }
    let numbers = (0..<200).reversed() + [7]
    #expect(
      texts
        == numbers.map { number in
          [
            .text(ids[number]), .text("t\(number)"),
            number == 0 ? .null : .text("t\(number - 1)"),
          ]
        })
    #expect((0..<201).allSatisfy { !found.rows[$0, schema.width + 1].hasValue })
  }

  @Test(
    "returns all records of a query in order, even if they fill several chunks",
    arguments: Engine.all)
  func chunks(engine: Engine) async throws {
    let fixture = try await fixture(engine, count: 1_234)
    #expect(try await fixture.ids("item") == (0..<1_234).map { .text(id($0)) })
    #expect(
      try await fixture.ids("item", order: "-item_id")
        == (0..<1_234).reversed().map { .text(id($0)) }
    )
  }

  @Test(
    "returns no more records than the limit", arguments: Engine.all,
    [0, 1, 99, 100, 101, 250, 300])
  func limits(engine: Engine, limit: Int) async throws {
    let fixture = try await fixture(engine, count: 250)
    let expected = min(limit, 250)
    #expect(try await fixture.ids("item", limit: limit) == (0..<expected).map { .text(id($0)) })
    let schema = try await fixture.store.catalog().catalog.schema("item")
    #expect(try await fixture.store.count(Query(schema, limit: limit)) == expected)
  }

  @Test("counts the records that match the condition", arguments: Engine.all)
  func counts(engine: Engine) async throws {
    let fixture = try await fixture(engine, count: 25)
    let schema = try await fixture.store.catalog().catalog.schema("item")
    let odd = Condition.equals(field: "title", value: "odd")
    #expect(try await fixture.store.count(Query(schema)) == 25)
    #expect(try await fixture.store.count(Query(schema, where: odd)) == 12)
    #expect(try await fixture.store.count(Query(schema, where: .and([odd, odd]))) == 12)
    #expect(try await fixture.store.count(Query(schema, where: .and([]))) == 25)
    #expect(try await fixture.store.count(Query(schema, where: .isNull(field: "title"))) == 0)
  }

  @Test(
    "sorts records with equal values by id, in the direction of the last order term",
    arguments: Engine.all)
  func ties(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    for (id, title, stock) in [
      ("a", "x", 1), ("b", "y", 1), ("c", "x", 2), ("d", "y", 2), ("e", "x", 1),
    ] {
      try await fixture.save(
        "item",
        [
          "item_id": .value(.text(id)), "title": .value(.text(title)),
          "stock": .value(.integer(Int64(stock))),
        ])
    }
    #expect(try await fixture.ids("item", order: "stock") == ["a", "b", "e", "c", "d"])
    #expect(try await fixture.ids("item", order: "-stock") == ["d", "c", "e", "b", "a"])
    #expect(try await fixture.ids("item", order: "stock", "-title") == ["b", "e", "a", "d", "c"])
    #expect(try await fixture.ids("item", order: "-stock", "title") == ["c", "d", "a", "e", "b"])
    #expect(try await fixture.ids("item", order: "stock", "-item_id") == ["e", "b", "a", "d", "c"])
    #expect(try await fixture.ids("item", order: "-item_id", "stock") == ["e", "d", "c", "b", "a"])
  }

  @Test("returns only the selected fields", arguments: Engine.all)
  func slots(engine: Engine) async throws {
    let fixture = try await fixture(engine, count: 2)
    let schema = try await fixture.store.catalog().catalog.schema("item")
    let stream = try await fixture.store.records(
      Query(schema, where: .equals(field: "title", value: "odd"), slots: [0, 2]))
    let rows = try #require(try await stream.next(reusing: Rows(width: schema.width)))
    #expect(
      (0..<rows.count).map { Record(rows, $0, of: schema) } == [["item_id": "i0001", "stock": 0]])
    let end = try await stream.next(reusing: rows)
    #expect(end?.count == nil)
  }

  @Test(
    "streams records from a snapshot while concurrent writes are committed", arguments: Engine.all)
  func snapshot(engine: Engine) async throws {
    let fixture = try await fixture(engine, count: 5_000)
    let before = try await fixture.all("item")
    let schema = try await fixture.store.catalog().catalog.schema("item")
    let stream = try await fixture.store.records(Query(schema))
    var rows = try #require(try await stream.next(reusing: Rows(width: schema.width)))
    var seen = (0..<rows.count).map { Record(rows, $0, of: schema) }
    try await fixture.save("item", ["item_id": "i4999", "title": "new"], ["item_id": "z"])
    try await fixture.delete("item", .ids(["i4998"]))
    while let next = try await stream.next(reusing: rows) {
      seen += (0..<next.count).map { Record(next, $0, of: schema) }
      rows = next
    }
    #expect(seen == before)
    #expect(try await fixture.ids("item").count == 5_000)
  }

  @Test("computes null if a value is out of range", arguments: Engine.all)
  func outOfRange(engine: Engine) async throws {
    let schema = try Schema.test(
      "task", Field("n", .integer), Field("x", .number), Field("due", .datetime),
      Field("day", .date))
    let fixture = try await StoreFixture(engine, [schema])
    let rows: [(Int64, Double, Timestamp, CalendarDate)] = [
      (.min, -.greatestFiniteMagnitude, .earliest, .earliest), (3, 1e-200, .earliest, .earliest),
      (.max, .greatestFiniteMagnitude, .latest, .latest),
    ]
    for (index, (integer, number, time, date)) in rows.enumerated() {
      let row: Row = [
        "task_id": .value(.text("\(index)")), "n": .value(.integer(integer)),
        "x": .value(.number(number)), "due": .value(.datetime(time)), "day": .value(.date(date)),
      ]
      try await fixture.save("task", row)
    }
    try await fixture.save("task", ["task_id": "3"])
    let (n, x) = (Expression.path(FieldPath("n")), Expression.path(FieldPath("x")))
    func shifted(_ name: String, _ days: Int64) -> Expression {
      .shifted(
        .path(FieldPath(name)), microseconds: days * CalendarDate.microsecondsPerDay)
    }
    let cases: [(Expression, [Value])] = [
      (.arithmetic(.add, n, .value(.integer(1))), [.integer(.min + 1), 4, .null]),
      (.arithmetic(.subtract, n, .value(.integer(1))), [.null, 2, .integer(.max - 1)]),
      (.arithmetic(.multiply, n, n), [.null, 9, .null]),
      (.negated(n), [.null, -3, .integer(-.max)]),
      (.negated(.negated(n)), [.null, 3, .integer(.max)]),
      (.arithmetic(.add, x, x), [.null, 2e-200, .null]),
      (.arithmetic(.subtract, x, x), [0, 0, 0]),
      (.arithmetic(.multiply, x, x), [.null, 0, .null]),
      (
        .arithmetic(.multiply, .arithmetic(.multiply, x, x), .value(.integer(0))),
        [.null, 0, .null]
      ),
      (
        .arithmetic(.add, x, .value(.number(1e291))),
        [.number(-.greatestFiniteMagnitude + 1e291), 1e291, .number(.greatestFiniteMagnitude)]
      ),
      (
        .arithmetic(.add, x, .value(.number(1e292))),
        [.number(-.greatestFiniteMagnitude + 1e292), 1e292, .null]
      ),
      (.function(.year, [shifted("due", -1)]), [.null, .null, 9999]),
      (.function(.year, [shifted("due", 1)]), [1, 1, .null]),
      (.function(.year, [shifted("day", -1)]), [.null, .null, 9999]),
      (.function(.year, [shifted("day", 1)]), [1, 1, .null]),
      (.function(.year, [shifted("day", 3_652_058)]), [9999, 9999, .null]),
      (.function(.year, [shifted("due", 3_652_058)]), [9999, 9999, .null]),
      (.function(.year, [shifted("due", 3_652_059)]), [.null, .null, .null]),
      (.function(.year, [shifted("day", -100_000_000)]), [.null, .null, .null]),
      (.shifted(.path(FieldPath("due")), microseconds: .min), [.null, .null, .null]),
      (.shifted(.path(FieldPath("due")), microseconds: .max), [.null, .null, .null]),
    ]
    try await check(cases.map { ($0, $1 + [.null]) }, of: schema, in: fixture)
  }

  /// Checks the values of computed columns, and conditions on them.
  ///
  /// - Parameter cases: Expressions, and their values for the records with the ids 0, 1, 2 …
  private func check(
    _ cases: [(Expression, [Value])], of schema: Schema, in fixture: StoreFixture
  ) async throws {
    for (expression, values) in cases {
      let type = try await fixture.store.catalog().catalog.resolved([expression], from: schema)[0]
        .type
      let expected = values.map { value in
        if type == .number, case .integer(let integer) = value {
          Value.number(Double(integer))
        } else {
          value
        }
      }
      var query = Query(schema)
      query.computed = [expression]
      let stream = try await fixture.store.records(query)
      let rows = try #require(try await stream.next(reusing: Rows(width: query.width)))
      let found = (0..<rows.count).map { rows.value(rows[$0, query.width - 1], of: type) }
      #expect(found == expected, "\(expression)")
      let isNull = Query(schema, where: .compute(expression, .isNull))
      let missing = expected.indices.filter { expected[$0] == .null }.map(String.init)
      #expect(try await fixture.ids(isNull) == missing, "\(expression)")
      #expect(try await fixture.store.count(isNull) == missing.count, "\(expression)")
    }
  }

  @Test("divides, rounds, and computes with texts and times", arguments: Engine.all)
  func functions(engine: Engine) async throws {
    let digits = try #require(DecimalDigits(digits: 6, scale: 2))
    let schema = try Schema.test(
      "task", Field("n", .integer), Field("x", .number), Field("d", .decimal(digits)),
      Field("due", .datetime), Field("day", .date), Field("name", .text), Field("done", .boolean))
    let fixture = try await StoreFixture(engine, [schema])
    func decimal(_ text: String) -> Value { DecimalValue(text).map(Value.decimal) ?? .null }
    func date(_ text: String) throws -> Value { .date(try CalendarDate(parsing: text.utf8.span)) }
    func time(_ text: String) throws -> Value { .datetime(try Timestamp(parsing: text.utf8.span)) }
    let rows: [Row] = [
      [
        "task_id": "0", "n": .value(7), "x": .value(2.675), "d": .value(decimal("-12.35")),
        "due": .value(try time("2026-03-01T12:00:00.25Z")), "day": .value(try date("2026-03-01")),
        "name": "Ä€ßz", "done": .value(.boolean(true)),
      ],
      [
        "task_id": "1", "n": .value(0), "x": .value(-0.5), "d": .value(decimal("0.05")),
        "due": .value(try time("2026-02-27")), "day": .value(try date("2024-02-28")),
        "name": "", "done": .value(.boolean(false)),
      ],
      [
        "task_id": "2", "n": .value(.integer(.min)), "x": .value(.number(.leastNonzeroMagnitude)),
        "d": .value(decimal("9999.99")), "due": .value(.datetime(.earliest)),
        "day": .value(.date(.latest)), "name": "a\u{301}b😀c",
      ], ["task_id": "3"],
    ]
    for row in rows { try await fixture.save("task", row) }
    func path(_ name: String) -> Expression { .path(FieldPath(name)) }
    let (n, x, d) = (path("n"), path("x"), path("d"))
    let (due, day, name) = (path("due"), path("day"), path("name"))
    func integer(_ value: Int64) -> Expression { .value(.integer(value)) }
    func round(_ value: Expression, _ digits: Int64) -> Expression {
      .function(.round, [value, integer(digits)])
    }
    func substr(_ start: Expression, _ length: Expression) -> Expression {
      .function(.substr, [name, start, length])
    }
    let huge = Expression.value(.number(1e308))
    let tiny = Expression.value(.number(.leastNonzeroMagnitude))
    try await check(
      [
        (.arithmetic(.divide, n, integer(2)), [3.5, 0, .number(-0x1p62), .null]),
        (.arithmetic(.divide, integer(1), n), [.number(1 / 7), .null, .number(-0x1p-63), .null]),
        (
          .arithmetic(.divide, d, n),
          [.number(-12.35 / 7), .null, .number(9999.99 / -0x1p63), .null]
        ),
        (.arithmetic(.divide, x, x), [1, 1, 1, .null]),
        (.arithmetic(.divide, huge, x), [.number(1e308 / 2.675), .null, .null, .null]),
        (
          .arithmetic(.divide, x, huge),
          [.number(2.675 / 1e308), .number(-0.5 / 1e308), .number(0), .null]
        ),
        (
          .arithmetic(.divide, .arithmetic(.multiply, x, tiny), huge),
          [.number(0), .number(-0.0), .number(0), .null]
        ),
        (.arithmetic(.subtract, due, due), [0, 0, 0, .null]),
        (
          .arithmetic(.subtract, due, .value(try time("2026-02-28T12:00:00Z"))),
          [86_400.25, -129_600, .number(-63_907_876_800), .null]
        ),
        (
          .arithmetic(.subtract, due, day),
          [43_200.25, 63_072_000, .number(-315_537_811_200), .null]
        ),
        (
          .arithmetic(.subtract, day, .value(try date("2024-03-01"))), [730, -2, 2_913_113, .null]
        ), (round(x, 2), [2.68, -0.5, 0, .null]), (round(x, 0), [3, -1, 0, .null]),
        (round(d, 1), [decimal("-12.4"), decimal("0.1"), decimal("10000.0"), .null]),
        (round(d, 4), [decimal("-12.3500"), decimal("0.0500"), decimal("9999.9900"), .null]),
        (round(n, 3), [7, 0, .integer(.min), .null]),
        (.function(.abs, [n]), [7, 0, .null, .null]),
        (.function(.abs, [x]), [2.675, 0.5, .number(.leastNonzeroMagnitude), .null]),
        (.function(.abs, [d]), [decimal("12.35"), decimal("0.05"), decimal("9999.99"), .null]),
        (.function(.upper, [name]), ["Ä€ßZ", "", "A\u{301}B😀C", .null]),
        (substr(integer(2), integer(2)), ["€ß", "", "\u{301}b", .null]),
        (substr(integer(4), integer(.max)), ["z", "", "😀c", .null]),
        (substr(integer(.max), integer(.max)), ["", "", "", .null]),
        (substr(n, integer(1)), ["", .null, .null, .null]),
        (substr(integer(1), n), ["Ä€ßz", "", .null, .null]),
        (.coalesce(n, integer(3), as: .integer), [7, 0, .integer(.min), 3]),
        (.coalesce(n, x, as: .number), [7, 0, .number(-0x1p63), .null]),
        (.coalesce(name, .value(.text("-")), as: .text), ["Ä€ßz", "", "a\u{301}b😀c", "-"]),
        (
          .coalesce(path("done"), .value(.boolean(false)), as: .boolean),
          [.boolean(true), .boolean(false), .boolean(false), .boolean(false)]
        ),
        (
          .function(.date, [due]),
          [try date("2026-03-01"), try date("2026-02-27"), .date(.earliest), .null]
        ),
        (
          .coalesce(day, .value(.date(.earliest)), as: .date),
          [try date("2026-03-01"), try date("2024-02-28"), .date(.latest), .date(.earliest)]
        ),
      ], of: schema, in: fixture)
    // A value that is null for another reason than its range is left out of an aggregate.
    for (expression, isDefined) in [
      (Expression.arithmetic(.divide, integer(1), n), true),
      (.arithmetic(.divide, huge, .function(.abs, [x])), false), (substr(n, n), true),
      (.coalesce(.arithmetic(.multiply, n, n), n, as: .integer), true),
      (.function(.abs, [n]), false),
    ] {
      let query = GroupQuery(
        schema, columns: [NamedExpression](),
        aggregates: [.of(.maximum, NamedExpression("value", expression))])
      if isDefined {
        _ = try await fixture.groups(query)
      } else {
        await #expect(throws: DataError.self) { try await fixture.groups(query) }
      }
    }
  }

  @Test(
    "lets PostgreSQL use an anti join for a condition that forbids related records",
    arguments: Engine.servers.filter { $0.testDescription == "postgres" })
  func forbiddenRelatedRecords(engine: Engine) async throws {
    let town = try Schema.test("town", Field("name", .text))
    let spot = try Schema.test(
      "spot", Field("town", .relation(Relation(to: "town", inverse: "spots"))))
    let fixture = try await StoreFixture(engine, [town, spot])
    let none = Condition.any(FieldPath("spots"), .all).negation
    let plan = try await fixture.store.explain(Query(town, where: none))
    #expect(plan.steps.contains { $0.contains("Anti Join") }, "\(plan.steps)")
  }

  @Test("returns nothing when a schema has no records", arguments: Engine.all)
  func empty(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    #expect(try await fixture.all("item") == [])
    #expect(try await fixture.record("item", "a") == nil)
  }

  @Test("the explanation of a query says that the records must be sorted", arguments: Engine.all)
  func explanation(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let schema = try await fixture.store.catalog().catalog.schema("item")
    let explanation = try await fixture.store.explain(Query(schema, order: [OrderTerm("title")]))
    #expect(!explanation.steps.isEmpty)
    #expect(explanation.ordering == .bySorting)
  }
}
