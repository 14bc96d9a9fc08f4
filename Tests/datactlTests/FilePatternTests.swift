import Testing
import datactl

@Suite("File name patterns")
struct FilePatternTests {
  @Test(
    "matches file names with patterns such as *.csv",
    arguments: [
      ("*.csv", "a.csv", true), ("*.csv", ".csv", false), (".*", ".csv", true), ("?", "é", true),
      ("?", "", false), ("a*b*c", "aXbYc", true), ("a*b*c", "aXcYb", false), ("**", "x", true),
      ("a?c", "abc", true), ("a?c", "ac", false), ("*", "x", true), ("[a]", "a", false),
    ])
  func names(pattern: String, name: String, matches: Bool) {
    #expect(Glob(pattern).matches(name) == matches)
  }

  @Test("matches hostile patterns without taking exponential time")
  func hostile() {
    #expect(!Glob(String(repeating: "*a", count: 500)).matches(String(repeating: "a", count: 499)))
  }

  @Test(
    "converts an id to a file name, such as a/b to a%2Fb",
    arguments: [
      ("a.jpg", "a.jpg"), ("..", "%2E."), (".x", "%2Ex"), ("a/b", "a%2Fb"), ("é", "%C3%A9"),
      ("a b", "a%20b"), ("50%", "50%25"),
    ])
  func fileNames(id: String, name: String) {
    #expect(ContentFolder.name(of: id) == name)
  }
}
