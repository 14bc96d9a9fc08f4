import DataModel
import TestSupport
import Testing

@Suite("Pattern.Matcher")
struct PatternMatcherTests {
  @Test("matches several strings with the same matcher")
  func manyTexts() throws {
    var matcher = Pattern.Matcher(try Pattern("(a|ö)+b?"))
    for _ in 0..<3 {
      #expect(matcher.matches(Array("aöab".utf8).span) == true)
      #expect(matcher.matches(Array("aöabb".utf8).span) == false)
      #expect(matcher.matches(Array("".utf8).span) == false)
      #expect(matcher.matches(Array("ö".utf8).span) == true)
    }
  }

  @Test(
    "matches in linear time when backtracking would take exponential time", .tags(.slow),
    .from(.test),
    arguments: [
      ("(a*)*b", false), ("(a|a)*", true), ("(a|aa)+b", false), ("((a?){50}){50}", false),
      ("(.*a){20}", true), ("([a-z]+)*[0-9]", false),
    ])
  func hostilePatterns(pattern: String, isMatch: Bool) throws {
    let text = [UInt8](repeating: UInt8(ascii: "a"), count: 200_000)
    #expect(try Pattern(pattern).matches(text.span) == isMatch)
  }

  @Test(
    "matches a pattern of a million states in bounded memory", .tags(.slow), .from(.test),
    arguments: [UInt64(61)])
  func manyStates(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var matcher = Pattern.Matcher(try Pattern("(a|ö)*a(a|ö){20}"))
    for _ in 0..<20 {
      let isA = (0..<2_000).map { _ in Bool.random(using: &random) }
      let text = Array(isA.map { $0 ? "a" : "ö" }.joined().utf8)
      #expect(matcher.matches(text.span) == isA[isA.count - 21], "seed \(seed)")
    }
  }

  @Test("matches text with many different scalars in bounded memory")
  func manyScalars() throws {
    let scalars = (UInt32(0x4E00)...0x9FFF).compactMap(Unicode.Scalar.init)
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    var matcher = Pattern.Matcher(try Pattern("\\p{Lo}*"))
    #expect(matcher.matches(Array(text.utf8).span) == true)
    #expect(matcher.matches(Array((text + "a").utf8).span) == false)
    #expect(matcher.matches(Array(text.utf8).span) == true)
  }

  @Test("does not crash on invalid UTF-8")
  func notUTF8() throws {
    let pattern = try Pattern(".*é?")
    for bytes in [[0xC3], [0x61, 0xF0, 0x9F], [0xFF], [0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]]
    {
      _ = pattern.matches(bytes.span)
    }
    #expect(try Pattern("a").matches([0x61, 0xC3].span) == false)
  }

  @Test(
    "matches the same strings as the standard library's Regex for random patterns",
    arguments: [UInt64(62), 63])
  func sameAsStandardLibrary(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<300 {
      let source = randomPattern(depth: 3, using: &random)
      let expected = try Regex(source).matchingSemantics(.unicodeScalar)
      var matcher = Pattern.Matcher(try Pattern(source))
      for _ in 0..<15 {
        let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in
          ["a", "b", "ö"].randomElement(using: &random) ?? "a"
        }.joined()
        #expect(
          try matcher.matches(Array(text.utf8).span) == (expected.wholeMatch(in: text) != nil),
          "seed \(seed): \(source) on \(text)")
      }
    }
  }

  private func randomPattern(depth: Int, using random: inout SeededRandom) -> String {
    guard depth > 0 else {
      return ["a", "b", "ö", ".", "[ab]", "[^a]", "[^ö-ü]"].randomElement(using: &random) ?? "a"
    }
    let first = randomPattern(depth: depth - 1, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return first + randomPattern(depth: depth - 1, using: &random)
    case 1: return "(\(first)|\(randomPattern(depth: depth - 1, using: &random)))"
    case 2: return "(\(first))" + (["*", "+", "?"].randomElement(using: &random) ?? "*")
    case 3:
      return "(\(first))"
        + (["{2}", "{1,2}", "{1,}", "{0,3}"].randomElement(using: &random) ?? "{2}")
    default: return first
    }
  }
}
