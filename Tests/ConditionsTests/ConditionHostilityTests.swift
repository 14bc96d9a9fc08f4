import Conditions
import DataModel
import TestSupport
import Testing

@Suite("Conditions: hostile input")
struct ConditionHostilityTests {
  @Test(
    "keeps special characters in text unchanged when parsing and writing a condition",
    arguments: [
      "'; drop table todo; --", "x' or '1'='1", "\" or 1=1", "/* */", "\\'", "%00", "\u{1}\u{7F}",
      "a\nb", "\u{202E}", "''", "🙂", "e\u{301}", "%?", ":name", "null", "now()",
    ])
  func texts(text: String) throws {
    let shop = try Shop()
    let literal =
      "'"
      + text.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "''") + "'"
    let expected = Condition.equals(field: "title", value: .text(text))
    #expect(try shop.condition("title = \(literal)") == expected)
    #expect(try shop.condition("title = :p", ["p": text]) == expected)
    #expect(try shop.condition(ConditionWriter.text(of: expected)) == expected)
  }

  @Test(
    "rejects unknown field names with special characters",
    arguments: ["a\"b", "todo; drop table todo", "1=1", "'", "todo_id\u{0}", "xmin", "", "_", "💥"])
  func names(name: String) throws {
    let shop = try Shop()
    let quoted =
      "\""
      + name.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
    for text in ["\(quoted) = 5", "owner.\(quoted) = 5", "title = \(quoted)", "\(quoted)"] {
      #expect(shop.errorText(text) != nil, "\(text)")
    }
    #expect(shop.errorText("details.\(quoted) = 5") == nil || name.contains("\u{0}"))
  }

  @Test("rejects parentheses and `not` nested deeper than 200 levels", .tags(.slow), .from(.test))
  func depth() throws {
    let shop = try Shop()
    func nested(_ opening: String, _ depth: Int, _ closing: String) -> String {
      String(repeating: opening, count: depth) + "done"
        + String(repeating: closing, count: depth)
    }
    #expect(try shop.condition(nested("(", 200, ")")) == shop.condition("done"))
    #expect(try shop.condition(nested("not ", 200, "")) == shop.condition("done"))
    for text in [
      nested("(", 201, ")"), nested("(", 10_000, ")"), nested("not ", 10_000, ""),
      String(repeating: "(", count: 100_000), String(repeating: "not(", count: 50_000),
    ] {
      let errorText = try #require(shop.errorText(text))
      #expect(errorText.hasPrefix("parentheses and \"not\" are nested deeper than 200 levels\n"))
    }
    let flat = Array(repeating: "done", count: 10_000).joined(separator: " and ")
    #expect(
      try shop.condition(flat) == .and(Array(repeating: shop.condition("done"), count: 10_000)))
    #expect(
      shop.errorText("done or\n" + flat)?.hasPrefix(
        "a query can have at most 10000 comparisons\n") == true)
  }

  @Test("rejects `and` and `or` nested deeper than 20 levels, and marks the position")
  func junctions() throws {
    let shop = try Shop()
    func denied(_ depth: Int) -> String {
      var text = "done"
      for _ in 0..<depth { text = "not (not done or not \(text))" }
      return text
    }
    func nested(_ depth: Int) -> String {
      var text = "title = 'x'"
      for level in 0..<depth { text = "(done \(level % 2 == 0 ? "and" : "or") \(text))" }
      return text
    }
    #expect(shop.errorText(nested(20)) == nil)
    let errorText = try #require(shop.errorText(nested(21)))
    #expect(errorText.hasPrefix("\"and\" and \"or\" can be nested at most 20 levels deep\n"))
    #expect(errorText.contains("title = 'x'"))
    // The negation of `and` is an `or`: `not` does not add to the depth.
    #expect(shop.errorText(denied(60)) == nil)
  }

  @Test(
    "accepts 100,000 values in a list and rejects text of more than 4 MiB",
    .tags(.slow), .from(.test))
  func size() throws {
    let shop = try Shop()
    let ids = (0..<100_000).map { number in
      "01936f2e-7c00-7000-8000-" + String(String(1_000_000_000_000 + number).dropFirst())
    }
    let text = "todo_id in (\(ids.map { "'\($0)'" }.joined(separator: ", ")))"
    #expect(
      try shop.condition(text) == .test(FieldPath("todo_id"), .isIn(ids.map(Value.text))))
    let errorText = try #require(
      shop.errorText("title = '\(String(repeating: "x", count: 4 << 20))'"))
    #expect(errorText.hasPrefix("a condition or an order can have at most 4194304 bytes\n"))
  }

  @Test("shows 20 errors of a condition, and counts the others")
  func manyErrors() throws {
    let shop = try Shop()
    let text = (0..<50).map { "zz\($0) = 1" }.joined(separator: " or ")
    let error = try #require(throws: DataError.self) { try shop.condition(text) }
    #expect(error.problems.map(\.message) == (0..<20).map { "todo has no field zz\($0)" })
    #expect(error.count == 50)
    let order = (0..<50).map { "zz\($0)" }.joined(separator: ",")
    #expect(
      try #require(throws: DataError.self) {
        var reader = shop.reader()
        _ = try reader.readOrder(order, of: shop.todo)
      }.count == 50)
  }

  @Test("shows the same excerpt around an error, however long the line is")
  func longLines() throws {
    let shop = try Shop()
    func error(_ count: Int, _ more: String = "") -> String? {
      let text = String(repeating: "é", count: count)
      return shop.errorText("title = '\(text)\(more)' or zz = 1 or title = '\(more)\(text)'")
    }
    let expected = try #require(error(100))
    #expect(expected.contains("é' or zz = 1 or title = 'é"))
    for count in [501, 1_000, 100_000] {
      // Only the column differs.
      #expect(error(count) == expected)
      // Text that may belong to the password of an address is not shown.
      #expect(error(count, "//a:")?.contains("é") == false)
    }
    for address in ["postgres://ann:secret@db", "https://db/?token=secret"] {
      #expect(error(100, address)?.contains("secret") == false)
    }
  }

  @Test("stops reading a condition when the task is canceled")
  func cancellation() async throws {
    let shop = try Shop()
    let reading = Task {
      while !Task.isCancelled { await Task.yield() }
      #expect(throws: DataError.interrupted) { try shop.condition("done or zz = 1") }
    }
    reading.cancel()
    await reading.value
  }

  @Test("does not crash when a condition is truncated or has an extra byte")
  func fragments() throws {
    let shop = try Shop()
    let whole = Array(
      """
      not (title like 'a\\%' and "in" in ('x', :p) or due < now() - 7d) and place within 5 km of \
      (47.37, -8.54) and details."a b".c = json '{"x": 1}' and tags is not empty or price between \
      -1e3 and %?
      """.utf8)
    for end in whole.indices {
      for byte in [0x00, 0x22, 0x27, 0x28, 0x2E, 0x5C, 0xC3] as [UInt8] {
        let text = String(decoding: whole[..<end] + [byte] + whole[end...], as: UTF8.self)
        _ = shop.errorText(text, ["p": "x", "1": "5"])
      }
      _ = shop.errorText(String(decoding: whole[..<end], as: UTF8.self))
    }
    #expect(shop.errorText(String(decoding: whole, as: UTF8.self), ["p": "x", "1": "5"]) == nil)
  }

  @Test("escapes control characters in errors")
  func terminal() throws {
    #expect(
      try Shop().errorText("title = '\u{1B}[31m") == """
        unterminated text: the closing ' is missing
        title = '\\u001b[31m
                ^
        """)
    #expect(
      try Shop().errorText("title = 'a\u{0}b'") == """
        a text cannot contain NUL
        title = 'a\\u0000b'
                ^
        """)
  }

  @Test("omits the source line of an error when the condition may contain a password")
  func secrets() throws {
    let shop = try Shop()
    #expect(
      shop.errorText("titel = 1 or owner.password = 'x'")
        == "todo has no field titel\ndid you mean title?\n"
        + "owner.password is a password, which cannot be queried")
  }
}
