import ProgramHarness
import Testing

@Suite("Hostile input in queries", .serialized, .onEveryStore)
struct HostileQueryTests {
  /// Texts that are valid as values, whether or not they must be quoted.
  private static let texts = [
    "'", "\"", "''", "';--", "\"; drop table \"book\"; --", "/*", "*/ or 1=1", "?", ":x", "$1",
    "%s", "%", "_", "\\", "x' or 'a'='a", "\u{1}", "🙂\u{301}", "é", "e\u{301}", "\r\n", "null",
    "true", "now()", "(", ")", "1e999", "99999999999999999999", "\u{FEFF}", "\u{202E}",
  ]

  private func library() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.saveLibrary()
    return folder
  }

  @Test("treats text with special characters as a plain value in conditions and parameters")
  func values() throws {
    let folder = try library()
    for (number, text) in Self.texts.enumerated() {
      try folder.prepare("save", "book", "x\(number)", "title=\(text)")
    }
    for (number, text) in Self.texts.enumerated() {
      let found = "x\(number)\n"
      let quoted =
        "'"
        + text.split(separator: "'", omittingEmptySubsequences: false).joined(
          separator: "''") + "'"
      try folder.run("list", "book", "--where=title = \(quoted)", "-o", "ids").prints(found)
      try folder.run("list", "book", "--where=title in (\(quoted))", "-o", "ids").prints(found)
      try folder.run("list", "book", "--where=title = :t", "--param=t=\(text)", "-o", "ids")
        .prints(found)
      try folder.run("list", "book", "-o", "ids", "--", "title=\(text)").prints(found)
      try folder.run(
        "delete", "book", "--dry-run", "--where=title = :t", "--param=t=\(text)"
      ).exits(0).reports("1 would be deleted")
      try folder.run(
        "save", "book", "--dry-run", "--yes", "-o", "ids", "--where=title = \(quoted)", "price=1"
      ).exits(0).prints(found)
      for condition in [text, "title = \(text)", "title = '\(text)", "pages = \(quoted)"] {
        let run = try folder.run("list", "book", "--where=\(condition)")
        if run.status != 0 { try expectRejection(run) }
      }
      try expectRejection(
        folder.run("list", "book", "--where=pages = :n", "--param=n=\(text)"), as: [2])
      try expectRejection(folder.run("list", "book", "--", "pages=\(text)x"), as: [6])
    }
    try folder.run("list", "book", "--count").prints("\(4 + Self.texts.count)\n")
  }

  @Test("either prints a page or rejects the page token when the token was modified")
  func tokens() throws {
    let folder = try library()
    let arguments = ["list", "book", "--order", "-title", "-o", "page", "--limit", "2"]
    let token = Array(
      try #require(try folder.program.run(arguments).exits(0).json["next"]?.text).utf8)
    for index in token.indices {
      for flip in [0x01, 0x02, 0x20] as [UInt8] {
        var other = token
        other[index] ^= flip
        let run = try folder.program.run(
          arguments + ["--after=\(String(decoding: other, as: UTF8.self))"])
        if run.status == 0 {
          try run.requires(try run.json["records"] != nil, "a page")
        } else {
          try expectRejection(run)
        }
      }
      let part = String(decoding: token[..<index], as: UTF8.self)
      try expectRejection(folder.program.run(arguments + ["--before=\(part)"]))
    }
    try expectRejection(
      folder.run("list", "person", "--after=\(String(decoding: token, as: UTF8.self))"))
  }

  @Test("evaluates a large condition, or names the limit that the condition exceeds")
  func sizes() throws {
    let folder = try library()
    func nested(_ count: Int) -> String {
      String(repeating: "(", count: count) + "lent" + String(repeating: ")", count: count)
    }
    try folder.run("list", "book", "--where", nested(200), "-o", "ids").prints("a\n")
    for count in [201, 10_000] {
      try folder.run("list", "book", "--where", nested(count)).exits(2).reports(
        "deeper than 200", "^")
    }
    let list = (0..<12_000).map { "'t\($0)'" }.joined(separator: ",")
    try folder.run("list", "book", "--where", "title not in (\(list))", "--count").prints("4\n")
    let texts = (0..<100_000).map { "'t\($0)'" }.joined(separator: ",")
    try folder.prepare(
      "save", "function",
      input: .text(
        """
        {"function_id":"F","item_type":"book",
         "function":{"selectCore":"from book where title not in (\(texts)) and pages = 50"}}
        """))
    try folder.run("list", "--function", "F", "-o", "ids").prints("b\nc\n")
    var deep = "lent"
    for level in 0..<21 { deep = level % 2 == 0 ? "(lent or \(deep))" : "(lent and \(deep))" }
    try folder.run("list", "book", "--where", deep).exits(2).reports(
      "nested at most 20 levels deep", "^")
    let many = Array(repeating: "lent", count: 10_001).joined(separator: " or ")
    try folder.run("list", "book", "--where", many).exits(2).reports(
      "at most 10000 comparisons", "^")
    let path = "author" + String(repeating: ".boss", count: 8) + ".name"
    try folder.run("list", "book", "--where", "\(path) = 'Ann'").exits(2).reports(
      "at most 8 relations", "^")
    let order = Array(repeating: "title", count: 51).joined(separator: ",")
    try folder.run("list", "book", "--order", order).exits(2).reports("at most 50 fields", "^")
    try folder.run("list", "book", "--group-by", order).exits(2)
  }
}
