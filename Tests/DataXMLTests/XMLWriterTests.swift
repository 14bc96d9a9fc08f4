import DataModel
import DataXML
import RecordText
import Testing

@Suite("Writing XML")
struct XMLWriterTests {
  private func document(_ values: [String: Value], _ kind: Schema) -> (String, Problem?) {
    var rows = Rows(width: kind.width)
    rows.addRow()
    for (name, value) in values {
      if let slot = kind.slot(named: name) { rows[0, slot] = rows.cell(for: value) }
    }
    let columns = (0..<kind.width).map { kind.column($0) }
    var writer = XMLRecordWriter(columns, of: kind, files: .left)
    var output: [UInt8] = []
    writer.begin(to: &output)
    let problem = writer.write(rows, 0, to: &output)
    writer.end(to: &output)
    return (String(decoding: output, as: UTF8.self), problem)
  }

  @Test("writes a record with fields of all types")
  func everyType() throws {
    let file = FileReference(
      name: "a \"b\"&.png", type: "image/png", size: 3,
      sha256: String(repeating: "0a", count: 32))
    let (text, problem) = document(
      [
        "todo_id": .text("a<\"\t"), "title": .text("1 < 2 & \"3\"\r\n"), "done": .boolean(true),
        "stock": .integer(-3), "price": .number(0.5), "due": .datetime(.earliest),
        "place": .geopoint(try GeoPoint(latitude: 47.37, longitude: -8)), "photo": .file(file),
        "extra": .json("{\"a\":\"<\"}"), "owner": .text("ann"),
        "steps": .list([.text("x"), .text("y")]), "tags": .list([.text(""), .text(" b")]),
        "sizes": .list([]), "revision": .integer(2), "created_at": .datetime(.latest),
      ], try todo())
    #expect(problem == nil)
    #expect(
      text == """
        <records schema="todo">
        <todo todo_id="a&lt;&quot;&#9;" created_at="9999-12-31T23:59:59.999999Z" revision="2">\
        <created_by null="true"/><modified_at null="true"/><modified_by null="true"/>\
        <title>1 &lt; 2 &amp; "3"&#13;
        </title><done>true</done><stock>-3</stock><price>0.5</price>\
        <due>0001-01-01T00:00:00.000Z</due><place lat="47.37" lon="-8"/>\
        <photo name="a &quot;b&quot;&amp;.png" type="image/png" size="3" sha256="\
        \(file.sha256)"/><extra>{"a":"&lt;"}</extra><owner>ann</owner>\
        <steps><item>x</item><item>y</item></steps>\
        <tags><item></item><item> b</item></tags><sizes/><flags null="true"/></todo>
        </records>

        """)
  }

  @Test("writes no file content of a skipped record into the next record")
  func insertions() throws {
    let kind = try schema("note", Field("text", .text), Field("photo", .file))
    let file = FileReference(
      name: "p", type: "image/png", size: 3, sha256: String(repeating: "0a", count: 32))
    var rows = Rows(width: kind.width)
    for (row, text) in ["\u{1}", "a"].enumerated() {
      rows.addRow()
      rows[row, 0] = rows.cell(for: .text("n\(row)"))
      rows[row, 1] = rows.cell(for: .text(text))
      rows[row, 2] = rows.cell(for: .file(file))
    }
    var writer = XMLRecordWriter(
      kind.fields.indices.map { kind.column($0) }, of: kind, files: .inserted)
    var output: [UInt8] = []
    #expect(writer.write(rows, 0, to: &output) != nil)
    #expect(writer.write(rows, 1, to: &output) == nil)
    let insertions = writer.takeInsertions()
    #expect(insertions.map(\.slot) == [2])
    let rest = insertions.map { String(decoding: output[$0.offset...], as: UTF8.self) }
    #expect(rest == ["</photo></note>\n"])
  }

  @Test(
    "reports the record and the field when XML cannot contain a character",
    arguments: ["\u{1}", "a\u{1F}", "\u{B}", "\u{FFFE}", "x\u{FFFF}"])
  func forbidden(text: String) throws {
    let expected = Problem(
      .invalid, "XML cannot contain control characters, U+FFFE or U+FFFF; found in \"a\"",
      hint: "print the record as JSON: -o json", schema: "todo", id: "a", field: "title")
    let (written, problem) = document(["todo_id": .text("a"), "title": .text(text)], try todo())
    #expect(problem == expected)
    #expect(written == "<records schema=\"todo\">\n</records>\n")
    let (_, other) = document(["todo_id": .text("a"), "tags": .list([.text(text)])], try todo())
    #expect(other?.field == "tags")
  }
}
