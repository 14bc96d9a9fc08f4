import Foundation
import ProgramHarness
import Testing

@Suite("JSON Schema for schema files")
struct MetaSchemaTests {
  private static let validator = Binary.file("Tests/CommandTests/Schemas/validate.py")

  private func meta(in folder: TestFolder) throws {
    let meta = try folder.run("schema", "export", "--format", "meta").exits(0).reportsNothing()
    try folder.write("meta", meta.output)
  }

  private static func file(_ fields: String, _ more: String = "") -> String {
    #"{"schema": "todo", "fields": {"todo_id": {"type": "id"}\#(fields)}\#(more)}"#
  }

  private static let valid = [
    SampleStore.schema, file(""), file("", #", "indexes": [], "properties": {}, "doc": """#),
    file(#", "a": {"type": "text", "required": false, "unique": true, "min": 0, "max": 5}"#),
    file(#", "a": {"type": "integer", "default": 3, "min": -5, "one_of": [3, 4.0]}"#),
    file(#", "a": {"type": "[datetime]", "default": ["2026-11-20T00:00:00Z"], "max": 2}"#),
    file(#", "a": {"type": "json", "default": {"b": [1]}}, "b": {"type": "file"}"#),
    file(#", "a": {"type": "relation", "to": "todo", "many": true, "on_delete": "deny"}"#),
    file(#", "a": {"type": "relation", "to": "todo", "unique": true, "required": true}"#),
    file(#", "a": {"type": "text", "default": ":user"}"#),
    #"""
    {"schema": "user", "kind": "user", "disabled": "off",
     "fields": {"u": {"type": "id"}, "p": {"type": "password"}, "off": {"type": "boolean"},
       "boss": {"type": "relation", "to": "user", "default": ":user"}}}
    """#,
  ]

  private static let invalid = [
    "[]", "{}", #"{"schema": "todo"}"#, #"{"fields": {"todo_id": {"type": "id"}}}"#,
    #"{"schema": "Todo", "fields": {"todo_id": {"type": "id"}}}"#,
    #"{"schema": "text", "fields": {"text_id": {"type": "id"}}}"#,
    #"{"schema": "sqlite_x", "fields": {"sqlite_x_id": {"type": "id"}}}"#,
    #"{"schema": "todo", "fields": []}"#, #"{"schema": "todo", "fields": {}}"#,
    file("", #", "kind": "people""#), file("", #", "docs": "x""#), file("", #", "doc": 1"#),
    file("", #", "indexes": ["a"]"#), file("", #", "indexes": [[]]"#),
    file("", #", "properties": {"a-b": "todo_id"}"#),
    file(#", "a": "text""#), file(#", "a": {}"#), file(#", "a": {"type": "txt"}"#),
    file(#", "aB": {"type": "text"}"#), file(#", "revision": {"type": "integer"}"#),
    file(#", "a": {"type": "text", "requird": true}"#),
    file(#", "a": {"type": "text", "required": 1}"#),
    file(#", "a": {"type": "text", "to": "todo"}"#), file(#", "a": {"type": "relation"}"#),
    file(#", "a": {"type": "relation", "to": "todo", "on_delete": "drop"}"#),
    file(#", "a": {"type": "relation", "to": "todo", "many": true, "required": true}"#),
    file(#", "a": {"type": "relation", "to": "todo", "default": "x"}"#),
    file(#", "a": {"type": "integer", "default": "many"}"#),
    file(#", "a": {"type": "integer", "pattern": "x"}"#),
    file(#", "a": {"type": "text", "min": -1}"#), file(#", "a": {"type": "boolean", "max": 1}"#),
    file(#", "a": {"type": "text", "one_of": []}"#),
    file(#", "a": {"type": "text", "one_of": [1]}"#),
    file(#", "a": {"type": "file", "unique": true}"#),
    file(#", "a": {"type": "json", "default": null}"#),
    file(#", "a": {"type": "geopoint", "default": {"lat": 91, "lon": 0}}"#),
    file(#", "a": {"type": "[text]", "default": [1]}"#),
    file(#", "a": {"type": "boolean", "default": ":user"}"#), file("", #", "disabled": true"#),
    file(#", "a": {"type": "relation", "to": "todo", "many": true, "default": ":user"}"#),
  ]

  @Test("the JSON Schema for schema files accepts every valid schema file")
  func accepts() throws {
    let folder = try TestFolder()
    try meta(in: folder)
    var names = ["meta"]
    for (number, text) in Self.valid.enumerated() {
      names.append("\(number).json")
      try folder.write(names[number + 1], text)
      try folder.run("schema", "lint", names[number + 1], "--fail-on", "error").exits(0)
    }
    try folder.shell("/usr/bin/python3 '\(Self.validator)' accepts " + names.joined(separator: " "))
      .exits(0)
  }

  @Test("the JSON Schema for schema files rejects every structure that `schema lint` rejects")
  func rejects() throws {
    let folder = try TestFolder()
    try meta(in: folder)
    var names = ["meta"]
    for (number, text) in Self.invalid.enumerated() {
      names.append("\(number).json")
      try folder.write(names[number + 1], text)
      let run = try folder.run("schema", "lint", names[number + 1], "--fail-on", "error").exits(1)
      #expect(run.output.contains("[invalid-schema]"), "\(text)")
    }
    try folder.shell("/usr/bin/python3 '\(Self.validator)' refuses " + names.joined(separator: " "))
      .exits(0)
  }

  @Test("describes every key of a schema file with the same text as the help topic")
  func keys() throws {
    let folder = try TestFolder()
    try meta(in: folder)
    let keys = try folder.tool(
      "jq", "-r",
      "(.properties, .[\"$defs\"].field.properties) | to_entries[] | .key, .value.description",
      "meta"
    ).lines
    let page = try folder.run("help", "schema-files").exits(0).output.collapsedSpaces
    #expect(keys.count == 58)
    for text in keys {
      let plain = text == "fields" ? "fields by name" : text
      #expect(page.contains(plain.collapsedSpaces), "\(text)")
    }
  }
}

extension String {
  /// The text with each sequence of spaces and newlines replaced with a single space.
  fileprivate var collapsedSpaces: String {
    split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }
}
