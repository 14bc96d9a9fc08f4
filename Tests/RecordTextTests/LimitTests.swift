import DataModel
import Inference
import RecordText
import TestSupport
import Testing

@Suite("Input limits")
struct LimitTests {
  /// Delivers the given bytes and then repeats one byte forever.
  private struct EndlessSource: ByteSource {
    var beginning: [UInt8]
    var byte = UInt8(ascii: "x")
    var count = 0

    mutating func read(into buffer: inout [UInt8], atMost most: Int) -> Int {
      buffer += beginning.prefix(most)
      buffer.append(
        contentsOf: repeatElement(byte, count: most - min(most, beginning.count)))
      beginning.removeFirst(min(most, beginning.count))
      count += most
      return most
    }
  }

  @Test("stops reading at the size limit when a record does not end", .tags(.slow), .from(.test))
  func endless() throws {
    let kind = try schema("note", Field("text", .text))
    let good = "{\"note_id\":\"a\"}\n"
    var reader = RecordReader(
      EndlessSource(beginning: Array("\(good){\"note_id\":\"b\",\"text\":\"".utf8)), for: kind,
      file: "-",
      longestText: 3 << 20)
    var ids: [String] = []
    var problems: [String] = []
    while let changes = try reader.next(reusing: RowChanges(for: kind)) {
      for row in 0..<changes.count { ids.append(changes.rows.text(changes.rows[row, 0])) }
      problems += reader.rejected.flatMap(\.problems).map(ReadResult.short)
    }
    #expect(ids == ["a"])
    #expect(problems == ["2:- a record exceeds 3 MiB of text"])
    #expect(reader.isBroken == true)
    #expect(reader.bytesRead <= (3 << 20) + good.utf8.count)
  }

  @Test(
    "stops reading at the size limit when a CSV header does not end", .tags(.slow), .from(.test),
    arguments: TestTier.current == .all ? ["x", ","] : ["x"])
  func endlessHeader(byte: String) throws {
    let kind = try schema("note", Field("text", .text))
    let source = EndlessSource(beginning: Array("text,".utf8), byte: Array(byte.utf8)[0])
    var reader = RecordReader(source, for: kind, file: "-")
    #expect(try reader.next(reusing: RowChanges(for: kind))?.count == 0)
    let expectedProblem = Problem(
      .syntax, "a CSV header exceeds 16 MiB of text",
      hint:
        "input that does not begin with {, [ or < is read as CSV, and its first line as field names",
      file: "-", line: 1)
    var placed = expectedProblem
    placed.schema = "note"
    #expect(reader.rejected.map(\.problems) == [[placed]])
    #expect(reader.bytesRead == 16 << 20)
    #expect(throws: DataError(expectedProblem)) {
      _ = try SchemaInference(
        source, schema: "note", TextForm(), file: InferenceFile("-"), splitting: .none)
    }
  }

  @Test(
    "reports the number of cells when a CSV row consists only of commas", .tags(.slow), .from(.test)
  )
  func manyCells() throws {
    let kind = try schema("note", Field("text", .text))
    let row = String(repeating: ",", count: 2_000_000)
    let result = try ReadResult("note_id,text\n\(row)\nb,c\n", for: kind, slots: [0])
    #expect(result.records == [#"{"note_id":"b"}"#])
    #expect(result.problems == ["2:1 expected 2 cells as in the header, found 2000001"])
    #expect(try ReadResult("\(row)\n", for: kind).problems.count == 1_024)
  }

  @Test(
    "reports at most a thousand problems for one record", .tags(.slow), .from(.test),
    arguments: [
      (#""x":1"#, "note has no field x"), (#""text":"1""#, "duplicate field in a record"),
    ])
  func manyProblems(member: String, message: String) throws {
    let kind = try schema("note", Field("text", .text), Field("count", .integer))
    let members = repeatElement(member, count: 50_000).joined(separator: ",\n")
    let operations = (0..<20_000).map { "\"$o\($0)\":1" }.joined(separator: ",")
    let result = try ReadResult(
      "{\"note_id\":\"a\",\"text\":\"\",\(members)}\n"
        + "{\"note_id\":\"b\",\"count\":{\(operations)}}\n{\"note_id\":\"c\"}", for: kind,
      slots: [0])
    #expect(result.records == [#"{"note_id":"c"}"#])
    #expect(result.problems.count == 2_000)
    #expect(result.problems[0].hasSuffix(message))
    #expect(result.problems[1_000].hasPrefix("50001:24 count: unknown operation $o0"))
  }

  @Test("truncates a long unknown field name in messages")
  func longNames() throws {
    let kind = try schema("note", Field("text", .text), Field("scan", .file))
    let name = String(repeating: "y", count: 100_000)
    let cut = String(repeating: "y", count: 60) + "…"
    let json = try ReadResult(
      #"{"note_id":"a","\#(name)":1}"# + "\n" + #"{"note_id":"a","scan":{"\#(name)":1}}"#, for: kind
    )
    #expect(
      json.problems == [
        "1:16 \(cut): note has no field \(cut)", "2:23 scan: a file has no key \"\(cut)\"",
      ])
    let csv = try ReadResult("note_id,\(name)\na,b\n", for: kind)
    #expect(csv.problems == ["1:9 \(cut): note has no field \(cut)"])
  }

  @Test("skips the deeply nested arrays of an unknown field and reads the next record")
  func deep() throws {
    let kind = try schema("note", Field("text", .text))
    let nest = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
    let result = try ReadResult(
      "[{\"note_id\":\"a\",\"x\":\(nest)},{\"note_id\":\"b\"}]", for: kind, slots: [0])
    #expect(result.records == [#"{"note_id":"b"}"#])
    #expect(result.problems == ["1:17 x: note has no field x"])
  }

  @Test("reports duplicate keys in an object with 20,000 keys")
  func manyKeys() throws {
    let kind = try schema("note", Field("data", .json))
    let members = (0..<20_000).map { "\"k\($0)\":1" }.joined(separator: ",")
    let good = "{\"note_id\":\"a\",\"data\":{\(members)}}"
    let bad = "{\"note_id\":\"b\",\"data\":{\(members),\"k777\":2}}"
    let result = try ReadResult("\(good)\n\(bad)", for: kind, slots: [0])
    #expect(result.records == [#"{"note_id":"a"}"#])
    #expect(result.problems == ["2:23 data: duplicate key in an object"])
  }
}
