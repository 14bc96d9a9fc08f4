import DataModel
import DataText
import Testing

@Suite("Schema files: was")
struct FormerNameTests {
  private let file = """
    {
      "schema": "task",
      "was": "todo",
      "fields": {
        "task_id": {"type": "id"},
        "heading": {"type": "text", "doc": "What.", "was": "title"},
        "title": {"type": "integer"}
      }
    }

    """

  private func problems(of text: String) -> [Problem] {
    do throws(DataError) {
      _ = try DeclaredSchema(checking: try SchemaFile.read(Array(text.utf8)))
      return []
    } catch {
      return error.problems
    }
  }

  @Test("parses and writes former names, which are not part of the schema")
  func roundTrip() throws {
    let declared = try DeclaredSchema(checking: try SchemaFile.read(Array(file.utf8)))
    #expect(declared.was == "todo")
    #expect(declared.was(ofField: "heading") == "title")
    #expect(SchemaFile.text(declared) == file)
    #expect(!SchemaFile.text(declared.schema).contains("was"))
  }

  @Test(
    "rejects an invalid former name with its line",
    arguments: [
      (#""was": "title""#, #""was": "heading""#, "was: the field never had another name"),
      (
        #""was": "title""#, #""was": "Title""#,
        "was: use lowercase letters, digits and underscores: title"
      ),
      (#""was": "title""#, #""was": 3"#, #"expected a text as "was", found a number"#),
      (
        #"{"type": "integer"}"#, #"{"type": "integer", "was": "title"}"#,
        "was: the field never had another name"
      ),
      (
        #"{"type": "integer"}"#, #"{"type": "integer", "was": "heading"}"#,
        "was: the names form a circle"
      ),
      (#""was": "todo""#, #""was": "task""#, "was: the schema never had another name"),
    ])
  func refused(part: String, other: String, message: String) throws {
    let found = problems(of: file.replacing(part, with: other))
    #expect(found.first?.message == message)
    #expect(found.allSatisfy { $0.code == .invalidSchema && $0.line != nil })
  }

  @Test("rejects two fields with the same former name")
  func twice() {
    let twice = file.replacing(#"{"type": "integer"}"#, with: #"{"type": "text", "was": "name"}"#)
      .replacing(#""was": "title""#, with: #""was": "name""#)
    #expect(problems(of: twice).map(\.message) == ["was: another field also has was name"])
  }
}
