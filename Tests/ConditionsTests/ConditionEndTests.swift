import Conditions
import Testing

@Suite("The end of an incomplete condition")
struct ConditionEndTests {
  @Test(
    "finds the field that is compared with the typed value",
    arguments: [
      ("done and state = 'op", "'op", "op", ["state"]),
      ("state in ('a', 'b''", "'b''", "b'", ["state"]),
      ("state not in (", "", "", ["state"]),
      ("owner.name = ", "", "", ["owner", "name"]),
      (#""first name" = 'x"#, "'x", "x", ["first name"]),
      ("a == 1 and price >= 5", "5", "5", ["price"]),
      ("title like 'S", "'S", "S", nil),
      (#"title = 'a' and "ti"#, "ti", "ti", nil),
      ("title = owner.na", "owner.na", "owner.na", nil),
      ("title = :na", ":na", ":na", ["title"]),
      ("lower(ti", "ti", "ti", nil),
    ] as [(String, String, String, [String]?)])
  func fields(condition: String, typed: String, text: String, field: [String]?) {
    let end = ConditionEnd(of: condition)
    #expect(end.typed == typed)
    #expect(end.text == text)
    #expect(end.field == field)
  }

  @Test(
    "finds the relations before the open brackets",
    arguments: [
      ("any towns (na", ["towns"], false),
      ("any towns (no streets.houses (nu", ["towns", "streets", "houses"], false),
      ("any towns (name = 'x') and na", [], false),
      ("any ", [], true),
      ("count(", [], true),
      ("count(any", [], true),
      ("sum(", [], true),
      ("sum(lin", [], true),
      ("sum(lines.", [], false),
      ("lower(", [], false),
      ("'any ", [], false),
    ] as [(String, [String], Bool)])
  func relations(condition: String, path: [String], expectsRelation: Bool) {
    let end = ConditionEnd(of: condition)
    #expect(end.path == path)
    #expect(end.expectsRelation == expectsRelation)
  }
}
