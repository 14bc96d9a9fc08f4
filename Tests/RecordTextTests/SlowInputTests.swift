import DataModel
import Maps
import RecordText
import TestSupport
import Testing

@Suite("Reading records that arrive slowly")
struct SlowInputTests {
  /// A pipe whose writer is slow: no further piece is available when a piece has been read.
  private struct SlowPipe: ByteSource {
    enum End {
      case closed
      /// The pipe stays open. Reading throws an error, because it would block.
      case open
    }

    private let bytes: [UInt8]
    private let pieceSize: Int
    private let end: End
    private var position = 0

    init(_ text: String, pieceSize: Int = 1, end: End) {
      bytes = Array(text.utf8)
      self.pieceSize = pieceSize
      self.end = end
    }

    func hasBytes(within seconds: Double) -> Bool { seconds > 0 && position < bytes.count }

    mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
      let size = min(pieceSize, count, bytes.count - position)
      if size == 0, end == .open { throw DataError(.fileFailed, "the sender stopped") }
      buffer += bytes[position..<position + size]
      position += size
      return size
    }
  }

  private static let treeTexts = [
    #"{"plan_id":"a","steps":[{"step_id":"b"},5,{"text":"c"}]} {"plan_id":"d"}"#,
    #"[{"plan_id":"a"},{"plan_id":"b","steps":7}, "x", -1.5, tru, {"plan_id":"c"}]"#,
    "{\"plan_id\":\"a\"\n{\"plan_id\":\"b\"}\n{\"plan_id\":\"c\"}\n",
    "{\"plan_id\":\"a\n{\"plan_id\":\"b\"}\n{\"plan_id\":\"c\"}\n",
    "{\"plan_id\":\"a\",\"steps\":[{\n{\"plan_id\":\"b\"}\n{\"plan_id\":\"c\"}\n",
    "{\"plan_id\":\"a\",\"title\":nothing, \"steps\":[]}\n{\"plan_id\":\"b\"}\n",
    "{\"plan_id\":\"a\"]\n{\"plan_id\":\"b\"}}\n{\"plan_id\":\"c\"}\n",
    "\u{FEFF} \n[ {\"plan_id\":\"a\"} \n, {\"plan_id\":\"b\"} ] \n ", "[]", "", "  ", "[7 ]", "{",
  ]

  private static let documents = [
    #"{"meta":{"x":[1,"]"]},"plans":[{"plan_id":"a"},{"plan_id":"b"}],"n":1} {"plans":[]}"#,
    #"{"meta":{"x":[1,"]"]},"plans":{"plan_id":"a"},"plans":1}"#,
    #"{"meta":{"x":[1,"]"]},"plans":[{"plan_id":"a"} {"plan_id":"b"}]}"#,
    #"[{"plan_id":"a"},7,{"plan_id":"b","steps":[{"step_id":"c"}]}]"#, #"{"plan_id":"a"}"#,
    "{\"plans\": [ {\"plan_id\": \"a\"} , \n {\"plan_id\": \"b\", \"title\": nothing} ]}", "{",
    "",
  ]

  private let catalog: Catalog
  private let plan: Schema
  private let ids = IDGenerator(clock: { 0 })

  init() throws {
    catalog = try Catalog(checking: [
      schema("step", Field("text", .text)),
      schema(
        "plan", Field("title", .text),
        Field("steps", .relation(Relation(to: "step", isMany: true)))),
    ])
    plan = try catalog.schema("plan")
  }

  /// A tree with many nested records and a long text with brackets, quotes and escapes.
  private static let tree: String = {
    let steps = (0..<400).map { "{\"step_id\": \"\($0)\", \"text\": \"} \\\" ] é\"}" }
    let title = String(repeating: "[{\\\\\\\"", count: 1_000)
    let list = steps.joined(separator: ", ")
    return "{\"plan_id\": \"a\",\n \"title\": \"\(title)\", \"steps\": [\(list)]}"
  }()

  private static func map(_ records: String) throws -> DataMap {
    let key = records.hasSuffix("{}") ? "{}key" : "plan_id"
    return try DataMap(
      parsing: """
        {"map": "m", "format": "json", "records": "\(records)", "system": {}, "unknown": "ignore",
          "fields": {"plan_id": "\(key)", "title": "title",
            "steps": {"at": "steps[]", "fields": {"step_id": "step_id", "text": "text"}}}}
        """)
  }

  private func reader<Source>(
    _ source: Source, skipping: Bool = false
  ) -> TreeReader<Source> {
    TreeReader(
      source, for: plan, in: catalog, file: "in", ids: ids,
      onInvalid: skipping ? .skip(keepingText: true) : .collect, pace: .immediate)
  }

  private func mappedSource<Source>(
    _ source: Source, _ records: String, _ form: TextForm = TextForm()
  ) throws -> MappedTextSource<Source> {
    let layout = try MapLayout(Self.map(records), for: plan, in: catalog)
    return MappedTextSource(source, by: layout, MapLocations(layout, file: "in"), form)
  }

  /// Returns the trees of a text and the problems, in order.
  private func trees(_ text: String, _ pieceSize: Int) throws -> [String] {
    var reader = reader(SlowPipe(text, pieceSize: pieceSize, end: .closed), skipping: true)
    var found: [String] = []
    while let chunk = try reader.next() {
      found += (0..<chunk.changes.count).map {
        "\(chunk.changes.schema.name) \(chunk.changes.lines[$0])"
      }
      found += chunk.rejected.flatMap(\.problems).map(ReadResult.short)
    }
    return found
  }

  /// Returns the records of a document and the problems.
  private func mapped(_ text: String, _ form: TextForm, _ pieceSize: Int) throws -> [String] {
    var source = try mappedSource(
      SlowPipe(text, pieceSize: pieceSize, end: .closed), "plans", form)
    var output: [UInt8] = []
    while try source.read(into: &output, atMost: 1_000) > 0 {}
    let findings = source.takeFindings()
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map {
      String($0.drop { $0 == " " })
    }
    let problems = findings.problems.sorted { $0.key < $1.key }.flatMap(\.value)
    return lines.filter { !$0.isEmpty }
      + (problems + [findings.failure].compactMap(\.self)).map(ReadResult.short)
  }

  @Test("scans each byte of a tree only a few times", arguments: [1, 7, 300])
  func trees(pieceSize: Int) throws {
    for text in [Self.tree, "[\(Self.tree), \(Self.tree)]", "\(Self.tree)\n\(Self.tree)\n"] {
      var reader = reader(SlowPipe(text, pieceSize: pieceSize, end: .closed))
      var count = 0
      while let chunk = try reader.next() { count += chunk.changes.count }
      #expect(count == 401 * (text == Self.tree ? 1 : 2))
      #expect(reader.scannedCount <= 4 * text.utf8.count)
    }
  }

  @Test("scans each byte of a record only a few times", arguments: [1, 7, 300])
  func records(pieceSize: Int) throws {
    let title = String(repeating: "[{\\\\\\\"", count: 2_000)
    let record = "{\"plan_id\": \"a\",\n \"title\": \"\(title)\", \"steps\": []}"
    let row = "a,\"\(String(repeating: "tea, ", count: 3_000))\"\n"
    for text in [
      record, "[\(record), \(record)]", "\(record)\n\(record)", "plan_id,title\n\(row)b,c",
    ] {
      let count = text == record ? 1 : 2
      var reader = RecordReader(
        SlowPipe(text, pieceSize: pieceSize, end: .closed), for: plan, file: "in",
        pace: .immediate)
      var found = 0
      while let chunk = try reader.next(reusing: RowChanges(for: plan)) { found += chunk.count }
      #expect(found == count && reader.rejected.isEmpty)
      #expect(reader.scannedCount <= 4 * text.utf8.count)
    }
  }

  @Test("returns a record as soon as its last byte has arrived")
  func completeRecordsWithoutMap() throws {
    let record = "{\"plan_id\": \"a\", \"title\": \"\(String(repeating: "x", count: 2_000))\"}"
    for text in [record, "[\(record)", "plan_id,title\na,b\n"] {
      var reader = RecordReader(SlowPipe(text, end: .open), for: plan, file: "in", pace: .immediate)
      #expect(try reader.next(reusing: RowChanges(for: plan))?.count == 1)
      #expect(throws: DataError(.fileFailed, "the sender stopped")) {
        try reader.next(reusing: RowChanges(for: plan))
      }
    }
  }

  @Test("scans each byte of a mapped document only a few times", arguments: [1, 7, 300])
  func mappedDocuments(pieceSize: Int) throws {
    for text in [
      "[\(Self.tree), \(Self.tree)]", "{\"data\": {\"plans\": [\(Self.tree), \(Self.tree)]}}",
      "{\"other\": \(Self.tree), \"data\": {\"other\": [\(Self.tree)], \"plans\": [\(Self.tree)]}}",
    ] {
      var source = try mappedSource(
        SlowPipe(text, pieceSize: pieceSize, end: .closed), "data.plans")
      var output: [UInt8] = []
      while try source.read(into: &output, atMost: 1_000) > 0 {}
      #expect(source.takeFindings().failure == nil)
      #expect(output.count { $0 == 0x0A } == (text.contains("other") ? 1 : 2))
      #expect(source.scannedCount <= 4 * text.utf8.count)
    }
  }

  @Test("scans each byte of a CSV row only a few times")
  func mappedRows() throws {
    let map = try DataMap(
      parsing: #"{"map": "m", "format": "csv", "system": {}, "fields": {"title": "title"}}"#)
    let layout = try MapLayout(map, for: plan, in: catalog)
    let text = "title\n\"\(String(repeating: "tea, ", count: 4_000))\"\nbread\n"
    var source = MappedTextSource(
      SlowPipe(text, end: .closed), by: layout, MapLocations(layout, file: "in"))
    var output: [UInt8] = []
    while try source.read(into: &output, atMost: 1_000) > 0 {}
    #expect(output.split(separator: 0x0A).count == 2)
    #expect(source.scannedCount <= 4 * text.utf8.count)
  }

  @Test("returns a tree as soon as its last byte has arrived")
  func completeTrees() throws {
    for text in [Self.tree, "[\(Self.tree)", "[1, \(Self.tree)", "{\"a\":1\n\(Self.tree)"] {
      var reader = reader(SlowPipe(text, end: .open), skipping: true)
      var count = 0
      while count < 401 { count += try #require(try reader.next()).changes.count }
      #expect(count == 401)
      #expect(throws: DataError(.fileFailed, "the sender stopped")) { try reader.next() }
    }
  }

  @Test("converts a record as soon as its last byte has arrived")
  func completeRecords() throws {
    let object = "{\"other\": {\"a\": [1]}, \"data\": {\"more\": [[]], \"plans\""
    for (text, records) in [
      ("[\(Self.tree)", "data.plans"), ("\(object): [\(Self.tree)", "data.plans"),
      ("\(object): {\"x\": \(Self.tree)", "data.plans{}"),
      ("\(object): \(Self.tree)", "data.plans"),
    ] {
      var source = try mappedSource(SlowPipe(text, end: .open), records)
      var output: [UInt8] = []
      while output.last != 0x0A { _ = try source.read(into: &output, atMost: 1 << 20) }
      #expect(throws: DataError(.fileFailed, "the sender stopped")) {
        _ = try source.read(into: &output, atMost: 1 << 20)
      }
    }
  }

  @Test(
    "reads the same trees and finds the same errors whatever the size of the pieces",
    arguments: treeTexts)
  func pieces(text: String) throws {
    let whole = try trees(text, .max)
    for size in [1, 2, 3, 7, 40] { #expect(try trees(text, size) == whole) }
  }

  @Test(
    "converts the same documents and finds the same errors whatever the size of the pieces",
    arguments: documents, [TextForm(), TextForm(.ndjson)])
  func mappedPieces(text: String, form: TextForm) throws {
    let whole = try mapped(text, form, .max)
    for size in [1, 2, 3, 7, 40] { #expect(try mapped(text, form, size) == whole) }
  }

  @Test(
    "finds the same records and errors whatever the size of the pieces if bytes were changed",
    .tags(.random), arguments: Seeds.count(check: 20, test: 200, all: 2_000))
  func mutations(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    func mutated(_ text: String) -> String {
      var bytes = Array(text.utf8)
      for _ in 0..<random.number(1...3) {
        let index = random.number(0...bytes.count)
        switch random.number(0...1) {
        case 0 where index < bytes.count: bytes.remove(at: index)
        default: bytes.insert(random.pick(Array("{}[]\",:\\e0 \n".utf8)), at: index)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    func result(_ read: () throws -> [String]) -> [String] {
      do { return try read() } catch { return ["\(error)"] }
    }
    for text in Self.treeTexts.map(mutated) {
      let whole = result { try trees(text, .max) }
      for size in [1, 5] {
        #expect(result { try trees(text, size) } == whole, "\(text)")
      }
    }
    for text in Self.documents.map(mutated) {
      for form in [TextForm(), TextForm(.ndjson)] {
        let whole = result { try mapped(text, form, .max) }
        for size in [1, 5] {
          #expect(result { try mapped(text, form, size) } == whole, "\(text)")
        }
      }
    }
  }
}
