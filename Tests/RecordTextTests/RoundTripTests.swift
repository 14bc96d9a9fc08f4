import DataModel
import RecordText
import TestSupport
import Testing

@Suite("Writing and reading records")
struct RoundTripTests {
  @Test(
    "returns random values of every type unchanged after writing and reading them",
    arguments: [RecordWriter.Format.ndjson, .json, .csv])
  func everyType(format: RecordWriter.Format) throws {
    let schema = try TestSupport.everyType()
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

  @Test("distinguishes null from empty text in every format")
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
    for row in records.indices { _ = writer.write(rows, row, to: &output) }
    writer.end(to: &output)
    return output
  }

  private func read(
    _ text: [UInt8], _ schema: Schema, _ format: RecordFormat?
  ) throws -> [[Value]] {
    var reader = RecordReader(BytesInMemory(text), for: schema, TextForm(format), file: "in")
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

/// Random values, with edge cases more often than at random.
struct RandomValues {
  var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  /// Returns a value or null for each slot of a record.
  mutating func record(of schema: Schema, number: Int) -> [Value] {
    var values: [Value] = []
    for slot in 0..<schema.width {
      let type = schema.type(of: slot)
      if type == .id {
        values.append(.text("id \(number), \"é\""))
      } else if slot == schema.slot(.revision) {
        values.append(.integer(Int64.random(in: 1...(1 << 53), using: &random)))
      } else if slot == schema.slot(.createdBy) || slot == schema.slot(.modifiedBy) {
        values.append(
          Bool.random(using: &random) ? .null : .text(["ann; \"bob\"", "12"][number % 2]))
      } else if slot < schema.fields.count && !isToMany(type)
        && Int.random(in: 0..<5, using: &random) == 0
      {
        values.append(.null)
      } else {
        values.append(value(of: type))
      }
    }
    return values
  }

  private func isToMany(_ type: FieldType) -> Bool { type.relation?.isMany ?? false }

  private mutating func value(of type: FieldType) -> Value {
    switch type {
    case .id, .text, .password: .text(text())
    case .integer: .integer(integer())
    case .number: .number(number())
    case .decimal(let digits):
      .decimal(
        DecimalValue(
          coefficient: Int128(integer()) % DecimalValue.power(digits.digits), scale: digits.scale))
    case .boolean: .boolean(Bool.random(using: &random))
    case .date: .date(CalendarDate(time()))
    case .datetime: .datetime(time())
    case .geopoint: point()
    case .file:
      .file(
        FileReference(
          name: "a"
            + text().filter { letter in
              letter.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
                && letter != "/" && letter != "\\"
            }, type: "image/png",
          size: Int64.random(in: 0...(.max), using: &random),
          sha256: String(repeating: "0a", count: 32)))
    case .json: .json(json(depth: 0))
    case .relation(let relation):
      relation.isMany ? .list((0..<count()).map { .text("id\($0),\"") }) : .text("x,\"y\"")
    case .array(let element): .list((0..<count()).map { _ in value(of: element.fieldType) })
    }
  }

  private mutating func count() -> Int { Int.random(in: 0...4, using: &random) }

  mutating func text() -> String {
    let parts = [
      "", "a", "\"", "\\", ",", ";", "\n", "\r\n", "\r", "\t", " ", "é", "e\u{301}", "😀",
      "\u{2028}",
      "\u{1}", "\u{7F}", "null", "true", "12", "{}", "[", "]", "'", "=1+1", "\u{FEFF}", "long text",
    ]
    return (0..<count()).map { _ in parts[Int.random(in: parts.indices, using: &random)] }.joined()
  }

  private mutating func integer() -> Int64 {
    let edges: [Int64] = [0, 1, -1, .max, .min, 9_007_199_254_740_993]
    return edges.randomElement(using: &random) ?? 0
  }

  private mutating func number() -> Double {
    while true {
      let number = Double(bitPattern: UInt64.random(in: 0...(.max), using: &random))
      if number.isFinite && !(number == 0 && number.sign == .minus) { return number }
    }
  }

  private mutating func time() -> Timestamp {
    let range = Timestamp.earliest.microseconds...Timestamp.latest.microseconds
    return Timestamp(microseconds: Int64.random(in: range, using: &random)) ?? .earliest
  }

  private mutating func point() -> Value {
    let latitude = Double.random(in: -90...90, using: &random)
    let longitude = Double.random(in: -180...180, using: &random)
    guard let point = try? GeoPoint(latitude: latitude, longitude: longitude) else { return .null }
    return .geopoint(point)
  }

  private mutating func json(depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 3 ? 4 : 6), using: &random) {
    case 0: return "true"
    case 1: return "1.50e+3"
    case 2: return #""a b\u00e9\n\"""#
    case 3: return depth == 0 ? "{}" : "null"
    case 4:
      return "[" + (0..<count()).map { _ in json(depth: depth + 1) }.joined(separator: ",") + "]"
    default:
      let members = (0..<count()).map { "\"k\($0)\":" + json(depth: depth + 1) }
      return "{" + members.joined(separator: ",") + "}"
    }
  }
}
