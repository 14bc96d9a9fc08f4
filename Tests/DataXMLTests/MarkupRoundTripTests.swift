import DataModel
import DataXML
import JSONText
import Maps
import RecordText
import TestSupport
import Testing

@Suite("Round trips of XML inside elements", .tags(.random))
struct MarkupRoundTripTests {
  private static let map = """
    {"map": "m", "format": "xml", "records": "/r/note", "system": {}, "unknown": "ignore",
      "namespaces": {"p": "urn:p"},
      "fields": {"$key": "@id", "kind": "p:text/@kind", "text": {"at": "p:text", "as": "xml_text"},
        "lines": {"at": "line[@k='x'][]", "as": "xml_text"}}}
    """

  @Test(
    "returns the same text after XML was read, written and read again",
    arguments: Seeds.count(check: 50, test: 500, all: 5_000))
  func random(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let catalog = try Catalog(checking: [
      schema("note", Field("kind", .text), Field("text", .text), Field("lines", .array(.text)))
    ])
    let layout = try MapLayout(
      try DataMap(parsing: Self.map), for: try catalog.schema("note"), in: catalog)
    var document = #"<r xmlns:p="urn:p" xmlns:q="urn:q" xmlns="">"#
    for number in 0..<random.number(1...3) {
      document += #"<note id="\#(number)"><p:text kind="k">\#(Self.content(3, &random))</p:text>"#
      for _ in 0..<random.number(0...2) {
        let kind = random.pick(["x", "y"])
        document += #"<line k="\#(kind)">\#(Self.content(2, &random))</line>"#
      }
      document += "</note>"
    }
    document += "</r>"
    let first = try Self.read(Array(document.utf8), layout)
    var copy: [UInt8] = []
    let writer = MappedRecordWriter(layout)
    var xml = MappedXMLWriter(writer)
    xml.begin(to: &copy)
    for line in first.split(separator: "\n") {
      let problem = xml.write(try writer.output(Array(line.utf8).span, id: ""), to: &copy)
      #expect(problem == nil, "\(line)")
    }
    xml.end(to: &copy)
    #expect(try Self.read(copy, layout) == first, "\(document)")
  }

  /// Returns random text and elements.
  private static func content(_ depth: Int, _ random: inout SeededRandom) -> String {
    var content = ""
    for _ in 0..<random.number(0...3) {
      guard depth > 0, random.chance(60) else {
        content += random.pick([
          "a", " ", "&lt;b&gt;", "<![CDATA[<x>&]]>", "é\n", "&#13;", "<!-- c -->", "]]&gt;", "\t",
          "<?p i?>",
        ])
        continue
      }
      let name = random.pick(["b", "q:i", "p:text", "line", "x"])
      let attributes = random.pick([
        "", #" k="x""#, #" q:a="&quot;&#10;'" a="1""#, #" xml:lang="en""#, #" p:a="1" q:a="2""#,
        name.contains(":") ? "" : #" xmlns="urn:d""#,
      ])
      content += "<\(name)\(attributes)>\(Self.content(depth - 1, &random))</\(name)>"
    }
    return content
  }

  private static func read(_ document: [UInt8], _ layout: MapLayout) throws -> String {
    var source = try XMLRecordSource(
      BytesInMemory(document, pieceSize: 7), by: layout, MapLocations(layout, file: "in"))
    var text: [UInt8] = []
    while try source.read(into: &text, atMost: 1_000) > 0 {}
    let findings = source.takeFindings()
    #expect(findings.failure == nil && findings.problems.isEmpty)
    // While no record is complete, the source returns spaces.
    return String(decoding: text, as: UTF8.self).split(separator: "\n")
      .map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
