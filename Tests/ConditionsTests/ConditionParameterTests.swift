import Conditions
import DataModel
import JSONText
import Testing

@Suite("Conditions: parameters, aliases, function selections and orders")
struct ConditionParameterTests {
  @Test("parses a text parameter according to the type of the compared field")
  func types() throws {
    let shop = try Shop()
    let condition = try shop.condition(
      """
      title = :t and priority in (:n, 7) and price < :n and done = :b and due > :d \
      and place within :n km of :p and note like :l and owner = :n
      """,
      ["t": "it's", "n": "5", "b": "true", "d": "2026-11-20", "p": "47.37,8.54", "l": "a%"])
    #expect(
      ConditionWriter.text(of: condition) == """
        title = 'it''s' and priority in (5, 7) and price < 5 and done = true \
        and due > '2026-11-20T00:00:00.000Z' and place within 5000 m of (47.37, 8.54) \
        and note like 'a%' and owner = '5'
        """)
  }

  @Test("requires a JSON parameter in a comparison with a json field")
  func json() throws {
    let shop = try Shop()
    func text(_ condition: String, _ value: String) throws -> String {
      do throws(DataError) {
        var reader = ConditionReader(
          shop.catalog, now: Shop.now,
          parameters: ConditionParameters(["p": .json(try JSONValue(parsing: value))]))
        return ConditionWriter.text(of: try reader.read(condition, of: shop.todo))
      } catch {
        return error.problems[0].message
      }
    }
    #expect(try text("details.x = :p", "3") == "details.x = 3")
    #expect(try text("details.x = :p", "\"3\"") == "details.x = '3'")
    #expect(try text("details.x in (:p, 1)", "true") == "details.x in (true, 1)")
    #expect(try text("details = :p", "{ \"a\": [1] }") == "details = json '{\"a\":[1]}'")
    #expect(try text("priority = :p", "3") == "priority = 3")
    #expect(try text("place within :p km of (1, 2)", "5") == "place within 5000 m of (1, 2)")
    #expect(try text("place = :p", "{\"lat\":1,\"lon\":2}") == "place = (1, 2)")
    #expect(try text("due = :p", "\"2026-11-20\"") == "due = '2026-11-20T00:00:00.000Z'")
    #expect(
      try text("priority = :p", "\"3\"") == "priority: expected an integer, found text \"3\"")
    #expect(try text("title = :p", "null") == "cannot compare with null")
    #expect(
      shop.errorText("details.x = :p", ["p": "3"]) == """
        details.x is json, so the parameter needs a JSON value
        details.x = :p
                    ^
        pass the parameter as JSON: --param p:='"text"', or p:=3
        """)
    #expect(shop.errorText("details.x = :p")?.hasSuffix("pass --param p:=JSON") == true)
  }

  @Test("rewrites a comparison of an integer field with a fraction, such as n < 1.5 as n <= 1")
  func fractions() throws {
    let shop = try Shop()
    func text(_ condition: String) throws -> String {
      ConditionWriter.text(of: try shop.condition(condition, ["n": "-0.5"]))
    }
    #expect(try text("priority < 1.5 or priority <= 1.5") == "priority <= 1 or priority <= 1")
    #expect(try text("priority > 1.5 or -1.5 < priority") == "priority >= 2 or priority >= -1")
    #expect(try text("priority between 0.5 and 2.5") == "priority between 1 and 2")
    #expect(try text("priority < :n and not sizes > :n") == "priority <= -1 and not sizes >= 0")
    #expect(
      try text("price < priority and photo.size < 1e-1") == "price < priority and photo.size <= 0")
    #expect(
      try text("priority > 9007199254740992.5 or priority < -9223372036854775807.5")
        == "priority >= 9007199254740993 or priority <= -9223372036854775808")
    #expect(try text("priority > 1e-400 or priority > -1e-400") == "priority >= 1 or priority >= 0")
    #expect(
      try text("priority < 1e30 or priority > -1e400")
        == "priority <= 9223372036854775807 or priority >= -9223372036854775808")
    #expect(
      try text("priority > 9223372036854775807.5 or priority <= -1e30")
        == "priority > 9223372036854775807 or priority < -9223372036854775808")
    #expect(
      try text("priority between -1e30 and 1e30 or priority between 1e30 and 2e30")
        == "priority between -9223372036854775808 and 9223372036854775807 or "
        + "priority between 9223372036854775807 and -9223372036854775808")
    #expect(
      shop.errorText("priority in (1.5)")?.hasPrefix(
        "priority: expected an integer, found 1.5") == true)
  }

  @Test("reports a missing parameter only once even if the condition uses it several times")
  func missingTwice() throws {
    var reader = try Shop().reader([:])
    let error = #expect(throws: DataError.self) {
      try reader.read("title = :t or title like :t or note = :n", of: Shop().todo)
    }
    #expect(
      error?.problems.map(\.message)
        == ["the parameter t is missing", "the parameter n is missing"])
  }

  @Test("suggests --where when an argument contains a comparison other than =")
  func comparisonAsOperand() throws {
    var reader = try Shop().reader([:])
    for (operand, condition) in [
      ("title>A", "title > 'A'"), ("title!=Ann", "title != 'Ann'"),
      ("priority>=5", "priority >= 5"),
      ("title<it's", "title < 'it''s'"), ("done<>true", "done <> true"),
    ] {
      let error = #expect(throws: DataError.self) {
        try reader.readEquality(operand, of: Shop().todo)
      }
      #expect(
        error?.problems.map(\.hint) == [
          "write the condition after --where: --where \"\(condition)\""
        ])
    }
  }

  @Test("numbers positional parameters across all conditions of a command")
  func positions() throws {
    let shop = try Shop()
    var reader = shop.reader(["1": "a", "2": "b", "3": "c"])
    let first = try reader.read("title = %? or title = %?", of: shop.todo)
    let second = try reader.read("title = %?", of: shop.todo)
    #expect(
      ConditionWriter.text(of: .every([first, second]))
        == "(title = 'a' or title = 'b') and title = 'c'")
    try reader.parameters.checkAllAreUsed()
  }

  @Test("rejects an unused parameter")
  func surplus() throws {
    let shop = try Shop()
    var reader = shop.reader(["a": "x", "b": "y"])
    _ = try reader.read("title = :a", of: shop.todo)
    let error = #expect(throws: DataError.self) { try reader.parameters.checkAllAreUsed() }
    #expect(
      error?.problems.map(\.shown) == ["no condition uses the parameter b\nthe parameters are :a"])
  }

  @Test("validates a condition before the values of its parameters are known")
  func deferred() throws {
    let shop = try Shop()
    var reader = ConditionReader(
      shop.catalog, now: Shop.now, parameters: .deferred, code: .invalid)
    _ = try reader.read(
      "priority = :n and due < :d and place within :km km of :p and title like :l", of: shop.todo)
    #expect(reader.parameters.used == ["n", "d", "km", "p", "l"])
    _ = try reader.read(
      "substr(title, :from, 2) = 'Te' and round(price, :digits) < 1 / :n and due - :d > :n",
      of: shop.todo)
    let error = #expect(throws: DataError.self) {
      try reader.read("prority = :n", of: shop.todo)
    }
    #expect(error?.code == .invalid)
    #expect(error?.problems.first?.column == 1)
  }

  @Test("accepts field names with and without the alias of the schema")
  func alias() throws {
    let shop = try Shop()
    #expect(
      try shop.condition("t.title = 'x' and done and t.owner.fullName = 'Ann'", alias: "t")
        == shop.condition("title = 'x' and done and owner.full_name = 'Ann'"))
  }

  @Test(
    "parses `from todo`, optionally with an alias, a condition or the prefix _entity_",
    arguments: [
      "from todo", "from todo t", "FROM Todo t where t.title = 'x'",
      "from _entity_Todo t where t.title = 'x'", "from todo where title = 'x'",
    ])
  func selections(text: String) throws {
    let shop = try Shop()
    var reader = shop.reader()
    let selection = try reader.readSelection(text)
    #expect(selection.schema == shop.todo)
    #expect(
      selection.alias
        == (text.contains(" t") && !text.hasSuffix("todo") && !text.contains("todo where")
          ? "t" : nil))
    let hasCondition = text.contains("where")
    #expect(selection.condition == (hasCondition ? try shop.condition("title = 'x'") : nil))
  }

  @Test(
    "reports the position of an error in the query of a stored function",
    arguments: [
      (
        "delete from todo",
        "expected \"from\", found \"delete\"\ndelete from todo\n^\nwrite from SCHEMA ALIAS where CONDITION"
      ),
      (
        "select t.* from todo t",
        "expected \"from\", found \"select\"\nselect t.* from todo t\n^\n"
          + "a function returns whole records, without a list of fields: "
          + "write from SCHEMA ALIAS where CONDITION"
      ),
      (
        "from todo t; drop table todo",
        "unexpected \";\"\nfrom todo t; drop table todo\n           ^"
      ),
      ("from tod t", "no schema tod\nfrom tod t\n     ^\ndid you mean todo?"),
      ("from todo t u", #"expected "where", found "u""# + "\nfrom todo t u\n            ^"),
      (
        "from todo t where",
        "empty condition\nfrom todo t where\n                 ^\nwrite a condition, such as done = false"
      ),
      (
        "from todo t where u.title = 'x'",
        "todo has no field u\nfrom todo t where u.title = 'x'\n                  ^\nsee datactl schema show todo"
      ),
    ])
  func noSelections(text: String, errorText: String) throws {
    var reader = try Shop().reader()
    let error = #expect(throws: DataError.self) { try reader.readSelection(text) }
    #expect(error?.problems.map(\.shown) == [errorText])
  }

  @Test("sorts by a path through to-one relations, and rejects to-many relations")
  func orders() throws {
    let shop = try Shop()
    var reader = shop.reader()
    #expect(
      try reader.readOrder("due, -priority,owner.fullName DESC, title asc", of: shop.todo)
        == [
          OrderTerm("due"), OrderTerm("priority", isDescending: true),
          OrderTerm("owner.full_name", isDescending: true), OrderTerm("title"),
        ])
    let error = #expect(throws: DataError.self) {
      try reader.readOrder("duo, steps.title, tags, place, -details.x, place.lat", of: shop.todo)
    }
    #expect(
      error?.problems.map(\.message) == [
        "todo has no field duo", "cannot order by steps.title, which may have several values",
        "cannot order by tags, which may have several values",
        "place is a geopoint, which has no order",
      ])
    #expect(
      try reader.readOrder("-details.x", of: shop.todo) == [
        OrderTerm(
          .path(FieldPath(names: ["details", "x"])), text: "details.x", isDescending: true)
      ])
  }

  @Test("applies the minus sign before an expression in --order to the whole expression")
  func computedOrders() throws {
    let shop = try Shop()
    var reader = shop.reader()
    let terms = try reader.readOrder("-length(title), price * 2 desc, count(steps)", of: shop.todo)
    #expect(terms.map(\.text) == ["-length(title)", "-price * (2)", "count(steps)"])
    #expect(
      terms.map(\.expression) == [
        .function(.length, [.path(FieldPath("title"))]),
        .arithmetic(.multiply, .path(FieldPath("price")), .value(.integer(2))),
        .count(FieldPath("steps")),
      ])
    let error = #expect(throws: DataError.self) {
      try reader.readOrder("5, length(priority), 'x', titel + 1", of: shop.todo)
    }
    #expect(
      error?.problems.map(\.message) == [
        "expected a field, found a value", "length() cannot be used with an integer",
        "expected a field, found a value", "todo has no field titel",
      ])
  }
}
