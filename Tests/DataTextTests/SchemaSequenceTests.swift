import DataModel
import DataText
import Testing

@Suite("Schema files with several schemas")
struct SchemaSequenceTests {
  @Test("reads consecutive schemas with their lines")
  func several() throws {
    let text = """
      {
        "schema": "a", "fields": {"a_id": {"type": "id"}}
      }
      { "schema":
        "b", "fields": {"b_id": {"type": "id"}}}{"schema": "c",
        "fields": {"c_id": {"type": "id"}}}
      """
    let drafts = try SchemaFile.readAll(Array(text.utf8), file: "all.json")
    #expect(drafts.map(\.name) == ["a", "b", "c"])
    #expect(drafts.map(\.line) == [2, 4, 5])
    #expect(drafts.map { $0.fields.first?.line } == [2, 5, 6])
  }

  @Test("reports a problem in a later schema with its line")
  func problems() {
    let first = #"{"schema": "a", "fields": {"a_id": {"type": "id"}}}"# + "\n"
    for (second, line, message) in [
      (#"{"schema": "b", "fields": {"c": {"type": "text"}}}"#, 2, "no primary key"),
      (#"{"schema": "b""#, 2, nil),
      ("[]", 2, "expected a schema: an object in braces, found an array"),
    ] as [(String, Int, String?)] {
      do throws(DataError) {
        for draft in try SchemaFile.readAll(Array((first + second).utf8), file: "all.json") {
          _ = try Schema(checking: draft)
        }
        Issue.record("read: \(second)")
      } catch {
        #expect(error.problems.first?.line == line)
        #expect(error.problems.first?.file == "all.json")
        if let message { #expect(error.problems.first?.message == message) }
      }
    }
  }

  @Test("rejects required for a to-many relation and an empty one_of")
  func idleRules() {
    let text = """
      {"schema": "todo", "fields": {
        "todo_id": {"type": "id"},
        "tag": {"type": "text", "one_of": []},
        "steps": {"type": "relation", "to": "step", "many": true, "required": true}}}
      """
    let error = #expect(throws: DataError.self) {
      _ = try Schema(checking: try SchemaFile.read(Array(text.utf8)))
    }
    #expect(
      error?.problems.map { "\($0.line ?? 0) \($0.field ?? ""): \($0.message)" } == [
        #"3 tag: expected at least one value in "one_of""#,
        "4 steps: a to-many relation is never null, so required has no effect",
      ])
  }
}
