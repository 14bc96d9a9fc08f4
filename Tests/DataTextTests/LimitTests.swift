import DataModel
import DataText
import Testing

@Suite("Text without end")
struct LimitTests {
  /// Gives one beginning and then the same byte for ever.
  private struct Endless: ByteSource {
    var beginning: [UInt8]
    var count = 0

    mutating func read(into buffer: inout [UInt8], atMost most: Int) -> Int {
      buffer += beginning.prefix(most)
      buffer.append(
        contentsOf: repeatElement(UInt8(ascii: "x"), count: most - min(most, beginning.count)))
      beginning.removeFirst(min(most, beginning.count))
      count += most
      return most
    }
  }

  @Test("a record without end is an error at the limit, and no more is read")
  func endless() throws {
    let kind = try schema("note", Field("text", .text))
    let good = "{\"note_id\":\"a\"}\n"
    var reader = RecordReader(
      Endless(beginning: Array("\(good){\"note_id\":\"b\",\"text\":\"".utf8)), for: kind, file: "-",
      longestText: 3 << 20)
    var ids: [String] = []
    var problems: [String] = []
    while let changes = try reader.next(reusing: Changes(for: kind)) {
      for row in 0..<changes.count { ids.append(changes.rows.text(changes.rows[row, 0])) }
      problems += reader.rejected.flatMap(\.problems).map(Reading.short)
    }
    #expect(ids == ["a"])
    #expect(problems == ["2:- a record of more than 3 MiB of text"])
    #expect(reader.isBroken == true)
    #expect(reader.bytesRead <= (3 << 20) + good.utf8.count)
  }

  @Test("a deep nest of brackets in an unknown field is one wrong record")
  func deep() throws {
    let kind = try schema("note", Field("text", .text))
    let nest = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
    let reading = try Reading(
      "[{\"note_id\":\"a\",\"x\":\(nest)},{\"note_id\":\"b\"}]", for: kind, slots: [0])
    #expect(reading.records == [#"{"note_id":"b"}"#])
    #expect(reading.problems == ["1:17 x: note has no field x"])
  }

  @Test("an object with very many keys is checked for repeated ones")
  func manyKeys() throws {
    let kind = try schema("note", Field("data", .json))
    let members = (0..<20_000).map { "\"k\($0)\":1" }.joined(separator: ",")
    let good = "{\"note_id\":\"a\",\"data\":{\(members)}}"
    let bad = "{\"note_id\":\"b\",\"data\":{\(members),\"k777\":2}}"
    let reading = try Reading("\(good)\n\(bad)", for: kind, slots: [0])
    #expect(reading.records == [#"{"note_id":"a"}"#])
    #expect(reading.problems == ["2:23 data: the same key twice in one object"])
  }
}
