import Conditions
import DataModel
import TestSupport
import Testing

@Suite("Conditions: related records")
struct RelatedConditionTests {
  /// Countries, their subdivisions, and teams with members of several countries.
  private static func world() throws -> Records {
    func schema(_ name: String, _ fields: [Field]) throws -> Schema {
      var draft = SchemaDraft(name: name)
      draft.fields = [.init(Field("\(name)_id", .id))] + fields.map { .init($0) }
      return try Schema(checking: draft)
    }
    var records = Records(
      try Catalog(checking: [
        try schema("country", [Field("name", .text), Field("any", .integer)]),
        try schema(
          "subdivision",
          [
            Field("name", .text), Field("kind", .text),
            Field("country", .relation(Relation(to: "country", inverse: "subdivisions"))),
            Field("within", .relation(Relation(to: "subdivision", inverse: "parts"))),
          ]),
        try schema(
          "team",
          [
            Field("title", .text),
            Field("countries", .relation(Relation(to: "country", isMany: true))),
          ]),
      ]))
    try records.add(
      "country",
      """
      {"country_id":"ch","name":"Switzerland","any":1}
      {"country_id":"at","name":"Austria"}
      {"country_id":"mc","name":"Monaco"}
      """)
    try records.add(
      "subdivision",
      """
      {"subdivision_id":"zh","name":"Zürich","kind":"canton","country":"ch"}
      {"subdivision_id":"be","name":"Bern","kind":"canton","country":"ch"}
      {"subdivision_id":"w","name":"Wien","kind":"state","country":"at"}
      {"subdivision_id":"w1","name":"Innere Stadt","kind":"district","country":"at","within":"w"}
      {"subdivision_id":"x","name":"X"}
      """)
    try records.add(
      "team",
      """
      {"team_id":"alps","title":"Alps","countries":["ch","at"]}
      {"team_id":"sea","title":"Sea","countries":["mc"]}
      {"team_id":"none","title":"None"}
      """)
    return records
  }

  @Test(
    "selects records by conditions on referring records and on to-many relations",
    arguments: [
      ("country", "subdivisions is empty", "mc"),
      ("country", "subdivisions is not empty", "at ch"),
      ("country", "any subdivisions (kind = 'state' and name like 'W%')", "at"),
      ("country", "any subdivisions (kind = 'state' and name = 'Innere Stadt')", ""),
      ("country", "all subdivisions (kind = 'canton')", "ch mc"),
      ("country", "no subdivisions (kind = 'canton')", "at mc"),
      ("country", "not any subdivisions (kind = 'canton')", "at mc"),
      ("country", "any subdivision.country (name = 'Bern')", "ch"),
      ("country", "subdivisions.kind = 'state'", "at"),
      ("country", "subdivision.country.name = 'Bern'", "ch"),
      ("country", "subdivisions = 'zh'", "ch"),
      ("country", "subdivisions contains 'w1'", "at"),
      ("country", "subdivisions in ('zh', 'w')", "at ch"),
      ("country", "any subdivisions (any parts (name = 'Innere Stadt'))", "at"),
      ("country", "any team.countries (title = 'Alps')", "at ch"),
      ("country", "team.countries is empty", ""),
      ("country", "any team.countries (any countries (name = 'Monaco'))", "mc"),
      ("country", "any = 1", "ch"),
      ("country", "max(subdivisions.name) = 'Zürich'", "ch"),
      ("country", "min(subdivision.country.name) = 'Innere Stadt'", "at"),
      ("country", "min(subdivisions.within.name) = 'Wien'", "at"),
      ("country", "sum(length(subdivisions.name)) > 12", "at"),
      ("country", "avg(length(subdivisions.kind)) = length('canton')", "ch"),
      ("country", "max(subdivisions.name) is null", "mc"),
      ("country", "any subdivisions (max(parts.name) = 'Innere Stadt')", "at"),
      ("team", "sum(countries.any) * 2 = 2", "alps"),
      ("team", "sum(countries.any * 9223372036854775807) is null", "none sea"),
      ("team", "sum(countries.any * 9223372036854775807 * 2) is null", "alps none sea"),
      ("country", "any is null and ANY subdivisions (true)", "at"),
      ("team", "any countries (subdivisions is empty)", "sea"),
      ("team", "all countries (subdivisions is not empty)", "alps none"),
      ("team", "no countries (name = 'Monaco')", "alps none"),
      ("team", "countries.subdivisions.name = 'Wien'", "alps"),
      ("subdivision", "parts is not empty", "w"),
      ("subdivision", "any within.country.team.countries (true)", ""),
    ])
  func matches(schema: String, condition: String, expected: String) throws {
    if condition.contains("within.country") {
      #expect(throws: DataError.self) { try Self.world().ids(schema, where: condition) }
    } else {
      #expect(try Self.world().ids(schema, where: condition) == expected)
    }
  }

  @Test(
    "converts a condition on related records to its canonical form",
    arguments: [
      ("ANY subdivisions(kind='state')", "any subdivisions (kind = 'state')"),
      ("not no subdivisions (kind = 'a')", "any subdivisions (kind = 'a')"),
      ("all subdivisions (not kind = 'a')", "no subdivisions (kind = 'a')"),
      ("all subdivisions (kind = 'a')", "all subdivisions (kind = 'a')"),
      ("not subdivisions is empty", "any subdivisions (true)"),
      ("subdivision.country is empty", "no subdivision.country (true)"),
    ])
  func written(text: String, expected: String) throws {
    let catalog = try Self.world().catalog
    let country = try catalog.schema("country")
    for text in [text, expected] {
      var reader = ConditionReader(catalog, now: Shop.now)
      let condition = try reader.read(text, of: country)
      #expect(ConditionWriter.text(of: condition) == expected)
    }
  }

  @Test(
    "explains what is wrong with a condition on related records",
    arguments: [
      ("any name (true)", "name is text, not a to-many relation"),
      ("any subdivision (true)", "country has no field subdivision"),
      ("any subdivisons (true)", "country has no field subdivisons"),
      ("any subdivisions (kin = 'a')", "subdivision has no field kin"),
      ("subdivisions is null", "subdivisions is a to-many relation, which is never null"),
      ("any subdivisions (kind = 'a'", #"expected "and", "or" or ")", found the end"#),
      (
        String(repeating: "any subdivisions (any countries (", count: 5),
        "subdivision has no field countries"
      ),
    ])
  func refused(text: String, message: String) throws {
    let catalog = try Self.world().catalog
    let country = try catalog.schema("country")
    var reader = ConditionReader(catalog, now: Shop.now)
    let balanced =
      text
      + (text.hasSuffix("((") || text.hasSuffix("countries (")
        ? "true" + String(repeating: ")", count: 10) : "")
    let error = #expect(throws: DataError.self) { try reader.read(balanced, of: country) }
    #expect(error?.problems.first?.message == message)
  }

  @Test("limits the nesting depth of conditions on related records")
  func depth() throws {
    let catalog = try Self.world().catalog
    let schema = try catalog.schema("subdivision")
    func nested(_ depth: Int) -> String {
      String(repeating: "any parts (", count: depth) + "true" + String(repeating: ")", count: depth)
    }
    var reader = ConditionReader(catalog, now: Shop.now)
    _ = try reader.read(nested(8), of: schema)
    let error = #expect(throws: DataError.self) { try reader.read(nested(9), of: schema) }
    #expect(
      error?.problems.first?.message
        == "conditions on related records can be nested at most 8 levels deep")
  }

  @Test("limits the number of operators and the nesting of expressions in a condition")
  func expressions() throws {
    let sum = Array(repeating: "priority", count: 201).joined(separator: " + ")
    #expect(try Shop().errorText("\(sum) > 0") == nil)
    #expect(
      try Shop().errorText("\(sum) + 1 > 0")?
        .hasPrefix("an expression can have at most 200 operators") == true)
    let nested = String(repeating: "(", count: 201) + "1" + String(repeating: ")", count: 201)
    #expect(
      try Shop().errorText("priority > \(nested)")?
        .hasPrefix("expressions are nested deeper than 200") == true)
    let product = Array(repeating: "priority * 2 > 1", count: 300).joined(separator: " or ")
    #expect(try Shop().errorText(product) == nil)
  }

  @Test(
    "explains why an expression in a condition is invalid",
    arguments: [
      ("title + 1 > 0", "expected a number, found text"),
      ("due + created_at > 0", "expected a number, found a datetime"),
      ("due - priority > 0", "expected a number, found a datetime"),
      ("priority - '2026-01-01' > 0", "expected a number, found text"),
      ("priority > 7d", "expected a value, found 7d"),
      ("7d < priority / 2", "expected a value, found 7d"),
      (
        "due - created_at > 0 - 7d",
        "the datetime: expected a datetime as text, such as '2026-11-20', found 0"
      ),
      ("round(title) = 1", "round() cannot be used with text"),
      ("round(price, 16) = 1", "round() keeps 0 to 15 digits after the point"),
      ("round(price, priority) = 1", "round() keeps 0 to 15 digits after the point"),
      ("round(price, 1.5) = 1", "expected an integer, found a number"),
      ("round(price, 1, 2) = 1", #"expected ")", found ",""#),
      ("upper(done) = 'a'", "upper() cannot be used with a boolean"),
      ("substr(title, 0, 1) = 'a'", "the first character has the number 1"),
      ("substr(title, 1, -1) = 'a'", "a length cannot be negative"),
      ("substr(title, 1) = 'a'", #"expected a comma, found ")""#),
      ("substr(title, price, 1) = 'a'", "expected an integer, found a number"),
      (
        "coalesce(title, priority) = 'a'",
        "coalesce() needs values of one kind, found text and an integer"
      ),
      (
        "coalesce(title, 5) = 'a'",
        "coalesce() needs values of one kind, found text and an integer"
      ),
      ("coalesce(due, 'soon') > now()", "the value: expected datetime, found text \"soon\""),
      ("date(title) = '2026-11-20'", "date() cannot be used with text"),
      ("date(due) = '2026-13-01'", "the value: there is no such day: \"2026-13-01\""),
      ("1 / 0 = price", "division by zero"),
      ("year(title) = 1", "year() cannot be used with text"),
      ("length(priority) = 1", "length() cannot be used with an integer"),
      ("length(steps) = 1", "steps may have several values, so it cannot be part of an expression"),
      ("lower(title) = 5", "the value: expected text, found 5"),
      (
        "steps.count + 1 > 0",
        "steps.count may have several values, so it cannot be part of an expression"
      ),
      ("details.a + 1 > 0", "details.a is json, which cannot be part of an expression"),
      ("priority + 1d > 0", "a duration can be added to a datetime, but not to an integer"),
      ("priority * > 0", #"expected a field or a value, found ">""#),
      ("yer(due) = 1", "unknown function yer"),
      (
        "due on 2026-13",
        "due: expected a day, month or year, such as 2026-11-20, 2026-11 or 2026, found \"2026-13\""
      ),
      (
        "priority in 2026",
        "\"a day, month or year\" cannot be used with priority, which is an integer"
      ),
      (
        "priority = title",
        "cannot compare priority, which is an integer, with title, which is text"
      ),
      ("priority + 1 = lower(title)", "cannot compare the value, which is an integer, with text"),
    ])
  func meaningless(text: String, message: String) throws {
    let found = try Shop().errorText(text) ?? ""
    #expect(found.split(separator: "\n").first.map(String.init) == message)
  }

  @Test("rejects an inverse relation whose name the target schema or another relation already uses")
  func collisions() throws {
    func catalog(_ inverses: [String]) throws -> Catalog {
      var country = SchemaDraft(name: "country")
      country.fields = [.init(Field("country_id", .id)), .init(Field("full_name", .text))]
      country.properties = [.init("label", field: "full_name")]
      var town = SchemaDraft(name: "town")
      town.fields =
        [.init(Field("town_id", .id))]
        + inverses.enumerated().map { index, inverse in
          .init(Field("in_\(index)", .relation(Relation(to: "country", inverse: inverse))))
        }
      return try Catalog(checking: [try Schema(checking: country), try Schema(checking: town)])
    }
    _ = try catalog(["towns", "other_towns"])
    for inverse in ["full_name", "label", "revision", "country_id"] {
      let error = #expect(throws: DataError.self) { try catalog([inverse]) }
      #expect(
        error?.problems.map(\.message) == [
          "the inverse \(inverse) has the same name as a field or property of country"
        ])
    }
    let error = #expect(throws: DataError.self) { try catalog(["towns", "towns"]) }
    #expect(
      error?.problems.map(\.message) == ["the inverse towns has the same name as town.in_0"])
  }
}
