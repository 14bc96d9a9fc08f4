import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("XML", .tags(.process))
struct XMLTests {
  private static let document = """
    <records schema="todo">
      <todo todo_id="a"><title>Buy tea</title><done>false</done><tags><item>home</item></tags></todo>
      <todo todo_id="b" revision="1"><title> x&#13;
    y</title><due null="true"/></todo>
    </records>

    """

  @Test("saves records from XML, and prints XML from which the same records are restored")
  func roundTrip() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    let saved = try folder.run("save", "todo", "-o", "xml", input: .text(Self.document)).exits(0)
    let listed = try folder.run("list", "todo", "-o", "xml").exits(0).output
    #expect(saved.output == listed)
    #expect(listed.hasPrefix("<records schema=\"todo\">\n<todo todo_id=\"a\" created_at=\""))
    #expect(listed.contains("<title> x&#13;\ny</title><done null=\"true\"/>"))
    #expect(listed.hasSuffix("</todo>\n</records>\n"))
    let json = try folder.run("list", "todo").exits(0).output
    try folder.run("save", "todo", "-o", "none", input: .text(listed)).exits(0)
      .reports("2 saved: 2 the same")
    let copy = try TestFolder()
    try copy.createTodoSchema()
    try copy.run(
      "save", "todo", "--keep-system-fields", "--input", "xml", "-o", "none", input: .text(listed)
    ).exits(0)
    #expect(try copy.run("list", "todo").output == json)
    let one = try folder.run("get", "todo", "b", "-o", "xml").exits(0).output
    #expect(one.split(separator: "\n").count == 4)
    #expect(one.hasPrefix("<records schema=\"todo\">\n<todo todo_id=\"b\" "))
    try folder.run("list", "todo", "title=none", "-o", "xml").exits(0)
      .prints("<records schema=\"todo\">\n</records>\n")
  }

  @Test("round-trips an id that contains characters that XML escapes")
  func escapedAttributes() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    let id = "a&b <c> \"d\" &#38; &amp;"
    try folder.prepare("save", "todo", id, "title=x", "-o", "none")
    let listed = try folder.run("list", "todo", "-o", "xml").exits(0).output
    try folder.run("save", "todo", "-o", "none", input: .text(listed)).exits(0)
      .reports("1 saved: 1 the same")
    try folder.run("list", "todo", "-o", "ids").prints("\(id)\n")
  }

  @Test("saves no records when --deep is given and the document is malformed")
  func brokenTree() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    for end in ["", "</todo>", "<title/></todo></record>"] {
      try folder.run(
        "save", "todo", "--deep", "-o", "none",
        input: .text(
          "<records><todo todo_id='a'><title>x</title></todo>\n<todo todo_id='b'>\(end)\n")
      ).exits(6)
      try folder.run("list", "todo", "--count").prints("0\n")
    }
  }

  @Test("restores file fields with their contents from XML")
  func files() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "paper:file")
    let records = """
      {"item_id":"a","paper":{"name":"p <1>.txt","type":"text/plain","data":"AAEC"}}
      {"item_id":"b","paper":{"name":"empty","data":""}}
      {"item_id":"c"}

      """
    try folder.prepare("save", "item", "-o", "none", input: .text(records))
    let output = try folder.run("list", "item", "--with-files", "-o", "xml").exits(0).output
    #expect(output.contains(">AAEC</paper>"))
    let copy = try TestFolder()
    try copy.prepare("schema", "create", "item", "paper:file")
    try copy.prepare(
      "save", "item", "--keep-system-fields", "-o", "none", input: .text(output))
    #expect(
      try copy.run("list", "item", "--with-files").output
        == folder.run("list", "item", "--with-files").output)
  }

  @Test("prints related records inside the XML element of the relation when --expand is given")
  func expansion() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "town", "name:text")
    try folder.prepare("schema", "create", "house", "town:town", "near:town+", "other:town+")
    try folder.prepare(
      "save", "town", "-o", "none",
      input: .text("{\"town_id\":\"1\",\"name\":\"A\"}\n{\"town_id\":\"2\",\"name\":\"B\"}"))
    try folder.prepare(
      "save", "house", "-o", "none",
      input: .text("{\"house_id\":\"h\",\"town\":\"1\",\"near\":[\"2\",\"1\"]}"))
    let output = try folder.run(
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
  func errors() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
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
    let run = try folder.run("save", "todo", "--file", "todos.xml").exits(6)
    try run.reports("todos.xml:5: priority: expected integer, found text \"high\"")
    try run.reports("todos.xml:7: ", "todo has no field colour")
    try folder.run("list", "todo", "--count").exits(0).prints("0\n")
    try folder.run(
      "save", "todo", "--file", "todos.xml", "--skip-invalid", "--rejects", "rejects", "-o", "ids"
    ).exits(6).prints("a\nd\n")
    try folder.shell("jq -r .text rejects | grep -c priority").exits(0).prints("1\n")
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
  func brokenDocuments(document: String, message: String) throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    try folder.run("save", "todo", input: .text(document)).exits(6).reports(message)
    try folder.run("list", "todo", "--count").exits(0).prints("0\n")
  }

  @Test("reads XML in UTF-16 only when --encoding is given")
  func encoding() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
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
      try folder.program.run(command, input: .bytes(bytes)).exits(6).reports(
        message, "  pass the encoding of the input: --encoding utf-16\n")
    }
    try folder.run("list", "todo", "--count").prints("0\n")
    for options in [[], ["--map", "map.json"]] {
      try folder.program.run(
        ["save", "todo", "-o", "none", "--encoding", "utf-16"] + options, input: .bytes(bytes)
      ).exits(0)
      try folder.run("list", "todo", "--fields", "title").prints(
        #"{"todo_id":"a","title":"é"}"# + "\n")
    }
  }

  @Test("prints all other records when XML cannot represent a record")
  func forbiddenCharacters() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    try folder.prepare(
      "save", "todo", "-o", "none",
      input: .text(
        "{\"todo_id\":\"a\",\"title\":\"x\\u0001\"}\n{\"todo_id\":\"b\",\"title\":\"y\"}"))
    let run = try folder.run("list", "todo", "-o", "xml").exits(6)
    try run.reports(
      "todo.title: XML cannot contain control characters, U+FFFE or U+FFFF; found in \"a\"\n")
    #expect(run.output.split(separator: "\n").count == 3)
  }

  @Test("infers schemas from XML")
  func inference() throws {
    let folder = try TestFolder()
    try folder.write(
      "books.xml",
      """
      <records>
      <book isbn="007" pages="12"><title>A</title><tags><item>x</item></tags></book>
      <book isbn="12" pages="13"><title>B</title><tags/></book>
      </records>
      """)
    let proposal = try folder.run("schema", "infer", "books.xml").exits(0).output
    #expect(proposal.contains("isbn") && proposal.contains("[text]"))
    try folder.run("save", "book", "--infer", "--file", "books.xml", "-o", "none").exits(0)
      .reports("Schema book created: book_id id, isbn text, pages integer, title text, tags [text]")
    #expect(
      try folder.run(
        "list", "book", "--fields", "isbn,pages,title,tags", "-o", "csv", "--order", "pages"
      )
      .output.contains(",007,12,A,\"[\"\"x\"\"]\""))
    // Output of datactl itself has all system fields, which are not inferred.
    let output = try folder.run("list", "book", "-o", "xml").exits(0).output
    let copy = try TestFolder()
    try copy.run("save", "book", "--infer", "-o", "none", input: .text(output)).exits(0)
      .reports("Schema book created: book_id id, isbn text, pages integer, title text, tags [text]")
  }

  @Test("loads libxml2 only when it reads XML")
  func openedLibraries() throws {
    let folder = try TestFolder()
    try folder.saveTodos()
    func opened(_ arguments: [String]) throws -> Bool {
      try SystemCall.trace("openat,open", folder, arguments).contains {
        $0.line.contains("libxml2")
      }
    }
    try folder.write("a.json", "{\"todo_id\":\"x\",\"title\":\"x\"}")
    try folder.write("a.xml", "<records><todo todo_id=\"y\" title=\"y\"/></records>")
    #expect(try !opened(["save", "todo", "--file", "a.json"]))
    #expect(try !opened(["save", "todo", "--file", "a.json", "--infer"]))
    #expect(try !opened(["list", "todo", "-o", "xml"]))
    #expect(try opened(["save", "todo", "--file", "a.xml"]))
  }

  @Test("commits the complete records of an XML document while the rest is still being written")
  func stream() throws {
    let folder = try TestFolder()
    try folder.createTodoSchema()
    try folder.shell(
      """
      (printf '<records><todo todo_id="a" title="x"/><todo title="y" todo_id="b"'; \
      for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do \
      [ "$(datactl list todo --count)" = 1 ] && break; sleep 0.5; done; \
      datactl list todo -o ids > seen; printf '/></records>') | \
      datactl save todo --commit-every 100 -o none
      """
    ).exits(0)
    try folder.shell("cat seen").prints("a\n")
    try folder.run("list", "todo", "-o", "ids").prints("a\nb\n")
  }

  @Test(
    "prints XML from which Python's ElementTree reads the same values", .from(.all), .tags(.random))
  func otherParser() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "note", "text:text", "texts:[text]", "extra:json")
    let parts = [
      "", " ", "a", "<", ">", "&", "\\\"", "'", "]]>", "\\n", "\\r", "\\t", "é", "😀", "\\u007f",
    ]
    var random = SeededRandom(seed: UInt64.random(in: 0...UInt64.max))
    func text() -> String { (0..<random.number(0...6)).map { _ in random.pick(parts) }.joined() }
    let records = (0..<500).map { number in
      "{\"note_id\":\"n\(number)\",\"text\":\"\(text())\",\"texts\":[\"\(text())\",\"\(text())\"],"
        + "\"extra\":{\"a\":\"\(text())\"}}\n"
    }
    try folder.prepare("save", "note", "-o", "none", input: .text(records.joined()))
    try folder.shell("datactl list note -o xml > out.xml && datactl list note > out.json")
      .exits(0)
    let script = """
      import json, sys
      import xml.etree.ElementTree as tree
      records = [json.loads(line) for line in open('out.json')]
      elements = list(tree.parse('out.xml').getroot())
      assert len(records) == len(elements) == 500
      for record, element in zip(records, elements):
          assert element.get('note_id') == record['note_id']
          assert (element.find('text').text or '') == record['text'], record
          assert [item.text or '' for item in element.find('texts')] == record['texts'], record
          assert json.loads(element.find('extra').text) == record['extra'], record
      """
    try folder.tool("python3", "-c", script).exits(0)
  }
}
