import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: groups")
struct GroupTests {
  private func fixture(_ engine: Engine) async throws -> (StoreFixture, Schema) {
    let schema = try Schema.test(
      "item", Field("kind", .text), Field("done", .boolean), Field("stock", .integer),
      Field("price", .number), Field("tags", .array(.text)), Field("details", .json),
      Field("place", .geopoint), Field("next", .relation(Relation(to: "item"))),
      Field("parts", .relation(Relation(to: "item", isMany: true))))
    let fixture = try await StoreFixture(engine, [schema])
    try await fixture.save(
      "item", ["item_id": "a", "kind": "x", "done": true, "stock": 3, "price": 0.5],
      ["item_id": "b", "kind": "x", "done": true, "stock": 4],
      ["item_id": "c", "kind": "y", "done": false, "stock": -1, "price": 2.0, "next": "a"],
      ["item_id": "d", "stock": 5, "next": "c"], ["item_id": "e", "next": "a"])
    return (fixture, schema)
  }

  /// Saves an item with each of the prices, and returns the sum of the prices.
  private func save(
    _ prices: [Double], ofKind kind: String, in fixture: StoreFixture
  ) async throws -> RunningSum {
    var sum = RunningSum()
    for (number, price) in prices.enumerated() {
      sum.add(price)
      try await fixture.save(
        "item",
        [
          "item_id": .value(.text("\(kind).\(number)")), "kind": .value(.text(kind)),
          "price": .value(.number(price)),
        ])
    }
    return sum
  }

  @Test(
    "sorts groups by key with null first, and ignores null in aggregates",
    arguments: Engine.all)
  func aggregates(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let aggregates: [Aggregate] = [
      .count, .sum("stock"), .average("stock"), .minimum("stock"), .maximum("stock"), .sum("price"),
    ]
    #expect(
      try await fixture.groups(GroupQuery(schema, by: ["kind"], aggregates: aggregates)) == [
        [
          "kind": nil, "count": 2, "sum_stock": 5, "avg_stock": 5.0, "min_stock": 5,
          "max_stock": 5, "sum_price": nil,
        ],
        [
          "kind": "x", "count": 2, "sum_stock": 7, "avg_stock": 3.5, "min_stock": 3,
          "max_stock": 4, "sum_price": 0.5,
        ],
        [
          "kind": "y", "count": 1, "sum_stock": -1, "avg_stock": -1.0, "min_stock": -1,
          "max_stock": -1, "sum_price": 2.0,
        ],
      ])
  }

  @Test(
    "computes the median of each group as a double, and ignores nulls",
    arguments: Engine.all)
  func medians(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let aggregates: [Aggregate] = [.count, .median("stock"), .median("price"), .sum("stock")]
    #expect(
      try await fixture.groups(GroupQuery(schema, by: ["kind"], aggregates: aggregates)) == [
        ["kind": nil, "count": 2, "median_stock": 5.0, "median_price": nil, "sum_stock": 5],
        ["kind": "x", "count": 2, "median_stock": 3.5, "median_price": 0.5, "sum_stock": 7],
        ["kind": "y", "count": 1, "median_stock": -1.0, "median_price": 2.0, "sum_stock": -1],
      ])
    #expect(
      try await fixture.groups(
        GroupQuery(schema, by: [], aggregates: [.median("stock"), .median("next.stock")])) == [
          ["median_stock": 3.5, "median_next.stock": 3.0]
        ])
    let none = Condition.equals(field: "kind", value: "z")
    #expect(
      try await fixture.groups(
        GroupQuery(schema, where: none, by: [], aggregates: [.median("price")]))
        == [["median_price": nil]])
  }

  @Test(
    "computes sums, averages and medians of computed values such as stock * price",
    arguments: Engine.all)
  func computedValues(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let stock = Expression.path("stock")
    let aggregates: [Aggregate] = [
      .of(.sum, NamedExpression("total", .arithmetic(.multiply, stock, .path("price")))),
      .of(.average, NamedExpression("letters", .function(.length, [.path("kind")]))),
      .of(.median, NamedExpression("more", .arithmetic(.add, stock, .value(.integer(1))))),
      .of(.minimum, NamedExpression("least", .negated(stock))),
      .of(.maximum, NamedExpression("parts_count", .count("parts"))),
      .of(.maximum, NamedExpression("word", .function(.lower, [.path("next.kind")]))),
    ]
    #expect(
      try await fixture.groups(GroupQuery(schema, by: ["kind"], aggregates: aggregates)) == [
        [
          "kind": nil, "total": nil, "letters": nil, "more": 6.0, "least": -5, "parts_count": 0,
          "word": "y",
        ],
        [
          "kind": "x", "total": 1.5, "letters": 1.0, "more": 4.5, "least": -4, "parts_count": 0,
          "word": nil,
        ],
        [
          "kind": "y", "total": -2.0, "letters": 1.0, "more": 0.0, "least": 1, "parts_count": 0,
          "word": "x",
        ],
      ])
    let sum = Aggregate.of(.sum, NamedExpression("n", .function(.lower, [.path("kind")])))
    await #expect(
      throws: DataError(
        Problem(
          .usage, "cannot add up lower_kind, which is text", schema: "item", field: "lower_kind"))
    ) { try await fixture.groups(GroupQuery(schema, by: [], aggregates: [sum])) }
  }

  @Test(
    "computes a correctly rounded median of two numbers, even of very large or small doubles",
    arguments: Engine.all)
  func extremeMedians(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let pairs: [[Double]] = [
      [1.7e308, 1.6e308], [-1.7e308, 1.7e308], [0x1p-1074, 0], [0x1p-1074, 0x1p-1073],
      [1.7e308, 0x1p-1074], [0.1, 0.2], [1e16, 1],
    ]
    for (index, pair) in pairs.enumerated() {
      let sum = try await save(pair, ofKind: "\(index)", in: fixture)
      let kind = Condition.test(FieldPath("kind"), .compare(.equal, .text("\(index)")))
      let groups = try await fixture.groups(
        GroupQuery(schema, where: kind, by: [], aggregates: [.median("price")]))
      #expect(groups.first?["median_price"] == sum.average, "\(pair)")
    }
  }

  @Test(
    "returns the distinct group keys when a grouped query has no aggregates", arguments: Engine.all)
  func distinct(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    #expect(
      try await fixture.groups(GroupQuery(schema, by: ["done", "next.kind"])) == [
        ["done": nil, "next.kind": "x"], ["done": nil, "next.kind": "y"],
        ["done": false, "next.kind": "x"], ["done": true, "next.kind": nil],
      ])
    #expect(
      try await fixture.groups(
        GroupQuery(schema, where: .isNull(field: "kind"), by: ["kind"])) == [["kind": nil]])
  }

  @Test(
    "returns one group when a query has no group keys, even if there are no records",
    arguments: Engine.all)
  func total(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let aggregates: [Aggregate] = [.count, .sum("stock"), .average("price"), .maximum("kind")]
    #expect(
      try await fixture.groups(GroupQuery(schema, by: [], aggregates: aggregates)) == [
        ["count": 5, "sum_stock": 11, "avg_price": 1.25, "max_kind": "y"]
      ])
    let none = Condition.equals(field: "kind", value: "z")
    #expect(
      try await fixture.groups(GroupQuery(schema, where: none, by: [], aggregates: aggregates)) == [
        ["count": 0, "sum_stock": nil, "avg_price": nil, "max_kind": nil]
      ])
    #expect(
      try await fixture.groups(
        GroupQuery(schema, where: none, by: ["kind"], aggregates: aggregates)) == [])
  }

  @Test("names the sum that overflows, even if it is not the first sum", arguments: Engine.all)
  func secondOverflow(engine: Engine) async throws {
    let schema = try Schema.test("item", Field("small", .integer), Field("large", .integer))
    let fixture = try await StoreFixture(engine, [schema])
    try await fixture.save(
      "item", ["item_id": "a", "small": 1, "large": .value(.integer(.max))],
      ["item_id": "b", "small": 1, "large": 1])
    let query = GroupQuery(schema, by: [], aggregates: [.sum("small"), .sum("large")])
    await #expect(
      throws: DataError(
        Problem(.invalid, "sum_large: the sum does not fit in 64 bits", schema: "item"))
    ) { try await fixture.groups(query) }
  }

  @Test(
    "sorts groups by a computed column such as the count, and applies a limit",
    arguments: Engine.all)
  func order(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let query = GroupQuery(
      schema, by: ["kind"], aggregates: [.count], order: [OrderTerm("count", isDescending: true)],
      limit: 2)
    #expect(
      try await fixture.groups(query) == [["kind": nil, "count": 2], ["kind": "x", "count": 2]])
  }

  @Test(
    "reports integer overflow of a sum, whatever the order of the records",
    arguments: Engine.all)
  func overflow(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    try await fixture.save(
      "item", ["item_id": "f", "kind": "z", "stock": .value(.integer(.max))],
      ["item_id": "g", "kind": "z", "stock": 1])
    let query = GroupQuery(schema, by: ["kind"], aggregates: [.sum("stock")])
    await #expect(
      throws: DataError(
        Problem(.invalid, "sum_stock: the sum does not fit in 64 bits", schema: "item"))
    ) { try await fixture.groups(query) }
    let average = GroupQuery(schema, by: ["kind"], aggregates: [.average("stock")])
    #expect(
      try await fixture.groups(average).last == ["kind": "z", "avg_stock": .number(0x1p62)])
    try await fixture.save("item", ["item_id": "h", "kind": "z", "stock": -1])
    #expect(
      try await fixture.groups(query).last == ["kind": "z", "sum_stock": .integer(.max)])
  }

  @Test(
    "keeps small summands of a sum when a large number is added and subtracted",
    arguments: Engine.all)
  func compensated(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    let lists: [[Double]] = [
      [1e16, 1, -1e16], [1e308, 1e308, -1e308], [1e300, 1, -1e300], [0.1, 0.2, -0.3],
      [1e40, 1e-5, -1e40], [1e-20, 1e-36, -1e-20], [0x1p-1074, 0x1p-1074], [0x1p-1074, 0.1],
      [0x1p-1074, 0], [1e-300, 2e-300], [0.1],
      [1e17, 0.25, -1e17, -0.25], [-7.25, 0x1p60, 0x1p-60], [123_456.789, -0.001, 1e15],
    ]
    for (index, list) in lists.enumerated() {
      for (number, price) in list.enumerated() {
        try await fixture.save(
          "item",
          [
            "item_id": .value(.text("\(index).\(number)")), "kind": .value(.text("\(index)")),
            "price": .value(.number(price)),
          ])
      }
      let kind = Condition.test(FieldPath("kind"), .compare(.equal, .text("\(index)")))
      let groups = try await fixture.groups(
        GroupQuery(schema, where: kind, by: [], aggregates: [.sum("price"), .average("price")]))
      var sum = RunningSum()
      for number in list { sum.add(number) }
      for (name, expected) in [("sum_price", sum.total), ("avg_price", sum.average)] {
        guard case .number(let found)? = groups.first?[name], case .number(let expected) = expected
        else {
          Issue.record("\(list): \(groups)")
          continue
        }
        #expect(found == expected, "\(name) of \(list)")
      }
    }
  }

  @Test(
    "rounds sums and averages of numbers of any magnitude only once",
    arguments: Engine.all)
  func roundedOnce(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    var random = SeededRandom(seed: 14)
    var lists: [[Double]] = [
      [0.1, 0.2, 0.3], [1e100, 1e50, 1, -1e100, -1e50], [0x1p-1074, 0], [0x1p-1074, 0x1p-1074, 0],
      [0x1p-1073, 0x1p-1074], [0x1p-1074, 0x1p-1074, 0, 0, 0], [1, 0x1p-1074], [-0.1, -0.2, 0.7],
      [.greatestFiniteMagnitude, 0x1p969], [.greatestFiniteMagnitude, .greatestFiniteMagnitude],
      [0x1p53, 1], [0x1p53, 1, 0x1p-1074], [0x1p53, 3], [0x1p-120, 0x1p-121, 0x1p120, -0x1p120],
    ]
    for _ in 0..<30 {
      let width = Int.random(in: 1...1_000, using: &random)
      lists.append(
        (0..<Int.random(in: 2...9, using: &random)).map { _ in
          Double(
            sign: Bool.random(using: &random) ? .plus : .minus,
            exponent: Int.random(in: -width...width, using: &random),
            significand: Double.random(in: 1..<2, using: &random))
        })
    }
    for (index, list) in lists.enumerated() {
      let sum = try await save(list, ofKind: "k\(index)", in: fixture)
      let kind = Condition.equals(field: "kind", value: .text("k\(index)"))
      let average = GroupQuery(schema, where: kind, by: [], aggregates: [.average("price")])
      #expect(
        try await fixture.groups(average).first?["avg_price"] == sum.average, "average of \(list)")
      let total = GroupQuery(schema, where: kind, by: [], aggregates: [.sum("price")])
      guard case .number(let number) = sum.total, number.isFinite else {
        await #expect(throws: DataError.self) { try await fixture.groups(total) }
        continue
      }
      #expect(try await fixture.groups(total).first?["sum_price"] == sum.total, "sum of \(list)")
    }
  }

  @Test(
    "selects and sorts groups by the same average as the memory store",
    arguments: Engine.all)
  func conditionOnAverage(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    for (id, kind, price) in [
      ("f", "p", 0.1), ("g", "p", 0.2), ("h", "p", 0.3), ("i", "q", 0.2), ("j", "r", 0.1),
    ] {
      try await fixture.save(
        "item",
        [
          "item_id": .value(.text(id)), "kind": .value(.text(kind)),
          "price": .value(.number(price)),
        ])
    }
    let average = Condition.test(FieldPath("avg_price"), .compare(.equal, .number(0.2)))
    var query = GroupQuery(
      schema, by: ["kind"], aggregates: [.average("price")],
      order: [OrderTerm("avg_price"), OrderTerm("kind", isDescending: true)])
    query.having = average
    #expect(
      try await fixture.groups(query) == [
        ["kind": "q", "avg_price": 0.2], ["kind": "p", "avg_price": 0.2],
      ])
  }

  @Test(
    "names the aggregate, such as sum_price, in the error when a sum of numbers overflows",
    arguments: Engine.all)
  func namedOverflow(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    try await fixture.save(
      "item", ["item_id": "f", "price": 1e308], ["item_id": "g", "price": 1e308])
    await #expect(
      throws: DataError(
        Problem(.invalid, "sum_price: the sum exceeds the range of a number", schema: "item"))
    ) {
      try await fixture.groups(
        GroupQuery(schema, by: [], aggregates: [.average("price"), .sum("price")]))
    }
  }

  @Test(
    "reports overflow for a sum of numbers but not for an average",
    arguments: Engine.all)
  func largest(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    try await fixture.save(
      "item", ["item_id": "f", "price": 1.7e308], ["item_id": "g", "price": 1.7e308])
    await #expect(
      throws: DataError(
        Problem(.invalid, "sum_price: the sum exceeds the range of a number", schema: "item"))
    ) { try await fixture.groups(GroupQuery(schema, by: [], aggregates: [.sum("price")])) }
    let average = GroupQuery(schema, by: [], aggregates: [.average("price")])
    #expect(try await fixture.groups(average) == [["avg_price": .number(8.5e307)]])
  }

  @Test(
    "reports an overflow of a sum only if the query returns the group of this sum",
    arguments: Engine.all)
  func excludedOverflow(engine: Engine) async throws {
    let schema = try Schema.test("item", Field("n", .integer), Field("x", .number))
    let fixture = try await StoreFixture(engine, [schema])
    let groups: [(Int64, Double)] = [(.min, -1.7e308), (1, 0.5), (2, 1.5), (.max, 1.7e308)]
    for (index, (integer, number)) in groups.enumerated() {
      for copy in 0..<2 {
        let row: Row = [
          "item_id": .value(.text("\(index)\(copy)")), "n": .value(.integer(integer)),
          "x": .value(.number(number)),
        ]
        try await fixture.save("item", row)
      }
    }
    for (key, sum) in [("n", "sum_x"), ("x", "sum_n")] {
      func groups(
        from first: Double?, order: OrderTerm, _ limit: Int
      ) async throws -> Int {
        var query = GroupQuery(
          schema, by: [FieldPath(key)], aggregates: [.sum("n"), .sum("x")], order: [order],
          limit: limit)
        if let first {
          query.having = .test(FieldPath(sum), .compare(.greater, .number(first)))
        }
        return try await fixture.groups(query).count
      }
      let (first, last) = (OrderTerm(sum), OrderTerm(sum, isDescending: true))
      #expect(try await groups(from: 0, order: first, 2) == 2)
      #expect(try await groups(from: 2.5, order: first, 1) == 1)
      await #expect(throws: DataError.self) { try await groups(from: 0, order: first, 3) }
      await #expect(throws: DataError.self) { try await groups(from: 0, order: last, 1) }
      await #expect(throws: DataError.self) { try await groups(from: nil, order: first, 1) }
    }
  }

  @Test(
    "computes null from a sum that is out of range, except its negative",
    arguments: Engine.all)
  func computedFromOverflow(engine: Engine) async throws {
    let schema = try Schema.test(
      "item", Field("n", .integer), Field("d", .decimal(digits: 18, scale: 0)), Field("x", .number),
      Field("y", .number))
    let fixture = try await StoreFixture(engine, [schema])
    let great = DecimalValue(coefficient: DecimalValue.power(18) - 1, scale: 0)
    for index in 0..<2 {
      let row: Row = [
        "item_id": .value(.text("\(index)")), "n": .value(.integer(.max)),
        "d": .value(.decimal(great)), "x": .value(.number(1.5)),
        "y": .value(.number(.greatestFiniteMagnitude)),
      ]
      try await fixture.save("item", row)
    }
    // A sum of decimals only exceeds 38 digits if its values have more than 18.
    let product = Expression.arithmetic(
      .multiply, .path("d"),
      .value(.decimal(DecimalValue(coefficient: DecimalValue.power(20), scale: 0))))
    let sums: [Aggregate] = [
      .of(.sum, NamedExpression("n", .path("n"))), .of(.sum, NamedExpression("d", product)),
      .of(.sum, NamedExpression("x", .path("x"))), .of(.sum, NamedExpression("y", .path("y"))),
    ]
    func isReturned(_ expression: Expression, _ comparison: Comparison) async throws -> Bool {
      var query = GroupQuery(schema, by: [], aggregates: sums)
      query.having = .compute(expression, .compare(comparison, .integer(0)))
      do {
        return try await fixture.groups(query).count > 0
      } catch {
        // The sums of a group that is returned are out of range.
        #expect((error as? DataError)?.code == .invalid)
        return true
      }
    }
    let small = Value.decimal(DecimalValue(coefficient: 1, scale: 38))
    let longest = FieldType.decimal(try #require(DecimalDigits.computed(scale: 0)))
    for (name, type): (String, FieldType) in [("n", .integer), ("d", longest), ("y", .number)] {
      let sum = Expression.path(FieldPath(name))
      let replaced = Expression.coalesce(sum, .value(.integer(7)), as: type)
      #expect(try await isReturned(replaced, .greater), "coalesce(\(name), 7)")
      #expect(try await !isReturned(.arithmetic(.subtract, replaced, replaced), .greater))
      for function in [ScalarFunction.abs, .round] {
        for comparison in Comparison.allCases {
          let isReturned = try await isReturned(.function(function, [sum]), comparison)
          #expect(!isReturned, "\(function)(\(name)) \(comparison)")
        }
      }
      for (operation, other): (ArithmeticOperator, Expression) in [
        (.multiply, .value(.integer(0))), (.multiply, .value(small)), (.subtract, sum),
        (.add, .negated(sum)), (.add, .value(.number(0.5))), (.multiply, .path("x")),
        (.divide, .value(.integer(2))), (.divide, sum),
      ] {
        for comparison in Comparison.allCases {
          for expression in [
            Expression.arithmetic(operation, sum, other),
            .arithmetic(operation, .negated(sum), other),
          ] {
            let isReturned = try await isReturned(expression, comparison)
            #expect(!isReturned, "\(expression) \(comparison)")
          }
        }
      }
    }
    let sum = Expression.path("n")
    for (expression, comparison): (Expression, Comparison) in [
      (sum, .greater), (.negated(sum), .less),
    ] {
      #expect(try await isReturned(expression, comparison))
      #expect(try await !isReturned(expression, comparison.flipped))
    }
  }

  @Test(
    "names the aggregate if one of its values is out of range, whatever groups the query returns",
    arguments: Engine.all)
  func outOfRange(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    try await fixture.save(
      "item", ["item_id": "f", "kind": "z", "stock": .value(.integer(.max))],
      ["item_id": "g", "kind": "z"])
    let more = Expression.arithmetic(.add, .path("stock"), .value(.integer(1)))
    let error = DataError(
      Problem(
        .invalid, "value: a computed value is out of range",
        hint: "integers have 64 bits, decimals 38 digits, and datetimes are in the years 1 to "
          + "9999; leave these records out with --where",
        schema: "item"))
    for function in AggregateFunction.allCases {
      let aggregates: [Aggregate] = [
        .count, .sum("price"), .of(function, NamedExpression("value", more)),
        .of(.sum, NamedExpression("other", .negated(more))),
      ]
      var query = GroupQuery(schema, by: ["kind"], aggregates: aggregates)
      await #expect(throws: error, "\(function)") { try await fixture.groups(query) }
      query.order = [OrderTerm("kind")]
      query.limit = 1
      await #expect(throws: error, "\(function)") { try await fixture.groups(query) }
      query.having = .test("kind", .compare(.equal, "x"))
      await #expect(throws: error, "\(function)") { try await fixture.groups(query) }
      query.having = .test("value", .compare(.less, .integer(0)))
      await #expect(throws: error, "\(function)") { try await fixture.groups(query) }
      query.having = .all
      query.condition = .equals(field: "kind", value: "x")
      #expect(try await fixture.groups(query).count == 1)
    }
    let keys = [NamedExpression("more", more)]
    let groups = try await fixture.groups(
      GroupQuery(
        schema, where: .equals(field: "kind", value: "z"), columns: keys, aggregates: [.count]))
    #expect(groups == [["more": nil, "count": 2]])
  }

  @Test("rejects fields that cannot be grouped or summed", arguments: Engine.all)
  func rejections(engine: Engine) async throws {
    let (fixture, schema) = try await fixture(engine)
    for path: FieldPath in ["tags", "details", "place", "parts", "parts.kind", "none"] {
      await #expect(throws: DataError.self, "\(path)") {
        try await fixture.groups(GroupQuery(schema, by: [path]))
      }
    }
    let wrong: [GroupQuery] = [
      GroupQuery(schema, by: []), GroupQuery(schema, by: ["kind", "kind"]),
      GroupQuery(schema, by: ["kind"], aggregates: [.sum("kind")]),
      GroupQuery(schema, by: ["kind"], aggregates: [.average("done")]),
      GroupQuery(schema, by: ["kind"], aggregates: [.minimum("tags")]),
      GroupQuery(schema, by: ["kind"], order: [OrderTerm("stock")]),
    ]
    for query in wrong {
      do {
        _ = try await fixture.groups(query)
        Issue.record("answered: \(query)")
      } catch let error as DataError {
        #expect(error.code == .usage)
      }
    }
  }

  @Test(
    "returns the same groups as the memory store for random queries", .tags(.random),
    arguments: Engine.all, Seeds.count(test: 4, all: 20))
  func random(engine: Engine, seed: Int) async throws {
    var sampleData = try SampleData(seed: UInt64(seed))
    let fixture = try await StoreFixture(engine, sampleData.catalog.schemas)
    let memoryFixture = try await StoreFixture(.memory, sampleData.catalog.schemas)
    try await fixture.save(sampleData)
    try await memoryFixture.save(sampleData)
    for _ in 0..<40 {
      let query = try sampleData.groupQuery()
      let comment: Comment = "seed \(seed): \(query)"
      var expected: [Record] = []
      do {
        expected = try await memoryFixture.groups(query)
      } catch let error as DataError {
        await #expect(throws: error, comment) { try await fixture.groups(query) }
        continue
      }
      do {
        #expect(try await fixture.groups(query) == expected, comment)
      } catch {
        Issue.record(error, comment)
      }
    }
  }
}

extension FieldPath: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(dotted: text) }
}
