import DataModel
import DataText
import Testing

@Suite("Reading trees and mapped documents that arrive slowly")
struct SlowInputTests {
  /// Delivers single bytes and throws when there are no more.
  private struct OpenPipe: ByteSource {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
      bytes = Array(text.utf8)
    }

    func hasBytes(within seconds: Double) -> Bool { position < bytes.count }

    mutating func read(into buffer: inout [UInt8], atMost count: Int) throws(DataError) -> Int {
      guard position < bytes.count else { throw DataError(.fileFailed, "the sender stopped") }
      buffer.append(bytes[position])
      position += 1
      return 1
    }
  }

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
    return
      "{\"plan_id\": \"a\",\n \"title\": \"\(title)\", \"steps\": [\(steps.joined(separator: ", "))]}"
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

  @Test("scans each byte of a tree only a few times", arguments: [1, 7, 300])
  func trees(pieceSize: Int) throws {
    for text in [Self.tree, "[\(Self.tree), \(Self.tree)]", "\(Self.tree)\n\(Self.tree)\n"] {
      var reader = reader(BytesInMemory(Array(text.utf8), pieceSize: pieceSize))
      var count = 0
      while let chunk = try reader.next() { count += chunk.changes.count }
      #expect(count == 401 * (text == Self.tree ? 1 : 2))
      #expect(reader.scannedCount <= 4 * text.utf8.count)
    }
  }

  @Test("scans each byte of a mapped document only a few times", arguments: [1, 7, 300])
  func mappedDocuments(pieceSize: Int) throws {
    for text in [
      "[\(Self.tree), \(Self.tree)]", "{\"data\": {\"plans\": [\(Self.tree), \(Self.tree)]}}",
      "{\"other\": \(Self.tree), \"data\": {\"other\": [\(Self.tree)], \"plans\": [\(Self.tree)]}}",
    ] {
      var source = try mappedSource(
        BytesInMemory(Array(text.utf8), pieceSize: pieceSize), "data.plans")
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
      BytesInMemory(Array(text.utf8), pieceSize: 1), by: layout, MapLocations(layout, file: "in"))
    var output: [UInt8] = []
    while try source.read(into: &output, atMost: 1_000) > 0 {}
    #expect(output.split(separator: 0x0A).count == 2)
    #expect(source.scannedCount <= 4 * text.utf8.count)
  }

  @Test("returns a tree as soon as its last byte has arrived")
  func completeTrees() throws {
    for text in [Self.tree, "[\(Self.tree)", "[1, \(Self.tree)", "{\"a\":1\n\(Self.tree)"] {
      var reader = reader(OpenPipe(text), skipping: true)
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
      var source = try mappedSource(OpenPipe(text), records)
      var output: [UInt8] = []
      while !output.contains(0x0A) { _ = try source.read(into: &output, atMost: 1 << 20) }
      #expect(throws: DataError(.fileFailed, "the sender stopped")) {
        _ = try source.read(into: &output, atMost: 1 << 20)
      }
    }
  }

  @Test(
    "reads the same trees and finds the same errors whatever the size of the pieces",
    arguments: [
      #"{"plan_id":"a","steps":[{"step_id":"b"},5,{"text":"c"}]} {"plan_id":"d"}"#,
      #"[{"plan_id":"a"},{"plan_id":"b","steps":7}, "x", -1.5, tru, {"plan_id":"c"}]"#,
      "{\"plan_id\":\"a\"\n{\"plan_id\":\"b\"}\n{\"plan_id\":\"c\"}\n",
      "{\"plan_id\":\"a\n{\"plan_id\":\"b\"}\n{\"plan_id\":\"c\"}\n",
      "{\"plan_id\":\"a\",\"steps\":[{\n{\"plan_id\":\"b\"}\n{\"plan_id\":\"c\"}\n",
      "{\"plan_id\":\"a\",\"title\":nothing, \"steps\":[]}\n{\"plan_id\":\"b\"}\n",
      "{\"plan_id\":\"a\"]\n{\"plan_id\":\"b\"}}\n{\"plan_id\":\"c\"}\n",
      "\u{FEFF} \n[ {\"plan_id\":\"a\"} \n, {\"plan_id\":\"b\"} ] \n ", "[]", "", "  ", "[7 ]", "{",
    ])
  func pieces(text: String) throws {
    func read(_ pieceSize: Int) throws -> [String] {
      var reader = reader(BytesInMemory(Array(text.utf8), pieceSize: pieceSize), skipping: true)
      var found: [String] = []
      while let chunk = try reader.next() {
        found += (0..<chunk.changes.count).map {
          "\(chunk.changes.schema.name) \(chunk.changes.lines[$0])"
        }
        found += chunk.rejected.flatMap(\.problems).map(ReadResult.short)
      }
      return found
    }
    let whole = try read(.max)
    for size in [1, 2, 3, 7, 40] { #expect(try read(size) == whole) }
  }

  @Test(
    "converts the same documents and finds the same errors whatever the size of the pieces",
    arguments: [
      #"{"meta":{"x":[1,"]"]},"plans":[{"plan_id":"a"},{"plan_id":"b"}],"n":1} {"plans":[]}"#,
      #"{"meta":{"x":[1,"]"]},"plans":{"plan_id":"a"},"plans":1}"#,
      #"{"meta":{"x":[1,"]"]},"plans":[{"plan_id":"a"} {"plan_id":"b"}]}"#,
      #"[{"plan_id":"a"},7,{"plan_id":"b","steps":[{"step_id":"c"}]}]"#, #"{"plan_id":"a"}"#,
      "{\"plans\": [ {\"plan_id\": \"a\"} , \n {\"plan_id\": \"b\", \"title\": nothing} ]}", "{",
      "",
    ], [TextForm(), TextForm(.ndjson)])
  func mappedPieces(text: String, form: TextForm) throws {
    func read(_ pieceSize: Int) throws -> [String] {
      var source = try mappedSource(
        BytesInMemory(Array(text.utf8), pieceSize: pieceSize), "plans", form)
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
    let whole = try read(.max)
    for size in [1, 2, 3, 7, 40] { #expect(try read(size) == whole) }
  }
}
