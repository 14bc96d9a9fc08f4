import Foundation
import ProgramHarness
import TestSupport
import Testing

@Suite("XML, libraries and other programs", .tags(.process))
struct XMLProcessTests {
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
