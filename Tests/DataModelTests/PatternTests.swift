import DataModel
import Testing

@Suite("Patterns (I-Regexp)")
struct PatternTests {
  @Test(
    "matches a pattern against the whole text",
    arguments: [
      ("", ""), ("a", "a"), ("abc", "abc"), ("a|b", "b"), ("a|", ""), ("|", ""), ("()", ""),
      ("(a|b)c", "bc"),
      ("a*", ""), ("a*", "aaa"), ("a+", "a"), ("a+", "aaa"), ("a?b", "b"), ("a?b", "ab"),
      ("a{3}", "aaa"),
      ("a{0}", ""), ("a{2,}", "aaaa"), ("a{2,3}", "aa"), ("a{2,3}", "aaa"), ("a{0,1}", ""),
      ("(ab){2}", "abab"),
      ("(a*)*", "aaa"), ("(a*)+", ""), ("(a|b)*c{1,2}d?", "abbacc"),
      ("(){9999999999999999999999}", ""),
      (".", "x"), (".", "🙂"), (".", "\u{2028}"), (".", "\u{0}"), (".*", "größe"), ("[a-c]+", "abc"),
      ("[^a-c]", "d"), ("[^a-c]", "\n"), ("[-a]", "-"), ("[a-]", "-"), ("[-]", "-"), ("[--]", "-"),
      ("[^-]", "a"), ("[a^]", "^"), ("[a^-z]", "b"), ("[.]", "."), ("[*+?(){|}$]+", "*+?(){|}$"),
      ("[\\]\\[\\\\]+", "][\\"), ("[\\n-\\r]", "\r"), ("[a\\-z]", "-"), ("[z\\p{Nd}a-c]+", "7bz"),
      ("[\\P{L}x]", "x"), ("[\\P{L}x]", "1"), ("[^\\P{L}x]", "y"), ("[c-ea-b d]+", "a bcde"),
      ("\\(\\)\\*\\+\\-\\.\\?\\[\\\\\\]\\^\\{\\|\\}", "()*+-.?[\\]^{|}"), ("\\n\\r\\t", "\n\r\t"),
      ("^a$", "^a$"), ("a-b,c", "a-b,c"), ("größe", "größe"), ("[ä-ü]", "ö"), ("[🙂-🙃]{2}", "🙂🙃"),
      ("\\p{Lu}\\p{Ll}+", "Ärger"), ("\\p{L}+", "日本ß"), ("\\p{N}", "Ⅷ"), ("\\p{Nd}+", "12٣"),
      ("\\p{P}", "«"), ("\\p{Sc}", "€"), ("\\p{Zs}", "\u{A0}"), ("\\P{L}", "1"),
      ("\\p{Cn}", "\u{378}"),
      ("\\p{Co}", "\u{E000}"), ("\\p{Mn}", "\u{301}"), ("e\\p{M}", "e\u{301}"),
      ("[0-9]{4}-[0-9]{2}", "2026-11"), ("a{1000}", String(repeating: "a", count: 1_000)),
      ("\u{10FFFF}", "\u{10FFFF}"), ("[\u{0}-\u{10FFFF}]", "\u{D7FF}"),
    ])
  func matching(pattern: String, text: String) throws {
    #expect(try Pattern(pattern).matches(Array(text.utf8).span))
  }

  @Test(
    "does not match a text if the pattern matches only a part of it",
    arguments: [
      ("", "a"), ("a", ""), ("a", "ab"), ("a", "ba"), ("a", "A"), ("a|b", "ab"), ("a+", ""),
      ("a{3}", "aa"),
      ("a{3}", "aaaa"), ("a{0}", "a"), ("a{2,}", "a"), ("a{2,3}", "a"), ("a{2,3}", "aaaa"),
      ("(ab){2}", "ab"),
      (".", ""), (".", "\n"), (".", "\r"), (".", "ab"), (".", "e\u{301}"), ("[a-c]", "d"),
      ("[^a-c]", "b"),
      ("[^-]", "-"), ("[a\\-z]", "b"), ("[^\\P{L}x]", "x"), ("[^\\P{L}x]", "1"), ("\\p{Lu}", "a"),
      ("\\P{L}", "a"), ("\\p{Nd}", "Ⅷ"), ("é", "e\u{301}"), ("[ä-ü]", "o"), ("^a$", "a"),
      ("(a|b)*c", "abab"),
      ("[🙂-🙃]", "🙄"), ("a\u{301}", "á"),
    ])
  func notMatching(pattern: String, text: String) throws {
    #expect(try !Pattern(pattern).matches(Array(text.utf8).span))
  }

  @Test(
    "reports the cause and the position when an I-Regexp is invalid",
    arguments: [
      ("*", .nothingToRepeat, 0), ("a|*", .nothingToRepeat, 2), ("(+)", .nothingToRepeat, 1),
      ("a**", .nothingToRepeat, 2), ("a+?", .nothingToRepeat, 2), ("a{2}{3}", .nothingToRepeat, 4),
      ("{2}", .nothingToRepeat, 0), ("a}", .mustBeEscaped("}"), 1),
      ("größe]", .mustBeEscaped("]"), 5),
      ("(a", .groupNotClosed, 0), ("a((b)", .groupNotClosed, 1), (")", .unmatchedParenthesis, 0),
      ("a)b", .unmatchedParenthesis, 1), ("[a", .classNotClosed, 0), ("a[", .classNotClosed, 1),
      ("[a-", .classNotClosed, 0), ("[^", .classNotClosed, 0), ("[a-b", .classNotClosed, 0),
      ("[]", .emptyClass, 0), ("[^]", .emptyClass, 0), ("[]a]", .emptyClass, 0),
      ("[a[b]", .mustBeEscaped("["), 2), ("[a-[b]", .mustBeEscaped("["), 3),
      ("[a-c-e]", .hyphenInClass, 4),
      ("[a--]", .hyphenInClass, 3), ("[--a]", .hyphenInClass, 2), ("[a-\\p{L}]", .hyphenInClass, 2),
      ("[\\p{L}-z]", .hyphenInClass, 6), ("[z-a]", .reversedRange, 1),
      ("a[bz-a]", .reversedRange, 3),
      ("a{", .malformedQuantifier, 2), ("a{}", .malformedQuantifier, 2),
      ("a{,2}", .malformedQuantifier, 2),
      ("a{2", .malformedQuantifier, 3), ("a{2,", .malformedQuantifier, 4),
      ("a{2;3}", .malformedQuantifier, 3),
      ("a{-1}", .malformedQuantifier, 2), ("a{3,2}", .reversedQuantifier, 1),
      ("\\", .unfinishedEscape, 0),
      ("ab\\", .unfinishedEscape, 2), ("\\d", .unknownEscape("d"), 0),
      ("a\\w", .unknownEscape("w"), 1),
      ("\\$", .unknownEscape("$"), 0), ("[\\s]", .unknownEscape("s"), 1),
      ("\\u0041", .unknownEscape("u"), 0),
      ("(?:a)", .nothingToRepeat, 1), ("\\p", .unknownCategory, 0), ("\\pL", .unknownCategory, 0),
      ("\\p{}", .unknownCategory, 0), ("\\p{X}", .unknownCategory, 0),
      ("\\p{LU}", .unknownCategory, 0),
      ("\\p{Lu", .unknownCategory, 0), ("\\p{Letter}", .unknownCategory, 0),
      ("\\p{Cs}", .unknownCategory, 0),
      ("\\p{IsGreek}", .unknownCategory, 0), ("🙂\\p{Qq}", .unknownCategory, 1),
      ("\\p{u}", .unknownCategory, 0),
    ] as [(String, Pattern.Reason, Int)])
  func rejecting(pattern: String, reason: Pattern.Reason, offset: Int) {
    let error = #expect(throws: Pattern.ParseError.self) { try Pattern(pattern) }
    #expect(error?.reason == reason)
    #expect(error?.offset == offset)
  }

  @Test("reports the position of an error in a pattern, counted from one")
  func message() {
    let error = #expect(throws: Pattern.ParseError.self) { try Pattern("ab\\d") }
    #expect(error?.description == "character 3: \\d has no meaning in an I-Regexp")
    let brace = #expect(throws: Pattern.ParseError.self) { try Pattern("}") }
    #expect(brace?.description == #"character 1: unescaped "}": write a literal } as \}"#)
  }

  @Test(
    "rejects a pattern that would become too large, without building it",
    arguments: [
      ("((a{1000}){1000})", 10), ("a{10001}", 1), ("a{99999999999999999999}", 1),
      ("(a?){0,99999}", 4),
      ("((((a{99}){99}){99}){99})", 20), ("x(a|b|c){9999}", 8), ("a{5000}b{5001}", 8),
    ])
  func tooLarge(pattern: String, offset: Int) {
    let error = #expect(throws: Pattern.ParseError.self) { try Pattern(pattern) }
    #expect(error?.reason == .tooLarge)
    #expect(error?.offset == offset)
  }

  @Test("rejects a pattern that is too long or too deeply nested")
  func tooLongOrDeep() {
    let long = #expect(throws: Pattern.ParseError.self) {
      try Pattern(String(repeating: "a", count: 1_000_000))
    }
    #expect(long?.reason == .tooLarge)
    let deep = String(repeating: "(", count: 5_000) + String(repeating: ")", count: 5_000)
    let depth = #expect(throws: Pattern.ParseError.self) { try Pattern(deep) }
    #expect(depth?.reason == .tooDeep)
    #expect(depth?.offset == 100)
  }

  @Test("accepts a pattern with groups nested up to the maximum depth")
  func deepest() throws {
    let deep = String(repeating: "(", count: 100) + "a" + String(repeating: ")*", count: 100)
    #expect(try Pattern(deep).matches(Array("aaa".utf8).span))
  }

  @Test("compares patterns as equal only when their source bytes are identical")
  func equality() throws {
    #expect(try Pattern("a+") == Pattern("a+"))
    #expect(try Pattern("é") != Pattern("e\u{301}"))
    #expect(try Set([Pattern("a"), Pattern("a"), Pattern("b")]).count == 2)
    #expect(try Pattern("a+").source == "a+")
  }
}
