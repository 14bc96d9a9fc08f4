import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("XML")
struct XMLTests {
  private static let document = """
    <records schema="todo">
      <todo todo_id="a"><title>Buy tea</title><done>false</done><tags><item>home</item></tags></todo>
      <todo todo_id="b" revision="1"><title> x&#13;
    y</title><due null="true"/></todo>
    </records>

    """

  @Test("saves records from XML, and prints XML from which the same records are restored")
  func roundTrip() async throws {
    let folder = try CommandFolder()
    try await folder.save(.todoSchema)
    let saved = try await folder.run("save", "todo", "-o", "xml", input: .text(Self.document))
      .exits(0)
    let listed = try await folder.run("list", "todo", "-o", "xml").exits(0).output
    #expect(saved.output == listed)
    #expect(listed.hasPrefix("<records schema=\"todo\">\n<todo todo_id=\"a\" created_at=\""))
    #expect(listed.contains("<title> x&#13;\ny</title><done null=\"true\"/>"))
    #expect(listed.hasSuffix("</todo>\n</records>\n"))
    let json = try await folder.run("list", "todo").exits(0).output
    try await folder.run("save", "todo", "-o", "none", input: .text(listed)).exits(0)
      .reports("2 saved: 2 the same")
    let copy = try CommandFolder()
    try await copy.save(.todoSchema)
    try await copy.run(
      "save", "todo", "--keep-system-fields", "--input", "xml", "-o", "none", input: .text(listed)
    ).exits(0)
    #expect(try await copy.run("list", "todo").output == json)
    let one = try await folder.run("get", "todo", "b", "-o", "xml").exits(0).output
    #expect(one.split(separator: "\n").count == 4)
    #expect(one.hasPrefix("<records schema=\"todo\">\n<todo todo_id=\"b\" "))
    try await folder.run("list", "todo", "title=none", "-o", "xml").exits(0)
      .prints("<records schema=\"todo\">\n</records>\n")
  }

  @Test("round-trips an id that contains characters that XML escapes")
  func escapedAttributes() async throws {
    let folder = try CommandFolder()
    try await folder.save(.todoSchema)
    let id = "a&b <c> \"d\" &#38; &amp;"
    try await folder.prepare("save", "todo", id, "title=x", "-o", "none")
    let listed = try await folder.run("list", "todo", "-o", "xml").exits(0).output
    try await folder.run("save", "todo", "-o", "none", input: .text(listed)).exits(0)
      .reports("1 saved: 1 the same")
    try await folder.run("list", "todo", "-o", "ids").prints("\(id)\n")
  }

  @Test("saves no records when --deep is given and the document is malformed")
  func brokenTree() async throws {
    let folder = try CommandFolder()
    try await folder.save(.todoSchema)
    for end in ["", "</todo>", "<title/></todo></record>"] {
      try await folder.run(
        "save", "todo", "--deep", "-o", "none",
        input: .text(
          "<records><todo todo_id='a'><title>x</title></todo>\n<todo todo_id='b'>\(end)\n")
      ).exits(6)
      try await folder.run("list", "todo", "--count").prints("0\n")
    }
  }

  @Test("restores file fields with their contents from XML")
  func files() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "item", "paper:file")
    let records = """
      {"item_id":"a","paper":{"name":"p <1>.txt","type":"text/plain","data":"AAEC"}}
      {"item_id":"b","paper":{"name":"empty","data":""}}
      {"item_id":"c"}

      """
    try await folder.prepare("save", "item", "-o", "none", input: .text(records))
    let output = try await folder.run("list", "item", "--with-files", "-o", "xml").exits(0).output
    #expect(output.contains(">AAEC</paper>"))
    let copy = try CommandFolder()
    try await copy.prepare("schema", "create", "item", "paper:file")
    try await copy.prepare(
      "save", "item", "--keep-system-fields", "-o", "none", input: .text(output))
    #expect(
      try await copy.run("list", "item", "--with-files").output
        == folder.run("list", "item", "--with-files").output)
  }

  @Test("prints related records inside the XML element of the relation when --expand is given")
  func expansion() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "town", "name:text")
    try await folder.prepare("schema", "create", "house", "town:town", "near:town+", "other:town+")
    try await folder.prepare(
      "save", "town", "-o", "none",
      input: .text("{\"town_id\":\"1\",\"name\":\"A\"}\n{\"town_id\":\"2\",\"name\":\"B\"}"))
    try await folder.prepare(
      "save", "house", "-o", "none",
      input: .text("{\"house_id\":\"h\",\"town\":\"1\",\"near\":[\"2\",\"1\"]}"))
    let output = try await folder.run(
      "list", "house", "-o", "xml", "--expand", "town,near,other", "--fields", "town,near,other"
    ).exits(0).output
    let system =
      #/ (created|modified)_at="[^"]*"| revision="1"|<(created|modified)_by null="true"/>/#
    #expect(
      output.replacing(system, with: "") == """
        <records schema="house">
        <house house_id="h"><town><town town_id="1"><name>A</name></town></town>\
        <near><item><town town_id="2"><name>B</name></town></item>\
        <item><town town_id="1"><name>A</name></town></item></near><other/></house>
        </records>

        """)
  }

  @Test("saves nothing from a document with errors unless --skip-invalid is given")
  func errors() async throws {
    let folder = try CommandFolder()
    try await folder.save(.todoSchema)
    let document = """
      <records>
      <todo todo_id="a"><title>x</title></todo>
      <todo todo_id="b">
        <title>y</title>
        <priority>high</priority>
      </todo>
      <todo todo_id="c" title="z"><colour>red</colour></todo>
      <todo todo_id="d"><title>z</title></todo>
      </records>
      """
    try folder.write("todos.xml", document)
    let run = try await folder.run("save", "todo", "--file", "todos.xml").exits(6)
    try run.reports("todos.xml:5: priority: expected integer, found text \"high\"")
    try run.reports("todos.xml:7: ", "todo has no field colour")
    try await folder.run("list", "todo", "--count").exits(0).prints("0\n")
    try await folder.run(
      "save", "todo", "--file", "todos.xml", "--skip-invalid", "--rejects", "rejects", "-o", "ids"
    ).exits(6).prints("a\nd\n")
    let rejects = try String(decoding: folder.bytes("rejects"), as: UTF8.self)
      .split(separator: "\n").map { try JSON(String($0))["text"]?.text ?? "" }
    #expect(rejects.count { $0.contains("priority") } == 1)
  }

  @Test(
    "saves no records when the document is malformed or not supported",
    arguments: [
      ("<records><todo todo_id=\"a\" title=\"x\"/><todo", "unexpected end of the document"),
      (
        "<!DOCTYPE a [<!ENTITY e \"x\">]><records><todo todo_id=\"a\" title=\"x\"/></records>",
        "DOCTYPE"
      ),
      (
        "<?xml version=\"1.0\" encoding=\"latin1\"?><records><todo todo_id=\"a\" title=\"x\"/></records>",
        "latin1"
      ),
      (
        "<rss><todo todo_id=\"a\" title=\"x\"/></rss>",
        "expected the element <records>, found <rss>\n  to read XML of other programs, pass --map"
      ),
    ])
  func brokenDocuments(document: String, message: String) async throws {
    let folder = try CommandFolder()
    try await folder.save(.todoSchema)
    try await folder.run("save", "todo", input: .text(document)).exits(6).reports(message)
    try await folder.run("list", "todo", "--count").exits(0).prints("0\n")
  }

  @Test("reads XML in UTF-16 only when --encoding is given")
  func encoding() async throws {
    let folder = try CommandFolder()
    try await folder.save(.todoSchema)
    let text = "<records><todo todo_id=\"a\" title=\"é\"/></records>"
    let bytes: [UInt8] =
      [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
    try folder.write(
      "map.json",
      #"{"map": "m", "format": "xml", "records": "/records/todo", "fields": {"$key": "@todo_id", "title": "@title"}}"#
    )
    let message = "the input is UTF-16; records must be UTF-8\n"
    for command in [
      ["save", "todo"], ["save", "todo", "--map", "map.json"], ["save", "todo", "--infer"],
      ["save", "todo", "--input", "xml"], ["schema", "infer", "todo"],
      ["schema", "infer", "todo", "--map", "map.json"],
    ] {
      try await folder.run(command, input: .bytes(bytes)).exits(6).reports(
        message, "  pass the encoding of the input: --encoding utf-16\n")
    }
    try await folder.run("list", "todo", "--count").prints("0\n")
    for options in [[], ["--map", "map.json"]] {
      try await folder.run(
        ["save", "todo", "-o", "none", "--encoding", "utf-16"] + options, input: .bytes(bytes)
      ).exits(0)
      try await folder.run("list", "todo", "--fields", "title").prints(
        #"{"todo_id":"a","title":"é"}"# + "\n")
    }
  }

  @Test("prints all other records when XML cannot represent a record")
  func forbiddenCharacters() async throws {
    let folder = try CommandFolder()
    try await folder.save(.todoSchema)
    try await folder.prepare(
      "save", "todo", "-o", "none",
      input: .text(
        "{\"todo_id\":\"a\",\"title\":\"x\\u0001\"}\n{\"todo_id\":\"b\",\"title\":\"y\"}"))
    let run = try await folder.run("list", "todo", "-o", "xml").exits(6)
    try run.reports(
      "todo.title: XML cannot contain control characters, U+FFFE or U+FFFF; found in \"a\"\n")
    #expect(run.output.split(separator: "\n").count == 3)
  }

  @Test("infers schemas from XML")
  func inference() async throws {
    let folder = try CommandFolder()
    try folder.write(
      "books.xml",
      """
      <records>
      <book isbn="007" pages="12"><title>A</title><tags><item>x</item></tags></book>
      <book isbn="12" pages="13"><title>B</title><tags/></book>
      </records>
      """)
    let proposal = try await folder.run("schema", "infer", "books.xml").exits(0).output
    #expect(proposal.contains("isbn") && proposal.contains("[text]"))
    try await folder.run("save", "book", "--infer", "--file", "books.xml", "-o", "none").exits(0)
      .reports("Schema book created: book_id id, isbn text, pages integer, title text, tags [text]")
    #expect(
      try await folder.run(
        "list", "book", "--fields", "isbn,pages,title,tags", "-o", "csv", "--order", "pages"
      )
      .output.contains(",007,12,A,\"[\"\"x\"\"]\""))
    // Output of datactl itself has all system fields, which are not inferred.
    let output = try await folder.run("list", "book", "-o", "xml").exits(0).output
    let copy = try CommandFolder()
    try await copy.run("save", "book", "--infer", "-o", "none", input: .text(output)).exits(0)
      .reports("Schema book created: book_id id, isbn text, pages integer, title text, tags [text]")
  }
}
