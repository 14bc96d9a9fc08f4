import DataModel
import TestSupport
import Testing

@Suite("LikePattern")
struct LikePatternTests {
  @Test(
    "matches a pattern only against the whole text",
    arguments: [
      ("", "", true), ("", "a", false), ("%", "", true), ("%", "a\nb", true), ("_", "a", true),
      ("_", "🙂", true), ("_", "e\u{301}", false), ("__", "e\u{301}", true), ("_", "", false),
      ("a%c", "abbc", true), ("a%c", "abbcd", false), ("%b%", "abc", true), ("%%", "", true),
      ("a\\%", "a%", true), ("a\\%", "ab", false), ("\\_", "_", true), ("\\_", "a", false),
      ("\\\\", "\\", true), ("\\a", "a", true), ("%ab%ab", "abab", true), ("%ab%ab", "aab", false),
      ("A", "a", false), ("ä", "Ä", false), ("%é", "caf\u{E9}", true), ("%a_", "aaaa", true),
      (".*", "ab", false), ("[a]", "[a]", true),
    ])
  func exact(pattern: String, text: String, matches: Bool) throws {
    #expect(try LikePattern(pattern).matches(whole: text) == matches)
  }

  @Test(
    "ignores case in ilike patterns only for the letters A to Z",
    arguments: [
      ("A%z", "aBZ", true), ("a", "A", true), ("Ä", "ä", false), ("K", "\u{212A}", false),
      ("[", "{", false), ("@", "`", false), ("%STRASSE", "straße", false),
    ])
  func folded(pattern: String, text: String, matches: Bool) throws {
    #expect(try LikePattern(pattern, .folded).matches(whole: text) == matches)
  }

  @Test(
    "matches the same strings as a backtracking matcher for random patterns", .tags(.random),
    arguments: Seeds.count(test: 20, all: 60))
  func random(seed: Int) throws {
    var generator = SeededRandom(seed: UInt64(seed))
    func word(_ letters: [Character], _ longest: Int) -> String {
      String(
        (0..<Int.random(in: 0...longest, using: &generator)).map { _ in
          letters.randomElement(using: &generator) ?? "a"
        })
    }
    for _ in 0..<1_000 {
      let pattern = word(["a", "b", "%", "_", "é", "%"], 7)
      let text = word(["a", "b", "é", "🙂"], 8)
      let expected = matches(Array(pattern.unicodeScalars)[...], Array(text.unicodeScalars)[...])
      #expect(
        try LikePattern(pattern).matches(whole: text) == expected, "\(pattern) \(text)")
    }
  }

  private func matches(
    _ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "%" {
      return matches(pattern.dropFirst(), text)
        || !text.isEmpty && matches(pattern, text.dropFirst())
    }
    return !text.isEmpty && (first == "_" || first == text.first)
      && matches(pattern.dropFirst(), text.dropFirst())
  }

  @Test("matches patterns that are longer than a machine word")
  func long() throws {
    for length in [63, 64, 65, 128, 499] {
      let text = String(repeating: "ab", count: length) + "c"
      #expect(try LikePattern(String(repeating: "a_", count: length) + "c").matches(whole: text))
      #expect(try LikePattern(String(repeating: "_", count: length) + "%c").matches(whole: text))
      #expect(
        try !LikePattern(String(repeating: "_", count: length) + "%d").matches(whole: text))
    }
  }

  @Test("matches a pattern with hundreds of wildcards in linear time")
  func hostile() throws {
    let text = String(repeating: "a", count: 20_000)
    let pattern = try LikePattern(String(repeating: "%a", count: 400) + "%b")
    #expect(!pattern.matches(whole: text))
  }

  @Test("returns the literal prefix that every match starts with")
  func prefix() throws {
    #expect(try LikePattern("ab%c").prefix == "ab")
    #expect(try LikePattern("a\\%b_").prefix == "a%b")
    #expect(try LikePattern("%a").prefix == "")
    #expect(try LikePattern("abc").prefix == "abc")
  }

  @Test("rejects a trailing escape character and a pattern that is too long")
  func errors() {
    #expect(throws: LikePattern.ParseError.endsInEscape) { try LikePattern("a\\") }
    #expect(throws: LikePattern.ParseError.endsInEscape) { try LikePattern("\\\\\\") }
    #expect(throws: LikePattern.ParseError.tooLong) {
      try LikePattern(String(repeating: "a", count: 1_001))
    }
  }
}

extension LikePattern {
  fileprivate func matches(whole text: String) -> Bool { matches(text.utf8.span) }
}
