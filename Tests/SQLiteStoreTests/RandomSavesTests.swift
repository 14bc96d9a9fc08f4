import DataModel
import DataStore
import SQLiteStore
import TestSupport
import Testing

/// Compares the engine's bulk and single-row saves with `RowChanges.resolve` over a dictionary.
@Suite("SQLite: random saves")
struct RandomSavesTests {
  private static let scalars: [Field] = [
    Field("title", .text), Field("count", .integer), Field("price", .number),
    Field("done", .boolean, defaultValue: .boolean(false)), Field("due", .datetime),
    Field("day", .date),
    Field("place", .geopoint), Field("tags", .array(.text)), Field("extra", .json),
    Field("owner", .relation(Relation(to: "owner"))),
  ]

  @Test(
    "returns the same results for random saves as a simple reference store",
    .tags(.random), arguments: Seeds.count(check: 1, test: 1, all: 6).map { UInt64($0 + 1) },
    ["plain", "rich"])
  func matchesModel(_ seed: UInt64, _ name: String) async throws {
    let folder = try TestFolder()
    let owner = try Schema.test("owner")
    var fields = Self.scalars
    if name == "rich" {
      fields += [
        Field("code", .text, isUnique: true),
        Field("parent", .relation(Relation(to: "rich"))),
        Field("steps", .relation(Relation(to: "rich", isMany: true))),
      ]
    }
    var draft = SchemaDraft(name: name)
    draft.fields = ([Field("\(name)_id", .id)] + fields).map { SchemaDraft.FieldDraft($0) }
    draft.indexes = [
      SchemaDraft.IndexDraft([OrderTerm("title"), OrderTerm("due", isDescending: true)])
    ]
    let schema = try Schema(checking: draft)
    let store = try folder.open()
    try await store.createSchemas([owner, schema])
    try await store.save(
      [owner.chunk(["owner_id": "ann"], ["owner_id": "bob"])], in: owner)

    var source = RandomRecords(schema, seed: seed)
    var model = ModelStore(schema)
    for round in 0..<6 {
      let policy = SavePolicy(mode: source.pick([.createOrChange, .create, .update, .replace]))
      let chunks = (0..<3).map { _ in source.chunk(of: source.pick([1, 7, 150])) }
      let time = source.pick([Timestamp.noon, Timestamp.later])
      let exchange = try await store.save(
        chunks, in: schema, by: policy, at: time, onInvalid: .skip,
        commitEvery: round % 3 == 0 ? 100 : nil)
      let expected = chunks.flatMap { chunk in
        model.save(chunk, by: policy, stamp: Stamp(time: time, user: "ann"))
      }
      #expect(exchange.outcomes.map(\.summary) == expected)
      #expect(try await store.all(schema) == model.values)
    }
    await store.close()
    #expect(try folder.query("pragma integrity_check") == ["ok"])
    #expect(try folder.query("pragma foreign_key_check") == [])
  }
}

extension Outcome {
  /// The outcome without the messages of its problems.
  var summary: String {
    switch self {
    case .created: "created"
    case .changed(let slots): "changed \(slots)"
    case .same: "same"
    case .refused(let problems): "refused \(problems.map(\.code.rawValue).sorted())"
    }
  }
}

/// The simplest possible store, as the expected behavior.
private struct ModelStore {
  let schema: Schema
  var records: [String: Rows] = [:]

  init(_ schema: Schema) {
    self.schema = schema
  }

  var values: [String: [Value]] { records.mapValues { $0.values(0, of: schema) } }

  mutating func save(_ chunk: RowChanges, by policy: SavePolicy, stamp: Stamp) -> [String] {
    var chunk = chunk
    return (0..<chunk.count).map { row in
      let id = chunk.rows.text(chunk.rows[row, schema.keySlot])
      let outcome = chunk.resolve(row, over: records[id], by: policy, stamp: stamp)
      switch outcome {
      case .refused, .same: return outcome.summary
      case .created, .changed: break
      }
      let values = chunk.rows.values(row, of: schema)
      let problems = problems(of: values, id: id)
      guard problems.isEmpty else { return "refused \(problems.sorted())" }
      var rows = Rows(width: schema.width)
      rows.addRow()
      for (slot, value) in values.enumerated() { rows[0, slot] = rows.cell(for: value) }
      records[id] = rows
      return outcome.summary
    }
  }

  private func problems(of values: [Value], id: String) -> [String] {
    var problems: [String] = []
    for (slot, field) in schema.fields.enumerated() {
      if let relation = field.type.relation {
        let targets: [Value] = if case .list(let ids) = values[slot] { ids } else { [values[slot]] }
        for case .text(let target) in targets where !exists(target, of: relation, id) {
          problems.append("dangling_reference")
        }
      }
      let isDuplicate = records.contains {
        $0.key != id && $0.value.values(0, of: schema)[slot] == values[slot]
      }
      if field.isUnique && values[slot] != .null && isDuplicate { problems.append("not_unique") }
    }
    return problems
  }

  private func exists(_ target: String, of relation: Relation, _ id: String) -> Bool {
    relation.target == schema.name
      ? records[target] != nil || target == id : ["ann", "bob"].contains(target)
  }
}

/// Generates random records. Values are few, so that they often conflict.
private struct RandomRecords {
  let schema: Schema
  var ids = IDGenerator(clock: { 1_795_176_000_000_000 })
  var state: UInt64

  init(_ schema: Schema, seed: UInt64) {
    self.schema = schema
    state = seed
  }

  mutating func number(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  mutating func chunk(of count: Int) -> RowChanges {
    var changes = RowChanges(for: schema)
    for line in 1...count {
      changes.beginRecord(line: line)
      if number(below: 4) == 0 {
        changes.set(schema.keySlot, to: .text("r\(number(below: 12))"))
      } else {
        changes.assignID(from: &ids)
      }
      for (slot, field) in schema.fields.enumerated() where slot != schema.keySlot {
        if number(below: 3) > 0 { changes.set(slot, to: value(of: field.type)) }
      }
      _ = changes.endRecord()
    }
    return changes
  }

  private mutating func value(of type: FieldType) -> Value {
    let isList = type.relation?.isMany == true
    if number(below: 5) == 0 && !isList { return .null }
    switch type {
    case .text: return .text(pick(["", "tea", "e\u{301}", "é", "'; --", "🫖\n", "x\"y"]))
    case .integer: return .integer(pick([0, 1, .min, .max]))
    case .number: return .number(pick([0.1, .leastNonzeroMagnitude, 1e308, -2.5]))
    case .decimal(let digits):
      let coefficient = pick([-1, 0, 1, DecimalValue.power(digits.digits) - 1])
      return .decimal(DecimalValue(coefficient: coefficient, scale: digits.scale))
    case .boolean: return .boolean(pick([true, false]))
    case .date: return .date(pick([.earliest, .latest]))
    case .datetime: return .datetime(pick([.earliest, .noon, .latest]))
    case .geopoint:
      return (try? GeoPoint(latitude: 47.37, longitude: -8.5)).map(Value.geopoint) ?? .null
    case .json: return .json(pick(["{}", "[1,\"\\u00e9\"]", "\"x\""]))
    case .array: return .list(pick([[], [.text("a,\"b")], [.text("x"), .text("x")]]))
    case .relation(let relation) where relation.isMany:
      return .list(pick([[], [.text("r1")], [.text("r2"), .text("r1")], [.text("r11")]]))
    case .relation(let relation):
      return .text(pick(relation.target == "owner" ? ["ann", "bob", "eve"] : ["r1", "r2", "r3"]))
    case .id, .file, .password: return .null
    }
  }
}
