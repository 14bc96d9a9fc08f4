import ProgramHarness
import TestSupport
import Testing

/// Queries that are rejected before a store is read. `CommandTests` has those that a store executes.
@Suite("Hostile names in queries", .from(.test))
struct HostileNameTests {
  /// Texts that are not names of fields of the schema.
  private static let names = [
    "select", "order", "drop table book", "rowid", "_rowid_", "oid", "_meta", "sqlite_master",
    "main.book", "book.title", "\"title\"", "'title'", "title;--", "title/*", "/* */", "*", "?",
    "$1", ":x", "%s", "%?", "title desc; drop table book", "e\u{301}", "é", "🙂", "\n", "ti\ntle",
    "\u{1}", "\u{1B}[31m", "\u{202E}", "..", ".", "title.", ".title", "title..x", "author.",
    "title,,pages", "1=1", "0x10", "null", "password", "-", "--", "\\", "\u{FEFF}title",
    String(repeating: "(", count: 10_000), String(repeating: "9", count: 400),
    String(repeating: "author.boss.", count: 2_000) + "name",
    String(repeating: "boss.", count: 9) + "name",
    Array(repeating: "title", count: 10_000).joined(separator: ";"),
  ]

  /// Texts of `names` that some options accept. Quotes denote a field.
  private static let validTexts = [
    "--where": ["1=1"], "--fields": ["*", "\"title\""], "--order": ["\"title\""],
    "--section-by": ["\"title\""], "--group-by": ["\"title\""],
    "--distinct": ["\"title\""],
    "--min": ["\"title\""], "--max": ["\"title\""],
  ]

  private func library() async throws -> CommandFolder {
    let folder = try CommandFolder()
    try await folder.save(.library)
    return folder
  }

  @Test(
    "rejects invalid field names in every option that takes a field",
    arguments: [
      "--order", "--fields", "--expand", "--group-by", "--sum", "--avg", "--min", "--max",
      "--distinct", "--section-by", "--where",
    ])
  func fields(option: String) async throws {
    let folder = try await library()
    for name in Self.names {
      if Self.validTexts[option, default: []].contains(name) { continue }
      try await expectRejection(folder.run("list", "book", "\(option)=\(name)"))
    }
    if option != "--expand", option != "--section-by" {
      try await expectRejection(folder.run("list", "book", "\(option)="))
    }
    try await folder.run("list", "book", "--count").prints("4\n")
  }

  @Test(
    "rejects invalid values of --function, --limit, --after, --param, --where and similar options")
  func invalidNames() async throws {
    let folder = try await library()
    for name in Self.names {
      try await expectRejection(folder.run("get", "book", "--by=\(name)", "--", "a"))
      if !Self.validTexts["--fields", default: []].contains(name) {
        try await expectRejection(folder.run("get", "book", "--fields=\(name)", "--", "a"))
      }
      try await expectRejection(folder.run("get", "book", "--expand=\(name)", "--", "a"))
      try await expectRejection(folder.run("list", "--function=\(name)"), as: [3])
      try await expectRejection(folder.run("list", "book", "--limit=\(name)"))
      try await expectRejection(folder.run("list", "book", "--after=\(name)"))
      try await expectRejection(folder.run("list", "book", "--before=\(name)"))
      try await expectRejection(folder.run("list", "book", "--param=\(name)"))
      if name != "1=1" {
        try await expectRejection(folder.run("delete", "book", "--yes", "--where=\(name)"))
        try await expectRejection(folder.run("save", "book", "--yes", "--where=\(name)", "price=1"))
        try await expectRejection(folder.run("list", "book", "--where=\(name)", "--explain"))
        try await expectRejection(folder.run("list", "book", "--where=\(name)", "--count"))
      }
      try await expectRejection(folder.run("list", "--", name), as: [2, 3])
    }
    for limit in ["-1", "1e3", "0x10", " 1", "1 ", "٣", "99999999999999999999"] {
      try await expectRejection(folder.run("list", "book", "--limit=\(limit)"))
    }
    try await folder.run("list", "book", "--limit=9223372036854775807", "-o", "ids").prints(
      "a\nb\nc\nd\n")
    try await folder.run(
      "list", "book", "--limit=9223372036854775807", "-o", "page", "--fields", "book_id"
    ).exits(0)
    try await folder.run("list", "book", "--count").prints("4\n")
  }
}
