import DataModel
import TestSupport
import Testing

@Suite("Names of schemas and fields")
struct NamesTests {
  @Test(
    "accepts names of lowercase letters, digits and underscores that begin with a letter",
    arguments: ["a", "todo", "year_born", "a1", "a_", "a__b", "x9_9", "select", "xmin"])
  func validNames(name: String) {
    #expect(Names.isValid(name, as: .field))
    #expect(Names.isValid(name, as: .schema))
    #expect(Names.suggested(for: name) == name)
  }

  @Test(
    "rejects names that do not match [a-z][a-z0-9_]*",
    arguments: [
      "", "A", "yearBorn", "1a", "_a", "a-b", "a b", "a.b", "é", "aé", "a\u{0}", "a\n", "🙂", "ａ",
    ])
  func invalidNames(name: String) {
    #expect(!Names.isValid(name, as: .field))
    #expect(!Names.isValid(name, as: .schema))
  }

  @Test("accepts schema names of up to 40 characters and field names of up to 48")
  func lengths() {
    #expect(Names.isValid(String(repeating: "a", count: 40), as: .schema))
    #expect(!Names.isValid(String(repeating: "a", count: 41), as: .schema))
    #expect(Names.isValid(String(repeating: "a", count: 48), as: .field))
    #expect(!Names.isValid(String(repeating: "a", count: 49), as: .field))
  }

  @Test(
    "suggests a valid name for an invalid identifier",
    arguments: [
      ("BlogPost", "blog_post"), ("URLPath", "url_path"), ("yearBorn", "year_born"),
      ("personID", "person_id"), ("HTMLParser2Go", "html_parser2_go"), ("A", "a"),
      ("TODO", "todo"), ("a1B", "a1_b"), ("A1B", "a1_b"), ("IDs", "i_ds"),
      ("snake_Case", "snake_case"),
      ("__hidden", "hidden"), ("blog post", "blog_post"), ("blog-post", "blog_post"),
      ("Blog  --  Post", "blog_post"), (" blog.post ", "blog_post"), ("price$", "price"),
      ("-a", "a"), ("blog_ post", "blog_post"), ("a,B", "a_b"),
    ])
  func suggestions(name: String, expected: String) {
    #expect(Names.suggested(for: name) == expected)
  }

  @Test(
    "suggests no name when no valid name can be derived from the invalid one",
    arguments: [
      "", " ", "1st", "2fa_code", "_", "__1", "prénom", "größe", "🙂", "名前", "a\u{0}b", "a\nb", "-",
    ])
  func noSuggestion(name: String) {
    #expect(Names.suggested(for: name) == nil)
  }

  @Test("truncates a suggested name to the maximum length, without a trailing underscore")
  func cutSuggestions() {
    let long = String(repeating: "a", count: 39) + "_" + String(repeating: "b", count: 20)
    #expect(Names.suggested(for: long, as: .schema) == String(repeating: "a", count: 39))
    #expect(Names.suggested(for: long, as: .field)?.utf8.count == 48)
  }

  @Test(
    "converts a field name to a property name in camel case",
    arguments: [
      ("year_born", "yearBorn"), ("title", "title"), ("person_id", "personId"), ("a_b_c", "aBC"),
      ("a_1", "a_1"), ("a__b", "a__b"), ("a_", "a_"), ("x1_y2", "x1Y2"),
    ])
  func properties(name: String, expected: String) {
    #expect(Names.property(for: name) == expected)
  }

  @Test("suggests only valid names", arguments: [UInt64(1), 2, 3])
  func suggestionsAreValid(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let letters = Array("abzABZ059__ -.éß🙂\u{0}\t$")
    for _ in 0..<5_000 {
      let name = String(
        (0..<Int.random(in: 0...60, using: &random)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &random)]
        })
      for kind in [Names.Kind.schema, .field] {
        if let suggestion = Names.suggested(for: name, as: kind) {
          #expect(Names.isValid(suggestion, as: kind), "seed \(seed): \(name.debugDescription)")
        } else {
          #expect(!Names.isValid(name, as: kind), "seed \(seed): \(name.debugDescription)")
        }
      }
    }
  }

  @Test(
    "returns the original name when a field name is converted to camel case and back",
    arguments: [UInt64(4), 5])
  func roundTrip(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<5_000 {
      let words = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        (0..<Int.random(in: 2...9, using: &random))
          .map { _ in String("abcxyz".randomElement(using: &random) ?? "a") }.joined()
      }
      let name = words.joined(separator: "_")
      #expect(Names.suggested(for: Names.property(for: name)) == name, "seed \(seed): \(name)")
    }
  }
}
