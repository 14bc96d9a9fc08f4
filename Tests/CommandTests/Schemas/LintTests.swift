import Foundation
import ProgramHarness
import Testing

@Suite("schema lint", .onEveryStore)
struct LintTests {
  private func writeSchemas(_ files: [String: String], in folder: TestFolder) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("schemas"), withIntermediateDirectories: true)
    for (name, text) in files { try folder.write("schemas/\(name).json", text) }
  }

  private let todo = """
    {
      "schema": "todo",
      "fields": {
        "todo_id": {"type": "id"},
        "title": {"type": "text", "unique": true},
        "titles": {"type": "[text]"},
        "order": {"type": "integer"},
        "owner": {"type": "relation", "to": "persn"}
      }
    }

    """

  private let invalid = """
    {
      "schema": "step",
      "fields": {
        "step_id": {"type": "id"},
        "when": {"type": "datetme"},
        "note": {"type": "text", "requird": true}
      }
    }

    """

  @Test("reports all problems in a folder with line numbers and hints")
  func wholeFolder() throws {
    let folder = try TestFolder()
    try writeSchemas(
      [
        "todo": todo, "step": invalid, "broken": "{\"schema\": ",
        "person": #"{"schema": "person", "fields": {"person_id": {"type": "id"}}}"#,
      ], in: folder)
    let run = try folder.run("schema", "lint").exits(1)
    #expect(
      run.output == """
        schemas/broken.json:1: error: unexpected end of input in a value [invalid-schema]
          Fix the problem that the message describes; see datactl help schema-files for the rules.
        schemas/step.json:5: error: when: expected id, text, integer, number, decimal, boolean, date, datetime, \
        geopoint, file, json, password, relation, [text], [integer], [number], [boolean], \
        [date], [datetime] as "type", found "datetme" [invalid-schema]
          did you mean datetime?
        schemas/step.json:6: error: note: a field has no key "requird" [invalid-schema]
          did you mean required?
        schemas/person.json:1: warning: person has no fields except its primary key [key-alone]
          add fields, such as "name": {"type": "text"}
        schemas/todo.json:5: warning: title: an entry of the index on title has no maximum size \
        [wide-index]
          give title a "max" of at most 536
        schemas/todo.json:6: warning: titles: titles and title are easily confused \
        [near-names]
          Remove or rename one of them.
        schemas/todo.json:7: note: order: order is a reserved word of SQL [reserved-word]
          Use another name if other tools read the store.
        schemas/todo.json:8: error: owner: there is no schema persn [missing-target]
          did you mean person?
        schemas/todo.json:8: note: owner: no index in "indexes" begins with owner \
        [relation-without-index]
          If many records refer to the same record, add an index on the relation and the sort fields.

        """)
    #expect(
      run.errors == """
        datactl: 4 errors, 3 warnings, 2 notes; see datactl help lint for details

        """)
    #expect(try folder.files == ["schemas"])
  }

  @Test(
    "reports an inverse relation whose name is already used in the schema files or in the store")
  func inverses() throws {
    let folder = try TestFolder()
    let country = #"""
      {"schema": "country", "fields": {"country_id": {"type": "id"}, "name": {"type": "text"}}}
      """#
    func town(_ inverse: String) -> String {
      """
      {"schema": "town", "fields": {"town_id": {"type": "id"}, "name": {"type": "text"},
        "country": {"type": "relation", "to": "country", "inverse": "\(inverse)"}}}
      """
    }
    try writeSchemas(["country": country, "town": town("name")], in: folder)
    let run = try folder.run("schema", "lint").exits(1)
    #expect(
      run.output.contains(
        """
        schemas/town.json:2: error: country: the inverse name has the same name as a field or \
        property of country [invalid-schema]
          choose another name for the inverse

        """), "\(run.output)")
    try writeSchemas(["town": town("towns")], in: folder)
    try folder.run("schema", "lint").exits(0)
    try folder.prepare("schema", "apply", "schemas/country.json", "schemas/town.json")
    try folder.write(
      "country.json",
      country.replacingOccurrences(of: #""name""#, with: #""towns""#))
    let store = folder.address
    try folder.run("schema", "lint", "country.json", "--against", store).exits(1)
    try folder.write(
      "country.json", country.replacingOccurrences(of: #""name""#, with: #""label""#))
    let changed = try folder.run("schema", "lint", "country.json", "--against", store)
    #expect(!changed.output.contains("the inverse"))
  }

  @Test("exits with 1 for problems of at least the severity in --fail-on, but never for notes")
  func levels() throws {
    let folder = try TestFolder()
    let field = { (name: String) in
      #"{"schema": "todo", "fields": {"todo_id": {"type": "id"}, "\#(name)": {"type": "text"}}}"#
    }
    try writeSchemas(["todo": field("title")], in: folder)
    try folder.run("schema", "lint").exits(0).printsNothing()
      .reports("Nothing to report in 1 schema.")
    try folder.run("schema", "lint", "-o", "json").exits(0).prints("[]\n")
    try folder.run("schema", "lint", "-q").exits(0).printsNothing().reportsNothing()
    try writeSchemas(["todo": field("order")], in: folder)
    try folder.run("schema", "lint").exits(0).reports("1 note")
    try writeSchemas(["todo": field("x_y_z")], in: folder)
    try folder.run("schema", "lint").exits(1).reports("1 warning")
    try folder.run("schema", "lint", "--fail-on", "error").exits(0).reports("1 warning")
    try writeSchemas(["todo": "{}"], in: folder)
    try folder.run("schema", "lint", "--fail-on", "error").exits(1).reports("2 errors")
    try folder.run("schema", "lint", "--fail-on", "note").exits(2).printsNothing()
  }

  @Test("does not report missing relation targets when a single file is checked")
  func fileAlone() throws {
    let folder = try TestFolder()
    try writeSchemas(["todo": todo], in: folder)
    let run = try folder.run("schema", "lint", "schemas/todo.json").exits(1)
    #expect(!run.output.contains("missing-target"))
    let piped = try folder.run("schema", "lint", "-", input: .text(todo)).exits(1)
    #expect(
      piped.output
        == run.output.replacingOccurrences(of: "schemas/todo.json", with: "standard input"))
    try folder.prepare("schema", "create", "person", "name:text")
    let known = try folder.run(
      "schema", "lint", "schemas/todo.json", "--against", folder.address
    ).exits(1)
    #expect(known.output.contains("did you mean person?"))
  }

  @Test("prints what it did not check in single files, because other files may declare it")
  func omissions() throws {
    let folder = try TestFolder()
    try writeSchemas(
      [
        "town": """
        {"schema": "town", "fields": {"town_id": {"type": "id"}, "name": {"type": "text"}},
          "access": {"read": "name = 'x' or any houses (number = 1)"}}
        """,
        "house": """
        {"schema": "house", "fields": {"house_id": {"type": "id"}, "number": {"type": "integer"},
          "town": {"type": "relation", "to": "town", "inverse": "houses"},
          "owner": {"type": "relation", "to": "person"}}, "access": {"read": "number = 'x'"}}
        """,
        "person": """
        {"schema": "person", "fields": {"person_id": {"type": "id"}, "name": {"type": "text"},
          "friend": {"type": "relation", "to": "person"}}, "access": {"read": "name > 1"}}
        """,
      ], in: folder)
    func lint(_ files: [String], _ options: String...) throws -> Run {
      try folder.program.run(["schema", "lint"] + files.map { "schemas/\($0).json" } + options)
    }
    func note(_ parts: String, _ remedy: String = "all files or the folder") -> String {
      """
      not checked: \(parts), because other files may declare what they refer to; to check \
      them, pass \(remedy)

      """
    }
    let alone = try lint(["house"]).exits(0)
    #expect(!alone.output.contains("access.read"))
    #expect(
      alone.errors == note("relations to person, town, and conditions of access rules in house")
        + "1 note; see datactl help lint for details\n")
    #expect(try lint(["house"], "-o", "json").exits(0).errors.split(separator: "\n").count == 1)
    try lint(["house"], "-q").exits(0).reportsNothing()
    // Another file may declare the inverse `houses`.
    try lint(["town"]).exits(0).reports(note("conditions of access rules in town", "the folder"))
    let most = try lint(["house", "town"]).exits(0)
    #expect(
      most.errors.hasPrefix(
        note("relations to person, and conditions of access rules in house, town")))
    // Every target is known, so everything is checked.
    let person = try lint(["person"]).exits(1)
    #expect(person.output.contains("access.read: ") && person.output.contains("[invalid-schema]"))
    #expect(!person.errors.contains("not checked"))
    let all = try lint(["house", "town", "person"]).exits(1)
    #expect(all.output.contains("access.read: number: expected an integer"))
    #expect(!all.errors.contains("not checked"))
    #expect(try !folder.run("schema", "lint").exits(1).errors.contains("not checked"))
    let unknown = try lint(["person", "town"]).exits(1)
    #expect(unknown.output.contains("schemas/person.json"))
    #expect(unknown.errors.hasPrefix(note("conditions of access rules in town", "the folder")))
  }

  @Test(
    "warns of an access rule that is true for every record or false for every record",
    arguments: [
      ("true", "true"), ("false", "false"), ("title is null or title is not null", "true"),
      ("not (done and not done)", "true"),
      ("title = 'a' and (done or not done) and title != 'a'", "false"),
      ("title = 'a' or done", nil), ("title = 'a' and title = 'b'", nil),
    ])
  func constantRules(rule: String, value: String?) throws {
    let folder = try TestFolder()
    let access = #""access": {"read": "\#(rule)"}"#
    try writeSchemas(
      ["todo": #"{"schema": "todo", \#(Self.accessFields), \#(access)}"#], in: folder)
    let output = try folder.run("schema", "lint").output
    if let value {
      #expect(
        output.contains("access.read: \(rule) is \(value) for every record [constant-rule]"),
        "\(output)")
    } else {
      #expect(!output.contains("[constant-rule]"), "\(output)")
    }
  }

  @Test(
    "warns if access rules let callers create records that the same callers may not read",
    arguments: [
      (#""create": "users""#, "users"), (#""create": "users", "read": "role:staff""#, "users"),
      (#""create": ["role:staff", "role:guest"], "read": "role:staff""#, "role:guest"),
      (#""create": "title = 'a'", "read": "role:staff""#, "title = 'a'"),
      (#""create": "role:staff", "read": "users""#, nil),
      (#""create": "users", "read": ["role:staff", "done"]"#, nil),
    ])
  func unreadableRecords(rules: String, creators: String?) throws {
    let folder = try TestFolder()
    try writeSchemas(
      ["todo": #"{"schema": "todo", \#(Self.accessFields), "access": {\#(rules)}}"#], in: folder)
    let output = try folder.run("schema", "lint").output
    if let creators {
      #expect(
        output.contains(
          "no rule of access.read lets the callers of \(creators) read the records that they create"
        ),
        "\(output)")
    } else {
      #expect(!output.contains("[unreadable-record]"), "\(output)")
    }
  }

  private static let accessFields =
    #""fields": {"todo_id": {"type": "id"}, "title": {"type": "text"}, "done": {"type": "boolean"}}"#

  @Test("shows the position of an error in an access rule")
  func ruleError() throws {
    let folder = try TestFolder()
    let fields = #""fields": {"todo_id": {"type": "id"}, "title": {"type": "text"}}"#
    let access = #""access": {"read": "title like :user"}"#
    try writeSchemas(["todo": #"{"schema": "todo", \#(fields), \#(access)}"#], in: folder)
    try folder.run("schema", "lint").exits(1).prints(
      """
      schemas/todo.json:1: error: access.read: an access rule cannot use a parameter as a pattern \
      [invalid-schema]
        title like :user
                   ^

      """)
  }

  @Test("reports breaking changes compared with a store or with a folder of schema files")
  func against() throws {
    let folder = try TestFolder()
    let old =
      #"{"schema": "todo", "fields": {"todo_id": {"type": "id"}, "title": {"type": "text"}, "rank": {"type": "integer"}}}"#
    try writeSchemas(
      ["todo": old, "gone": #"{"schema": "gone", "fields": {"gone_id": {"type": "id"}}}"#],
      in: folder)
    try folder.prepare("schema", "apply")
    try folder.prepare("schema", "export", "deployed")
    try FileManager.default.removeItem(atPath: folder.path("schemas/gone.json"))
    try writeSchemas(
      [
        "todo":
          #"{"schema": "todo", "fields": {"todo_id": {"type": "id"}, "title": {"type": "text", "max": 80}}}"#
      ], in: folder)
    let expected = """
      schemas/todo.json:1: error: title: max was none, is now 80 [rule-tightened]
        First change the programs and the records so that they satisfy the new rule.
      schemas/todo.json:1: error: rank: no longer declared [field-removed]
        Keep the field as long as any program uses it; mark it as deprecated in its doc.
      gone: error: not declared in any file [schema-removed]
        Keep the schema file as long as any program uses the schema.

      """
    try writeSchemas(
      [
        "task":
          #"{"schema": "task", "was": "todo", "fields": {"task_id": {"type": "id"}, "title": {"type": "text"}}}"#
      ], in: folder)
    try folder.run("schema", "lint", "schemas/task.json", "--against", folder.address).exits(1)
      .prints(
        """
        schemas/task.json:1: error: was named todo [schema-renamed]
          Update the programs together with the store, or keep the name.
        schemas/task.json:1: error: rank: no longer declared [field-removed]
          Keep the field as long as any program uses it; mark it as deprecated in its doc.

        """)
    try FileManager.default.removeItem(atPath: folder.path("schemas/task.json"))
    for deployed in [folder.storeName, folder.address, "deployed"] {
      let run = try folder.run("schema", "lint", "--against", deployed).exits(1)
      #expect(run.output == expected)
    }
    let alone = try folder.run(
      "schema", "lint", "schemas/todo.json", "--against", "deployed"
    ).exits(1)
    #expect(!alone.output.contains("schema-removed"))
    try folder.run("schema", "lint", "deployed", "--against", folder.address, "--fail-on", "error")
      .exits(
        0)
  }

  @Test("prints each problem as a JSON object with all keys")
  func json() throws {
    let folder = try TestFolder()
    try writeSchemas(["todo": todo], in: folder)
    let run = try folder.run("schema", "lint", "-o", "json", "--fail-on", "error").exits(1)
    let codes = try folder.tool("jq", "-r", ".[].code", input: .bytes(run.outputBytes)).output
    #expect(
      codes
        == "wide-index\nnear-names\nreserved-word\nmissing-target\nrelation-without-index\n")
    let first = try folder.tool("jq", "-c", ".[0]", input: .bytes(run.outputBytes)).output
    #expect(
      first == """
        {"code":"wide-index","level":"warning","message":"an entry of the index on title has no \
        maximum size","mend":"give title a \\"max\\" of at most 536","schema":"todo",\
        "field":"title","file":"schemas/todo.json","line":5,"title":"The entries of an index, or of \
        a unique field, may become too large.","why":"An entry can have at most 2,400 bytes, \
        including the id. Records with larger values are rejected."}

        """)
  }

  @Test("exits with a status above 1 when lint cannot check the schemas or cannot print the result")
  func failures() throws {
    let folder = try TestFolder()
    try folder.run("schema", "lint").exits(3).printsNothing().reports("schemas")
    try folder.run("schema", "lint", "none.json").exits(3).printsNothing()
    try writeSchemas(["todo": todo], in: folder)
    try folder.run("schema", "lint", "--against", "none.db").exits(7).printsNothing()
    try folder.run("schema", "lint", "--against", "nowhere").exits(7).printsNothing()
    try writeSchemas(["step": invalid], in: folder)
    try folder.run("schema", "lint", "schemas/todo.json", "--against", "schemas").exits(6)
      .printsNothing()
    let full = try folder.shell("datactl schema lint > /dev/full")
    #expect(full.status == 7)
  }
}
