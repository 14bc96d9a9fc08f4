import Foundation
import ProgramHarness
import Testing

@Suite("Examples in help and manual", .onEveryStore)
struct ExamplesTests {
  @Test("runs every example successfully")
  func examples() throws {
    let lines = try CommandTree(try Place().prepare("help", "--json").json).commands
      .flatMap(\.examples)
    #expect(lines.count > 20)
    // Some examples name a database file.
    for line in lines where StoreKind.current == .file || !line.contains("shop.db") {
      do {
        try Self.run(line)
      } catch {
        Issue.record("\(line): \(error)")
      }
    }
  }

  private static func run(_ line: String) throws {
    let place = try Place()
    if !line.hasPrefix("datactl schema create") { try furnish(place) }
    let needsSession = line.hasPrefix("datactl whoami") || line.hasPrefix("datactl logout")
    if needsSession {
      try place.prepare("login", "--username", "ann", "--password-stdin", input: .text("secret\n"))
    }
    // A prompt needs a terminal to read the answer from.
    let asks = line.hasPrefix("datactl login") && !line.contains("stdin")
    try place.shell(
      "set -o pipefail; \(line)", input: asks ? .typed("secret\n") : .nothing,
      errors: asks ? .terminal : .captured
    ).exits(0)
  }

  /// Creates a store with todos and users, schema files, and the files that examples read.
  private static func furnish(_ place: Place) throws {
    try place.prepare("schema", "create", "user", "email:text", "--user")
    for name in ["ann", "ci"] {
      try place.prepare(
        "save", "user", input: .text(#"{"username":"\#(name)","password":"secret"}"#))
    }
    try place.prepare(
      "schema", "create", "todo", "title:text!", "done:boolean", "due:datetime", "tags:text+",
      "stock:integer")
    try place.prepare("save", "todo", "tea", "title=Buy tea", "done=true", "stock=5")
    try place.prepare("save", "todo", "milk", "title=Buy milk", "done=false")
    try place.prepare("schema", "create", "draft", "text:text")
    try place.prepare("schema", "export", "schemas")
    try place.write("todos.ndjson", "{\"title\":\"Buy eggs\"}\n{\"title\":\"Buy bread\"}\n")
    try place.write("secret", "secret\n")
  }
}
