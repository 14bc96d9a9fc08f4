import DataModel
import JSONText
import RecordText
import Testing

@Suite("Writing records")
struct RecordWriterTests {
  private let kind: Schema

  init() throws {
    var draft = SchemaDraft(name: "person")
    draft.kind = .user
    draft.fields = [
      Field("name", .text), Field("username", .id), Field("password", .password),
      Field("age", .integer), Field("photo", .file), Field("place", .geopoint),
    ].map { SchemaDraft.FieldDraft($0) }
    kind = try Schema(checking: draft)
  }

  private func rows() -> Rows {
    var rows = Rows(width: kind.width)
    let photo = FileReference(name: "a.png", type: "image/png", size: 3, sha256: "00")
    let point = (try? GeoPoint(latitude: 47.37, longitude: 8.54)).map(Value.geopoint) ?? .null
    let records: [[Value]] = [
      [
        .text("Ann \"A\""), .text("ann"), .text("secret"), .integer(31), .file(photo), point,
        .datetime(.earliest), .null, .datetime(.earliest), .text("ann"), .integer(1),
      ],
      [
        .text(""), .text("bob"), .null, .null, .null, .null, .datetime(.earliest), .null,
        .datetime(.earliest), .null, .integer(2),
      ],
    ]
    for (row, record) in records.enumerated() {
      rows.addRow()
      for (slot, value) in record.enumerated() { rows[row, slot] = rows.cell(for: value) }
    }
    return rows
  }

  private func written(
    _ format: RecordWriter.Format, slots: [Int]? = nil, files: RecordWriter.FileContents = .left,
    count: Int = 2
  ) -> String {
    var writer = RecordWriter(kind, slots: slots, format: format, files: files)
    var output: [UInt8] = []
    writer.begin(to: &output)
    for row in 0..<count { #expect(writer.write(rows(), row, to: &output) == nil) }
    writer.end(to: &output)
    for insertion in writer.takeInsertions().reversed() {
      output.insert(contentsOf: Array("YWJj".utf8), at: insertion.offset)
    }
    return String(decoding: output, as: UTF8.self)
  }

  private let ann =
    #"{"username":"ann","name":"Ann \"A\"","age":31,"photo":{"name":"a.png","type":"image/png","size":3,"sha256":"00"},"place":{"lat":47.37,"lon":8.54},"created_at":"0001-01-01T00:00:00.000Z","created_by":null,"modified_at":"0001-01-01T00:00:00.000Z","modified_by":"ann","revision":1}"#
  private let bob =
    #"{"username":"bob","name":"","age":null,"photo":null,"place":null,"created_at":"0001-01-01T00:00:00.000Z","created_by":null,"modified_at":"0001-01-01T00:00:00.000Z","modified_by":null,"revision":2}"#

  @Test("writes NDJSON with the primary key first, including nulls but no passwords")
  func ndjson() {
    #expect(written(.ndjson) == "\(ann)\n\(bob)\n")
  }

  @Test("writes a JSON array with one record per line, or [] when there are no records")
  func json() {
    #expect(written(.json) == "[\n\(ann),\n\(bob)\n]\n")
    #expect(written(.json, count: 1) == "[\n\(ann)\n]\n")
    #expect(written(.json, count: 0) == "[]\n")
  }

  @Test("writes CSV with a header and lines ending in CRLF")
  func csv() {
    #expect(
      written(.csv) == """
        username,name,age,photo,place,created_at,created_by,modified_at,modified_by,revision\r
        ann,"Ann ""A""\",31,"{""name"":""a.png"",""type"":""image/png"",""size"":3,""sha256"":""00""}",\
        "{""lat"":47.37,""lon"":8.54}",0001-01-01T00:00:00.000Z,,0001-01-01T00:00:00.000Z,ann,1\r
        bob,"",,,,0001-01-01T00:00:00.000Z,,0001-01-01T00:00:00.000Z,,2\r

        """)
    #expect(written(.csv, slots: [3], count: 0) == "username,age\r\n")
  }

  @Test("writes ids one per line")
  func ids() {
    #expect(written(.ids) == "ann\nbob\n")
  }

  @Test("writes the selected fields and the primary key in the order of the schema")
  func chosen() {
    #expect(
      written(.ndjson, slots: [kind.slot(.revision), 3, 2])
        == "{\"username\":\"ann\",\"age\":31,\"revision\":1}\n"
        + "{\"username\":\"bob\",\"age\":null,\"revision\":2}\n")
  }

  @Test("embeds the content of files as Base64")
  func contents() {
    #expect(
      written(.ndjson, slots: [4], files: .inserted)
        == #"{"username":"ann","photo":{"name":"a.png","type":"image/png","size":3,"sha256":"00","data":"YWJj"}}"#
        + "\n{\"username\":\"bob\",\"photo\":null}\n")
    #expect(
      written(.csv, slots: [4], files: .inserted)
        == "username,photo\r\nann,"
        + #""{""name"":""a.png"",""type"":""image/png"",""size"":3,""sha256"":""00"",""data"":""YWJj""}""#
        + "\r\nbob,\r\n")
  }

  @Test("indents nested JSON objects and lists")
  func indented() {
    var output: [UInt8] = []
    JSONLayout.indent(Array(#"{"a":[1,{"b":"x, {y}\""}],"c":{},"d":[]}"#.utf8).span, to: &output)
    #expect(
      String(decoding: output, as: UTF8.self) == """
        {
          "a": [
            1,
            {
              "b": "x, {y}\\""
            }
          ],
          "c": {},
          "d": []
        }
        """)
  }
}
