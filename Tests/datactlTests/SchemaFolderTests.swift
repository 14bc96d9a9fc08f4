import Foundation
import Testing
import datactl

@Suite("Schema folders and --allow-loss")
struct SchemaFolderTests {
  @Test(
    "exports previous names (`was`) of fields to a folder, and lists the files of dropped schemas")
  func formerNames() async throws {
    let session = try TestSession()
    let renamed = TestSession.schema("todo", #", "title": {"type": "text", "was": "name"}"#)
    try session.write("schemas/todo.json", renamed)
    try session.write("schemas/old.json", TestSession.schema("old"))
    #expect(await session.run("schema apply schemas").status == 0)
    #expect(await session.run("schema drop old").status == 0)
    let formatted = await session.run("schema export schemas")
    #expect(
      formatted
        == Outcome(
          status: 0, output: "",
          errors: """
            1 file written to schemas
            schemas/old.json is kept, but its schema no longer exists: remove the file if \
            it is not needed

            """))
    let text = try String(contentsOfFile: session.folder + "/schemas/todo.json", encoding: .utf8)
    #expect(text.contains(#""was": "name""#))
    try FileManager.default.removeItem(atPath: session.folder + "/schemas/old.json")
    #expect(
      await session.run("schema export --check schemas")
        == Outcome(status: 0, output: "", errors: "1 file in schemas is up to date.\n"))
    try session.write("schemas/other.json", text)
    try FileManager.default.removeItem(atPath: session.folder + "/schemas/todo.json")
    let checked = await session.run("schema export --check schemas")
    #expect(checked.status == 1)
    #expect(
      checked.errors.contains(
        "schemas/other.json: declares todo, which belongs in schemas/todo.json"))
  }

  @Test("prints a note when a field is added because its previous name is unknown")
  func unknownFormerName() async throws {
    let session = try TestSession()
    _ = await session.run("schema create todo")
    let renamed = TestSession.schema("todo", #", "title": {"type": "text", "was": "name"}"#)
    #expect(
      await session.run("schema plan -", input: renamed)
        == Outcome(
          status: 0, output: "add field todo.title: text\n",
          errors: "todo.title is new: the store has no name, its previous name\n"))
  }

  @Test("rejects a folder when a subfolder contains schema files")
  func subfolders() async throws {
    let session = try TestSession()
    try session.write("schemas/todo.json", TestSession.schema("todo"))
    #expect(await session.run("schema apply schemas").status == 0)
    try FileManager.default.createDirectory(
      atPath: session.folder + "/schemas/more", withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: session.folder + "/schemas/todo.json",
      toPath: session.folder + "/schemas/more/todo.json")
    try session.write("schemas/item.json", TestSession.schema("item"))
    let refusal = """
      datactl: schemas/more: contains schema files, but subfolders are not read
        move the files to schemas, or also pass schemas/more

      """
    for command in ["plan", "apply", "diff", "lint"] {
      #expect(
        await session.run("schema \(command) schemas/")
          == Outcome(status: 6, output: "", errors: refusal))
    }
    #expect(await session.run("schema apply schemas schemas/more").errors == "create schema item\n")
  }

  @Test(
    "rejects an unknown name in --allow-loss, but accepts the option when no data would be lost")
  func consents() async throws {
    let session = try TestSession()
    _ = await session.run("schema create todo title:text note:text")
    let bare = TestSession.schema("todo", #", "title": {"type": "text"}"#)
    #expect(
      await session.run("schema apply - --allow-loss todo.notes", input: bare)
        == Outcome(
          status: 2, output: "",
          errors: """
            datactl: --allow-loss "todo.notes": there is no such schema or field
              did you mean todo.note?

            """))
    let line = "schema apply - --allow-loss todo.note --allow-loss todo"
    #expect(await session.run(line, input: bare).status == 0)
    #expect(await session.run(line, input: bare).status == 0)
  }

  @Test("exits with the same status in every schema command when a file is too long or missing")
  func unreadable() async throws {
    let session = try TestSession()
    try session.write("schemas/todo.json", TestSession.schema("todo"))
    #expect(await session.run("schema diff schemas --new").status == 1)
    try session.write("long.json", String(repeating: " ", count: (16 << 20) + 1))
    for command in ["plan", "apply", "diff", "lint"] {
      #expect(await session.run("schema \(command) long.json").status == 6)
      #expect(await session.run("schema \(command) none.json").status == 3)
    }
    #expect(await session.run("schema apply --plan schemas").status == 7)
  }

  @Test("rejects a path together with --plan in schema apply, and documents this in the help")
  func filesAndPlan() async throws {
    let session = try TestSession()
    let run = await session.run("schema apply schemas --plan plan.json")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("datactl: PATH and --plan cannot be used together\n"))
    #expect(
      await session.run("schema apply --help").output.contains(" Cannot be used with --plan.\n"))
  }

  @Test("schema diff also reports differences that no migration can resolve")
  func hardDifferences() async throws {
    let session = try TestSession()
    _ = await session.run("schema create person")
    _ = await session.run("schema create todo place:geopoint owner:person")
    try session.write(
      "schemas/todo.json",
      TestSession.schema(
        "todo", #", "place": {"type": "integer"}, "owner": {"type": "relation", "to": "person"}"#))
    let run = await session.run("schema diff schemas")
    #expect(run.status == 1)
    #expect(
      run.output == """
        ~ todo.place: type is geopoint in the store, integer in the files
        - schema person

        """)
  }
}
