import DataModel
import TestSupport
import Testing

/// A type with sample values of its fields, mostly at the limits.
struct TypeSample: Sendable, CustomTestStringConvertible {
  let type: FieldType
  /// The values. Those of an ordered type are sorted.
  let values: [Value]
  var testDescription: String {
    type.name + (type.relation?.isMany == true ? ", many" : "")
  }

  /// Returns the input for a value. A file has its content.
  func input(_ value: Value) -> Row.Input {
    guard case .file(let file) = value else { return .value(value) }
    return .file(file, .bytes(Array(file.name.utf8)))
  }

  /// Returns the schema of an item whose field `value` has the type, and that of relation targets.
  func schemas(
    isRequired: Bool = false, isUnique: Bool = false, defaultValue: Value? = nil
  ) throws -> [Schema] {
    [
      try .test("target"),
      try .test(
        "item",
        Field(
          "value", type, isRequired: isRequired, isUnique: isUnique, defaultValue: defaultValue),
        Field("note", .text)),
    ]
  }

  /// Returns a store with these schemas and all targets.
  func fixture(
    _ engine: Engine, isRequired: Bool = false, isUnique: Bool = false, defaultValue: Value? = nil
  ) async throws -> StoreFixture {
    let fixture = try await StoreFixture(
      engine,
      try schemas(isRequired: isRequired, isUnique: isUnique, defaultValue: defaultValue))
    for id in ["t1", "t2", "t3"] {
      try await fixture.save("target", ["target_id": .value(.text(id))])
    }
    return fixture
  }

  /// The value of a field that was never set.
  var empty: Value { type.relation?.isMany == true ? [] : nil }

  static let all: [TypeSample] = [
    TypeSample(
      type: .text,
      values: [
        "", "\u{1}", "\t\r\n", "\"\\/", "Z", "a", .text(String(repeating: "b", count: 2_000)),
        "e\u{301}", "é", "\u{FFFD}", "🙂",
      ]),
    TypeSample(
      type: .integer,
      values: [.integer(.min), -9_007_199_254_740_993, -1, 0, 1, .integer(.max)]),
    TypeSample(
      type: .number,
      values: [
        .number(-Double.greatestFiniteMagnitude), -1.5, 0.0, .number(.leastNonzeroMagnitude), 0.1,
        1e21,
        .number(Double.greatestFiniteMagnitude),
      ]),
    TypeSample(
      type: .decimal(digits: 18, scale: 4),
      values: [
        "-99999999999999.9999", "-1.5", "-0.0001", "0", "0.0001", "0.3", "12.5", "10000",
        "99999999999999.9999",
      ].compactMap { DecimalValue($0)?.rounded(toScale: 4) }.map(Value.decimal)),
    TypeSample(
      type: .decimal(digits: 18, scale: 18),
      values: ["-0.999999999999999999", "0", "0.000000000000000001"].compactMap {
        DecimalValue($0)?.rounded(toScale: 18)
      }.map(Value.decimal)),
    TypeSample(type: .boolean, values: [false, true]),
    TypeSample(
      type: .date,
      values: [
        .date(.earliest), .date("1969-12-31"), .date("2024-02-29"), .date("2026-11-20"),
        .date(.latest),
      ]),
    TypeSample(
      type: .datetime,
      values: [
        .datetime(.earliest), .datetime("1969-12-31T23:59:59.999999Z"),
        .datetime("2026-11-20T03:05:00Z"), .datetime(.latest),
      ]),
    TypeSample(
      type: .geopoint,
      values: [
        .point(47.37, 8.54), .point(90, 180), .point(-90, -180), .point(0, .leastNonzeroMagnitude),
        .point(0, 0),
      ]),
    TypeSample(
      type: .file,
      values: [
        .file(FileReference("a.txt", Array("a.txt".utf8))),
        .file(FileReference("", [])),
        .file(FileReference("\"🙂\\\n", Array("\"🙂\\\n".utf8))),
      ]),
    TypeSample(
      type: .json,
      values: [
        .json("0"), .json("false"), .json(#""""#), .json("[]"),
        .json(#"{"b":1.0,"a":[1e2,"\u00e9"]}"#),
        .json(String(repeating: "[", count: 100) + String(repeating: "]", count: 100)),
      ]),
    TypeSample(type: .relation(Relation(to: "target")), values: ["t1", "t2", "t3"]),
    TypeSample(
      type: .relation(Relation(to: "target", isMany: true)),
      values: [["t1"], ["t3", "t1", "t2"], ["t2", "t1"]]),
    TypeSample(
      type: .array(.text), values: [["a"], [], ["", "a", "a"], ["🙂\"\\\n", "e\u{301}", "é"]]),
    TypeSample(type: .array(.integer), values: [[1], [], [.integer(.min), .integer(.max), 0, 0]]),
    TypeSample(
      type: .array(.number), values: [[1.5], [], [.number(.leastNonzeroMagnitude), 1e300, -0.5]]),
    TypeSample(type: .array(.boolean), values: [[true], [], [false, true, false]]),
    TypeSample(
      type: .array(.date), values: [[.date(.earliest)], [], [.date(.latest), .date("2026-11-20")]]),
    TypeSample(
      type: .array(.datetime),
      values: [
        [.datetime(.earliest)], [], [.datetime(.latest), .datetime("2026-11-20T00:00:00Z")],
      ]),
  ]

  static let ordered = all.filter(\.type.isOrdered)

  static let withDefaults = all.filter { sample in
    sample.type.descriptor.rules.hasDefault
  }

  /// The types whose values or elements can be compared by equality.
  static let comparable = all.filter { sample in
    ![.id, .file, .json, .password].contains(sample.type)
  }
}

extension Value {
  /// Returns a geographic point.
  static func point(_ latitude: Double, _ longitude: Double) -> Value {
    do {
      return .geopoint(try GeoPoint(latitude: latitude, longitude: longitude))
    } catch {
      preconditionFailure("there is no place \(latitude), \(longitude)")
    }
  }

  /// The elements of a list, or the value itself.
  var elements: [Value] {
    if case .list(let values) = self { values } else { [self] }
  }
}
