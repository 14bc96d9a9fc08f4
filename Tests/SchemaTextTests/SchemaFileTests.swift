import DataModel
import SchemaText
import Testing

@Suite("Schema files")
struct SchemaFileTests {
  private let todo = """
    {
      "schema": "todo",
      "doc": "Something to be done.",
      "fields": {
        "todo_id": {"type": "id"},
        "title": {"type": "text", "required": true, "max": 200},
        "done": {"type": "boolean", "default": false},
        "due": {"type": "datetime"},
        "tags": {"type": "[text]"},
        "owner": {"type": "relation", "to": "user"},
        "steps": {"type": "relation", "to": "step", "many": true}
      },
      "indexes": [["done", "-due"]],
      "properties": {"assignee": "owner"}
    }

    """
  private let full = """
    {
      "schema": "account",
      "kind": "user",
      "fields": {
        "username": {"type": "id", "doc": "Its \\"name\\"."},
        "password": {"type": "password", "required": true},
        "text": {"type": "text", "unique": true, "default": "a", "min": 1, "max": 5, "one_of": ["a", "b"], "pattern": "[a-z]+"},
        "integer": {"type": "integer", "default": 3, "min": -5, "max": 5, "one_of": [3, 4]},
        "number": {"type": "number", "default": 0.5, "min": -1.5, "max": 100},
        "datetime": {"type": "datetime", "default": "2026-11-20T00:00:00.000Z", "min": "2026-11-20T00:00:00.000Z"},
        "geopoint": {"type": "geopoint", "default": {"lat": 47.37, "lon": 8.54}},
        "json": {"type": "json", "default": {"a":[1,2]}},
        "file": {"type": "file"},
        "texts": {"type": "[text]", "default": ["a", "b"], "min": 1, "one_of": ["a", "b"]},
        "times": {"type": "[datetime]"},
        "boss": {"type": "relation", "to": "account", "on_delete": "deny"}
      }
    }

    """

  private func problems(_ text: String) -> [String] {
    do throws(DataError) {
      let draft = try SchemaFile.read(Array(text.utf8), file: "todo.json")
      _ = try Schema(checking: draft)
      return []
    } catch {
      return error.problems.map { problem in
        let field = problem.field.map { "\($0): " } ?? ""
        let hint = problem.hint.map { " (\($0))" } ?? ""
        return "\(problem.line ?? 0) \(field)\(problem.message)\(hint)"
      }
    }
  }

  @Test("writes a canonical schema file exactly as it was read")
  func canonical() throws {
    for text in [todo, full] {
      let schema = try Schema(checking: SchemaFile.read(Array(text.utf8)))
      #expect(SchemaFile.text(schema) == text)
    }
  }

  @Test("writes the same schema file whatever the layout of the input")
  func layout() throws {
    let loose = todo.filter { $0 != " " && $0 != "\n" }.replacing(
      "Somethingtobedone.", with: "Something to be done.")
    let schema = try Schema(checking: SchemaFile.read(Array(loose.utf8)))
    #expect(SchemaFile.text(schema) == todo)
    #expect(try Schema(checking: SchemaFile.read(Array(todo.utf8))) == schema)
  }

  @Test("reports all problems of a schema file with their lines")
  func allProblems() {
    let text = """
      {
        "schema": "todo",
        "docs": "x",
        "fields": {
          "todo_id": {"type": "id"},
          "title": {"type": "text", "requird": true, "max": "long"},
          "done": {"type": "boolean", "default": "no", "to": "user"},
          "due": {"type": "datetime", "min": "soon", "unique": 1},
          "owner": {"type": "relation"},
          "pets": {"type": "relation", "to": "pet", "on_delete": "ignore"},
          "code": {"type": "text", "pattern": "(a"},
          "size": {"type": "text", "one_of": [1]}
        },
        "indexes": [["don"], "due"]
      }
      """
    #expect(
      problems(text) == [
        #"3 a schema file has no key "docs" (did you mean doc?)"#,
        #"6 title: a field has no key "requird" (did you mean required?)"#,
        #"6 title: max: expected integer, found text "long""#,
        #"7 done: only relations can have "to""#,
        #"7 done: default: expected true or false, found text "no""#,
        #"8 due: min: expected datetime, found text "soon""#,
        #"8 due: expected true or false as "unique", found a number"#,
        #"9 owner: "to" is missing: a relation needs a target"#,
        #"10 pets: expected nullify, cascade, deny as "on_delete", found "ignore""#,
        #"11 code: pattern: character 1: unclosed "(""#,
        "12 size: one_of: expected text, found number 1",
        #"14 expected an index such as ["done", "-due"], found text"#,
        "14 don: the index names a field that is not declared (did you mean done?)",
      ])
  }

  @Test(
    "rejects a file that does not contain a schema",
    arguments: [
      ("", "1 unexpected end of input in a value"),
      ("[]", "1 expected a schema: an object in braces, found an array"),
      ("{}", #"1 "schema" is missing"#),
      ("{\"schema\": \"todo\",\n}", "2 trailing comma"),
      ("{\"schema\": \"todo\", \"fields\": {}} x", "1 text after the end of the JSON value"),
      (
        "{\"schema\": \"todo\", \"fields\": {\n\"a\": {\"type\": \"txt\"}}}",
        "2 a: expected id, text, integer, number, decimal, boolean, date, datetime, geopoint, file, json, "
          + "password, relation, [text], [integer], [number], [boolean], [date], [datetime] as \"type\", found \"txt\" "
          + "(did you mean text?)"
      ),
    ])
  func refused(text: String, problem: String) {
    #expect(problems(text).first == problem)
  }

  @Test("reports a missing primary key with the line to add")
  func missingKey() {
    #expect(
      problems("{\"schema\": \"todo\", \"fields\": {\"title\": {\"type\": \"text\"}}}") == [
        #"1 todo_id: no primary key (add "todo_id": {"type": "id"} to "fields")"#
      ])
  }

  @Test("rejects a duplicate JSON key")
  func twice() {
    #expect(
      problems(
        "{\"schema\": \"todo\",\n\"schema\": \"todo\", \"fields\": {\"todo_id\": {\"type\": \"id\"}}}"
      )
        == [#"2 "schema" is given twice"#])
  }
}

@Suite("Field definitions on the command line")
struct FieldShorthandTests {
  private func text(_ words: [String], kind: Schema.Kind = .records) throws -> String {
    let name = kind == .user ? "account" : "todo"
    return SchemaFile.text(
      try Schema(checking: FieldShorthand.draft(schema: name, words, kind: kind)))
  }

  @Test("parses title:text! and other field arguments, and adds the primary key")
  func words() throws {
    #expect(
      try text([
        "title:text!", "done:boolean", "due:datetime", "owner:user", "steps:step+", "tags:text+!",
        "sizes:[integer]",
      ]) == """
        {
          "schema": "todo",
          "fields": {
            "todo_id": {"type": "id"},
            "title": {"type": "text", "required": true},
            "done": {"type": "boolean"},
            "due": {"type": "datetime"},
            "owner": {"type": "relation", "to": "user"},
            "steps": {"type": "relation", "to": "step", "many": true},
            "tags": {"type": "[text]", "required": true},
            "sizes": {"type": "[integer]"}
          }
        }

        """)
  }

  @Test("adds a username and a password to a user schema that has neither")
  func user() throws {
    let expected = """
      {
        "schema": "account",
        "kind": "user",
        "fields": {
          "username": {"type": "id"},
          "password": {"type": "password"},
          "mail": {"type": "text"}
        }
      }

      """
    #expect(try text(["mail:text"], kind: .user) == expected)
    #expect(try text(["username:id", "password:password", "mail:text"], kind: .user) == expected)
  }

  @Test("reports all invalid field arguments such as a:text:b")
  func refused() {
    var messages: [String] = []
    do throws(DataError) {
      _ = try FieldShorthand.draft(
        schema: "todo",
        ["title", ":text", "a:", "a:text:b", "b:text!!", "c:geopoint+", "d:Text", "e:relation"])
    } catch {
      messages = error.problems.map { $0.message + ($0.hint.map { " (\($0))" } ?? "") }
      #expect(error.problems.allSatisfy { $0.code == .usage })
    }
    #expect(
      messages == [
        #"expected NAME:TYPE, found "title" (for example title:text!)"#,
        #"expected NAME:TYPE, found ":text" (for example title:text!)"#,
        #"expected NAME:TYPE, found "a:" (for example title:text!)"#,
        #"expected NAME:TYPE, found "a:text:b" (for example title:text!)"#,
        #"! is repeated in "b:text!!""#,
        "c:geopoint+: arrays of geopoint are not supported (use an array of text, integer, number, boolean, date or datetime)",
        #"d:Text: unknown type "Text" (did you mean text?)"#,
        """
        e:relation: unknown type "relation" (for a relation, write the name of its target schema: \
        owner:user)
        """,
      ])
  }
}

@Suite("Schema files with several schemas")
struct SchemaSequenceTests {
  @Test("reads several schemas from one file, and keeps the line of each schema and field")
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

  @Test("reports the line of a problem in the second schema of a file")
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

  @Test("rejects `required` on a to-many relation, and an empty `one_of`")
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

@Suite("Schema files: previous names (was)")
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

  @Test(
    "reads and writes previous names (`was`) in schema files, but keeps none in the schema itself")
  func roundTrip() throws {
    let declared = try DeclaredSchema(checking: try SchemaFile.read(Array(file.utf8)))
    #expect(declared.was == "todo")
    #expect(declared.was(ofField: "heading") == "title")
    #expect(SchemaFile.text(declared) == file)
    #expect(!SchemaFile.text(declared.schema).contains("was"))
  }

  @Test(
    "reports the line of an invalid `was`, the previous name of a field or schema",
    arguments: [
      (
        #""was": "title""#, #""was": "heading""#,
        "was: expected the previous name of the field, found its current name"
      ),
      (
        #""was": "title""#, #""was": "Title""#,
        "was: not a valid name: use lowercase letters, digits and underscores, such as title"
      ),
      (#""was": "title""#, #""was": 3"#, #"expected text as "was", found a number"#),
      (
        #"{"type": "integer"}"#, #"{"type": "integer", "was": "title"}"#,
        "was: expected the previous name of the field, found its current name"
      ),
      (
        #"{"type": "integer"}"#, #"{"type": "integer", "was": "heading"}"#,
        "was: the renames form a cycle"
      ),
      (
        #""was": "todo""#, #""was": "task""#,
        "was: expected the previous name of the schema, found its current name"
      ),
    ])
  func refused(part: String, other: String, message: String) throws {
    let found = problems(of: file.replacing(part, with: other))
    #expect(found.first?.message == message)
    #expect(found.allSatisfy { $0.code == .invalidSchema && $0.line != nil })
  }

  @Test("rejects two fields with the same previous name")
  func twice() {
    let twice = file.replacing(#"{"type": "integer"}"#, with: #"{"type": "text", "was": "name"}"#)
      .replacing(#""was": "title""#, with: #""was": "name""#)
    #expect(
      problems(of: twice).map(\.message) == [
        "was: another field also has the previous name name"
      ])
  }
}

@Suite("Keys of schema files for users")
struct UserKeyTests {
  /// Returns the problems of a schema file, or its canonical text if there are none.
  private func read(_ text: String) -> [String] {
    do throws(DataError) {
      let schema = try Schema(checking: SchemaFile.read(Array(text.utf8)))
      return [SchemaFile.text(schema)]
    } catch {
      return error.problems.map { "\($0.field.map { $0 + ": " } ?? "")\($0.message)" }
    }
  }

  @Test("reads and writes the key disabled and the default :user")
  func canonical() throws {
    let text = #"""
      {
        "schema": "user",
        "kind": "user",
        "fields": {
          "username": {"type": "id"},
          "password": {"type": "password"},
          "roles": {"type": "[text]"},
          "locked": {"type": "boolean"},
          "boss": {"type": "relation", "to": "user", "required": true, "default": ":user"},
          "author": {"type": "text", "default": ":user", "max": 20},
          "word": {"type": "text", "default": "\u003auser"},
          "note": {"type": "json", "default": ":user"}
        },
        "roles": "roles",
        "disabled": "locked"
      }

      """#
    #expect(read(text) == [text])
    let schema = try Schema(checking: SchemaFile.read(Array(text.utf8)))
    #expect(schema.disabledSlot == 3)
    #expect(
      schema.fields.map(\.defaultsToUser) == [false, false, false, false, true, true, false, false])
    #expect(schema.fields[6].defaultValue == .text(":user"))
    #expect(schema.fields[7].defaultValue == .json("\":user\""))
    let renamed = try schema.renamed(.init(fields: ["locked": "off"]))
    #expect(renamed.disabled == "off")
    #expect(try renamed.withoutFields([3]).disabled == nil)
  }

  @Test(
    "rejects the key disabled unless it names a boolean field of a user schema",
    arguments: [
      (#""x": {"type": "text"}"#, "x", "must be a boolean, but x is text"),
      (#""x": {"type": "boolean"}"#, "y", "\"disabled\" names a field that is not declared"),
    ])
  func wrongField(field: String, name: String, problem: String) {
    let text = """
      {"schema": "user", "kind": "user", "disabled": "\(name)",
       "fields": {"username": {"type": "id"}, "password": {"type": "password"}, \(field)}}
      """
    let problems = read(text)
    #expect(problems.count == 1)
    #expect(problems.first?.contains(problem) == true, "\(problems)")
  }

  @Test("rejects the key disabled in an ordinary schema")
  func ordinarySchema() {
    let text = """
      {"schema": "todo", "disabled": "x",
       "fields": {"todo_id": {"type": "id"}, "x": {"type": "boolean"}}}
      """
    #expect(read(text) == ["only a user schema can have disabled"])
  }

  @Test(
    "rejects the default :user of other types",
    arguments: [
      #""type": "boolean""#, #""type": "integer""#, #""type": "datetime""#, #""type": "geopoint""#,
      #""type": "file""#, #""type": "[text]""#, #""type": "decimal", "digits": 5, "scale": 2"#,
      #""type": "relation", "to": "user", "many": true"#,
    ])
  func otherTypes(type: String) {
    let text = """
      {"schema": "todo", "fields": {"todo_id": {"type": "id"}, "x": {\(type), "default": ":user"}}}
      """
    #expect(read(text) == ["x: only text and to-one relations can have the default :user"])
  }

  @Test("rejects the default :user in a relation to a schema that is not the user schema")
  func otherTarget() throws {
    let texts = [
      #"{"schema": "user", "kind": "user", "fields": {"u": {"type": "id"}, "p": {"type": "password"}}}"#,
      #"{"schema": "team", "fields": {"team_id": {"type": "id"}}}"#,
      """
      {"schema": "todo", "fields": {"todo_id": {"type": "id"},
       "owner": {"type": "relation", "to": "user", "default": ":user"},
       "team": {"type": "relation", "to": "team", "default": ":user"}}}
      """,
    ]
    let schemas = try texts.map { try Schema(checking: SchemaFile.read(Array($0.utf8))) }
    let error = #expect(throws: DataError.self) { try Catalog(checking: schemas) }
    #expect(
      error?.problems.map(\.message) == ["the default :user is a user, but team has no users"])
    #expect(Catalog.conflicts(among: schemas).map(\.field) == ["team"])
  }

  @Test("describes the default :user in exports")
  func exports() throws {
    let text = """
      {"schema": "user", "kind": "user",
       "fields": {"username": {"type": "id"}, "password": {"type": "password"},
         "boss": {"type": "relation", "to": "user", "required": true, "default": ":user"}}}
      """
    let catalog = try Catalog(checking: [Schema(checking: SchemaFile.read(Array(text.utf8)))])
    #expect(SwiftExport.text(catalog.schemas).contains("var boss: Reference\n"))
    #expect(TypeScriptExport.text(catalog.schemas).contains("  boss?: string;\n"))
    let json = JSONSchemaExport.text(catalog.schemas)
    #expect(json.contains("an id of user, the acting user by default"), "\(json)")
    #expect(!json.contains("\"default\""))
  }
}
