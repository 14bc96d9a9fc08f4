import Foundation
import ProgramHarness
import Testing

@Suite("dump", .onEveryStore)
struct DumpTests {
  /// Creates a store with relations in a circle, files, functions and a user.
  static func sample() throws -> TestFolder {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("schemas"), withIntermediateDirectories: true)
    for (name, text) in schemas { try folder.write("schemas/\(name).json", text) }
    try folder.prepare("schema", "apply", "schemas")
    try folder.prepare(
      "save", "user", "-o", "none", input: .text(#"{"username":"ann","name":"Ann"}"#))
    try folder.prepare(
      "save", "step", "-o", "none", input: .text(#"[{"step_id":"s 1/ü"},{"step_id":"s2"}]"#))
    try folder.prepare(
      "save", "todo", "--keep-system-fields", "-o", "none", input: .text(todos))
    try folder.prepare("save", "step", "s2", "todo=tea", "-o", "none")
    try folder.prepare("save", "function", "-o", "none", input: .text(functions))
    return folder
  }

  private static let schemas = [
    "user": """
    {"schema": "user", "kind": "user", "fields": {"username": {"type": "id"},
     "password": {"type": "password"}, "name": {"type": "text"}}}
    """,
    "step": """
    {"schema": "step", "fields": {"step_id": {"type": "id"},
     "todo": {"type": "relation", "to": "todo"}}}
    """,
    "todo": """
    {"schema": "todo", "fields": {"todo_id": {"type": "id"},
     "owner": {"type": "relation", "to": "user", "inverse": "todos"},
     "steps": {"type": "relation", "to": "step", "many": true},
     "title": {"type": "text", "required": true, "unique": true}, "photo": {"type": "file"},
     "price": {"type": "number"}}, "indexes": [["price"]]}
    """,
    "note": """
    {"schema": "note", "fields": {"note_id": {"type": "id"}}}
    """,
  ]

  private static let todos = """
    {"todo_id":"tea","title":"Tea \\u00e9","owner":"ann","steps":["s2","s 1/ü"],"price":1.5,\
    "photo":{"name":"a.txt","type":"text/plain","data":"aGFsbG8K"},"revision":7,\
    "created_at":"2026-01-02T03:04:05Z","modified_at":"2026-02-03T04:05:06.123456Z",\
    "created_by":"ann","modified_by":null}
    {"todo_id":"b \\"1\\"","title":"","photo":{"name":"b.txt","type":"text/plain","data":"aGFsbG8K"}}
    {"todo_id":"c","title":"c","photo":{"name":"empty","type":"text/plain","data":""}}

    """

  private static let functions = """
    {"function_id":"cheap","item_type":"todo",\
    "function":{"selectCore":"from todo t where t.price < :price"}}
    {"function_id":"notes","item_type":"note","function":{"selectCore":"from note n"}}

    """

  /// Returns the text of a dump without the id of the store, and the id.
  static func contents(
    of dump: [UInt8], in folder: TestFolder
  ) throws -> (text: String, store: String) {
    let text = try folder.tool("gunzip", input: .bytes(dump)).output
    let id = try #require(text.firstMatch(of: /"store":"([0-9a-f-]{36})"/)).1
    return (text.replacing(id, with: "ID"), String(id))
  }

  @Test("writes an archive that tar reads, with what list prints")
  func archive() throws {
    let folder = try Self.sample()
    try folder.run("dump", "shop.tgz").exits(0).reports("6 records of 4 schemas dumped").prints("")
    let names = try folder.tool("tar", "tzf", "shop.tgz").output
    let hallo = "\(try folder.tool("sha256sum", input: .text("hallo\n")).output.prefix(64))"
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let contents = [hallo, empty].sorted()
    #expect(
      names == """
        schemas/note.json
        schemas/step.json
        schemas/todo.json
        schemas/user.json
        records/note.ndjson
        records/step.ndjson
        records/todo.ndjson
        records/user.ndjson
        functions.ndjson
        files/\(contents[0])
        files/\(contents[1])
        manifest.json

        """)
    try folder.tool("mv", "schemas", "given")
    try folder.tool("tar", "xzf", "shop.tgz")
    try folder.run("schema", "export", "out").exits(0)
    for name in ["note", "step", "todo", "user"] {
      let listed = try folder.run("list", name, "-o", "ndjson").exits(0).outputBytes
      #expect(try folder.bytes("records/\(name).ndjson") == listed)
      #expect(try folder.bytes("schemas/\(name).json") == folder.bytes("out/\(name).json"))
    }
    let functions = try folder.run("list", "function", "-o", "ndjson").exits(0).outputBytes
    #expect(try folder.bytes("functions.ndjson") == functions)
    #expect(try folder.bytes("files/\(hallo)") == Array("hallo\n".utf8))
    let sums = try folder.tool(
      "jq", "-r", #".members[] | .sha256 + "  " + .name"#, "manifest.json")
    try folder.tool("sha256sum", "--quiet", "-c", input: .bytes(sums.outputBytes))
    let head = try folder.tool("jq", "-c", "[.format, .program, .newest_change]", "manifest.json")
    #expect(head.output.hasPrefix(#"[1,"datactl 0.3.0","20"#))
  }

  @Test("writes the same bytes again, to a file that only the user may read")
  func sameBytes() throws {
    let folder = try Self.sample()
    try folder.run("dump", "a.tgz").exits(0)
    let output = try folder.run("dump", "-").exits(0).outputBytes
    #expect(try folder.bytes("a.tgz") == output)
    #expect(try folder.tool("stat", "-c", "%a", "a.tgz").output == "600\n")
  }

  @Test("keeps an existing file")
  func existing() throws {
    let folder = try Self.sample()
    try folder.write("shop.tgz", "x")
    try folder.tool("ln", "-s", "nowhere", "link.tgz")
    for name in ["shop.tgz", "link.tgz"] {
      let run = try folder.run("dump", name).exits(5)
      #expect(run.errors.hasPrefix("datactl: \(name): the file already exists\n"))
    }
    #expect(try folder.bytes("shop.tgz") == Array("x".utf8))
  }

  @Test("includes the schemas that the chosen ones need, and names what it leaves out")
  func only() throws {
    let folder = try Self.sample()
    let run = try folder.run("dump", "todo.tgz", "--only", "todo").exits(0)
    #expect(
      run.errors == """
        6 records of 3 schemas dumped
        Also dumped, because the chosen schemas need them: step, user
        Functions left out, because they use other schemas: notes

        """)
    let notes = try folder.run("dump", "note.tgz", "--only", "note").exits(0)
    #expect(
      notes.errors == """
        0 records of 1 schema dumped
        Functions left out, because they use other schemas: cheap

        """)
    try folder.run("dump", "x.tgz", "--only", "tod").exits(3)
    try folder.run("dump", "x.tgz", "--only", "function").exits(2)
    #expect(try folder.files.contains("x.tgz") == false)
  }
}
