import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: criteria")
struct CriterionTests {
  /// A store with one record for each value, and a plain evaluation of what a criterion selects.
  private struct Table {
    let fixture: StoreFixture
    let schema: Schema
    let values: [Value]

    init(_ engine: Engine, _ type: FieldType, _ values: [Value]) async throws {
      schema = try Schema.test("item", Field("value", type))
      self.values = values + [.null]
      fixture = try await StoreFixture(engine, [schema])
      let rows = self.values.enumerated().map { index, value -> Row in
        ["item_id": .value(.text("\(index)")), "value": .value(value)]
      }
      #expect(try await fixture.trySave("item", rows).error == nil)
    }

    /// Runs a query with the criterion and one with its negation.
    func check(_ criterion: Criterion) async throws {
      let test = CriterionTest(criterion)
      let condition = Condition.test(FieldPath("value"), criterion)
      for (condition, isDenied) in [(condition, false), (.not(condition), true)] {
        let ids = try await fixture.store.ids(Query(schema, where: condition))
        let expected = values.indices.filter { test.isSatisfied(by: values[$0]) != isDenied }
        #expect(Set(ids) == Set(expected.map { "\($0)" }), "\(isDenied) \(criterion)")
      }
    }

    /// Queries with lists that are bound as one text because they are long: all values but one, and
    /// others that no record has.
    func checkLongLists(_ unmatched: (Int) -> Value) async throws {
      let distinct = Array(Set(values))
      for left in distinct {
        let others = distinct.filter { $0 != left && $0 != .null }
        try await check(.isIn(others + (0..<120).map(unmatched)))
      }
    }
  }

  @Test(
    "evaluates conditions with patterns, substrings and lists of text values",
    arguments: Engine.all)
  func texts(engine: Engine) async throws {
    let table = try await Table(engine, .text, Samples.texts.map(Value.text))
    for pattern in Samples.patterns {
      for letters: LikePattern.Letters in [.exact, .folded] {
        try await table.check(.like(try LikePattern(pattern, letters)))
      }
    }
    for text in Samples.texts { try await table.check(.contains(.text(text))) }
    try await table.checkLongLists { .text("none \($0) '\"\\") }
  }

  @Test(
    "compares JSON objects and arrays by value, even if they are written differently",
    arguments: Engine.all)
  func jsons(engine: Engine) async throws {
    let texts = [
      #"{"k":1,"s":"v1"}"#, #"{"s":"v\u0031","k":1.0}"#, #"{"k":1}"#, #"{"k":1.00}"#, "[0]", "[-0]",
      "[0e5]", "[100]", "[1e2]", "[1E+2,1]", #"{"\u006b":1}"#, #"{"k":[{"a":1,"b":"\\\""}]}"#,
      #"{"k":[{"b":"\\\"","a":10e-1}]}"#, "[1e400]", "[1e100000]", #"["1e100000 \\"]"#,
      "[9007199254740993]", "[9007199254740992]", "[0.1]", "[0.10000000000000001]", "[]", "{}",
      "[null]", "[[1]]", "[[1.0]]", #"["A"]"#, #"["a"]"#, "[1,2]", "[2,1]", #"{"a":null}"#,
    ].map(Value.json)
    let table = try await Table(engine, .json, texts)
    for text in texts {
      try await table.check(.compare(.equal, text))
      try await table.check(.isIn([text, .text("A"), .json("[2,1.0]")]))
      try await table.check(.contains(text))
    }
  }

  @Test(
    "compares JSON numbers with many digits or large exponents by value", .tags(.slow),
    .from(.test),
    arguments: Engine.all)
  func longJSONNumbers(engine: Engine) async throws {
    let zeros = String(repeating: "0", count: 20_000)
    let digits = String(repeating: "9", count: 140_000)
    let numbers: [(text: String, value: Value)] = [
      ("1", .integer(1)), ("-5", .integer(-5)), ("1.0000", .integer(1)), ("1e+00001", .integer(10)),
      ("1\(zeros)e-20000", .integer(1)), ("0.\(zeros)1e20001", .integer(1)),
      ("-0.\(zeros)5E+20001", .integer(-5)), ("0.\(zeros)", .integer(0)),
      ("0e\(digits)", .integer(0)), ("0.\(zeros)1", .number(0)), ("1e-1000", .number(0)),
      ("-1e-\(digits)", .number(0)), ("\(digits)e-139999", .number(10)),
      ("1.\(zeros)1", .number(1)), ("-\(digits)", .number(-.infinity)),
      ("1e\(digits)", .number(.infinity)), ("1e400", .number(.infinity)),
      ("1e0000308", .number(1e308)), ("9007199254740993", .integer(9_007_199_254_740_993)),
      ("9007199254740993\(zeros)e-20000", .integer(9_007_199_254_740_993)),
    ]
    let table = try await Table(engine, .json, numbers.map { .json($0.text) })
    let operands: [Value] = [
      .integer(0), .integer(1), .integer(9_007_199_254_740_993), .integer(-5), .integer(10),
      .number(1e308), .number(0.5),
    ]
    // PostgreSQL converts the longest numbers slowly.
    for operand in operands.prefix(TestTier.current == .all ? operands.count : 3) {
      for comparison in Comparison.allCases {
        let criterion = Criterion.compare(comparison, operand)
        let test = CriterionTest(criterion)
        let query = Query(table.schema, where: .test(FieldPath("value"), criterion))
        let expected = numbers.indices.filter { test.isSatisfied(by: numbers[$0].value) }
        #expect(
          try await Set(table.fixture.store.ids(query)) == Set(expected.map { "\($0)" }),
          "\(criterion)")
      }
    }
  }

  @Test(
    "evaluates conditions with long lists of values of each type",
    arguments: Engine.all)
  func lists(engine: Engine) async throws {
    let integers = try await Table(engine, .integer, Samples.integers.map(Value.integer))
    try await integers.checkLongLists { .integer(Int64($0) + 1_000) }
    let numbers = try await Table(engine, .number, Samples.numbers.map(Value.number))
    try await numbers.checkLongLists { .number(Double($0) + 0.7) }
    let times = try await Table(engine, .datetime, Samples.times.map(Value.datetime))
    try await times.checkLongLists { Timestamp(microseconds: Int64($0)).map(Value.datetime) ?? nil }
    let dates = try await Table(engine, .date, Samples.dates.map(Value.date))
    try await dates.checkLongLists { CalendarDate(days: $0).map(Value.date) ?? nil }
    let booleans = try await Table(engine, .boolean, [true, false])
    for boolean in [true, false] {
      try await booleans.check(.isIn(Array(repeating: .boolean(boolean), count: 120)))
    }
  }

  @Test(
    "evaluates comparisons and `between` for values of each type",
    arguments: Engine.all)
  func comparisons(engine: Engine) async throws {
    for (type, values): (FieldType, [Value]) in [
      (.integer, Samples.integers.map(Value.integer)), (.number, Samples.numbers.map(Value.number)),
      (.date, Samples.dates.map(Value.date)), (.datetime, Samples.times.map(Value.datetime)),
      (.boolean, [true, false]),
    ] {
      let table = try await Table(engine, type, values)
      for value in values {
        for comparison in Comparison.allCases {
          try await table.check(.compare(comparison, value))
        }
        for other in values { try await table.check(.between(value, other)) }
      }
    }
  }

  @Test("compares integers with numbers without rounding", arguments: Engine.all)
  func mixedNumbers(engine: Engine) async throws {
    let integers = Samples.integers.map(Value.integer) + [.integer(.max - 1), .integer(.min + 1)]
    let numbers = (Samples.numbers + [0x1p63, -0x1p63, 0x1p53 + 2]).map(Value.number)
    let stored = [
      try await Table(engine, .integer, integers), try await Table(engine, .number, numbers),
    ]
    for (table, operands) in zip(stored, [numbers, integers]) {
      for operand in operands {
        for comparison in Comparison.allCases {
          try await table.check(.compare(comparison, operand))
        }
      }
    }
  }

  @Test(
    "treats a to-many relation as null, not empty, when an earlier relation in its path is null",
    arguments: Engine.all)
  func nullRelations(engine: Engine) async throws {
    let schema = try Schema.test(
      "item", Field("next", .relation(Relation(to: "item"))),
      Field("parts", .relation(Relation(to: "item", isMany: true))))
    let fixture = try await StoreFixture(engine, [schema])
    try await fixture.save(
      "item", ["item_id": "a"], ["item_id": "b", "next": "a"],
      ["item_id": "c", "next": "d", "parts": ["a"]], ["item_id": "d", "parts": ["a"]])
    for (names, criterion, expected): ([String], Criterion, [String]) in [
      (["parts"], .isNull, []), (["parts"], .isEmpty, ["a", "b"]),
      (["next", "parts"], .isNull, ["a", "d"]), (["next", "parts"], .isEmpty, ["b"]),
      (["next", "parts"], .contains("a"), ["c"]),
      (["next", "parts", "next"], .isNull, ["a", "c", "d"]),
      (["next", "parts", "item_id"], .isNull, ["a", "d"]),
      (["parts", "next"], .isNull, ["c", "d"]), (["parts", "parts"], .isEmpty, ["c", "d"]),
    ] {
      let query = Query(schema, where: .test(FieldPath(names: names), criterion))
      #expect(try await fixture.ids(query) == expected, "\(names) \(criterion)")
    }
  }

  @Test(
    "evaluates an empty `or` as false, and the fields of a user that does not exist as null",
    arguments: Engine.all)
  func nothing(engine: Engine) async throws {
    let user = try Schema.test("user", Field("password", .password), kind: .user)
    let item = try Schema.test("item", Field("title", .text))
    let fixture = try await StoreFixture(engine, [user, item])
    try await fixture.save("user", ["username": "ann"])
    try await fixture.save("item", ["item_id": "a"], user: "ann")
    try await fixture.save("item", ["item_id": "b"], user: "bob")
    #expect(try await fixture.ids(Query(item, where: .or([]))) == [])
    #expect(try await fixture.ids(Query(item, where: .not(.all))) == [])
    #expect(try await fixture.ids(Query(item, where: .and([]))) == ["a", "b"])
    let name = FieldPath(names: ["created_by", "username"])
    #expect(try await fixture.ids(Query(item, where: .test(name, .isNull))) == ["b"])
    #expect(
      try await fixture.ids(Query(item, where: .test(name, .compare(.equal, "bob")))) == [])
    let direct = Condition.test(FieldPath("created_by"), .compare(.equal, "bob"))
    #expect(try await fixture.ids(Query(item, where: direct)) == ["b"])
  }
}
