import Foundation
import Testing
import datactl

@Suite("Schema commands")
struct SchemaCommandTests {
  @Test("reports the same error from schema apply with and without --dry-run")
  func dryRuns() async throws {
    let session = try TestSession()
    #expect(await session.run("schema create item title:text").status == 0)
    #expect(await session.run("save item a title=A").status == 0)
    #expect(await session.run("save item b title=B").status == 0)
    for fields in [
      #", "title": {"type": "text"}, "price": {"type": "number", "required": true}"#,
      #", "title": {"type": "text"}, "rank": {"type": "integer", "unique": true, "default": 1}"#,
    ] {
      let dry = await session.run(
        "schema apply - --dry-run", input: TestSession.schema("item", fields))
      #expect(dry.status == 5)
      #expect(
        dry == (await session.run("schema apply -", input: TestSession.schema("item", fields))))
    }
    let grown = TestSession.schema(
      "item", #", "title": {"type": "text"}, "note": {"type": "text"}"#)
    #expect(
      await session.run("schema apply - -n", input: grown)
        == Outcome(status: 0, output: "add field item.note: text\n", errors: ""))
    #expect(
      await session.run("schema create other -n")
        == Outcome(status: 0, output: "create schema other\n", errors: ""))
    #expect(await session.run("schema list").output.contains("\"fields\":2,"))
    #expect(await session.run("schema list -o ids").output == "item\n")
  }

  @Test("creates no files when a schema command makes a dry run on a missing store")
  func dryRunOnNothing() async throws {
    let session = try TestSession()
    #expect(
      await session.run("schema create item title:text --dry-run")
        == Outcome(status: 0, output: "create schema item\n", errors: ""))
    #expect(try session.files == ["schemas"])
  }

  @Test("applies schemas that were exported from another store")
  func pipe() async throws {
    let session = try TestSession()
    _ = await session.run("schema create user mail:text --user")
    _ = await session.run("schema create todo owner:user")
    let exported = await session.run("schema export")
    let applied = await session.run("schema apply - --store new.db", input: exported.output)
    #expect(
      applied
        == Outcome(
          status: 0, output: "", errors: "create schema todo\ncreate schema user\n"))
    #expect(await session.run("schema export --store new.db").output == exported.output)
    let wrong = await session.run(
      "schema apply -", input: TestSession.schema("a") + TestSession.schema("b", #", "c": {}"#))
    #expect(wrong.status == 6)
    #expect(wrong.errors == "datactl: standard input:2: c: \"type\" is missing\n")
  }

  @Test("says how to keep a schema that the folder lacks although other schemas refer to it")
  func folder() async throws {
    let session = try TestSession()
    _ = await session.run("schema create user mail:text --user")
    try session.write(
      "schemas/todo.json", TestSession.schema("todo", #", "o": {"type": "relation", "to": "user"}"#)
    )
    let refused = await session.run("schema apply schemas")
    #expect(
      refused
        == Outcome(
          status: 5, output: "",
          errors: """
            datactl: user: other schemas refer to this schema, but no file in the folder declares it
              to keep the schema: datactl schema show user > FOLDER/user.json

            """))
    #expect(await session.run("schema apply schemas/todo.json").status == 0)
  }

  @Test("reports two files that declare the same schema, and no other problems")
  func twice() async throws {
    let session = try TestSession()
    _ = await session.run("schema create user mail:text --user")
    let todo = TestSession.schema("todo", #", "owner": {"type": "relation", "to": "user"}"#)
    try session.write("schemas/todo.json", todo)
    try session.write("schemas/todo2.json", todo)
    for line in ["schema apply schemas", "schema apply schemas/todo.json schemas/todo2.json"] {
      #expect(
        await session.run(line)
          == Outcome(
            status: 6, output: "",
            errors: """
              datactl: schemas/todo2.json:1: todo: declared twice
                the schema is also declared in schemas/todo.json

              """))
    }
  }

  @Test(
    "exits with 2 for a malformed field argument such as a:nope, and with 6 for an invalid name",
    arguments: [
      ("a:text:b", 2, "expected NAME:TYPE, found \"a:text:b\"\n  for example title:text!"),
      ("a:nope", 2, "a:nope: there is no type or schema nope\n  see datactl schema types"),
      ("a:Text", 2, "a:Text: unknown type \"Text\"\n  did you mean text?"),
      (
        "A:text", 6,
        "x.A: not a valid name: use lowercase letters, digits and underscores, such as a"
      ),
    ])
  func words(word: String, status: Int32, errors: String) async throws {
    let session = try TestSession()
    #expect(
      await session.run("schema create x \(word)")
        == Outcome(status: status, output: "", errors: "datactl: \(errors)\n"))
  }

  @Test("reports an empty field name as missing")
  func missingName() async throws {
    let session = try TestSession()
    _ = await session.run("schema create item title:text")
    for line in ["list item --fields ''", "list item --fields title,"] {
      #expect(
        await session.run(line)
          == Outcome(
            status: 2, output: "",
            errors: """
              datactl: the name of a field of item is missing
                see datactl schema show item

              """))
    }
  }

  @Test("rejects an empty --order")
  func missingOrder() async throws {
    let session = try TestSession()
    _ = await session.run("schema create item title:text")
    #expect(
      await session.run("list item --order ''")
        == Outcome(
          status: 2, output: "",
          errors: """
            datactl: --order: the field name is missing
              see datactl help list

            """))
  }

  @Test("rejects a filter such as o=c in list if the field's one_of does not allow the value")
  func choices() async throws {
    let session = try TestSession()
    let fields =
      #", "o": {"type": "text", "one_of": ["a", "b"]}"#
      + #", "n": {"type": "[integer]", "one_of": [1, 2]}"#
    _ = await session.run("schema apply -", input: TestSession.schema("item", fields))
    _ = await session.run("save item x o=a n+=1")
    #expect(await session.run("list item o=a n=1 -o ids").output == "x\n")
    #expect(await session.run("list item n= -o ids").status == 0)
    let wrong = await session.run("list item o=c n=3")
    #expect(
      wrong
        == Outcome(
          status: 6, output: "",
          errors: """
            datactl: o: expected one of "a", "b", found "c"
            datactl: n: expected one of 1, 2, found 3

            """))
  }

  @Test("rejects an invalid DATACTL_ERRORS unless --errors is given")
  func errorForm() async throws {
    let session = try TestSession()
    let xml = ["DATACTL_ERRORS": "xml"]
    #expect(
      await session.run("schema types", variables: xml)
        == Outcome(
          status: 2, output: "",
          errors: """
            datactl: DATACTL_ERRORS: expected text or json, found "xml"
              set DATACTL_ERRORS to one of these values, or unset it

            """))
    #expect(await session.run("schema types --errors json", variables: xml).status == 0)
    #expect(await session.run("help", variables: xml).status == 0)
  }
}
