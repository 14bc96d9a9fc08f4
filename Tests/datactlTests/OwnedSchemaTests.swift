import Foundation
import Testing
import datactl

@Suite("Owned schemas")
struct OwnedSchemaTests {
  private static let line = """
    {
      "schema": "line",
      "fields": {
        "line_id": {"type": "id"},
        "ord": {"type": "relation", "to": "ord", "inverse": "lines", "owned": true, "position": "place"},
        "place": {"type": "integer"}
      }
    }

    """

  private func session() async throws -> TestSession {
    let session = try TestSession()
    #expect(await session.run("schema create ord title:text").status == 0)
    return session
  }

  @Test("declares inverses and owners in the short form, and prints them as the file declares them")
  func shortForm() async throws {
    let session = try await session()
    #expect(await session.run("schema create line ord:ord:lines:owned place:integer").status == 0)
    let file = Self.line.replacing(#", "position": "place""#, with: "")
    #expect(await session.run("schema show line").output == file)
    let changed = await session.run("schema apply -", input: Self.line)
    #expect(changed.errors == "change line.ord: position \"place\"\n")
    #expect(await session.run("schema show line").output == Self.line)
    #expect(await session.run("schema create note ord:ord:notes!").status == 0)
    #expect(
      await session.run("schema show note").output.contains(
        #""ord": {"type": "relation", "to": "ord", "inverse": "notes", "required": true}"#))
    let wrong = await session.run("schema create other ord:ord:others:own")
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("expected SCHEMA:INVERSE or SCHEMA:INVERSE:owned"))
  }

  @Test(
    "needs no quotes around the short form in any shell", arguments: ["sh", "bash", "zsh", "fish"])
  func shells(shell: String) throws {
    guard
      let path = ["/bin/", "/usr/bin/"].map({ $0 + shell }).first(where: {
        FileManager.default.isExecutableFile(atPath: $0)
      })
    else { return }
    let words = "order:order:lines:owned order:order:lines! price:decimal:10,2 tags:text+"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-c", "echo \(words)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    process.waitUntilExit()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    #expect(String(decoding: data, as: UTF8.self) == words + "\n")
  }

  @Test(
    "rejects declarations that contradict an owned relation",
    arguments: [
      (#", "required": false"#, "an owned relation is always required"),
      (#", "on_delete": "deny""#, "an owned relation cannot have on_delete deny"),
      (#", "many": true"#, "a to-many relation cannot be owned"),
      (#", "position": "plac""#, #""position" names a field that is not declared"#),
      (#", "position": "text""#, "position: text must be an integer"),
      (#", "position": "few""#, "position: few must be an integer"),
    ])
  func contradictions(keys: String, message: String) async throws {
    let session = try await session()
    let fields = """
      , "ord": {"type": "relation", "to": "ord", "inverse": "lines", "owned": true\(keys)},
      "text": {"type": "text"}, "few": {"type": "integer", "max": 0}
      """
    let outcome = await session.run("schema apply -", input: TestSession.schema("line", fields))
    #expect(outcome.status == 6)
    #expect(outcome.errors.contains(message))
  }

  @Test("rejects owned relations without an inverse, a second owner, and circles of owners")
  func structure() async throws {
    let session = try await session()
    func owned(_ target: String, _ keys: String = "") -> String {
      #"{"type": "relation", "to": "\#(target)", "owned": true\#(keys)}"#
    }
    let inverse = #", "inverse": "parts""#
    for (text, message) in [
      (TestSession.schema("line", ", \"ord\": " + owned("ord")), "must have an inverse"),
      (
        TestSession.schema(
          "line", ", \"a\": \(owned("ord", inverse)), \"b\": \(owned("ord", inverse))"),
        "a record can have only one owner"
      ),
      (
        TestSession.schema("a", ", \"b\": " + owned("b", inverse))
          + TestSession.schema("b", ", \"a\": " + owned("a", inverse)),
        "schemas own each other: a, b, a"
      ),
      (
        TestSession.schema("a", #", "ord": {"type": "relation", "to": "ord", "position": "n"}"#),
        "only an owned relation can have a position"
      ),
    ] {
      let outcome = await session.run("schema apply -", input: text)
      #expect(outcome.status == 6)
      #expect(outcome.errors.contains(message))
    }
  }

  @Test("checks the records when a relation becomes owned, and loses nothing")
  func adding() async throws {
    let session = try await session()
    #expect(await session.run("schema create line ord:ord place:integer").status == 0)
    #expect(await session.run("save ord o title=A").status == 0)
    #expect(await session.run("save line a place=1").status == 0)
    let refused = await session.run("schema apply -", input: Self.line)
    #expect(refused.status == 5)
    #expect(refused.errors.contains("1 record violates the new schema"))
    #expect(await session.run("save line a ord=o").status == 0)
    let applied = await session.run("schema apply -", input: Self.line)
    #expect(
      applied.errors == """
        change line.ord: required, on_delete "nullify" to "cascade", inverse "lines", owned, \
        position "place"

        """)
    let removed = await session.run(
      "schema plan -",
      input: Self.line.replacing(#", "owned": true, "position": "place""#, with: ""))
    #expect(
      removed.output == """
        change line.ord: no longer required, on_delete "cascade" to "nullify", no longer owned, \
        no longer position "place"

        """)
    #expect(
      await session.run("list line --fields ord").output == "{\"line_id\":\"a\",\"ord\":\"o\"}\n")
    #expect(await session.run("delete ord o").status == 0)
    #expect(await session.run("list line --count").output == "0\n")
  }

  @Test("rejects a tree whose records own each other in a circle")
  func circle() async throws {
    let session = try TestSession()
    #expect(await session.run("schema create node parent:node:children").status == 0)
    for (id, parent) in [("a", ""), ("b", "a"), ("c", "b")] {
      #expect(await session.run("save node \(id) parent=\(parent)").status == 0)
    }
    #expect(await session.run("save node a parent=c").status == 0)
    let owned = TestSession.schema(
      "node",
      #", "parent": {"type": "relation", "to": "node", "inverse": "children", "owned": true}"#)
    let refused = await session.run("schema apply -", input: owned)
    #expect(refused.status == 5)
    #expect(refused.errors.contains("3 records are owned in a circle"))
    #expect(await session.run("save node a parent=").status == 0)
    #expect(await session.run("schema apply -", input: owned).status == 0)
  }

  @Test("proposes owned, and warns of rules that do not name the owner")
  func lint() async throws {
    let session = try await session()
    let possible = TestSession.schema(
      "line",
      """
      , "ord": {"type": "relation", "to": "ord", "inverse": "lines", "required": true, \
      "on_delete": "cascade"}
      """)
    try session.write(
      "schemas/ord.json", TestSession.schema("ord", #", "title": {"type": "text"}"#))
    try session.write("schemas/line.json", possible)
    #expect(await session.run("schema lint").output.contains("possible-owner"))
    try session.write(
      "schemas/line.json",
      Self.line.replacing(
        "  }\n}", with: "  },\n  \"access\": {\"read\": \"users\", \"create\": \"users\"}\n}"))
    #expect(await session.run("schema lint").output.contains("rules-without-owner"))
  }
}
