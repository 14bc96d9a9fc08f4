import DataModel
import Testing

@Suite("File names and media types")
struct FileNameTests {
  @Test(
    "rejects file names that are empty, . or .., or contain slashes or control characters",
    arguments: [
      ("a.png", true), (".a", true), ("...", true), ("é 🙂.txt", true), ("a\\b", true), ("", false),
      (".", false), ("..", false), ("a/b", false), ("/", false), ("a\r\n", false),
      ("a\u{0}", false),
      ("\u{7F}", false), ("a\u{85}", false), ("\u{1B}[31m", false),
    ])
  func names(name: String, isName: Bool) {
    #expect(FileReference.isName(name) == isName)
  }

  @Test(
    "accepts a media type only in the form type/subtype with optional parameters",
    arguments: [
      ("image/png", true), ("application/vnd.a+json", true), ("text/plain; charset=utf-8", true),
      ("text/plain;a", true), ("", false), ("text", false), ("/", false), ("text/", false),
      ("/plain", false), ("a/b/c", false), ("a/b\r\n", false), ("a/b;\n", false), ("a b/c", false),
      ("a/é", false), ("a/b c", false), ("a/b ", false), ("a/b;c ", false), ("a/b ;c", true),
    ])
  func types(type: String, isType: Bool) {
    #expect(FileReference.isMediaType(type.utf8.span) == isType)
  }
}
