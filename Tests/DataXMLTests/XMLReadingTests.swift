import DataModel
import DataXML
import RecordText
import TestSupport
import Testing

@Suite("Reading XML")
struct XMLReadingTests {
  @Test("reads a document with CDATA, comments, character references and elements in any order")
  func layouts() throws {
    let text = """
      \u{FEFF}<?xml version="1.0" encoding="utf-8" standalone='yes'?>
      <!-- a comment -->
      <records>
        <todo revision="3" todo_id='a'>
          <!-- another -->
          <tags>
            <item>x&amp;<![CDATA[<y>]]></item>
            <item/>
          </tags>
          <?target data?>
          <title><![CDATA[a & b]]> &lt;&#x41;&#66;</title>
          <place lon="8.5" lat="47"/>
          <extra>{"a": [1,
            2.50]}</extra>
          <steps>
          </steps>
          <due null="true"></due>
          <owner>ann</owner><done>false</done><stock>12</stock><price>1e2</price>
        </todo>
      </records>
      <!-- the end -->

      """
    for pieceSize in [1, 7, 1_000_000] {
      let found = try XMLReading(
        Array(text.utf8), for: try todo(), pieceSize: pieceSize,
        slots: Array(try todo().fields.indices))
      #expect(found.problems == [])
      #expect(
        found.records == [
          #"{"todo_id":"a","title":"a & b <AB","done":false,"stock":12,"price":100,"due":null,"#
            + #""place":{"lat":47,"lon":8.5},"photo":null,"extra":{"a":[1,2.50]},"owner":"ann","#
            + #""steps":[],"tags":["x&<y>",""],"sizes":null,"flags":null}"#
        ])
    }
  }

  @Test("accepts attributes and elements named like a field (year_born) or property (yearBorn)")
  func names() throws {
    let kind = try schema(
      "book", Field("year_born", .integer), Field("isbn", .text),
      properties: [("number", "isbn")])
    let found = try XMLReading(
      """
      <records schema="book"><book><book_id>a</book_id><yearBorn>1900</yearBorn><number>x</number>\
      </book><book bookId="b" year_born="1901"/></records>
      """, for: kind)
    #expect(found.problems == [])
    #expect(
      found.records == [
        #"{"book_id":"a","year_born":1900,"isbn":"x"}"#,
        #"{"book_id":"b","year_born":1901,"isbn":null}"#,
      ])
  }

  @Test("reads empty elements as empty strings, empty lists and empty files")
  func empty() throws {
    let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let found = try XMLReading(
      """
      <records><todo todo_id="a"><title/><tags/><steps></steps>\
      <photo name="p" size="0" sha256="\(hash)"/></todo></records>
      """, for: try todo())
    #expect(found.problems == [])
    #expect(found.records.first?.contains(#""title":"","#) == true)
    #expect(found.records.first?.contains(#""steps":[],"tags":[]"#) == true)
    #expect(try XMLReading("<records/>", for: try todo()).records == [])
  }

  @Test(
    "reports the line of an invalid record, and reads the next record",
    arguments: [
      ("<title>a</title><title>b</title>", "title: duplicate field in a record"),
      ("<title lang=\"en\">a</title>", "title: unknown attribute \"lang\""),
      ("<title><b>c</b></title>", "title: unexpected element <b>"),
      ("<done>yes</done>", "done: expected true or false, found text \"yes\""),
      ("<stock>07</stock>", "stock: expected integer, found text \"07\""),
      ("<stock> 7</stock>", "stock: expected integer, found text \" 7\""),
      ("<stock/>", "stock: expected integer, found text \"\""),
      ("<due>soon</due>", "due: expected datetime, found text \"soon\""),
      ("<colour>red</colour>", "colour: todo has no field colour"),
      ("<extra>{bad}</extra>", "extra: expected JSON: expected a key in double quotes"),
      ("<extra></extra>", "extra: expected JSON: unexpected end of input in a value"),
      ("<tags>home</tags>", "tags: unexpected text \"home\""),
      ("<tags><tag>home</tag></tags>", "tags: expected the element <item>, found <tag>"),
      ("<tags><item><b/></item></tags>", "tags: unexpected element <b>"),
      ("<title null=\"yes\">a</title>", "title: expected null=\"true\", found \"yes\""),
      ("<title null=\"true\">a</title>", "title: an element with null=\"true\" must be empty"),
      ("<tags null=\"true\"><item/></tags>", "tags: an element with null=\"true\" must be empty"),
      ("<place lat=\"1\"/>", "place: expected both lat and lon"),
      ("<place lat=\"1\" lon=\"2\" z=\"3\"/>", "place: expected lat or lon in a geopoint, found z"),
      ("<photo name=\"a\" size=\"1\"/>", nil),
      ("<owner><user username=\"x\"/></owner>", "owner: expected an id, found an object"),
      ("stray", "expected an element, found text \"stray\""),
    ])
  func recordProblems(content: String, message: String?) throws {
    let found = try XMLReading(
      "<records>\n<todo todo_id=\"a\">\n\n\(content)</todo>\n<todo todo_id=\"b\"/></records>",
      for: try todo())
    #expect(found.records.count == 1)
    #expect(!found.isBroken)
    guard let message else { return }
    #expect(found.problems.count == 1)
    let isOfRecord = content == "stray"
    #expect(found.problems.first == "\(isOfRecord ? 2 : 4) \(message)")
  }

  @Test("rejects a record whose element name is not the schema name, and reads the next record")
  func recordName() throws {
    let found = try XMLReading(
      "<records><user todo_id=\"a\"/><todo todo_id=\"b\"/></records>", for: try todo())
    #expect(found.problems == ["1 expected the element <todo>, found <user>"])
    #expect(found.records.count == 1)
  }

  @Test("converts the values of related records according to their schemas")
  func relatedRecords() throws {
    let users = try schema("user", Field("age", .integer))
    let steps = try schema("step", Field("done", .boolean))
    let catalog = try Catalog(checking: [users, steps, try todo()])
    var source = try XMLRecordSource(
      BytesInMemory(
        Array(
          """
          <records><todo todo_id="a"><owner><user user_id="1"><age>5</age></user></owner><steps>\
          <item><step step_id="2"><done>true</done></step></item><item>x</item></steps></todo>\
          </records>
          """.utf8)), for: try todo(), in: catalog)
    var text: [UInt8] = []
    while try source.read(into: &text, atMost: 1_000) > 0 {}
    #expect(
      String(decoding: text.filter { $0 != 0x20 }, as: UTF8.self)
        == #"{"todo_id":"a","owner":{"user_id":"1","age":5},"steps":[{"step_id":"2","done":true},"x"]}"#
    )
  }

  @Test("names the package to install when libxml2 is missing")
  func missingLibrary() throws {
    let error = try #require(throws: DataError.self) {
      _ = try LibXML(fileNames: ["libnothing.so"])
    }
    #expect(
      error
        == DataError(
          .libraryMissing, "reading XML requires libxml2, which is not installed",
          hint: "install the package libxml2"))
  }
}

@Suite("Hostile XML")
struct HostileXMLTests {
  private static let entity = """
    <!DOCTYPE records [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
    <records><todo todo_id="x"><title>&b;</title></todo></records>
    """
  private static let external = """
    <!DOCTYPE records SYSTEM "http://localhost:1/x.dtd" [<!ENTITY a SYSTEM "file:///etc/passwd">]>
    <records><todo todo_id="x"><title>&a;</title></todo></records>
    """
  private static let doctype = "a document type declaration (DOCTYPE) is not allowed"

  static let cases: [(String, [UInt8], String)] = [
    ("entity bomb", Array(entity.utf8), doctype),
    ("external entity", Array(external.utf8), doctype),
    (
      "unknown entity", record("<title>&a;</title>"),
      "not well-formed XML: Entity 'a' not defined"
    ),
    (
      "depth", record(String(repeating: "<a>", count: 10_000)),
      "elements are nested deeper than 256 levels"
    ),
    (
      "long name", record("<" + String(repeating: "n", count: 1 << 20) + "/>"),
      "a tag or a comment exceeds 256 KiB"
    ),
    (
      "many attributes",
      record("<title " + (0..<60_000).map { "a\($0)=\"\"" }.joined(separator: " ") + "/>"),
      "a tag or a comment exceeds 256 KiB"
    ),
    (
      "long comment", record("<!--" + String(repeating: "n", count: 1 << 20) + "-->"),
      "a tag or a comment exceeds 256 KiB"
    ),
    (
      "bad UTF-8",
      Array("<records><todo todo_id=\"x\"><title>".utf8) + [0xE9, 0x41, 0x42, 0x43, 0x3C],
      "invalid UTF-8"
    ),
    ("UTF-16", [0xFF, 0xFE, 0x3C, 0, 0x72, 0], "the input is UTF-16; records must be UTF-8"),
    ("UTF-16 without a mark", [0x3C, 0, 0x72, 0], "the input is UTF-16; records must be UTF-8"),
    (
      "Latin-1", Array("<?xml version=\"1.0\" encoding='ISO-8859-1'?><records/>".utf8),
      "the input is declared as \"ISO-8859-1\"; records must be UTF-8"
    ),
    (
      "truncated", Array("<records><todo todo_id=\"x\"><title>a".utf8),
      "unexpected end of the document"
    ),
    ("empty", [], "unexpected end of the document"),
    (
      "byte order mark in the declaration",
      Array("<?\u{FEFF}xml version=\"1.0\" encoding=\"latin1\"?><records/>".utf8),
      "a byte order mark inside the XML declaration"
    ),
    (
      "byte order mark after the beginning of the declaration",
      Array("<?xml\u{FEFF} version=\"1.0\"?><records/>".utf8),
      "a byte order mark inside the XML declaration"
    ),
    ("other root", Array("<rss/>".utf8), "expected the element <records>, found <rss>"),
    (
      "namespace", Array("<records xmlns=\"urn:x\"/>".utf8),
      "<records> is in a namespace; elements of records must not be"
    ),
    (
      "other schema", Array("<records schema=\"user\"/>".utf8),
      "expected records of the schema todo, found \"user\""
    ),
    (
      "text in the root", Array("<records>a</records>".utf8),
      "expected an element, found text \"a\""
    ),
    (
      "two roots", Array("<records/><records/>".utf8),
      "not well-formed XML: Extra content at the end of the document"
    ),
    (
      "control character", record("<title>&#1;</title>"),
      "not well-formed XML: xmlParseCharRef: invalid xmlChar value 1"
    ),
  ]

  private static func record(_ content: String) -> [UInt8] {
    Array("<records><todo todo_id=\"x\">\(content)</todo></records>".utf8)
  }

  @Test(
    "reports exactly one error and returns no records when a document is invalid", .tags(.slow),
    .from(.test), arguments: cases)
  func problem(name: String, document: [UInt8], message: String) throws {
    for pieceSize in [.max, 4_096, 13] where pieceSize > 100 || document.count < 10_000 {
      let found = try XMLReading(document, for: try todo(), pieceSize: pieceSize)
      #expect(
        found.problems == ["\(found.problems.first?.first.map(String.init) ?? "") \(message)"])
      #expect(found.records == [])
      #expect(found.isBroken)
    }
  }

  @Test("returns the records before a syntax error, and reports the line of the error")
  func earlierRecords() throws {
    let found = try XMLReading(
      "<records>\n<todo todo_id=\"a\"/>\n<todo todo_id=\"b\"><title>x</titel>\n</todo></records>",
      for: try todo())
    #expect(found.records.count == 1)
    #expect(
      found.problems == [
        "3 not well-formed XML: Opening and ending tag mismatch: title line 3 and titel"
      ])
  }

  @Test("fails when a record exceeds the maximum length")
  func longRecord() throws {
    let text = Array("<records><todo><title>".utf8) + Array(repeating: 0x61, count: 200_000)
    var source = try XMLRecordSource(
      BytesInMemory(text), for: try todo(), longestText: 100_000)
    var output: [UInt8] = []
    while try source.read(into: &output, atMost: 1_000) > 0 {}
    #expect(source.takeFindings().failure?.message == "a record exceeds 0 MiB of text")
  }
}
