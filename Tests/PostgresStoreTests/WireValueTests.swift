import DataModel
import PostgresStore
import Testing

@Suite("PostgreSQL: binary values")
struct WireValueTests {
  @Test("encodes each value in PostgreSQL's big-endian binary format")
  func values() throws {
    let point: [UInt8] = [0x40, 0x45, 0, 0, 0, 0, 0, 0]
    let cases: [(Value, WireValue)] = [
      (.null, WireValue(.unknown, nil)),
      (.text(""), WireValue(.text, [])),
      (.text("é\0"), WireValue(.text, [0xC3, 0xA9, 0])),
      (.json("[1.10]"), WireValue(.json, Array("[1.10]".utf8))),
      (.integer(1), WireValue(.bigint, [0, 0, 0, 0, 0, 0, 0, 1])),
      (.integer(-2), WireValue(.bigint, [UInt8](repeating: 0xFF, count: 7) + [0xFE])),
      (.integer(.min), WireValue(.bigint, [0x80, 0, 0, 0, 0, 0, 0, 0])),
      (.number(42), WireValue(.double, point)),
      (.number(-0.0), WireValue(.double, [0x80, 0, 0, 0, 0, 0, 0, 0])),
      (.boolean(true), WireValue(.boolean, [1])),
      (.boolean(false), WireValue(.boolean, [0])),
      // Microseconds count from 2000-01-01.
      (.datetime(try time("2000-01-01T00:00:00Z")), WireValue(.timestamp, zeros)),
      (.datetime(try time("2000-01-01T00:00:00.000001Z")), WireValue(.timestamp, one)),
      (
        .datetime(try time("1999-12-31T23:59:59.999999Z")),
        WireValue(.timestamp, [UInt8](repeating: 0xFF, count: 8))
      ),
      (
        .list([.text("a\""), .integer(2)]),
        WireValue(.jsonb, [1] + Array(#"["a\"",2]"#.utf8))
      ),
      (.list([]), WireValue(.jsonb, [1] + Array("[]".utf8))),
    ]
    for (value, expected) in cases { #expect(WireValue(value) == expected, "\(value)") }
  }

  private let zeros = [UInt8](repeating: 0, count: 8)
  private let one: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

  private func time(_ text: String) throws -> Timestamp { try Timestamp(parsing: text.utf8.span) }

  @Test("encodes several values as one array that contains the length of each value")
  func arrays() {
    func word(_ number: UInt8) -> [UInt8] { [0, 0, 0, number] }
    let header = word(1) + word(0)
    let texts = header + word(25) + word(2) + word(1) + word(1) + [0x61] + word(0)
    #expect(WireValue([.text("a"), .text("")], of: .text) == WireValue(.texts, texts))
    let integers = header + word(20) + word(1) + word(1) + word(8) + one
    #expect(WireValue([.integer(1)], of: .integer) == WireValue(.bigints, integers))
    let lists = header + [0, 0, 0x0E, 0xDA] + word(1) + word(1) + word(3) + [1, 0x5B, 0x5D]
    #expect(WireValue([.list([])], of: .array(.text)) == WireValue(.jsonbs, lists))
    // An empty array has no dimensions.
    let none = word(0) + word(0) + word(16)
    #expect(WireValue([], of: .boolean) == WireValue(.booleans, none))
  }

  @Test("maps each field type to a PostgreSQL type and its array type")
  func types() {
    let types: [(FieldType, WireType, WireType)] = [
      (.id, .text, .texts), (.text, .text, .texts), (.password, .text, .texts),
      (.file, .text, .texts), (.relation(Relation(to: "user")), .text, .texts),
      (.integer, .bigint, .bigints), (.number, .double, .doubles),
      (.geopoint, .double, .doubles), (.boolean, .boolean, .booleans),
      (.date, .date, .dates), (.datetime, .timestamp, .timestamps), (.json, .json, .jsons),
      (.array(.integer), .jsonb, .jsonbs),
    ]
    for (type, single, array) in types {
      #expect([WireType(type), WireType(type).array] == [single, array], "\(type.name)")
    }
    // The OIDs of PostgreSQL's types.
    let numbers: [(WireType, UInt32)] = [
      (.boolean, 16), (.bytes, 17), (.bigint, 20), (.text, 25), (.json, 114), (.jsons, 199),
      (.double, 701), (.booleans, 1000), (.texts, 1009), (.bigints, 1016), (.doubles, 1022),
      (.timestamp, 1184), (.timestamps, 1185), (.numeric, 1700), (.jsonb, 3802), (.jsonbs, 3807),
    ]
    for (type, number) in numbers { #expect(type.rawValue == number) }
  }
}
