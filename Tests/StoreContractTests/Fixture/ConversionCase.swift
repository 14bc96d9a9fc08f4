import DataModel
import Testing

/// Values of one type and the expected values after a conversion to another.
struct ConversionCase: Sendable, CustomTestStringConvertible {
  var old: FieldType
  var values: [Value?]
  var new: FieldType
  var expected: [Value?]
  var testDescription: String { "\(old.name) to \(new.name)" }

  init(_ old: FieldType, _ values: [Value?], to new: FieldType, _ expected: [Value?]) {
    (self.old, self.values, self.new, self.expected) = (old, values, new, expected)
  }

  static let one = FieldType.relation(Relation(to: "other"))
  static let many = FieldType.relation(Relation(to: "other", isMany: true))
  static let noon: Value = .datetime("2026-11-20T12:00:00Z")

  static let day: Value = .date("2026-11-20")
  static let midnight: Value = .datetime("2026-11-20T00:00:00Z")

  static let all = [
    ConversionCase(.text, ["2026-11-20", nil], to: .date, [day, .null]),
    ConversionCase(.date, [day, nil], to: .text, ["2026-11-20", .null]),
    ConversionCase(.date, [day, nil], to: .datetime, [midnight, .null]),
    ConversionCase(.date, [day, nil], to: .json, [.json(#""2026-11-20""#), .null]),
    ConversionCase(.date, [day, nil], to: .array(.date), [[day], .null]),
    ConversionCase(.date, [day, nil], to: .array(.datetime), [[midnight], .null]),
    ConversionCase(.date, [day, nil], to: .array(.text), [["2026-11-20"], .null]),
    ConversionCase(.datetime, [midnight, nil], to: .date, [day, .null]),
    ConversionCase(.datetime, [midnight, nil], to: .array(.date), [[day], .null]),
    ConversionCase(.array(.date), [[day], []], to: .array(.datetime), [[midnight], []]),
    ConversionCase(.array(.datetime), [[midnight], []], to: .array(.date), [[day], []]),
    ConversionCase(.array(.date), [[day], nil], to: .date, [day, .null]),
    ConversionCase(.text, ["5", "-7", nil], to: .integer, [5, -7, .null]),
    ConversionCase(.text, ["5", "1.5e3", nil], to: .number, [5.0, 1500.0, .null]),
    ConversionCase(.text, ["true", "false", nil], to: .boolean, [true, false, .null]),
    ConversionCase(.text, ["2026-11-20T12:00:00Z", nil], to: .datetime, [noon, .null]),
    ConversionCase(.text, ["a\"b", nil], to: .json, [.json(#""a\"b""#), .null]),
    ConversionCase(
      .integer, [5, .integer(.max), nil], to: .text, ["5", "9223372036854775807", .null]),
    ConversionCase(
      .integer, [5, .integer(1 << 53), nil], to: .number, [5.0, 9007199254740992.0, .null]),
    ConversionCase(.integer, [0, 1, nil], to: .boolean, [false, true, .null]),
    ConversionCase(.integer, [5, nil], to: .json, [.json("5"), .null]),
    ConversionCase(.number, [5.0, -2.0, nil], to: .integer, [5, -2, .null]),
    ConversionCase(.number, [0.1, 1e21, nil], to: .text, ["0.1", "1e21", .null]),
    ConversionCase(.boolean, [true, false, nil], to: .text, ["true", "false", .null]),
    ConversionCase(.boolean, [true, false, nil], to: .integer, [1, 0, .null]),
    ConversionCase(.datetime, [noon, nil], to: .text, ["2026-11-20T12:00:00.000Z", .null]),
    ConversionCase(.array(.text), [["a", "b"], nil], to: .json, [.json(#"["a","b"]"#), .null]),
    ConversionCase(.text, ["a", nil], to: .array(.text), [["a"], .null]),
    ConversionCase(.datetime, [noon, nil], to: .array(.datetime), [[noon], .null]),
    ConversionCase(.array(.integer), [[3], nil], to: .integer, [3, .null]),
    ConversionCase(
      .array(.integer), [[3, -1], [], nil], to: .array(.number), [[3.0, -1.0], [], .null]),
    ConversionCase(.array(.number), [[0.1], nil], to: .array(.text), [["0.1"], .null]),
    ConversionCase(.array(.datetime), [[noon]], to: .array(.text), [["2026-11-20T12:00:00.000Z"]]),
    ConversionCase(.integer, [5, nil], to: .array(.number), [[5.0], .null]),
    ConversionCase(.boolean, [true, nil], to: .array(.text), [["true"], .null]),
    ConversionCase(.text, ["o1", nil], to: one, ["o1", .null]),
    ConversionCase(one, ["o1", nil], to: .text, ["o1", .null]),
    ConversionCase(one, ["o2", nil], to: many, [["o2"], []]),
    ConversionCase(many, [["o2"], []], to: one, ["o2", .null]),
  ]
}
