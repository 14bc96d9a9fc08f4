import DataModel
import Inference
import JSONText
import TestSupport
import Testing

@Suite("Schema inference: reading the same records")
struct InferenceRoundTripTests {
  private struct RecordGenerator {
    var random: SeededRandom

    mutating func pick<T>(_ values: [T]) -> T {
      values[Int.random(in: 0..<values.count, using: &random)]
    }

    mutating func scalar(_ kind: Int) -> String {
      switch kind {
      case 0: pick(["true", "false"])
      case 1: pick(["0", "-1", "42", "9007199254740993", "-9223372036854775808"])
      case 2: pick(["0.5", "1e21", "-2.25e-7", "3.0", "1E2", "0.1"])
      case 3:
        pick(["\"\"", "\"007\"", "\"tea\"", "\"k\\u00e4se\\n\"", "\"{\\\"a\\\":1}\"", "\"42\""])
      case 4:
        pick(["\"2026-11-20\"", "\"2026-11-20T10:00:00.5+01:00\"", "\"0001-01-01T00:00:00Z\""])
      case 5: pick(["123456789012345678901", "0.12345678901234567890", "1e999"])
      default: "null"
      }
    }

    mutating func value(_ kind: Int) -> String {
      switch kind {
      case 0...6: return scalar(kind)
      case 7: return pick(["{\"lat\":1.5,\"lon\":-8}", "{\"lon\":180,\"lat\":-90}"])
      case 8:
        let element = Int.random(in: 0..<6, using: &random)
        let count = Int.random(in: 0...3, using: &random)
        return "[\((0..<count).map { _ in scalar(element) }.joined(separator: ", "))]"
      case 9:
        return pick(["{}", "{\"a\": [1, {\"b\": null}]}", "[null]", "[[1], 2]", "[\"a\", 1]"])
      default: return scalar(Int.random(in: 0...6, using: &random))
      }
    }

    /// Returns records whose keys have one kind of value each, with occasional exceptions.
    mutating func records() -> [String] {
      let keys = ["title", "dueDate", "URLPath", "x9", "_id", "order", "Weight", "isDone"].shuffled(
        using: &random)
      let kinds = keys.map { _ in Int.random(in: 0...10, using: &random) }
      return (0..<Int.random(in: 1...12, using: &random)).map { number in
        var members: [String] = []
        for (key, kind) in zip(keys, kinds) where Int.random(in: 0..<5, using: &random) > 0 {
          let isOdd = Int.random(in: 0..<12, using: &random) == 0
          let value = key == "_id" && kind < 8 ? "\(number)" : self.value(isOdd ? 10 : kind)
          members.append("\"\(key)\": \(value)")
        }
        return "{\(members.joined(separator: ", "))}"
      }
    }
  }

  @Test("infers a schema that accepts every record of the input without losing a value")
  func random() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = RecordGenerator(random: SeededRandom(seed: seed))
    for _ in 0..<400 {
      let records = generator.records()
      let text = records.joined(separator: "\n")
      let inferred = try schemas(text)[0]
      // A key with nothing but null gets no field, so it is removed from the records.
      let empty = inferred.findings.filter { $0.field == nil }.map(\.key)
      var kept: [JSONValue] = []
      for record in records {
        guard case .object(let members) = try JSONValue(parsing: record) else { continue }
        kept.append(.object(members.filter { !empty.contains($0.name) }))
      }
      let result = try ReadResult(
        Array(kept.map(\.description).joined(separator: "\n").utf8), for: inferred.schema,
        ids: IDGenerator(clock: { 0 }))
      #expect(result.problems == [], "seed \(seed): \(text)")
      try #require(result.records.count == records.count, "seed \(seed)")
      for (record, line) in zip(kept, result.records) {
        let printed = try JSONValue(parsing: line)
        for finding in inferred.findings {
          guard let field = finding.field else { continue }
          let value = record[finding.key] ?? .null
          guard value != .null || field.type != .id else { continue }
          let back = printed[field.name] ?? .null
          #expect(isSame(value, back, field.type), "seed \(seed): \(field.name) \(value) \(back)")
        }
      }
    }
  }

  /// Returns whether a value is equal after the conversion to the type of its field.
  private func isSame(_ given: JSONValue, _ back: JSONValue, _ type: FieldType) -> Bool {
    switch (given, back) {
    case (.number(let given), .text(let back)) where type == .id:
      return given.integer.map { "\($0)" } == back
    case (.number(let given), .number(let back)):
      if type == .json { return given == back }
      return given.integer == back.integer && given.double == back.double
    case (.text(let given), .text(let back)):
      if given == back { return true }
      let times = [given, back].map { try? Timestamp(parsing: $0.utf8.span) }
      return (type == .datetime || type == .array(.datetime)) && times[0] == times[1]
    case (.array(let given), .array(let back)):
      return given.count == back.count && zip(given, back).allSatisfy { isSame($0, $1, type) }
    case (.object(let given), .object(let back)):
      return given.count == back.count
        && given.allSatisfy { member in
          back.contains { $0.name == member.name && isSame(member.value, $0.value, type) }
        }
    default: return given == back
    }
  }
}
