import DataModel
import DataText
import Testing

@Suite("Record round trips")
struct RoundTripTests {
  @Test(
    "round-trips random values of every type", arguments: [RecordWriter.Format.ndjson, .json, .csv])
  func everyType(format: RecordWriter.Format) throws {
    let schema = try DataTextTests.everyType()
    let seed = UInt64.random(in: 0...UInt64.max)
    var samples = RandomValues(seed: seed)
    for _ in 0..<60 {
      let count = Int.random(in: 0...5, using: &samples.random)
      let records = (0..<count).map { samples.record(of: schema, number: $0) }
      let text = written(records, schema, format)
      let back = try read(text, schema, format == .csv ? .csv : nil)
      #expect(back == records, "seed \(seed)")
      #expect(written(back, schema, format) == text, "seed \(seed)")
    }
  }

  @Test("distinguishes null and empty text in every format")
  func emptyAndNull() throws {
    let kind = try schema("note", Field("a", .text), Field("b", .text))
    let records: [[Value]] = [
      [.text("1"), .text(""), .null] + systemValues, [.text("2"), .null, .text("")] + systemValues,
    ]
    for format in [RecordWriter.Format.ndjson, .json, .csv] {
      let text = written(records, kind, format)
      #expect(try read(text, kind, format == .csv ? .csv : nil) == records)
    }
  }

  private let systemValues: [Value] = [
    .datetime(.earliest), .null, .datetime(.latest), .text("ann"), .integer(3),
  ]

  private func written(
    _ records: [[Value]], _ schema: Schema, _ format: RecordWriter.Format
  ) -> [UInt8] {
    var rows = Rows(width: schema.width)
    for (row, record) in records.enumerated() {
      rows.addRow()
      for (slot, value) in record.enumerated() { rows[row, slot] = rows.cell(for: value) }
    }
    var writer = RecordWriter(schema, format: format)
    var output: [UInt8] = []
    writer.begin(to: &output)
    for row in records.indices { writer.write(rows, row, to: &output) }
    writer.end(to: &output)
    return output
  }

  private func read(
    _ text: [UInt8], _ schema: Schema, _ format: RecordFormat?
  ) throws -> [[Value]] {
    var reader = RecordReader(BytesInMemory(text), for: schema, format: format, file: "in")
    var records: [[Value]] = []
    while let changes = try reader.next(reusing: RowChanges(for: schema)) {
      #expect(reader.rejected.flatMap(\.problems) == [])
      for row in 0..<changes.count {
        records.append(
          (0..<schema.width).map { slot in
            changes.rows.value(changes.rows[row, slot], of: schema.type(of: slot))
          })
      }
    }
    return records
  }
}
