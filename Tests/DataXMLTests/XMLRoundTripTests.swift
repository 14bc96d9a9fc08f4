import DataModel
import DataXML
import RecordText
import TestSupport
import Testing

@Suite("Round trips through XML", .tags(.random))
struct XMLRoundTripTests {
  @Test(
    "round-trips random records through XML without changing them",
    arguments: Seeds.count(check: 20, test: 200, all: 2_000))
  func randomRecords(seed: Int) throws {
    let data = try SampleData(seed: UInt64(seed))
    var random = SeededRandom(seed: UInt64(seed))
    for schema in data.catalog.schemas where !schema.isBuiltIn {
      var (json, again) = (RecordWriter(schema, format: .ndjson), [UInt8]())
      let columns = schema.slots.indices.filter { schema.type(of: $0) != .password }
        .map { schema.column($0) }
      var writer = XMLRecordWriter(columns, of: schema)
      var document: [UInt8] = []
      var expected: [String] = []
      writer.begin(to: &document)
      for rows in (data.records[schema.name] ?? [:]).values {
        var line: [UInt8] = []
        _ = json.write(rows, 0, to: &line)
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        let problem = writer.write(rows, 0, to: &document)
        #expect((problem != nil) == hasForbidden(rows, in: schema), "\(text)")
        if problem == nil { expected.append(text) }
      }
      writer.end(to: &document)
      let pieceSize = random.chance(50) ? .max : random.number(1...50)
      let found = try XMLReading(
        document, for: schema, in: data.catalog, pieceSize: pieceSize)
      #expect(found.problems == [], "seed \(seed)")
      #expect(found.records == expected, "seed \(seed)")
      again = try rewritten(document, schema, columns)
      #expect(again == document, "seed \(seed)")
    }
  }

  /// Returns whether a text of the record contains U+0001, which XML cannot contain. In JSON text,
  /// it is escaped.
  private func hasForbidden(_ rows: Rows, in schema: Schema) -> Bool {
    schema.fields.indices.contains { slot in
      switch schema.type(of: slot) {
      case .text: rows.text(rows[0, slot]).unicodeScalars.contains("\u{1}")
      case .array(.text): rows.text(rows[0, slot]).contains("\\u0001")
      default: false
      }
    }
  }

  private func rewritten(
    _ document: [UInt8], _ schema: Schema, _ columns: [RecordWriter.Column]
  ) throws -> [UInt8] {
    var writer = XMLRecordWriter(columns, of: schema)
    var output: [UInt8] = []
    writer.begin(to: &output)
    var reader = RecordReader(
      try XMLRecordSource(BytesInMemory(document), for: schema), for: schema, TextForm(.xml),
      file: "in")
    while let changes = try reader.next(reusing: RowChanges(for: schema)) {
      for row in 0..<changes.count {
        #expect(writer.write(changes.rows, row, to: &output) == nil)
      }
    }
    writer.end(to: &output)
    return output
  }

  @Test("keeps line breaks, tabs, spaces and markup characters in text")
  func characters() throws {
    let kind = try schema("note", Field("text", .text), Field("texts", .array(.text)))
    let texts = [
      "", " ", "\n", "\r", "\r\n", "\t", "  a  ", "\n a \n", "<a>&amp;</a>", "]]>", "\"'", "&#13;",
      "\u{85}\u{2028}\u{7F}", "é😀", "\u{FFFD}\u{FEFF}", "<!-- x -->",
    ]
    var rows = Rows(width: kind.width)
    for (row, text) in texts.enumerated() {
      rows.addRow()
      rows[row, 0] = rows.cell(for: .text("n\(row)"))
      rows[row, 1] = rows.cell(for: .text(text))
      rows[row, 2] = rows.cell(for: .list([.text(text), .text("")]))
    }
    var writer = XMLRecordWriter(kind.fields.indices.map { kind.column($0) }, of: kind)
    var document: [UInt8] = []
    writer.begin(to: &document)
    for row in texts.indices { #expect(writer.write(rows, row, to: &document) == nil) }
    writer.end(to: &document)
    var reader = RecordReader(
      try XMLRecordSource(BytesInMemory(document), for: kind), for: kind, TextForm(.xml), file: "in"
    )
    let changes = try #require(try reader.next(reusing: RowChanges(for: kind)))
    #expect(reader.rejected.flatMap(\.problems) == [])
    #expect(changes.count == texts.count)
    for (row, text) in texts.enumerated() where row < changes.count {
      #expect(changes.rows.text(changes.rows[row, 1]) == text)
      let list = changes.rows.value(changes.rows[row, 2], of: .array(.text))
      #expect(list == .list([.text(text), .text("")]))
    }
  }
}
