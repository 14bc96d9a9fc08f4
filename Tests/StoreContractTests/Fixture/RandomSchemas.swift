import DataModel
import DataStore
import TestSupport

/// Generates random schemas, random changes of them, and records.
struct RandomSchemas {
  var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  private static let types: [FieldType] = [
    .text, .text, .integer, .integer, .number, .boolean, .date, .datetime, .geopoint, .file, .json,
    .date, .array(.text), .array(.integer), .array(.date), .relation(Relation(to: "b")),
    .relation(Relation(to: "a", isMany: true)), .relation(Relation(to: "b", onDelete: .cascade)),
  ]

  /// Returns two or three schemas that refer to each other.
  mutating func initialSchemas() -> [SchemaDraft] {
    ["a", "b", "c"].prefix(random.number(2...3)).map { name in
      var draft = SchemaDraft(name: name)
      draft.fields = [.init(Field("\(name)_id", .id))]
      for index in 0..<random.number(1...5) { draft.fields.append(.init(field("f\(index)"))) }
      return validated(draft)
    }
  }

  private mutating func field(_ name: String) -> Field {
    var field = Field(name, random.pick(Self.types))
    if random.chance(15) { field.isRequired = true }
    if random.chance(15) { field.isUnique = true }
    if random.chance(25) { field.defaultValue = value(of: field.type) }
    return field
  }

  /// Returns the draft without properties that would make it invalid.
  private func validated(_ draft: SchemaDraft) -> SchemaDraft {
    var draft = draft
    for index in draft.fields.indices {
      var field = draft.fields[index].field
      let trials: [(inout Field) -> Void] = [
        { _ in }, { $0.defaultValue = nil }, { $0.isUnique = false }, { $0.isRequired = false },
        { field in (field.minimum, field.maximum, field.oneOf) = (nil, nil, []) },
      ]
      for trial in trials {
        trial(&field)
        draft.fields[index].field = field
        if isValid(draft.name, field) { break }
      }
    }
    return draft
  }

  private func isValid(_ name: String, _ field: Field) -> Bool {
    var draft = SchemaDraft(name: name)
    draft.fields = [.init(Field("\(name)_id", .id))]
    if field.type != .id { draft.fields.append(.init(field)) }
    return (try? Schema(checking: draft)) != nil
  }

  /// Returns the schemas with some changes. Renamed schemas and fields have a `was` name.
  mutating func changed(_ drafts: [SchemaDraft]) -> [SchemaDraft] {
    var drafts = drafts
    for _ in 0..<random.number(1...4) {
      let index = random.number(0...drafts.count - 1)
      var trial = drafts
      change(&trial, index)
      trial = trial.map(validated)
      if (try? trial.map { try DeclaredSchema(checking: $0) }) != nil { drafts = trial }
    }
    return drafts
  }

  private mutating func change(_ drafts: inout [SchemaDraft], _ index: Int) {
    let own = drafts[index].fields.indices.filter { drafts[index].fields[$0].field.type != .id }
    guard let slot = own.isEmpty ? nil : random.pick(own) else {
      return drafts[index].fields.append(.init(field("n\(random.number(0...9))")))
    }
    switch random.number(0...13) {
    case 0, 1, 2: drafts[index].fields.append(.init(field("n\(random.number(0...9))")))
    case 3: drafts[index].fields.remove(at: slot)
    case 4, 5:
      let name = drafts[index].fields[slot].field.name
      if drafts[index].fields[slot].was == nil { drafts[index].fields[slot].was = name }
      drafts[index].fields[slot].field.name = "r\(random.number(0...9))"
      drafts[index].indexes = []
    case 6: rename(&drafts, index)
    case 7, 8:
      let old = drafts[index].fields[slot].field.type
      let near = Self.types.filter { Conversion(old, $0) != nil }
      let isAny = near.isEmpty || random.chance(15)
      drafts[index].fields[slot].field.type = random.pick(isAny ? Self.types : near)
      (drafts[index].fields[slot].field.defaultValue, drafts[index].indexes) = (nil, [])
    case 9: drafts[index].fields[slot].field.isRequired.toggle()
    case 10: drafts[index].fields[slot].field.isUnique.toggle()
    case 11:
      drafts[index].fields[slot].field.maximum = .integer(Int64(random.number(1...30)))
      drafts[index].fields[slot].field.doc = "Changed."
    case 12:
      let name = drafts[index].fields[slot].field.name
      drafts[index].indexes = [.init([OrderTerm(name, isDescending: random.chance(50))])]
    default: drafts[index].fields.shuffle(using: &random)
    }
  }

  private mutating func rename(_ drafts: inout [SchemaDraft], _ index: Int) {
    let (old, new) = (drafts[index].name, "s\(random.number(0...9))")
    guard !drafts.contains(where: { $0.name == new || $0.was == new }) else { return }
    if drafts[index].was == nil { drafts[index].was = old }
    drafts[index].name = new
    for other in drafts.indices {
      for slot in drafts[other].fields.indices {
        if var relation = drafts[other].fields[slot].field.type.relation, relation.target == old {
          relation.target = new
          drafts[other].fields[slot].field.type = .relation(relation)
        }
      }
    }
    for slot in drafts[index].fields.indices where drafts[index].fields[slot].field.type == .id {
      drafts[index].fields[slot].field.name = "\(new)_id"
    }
  }

  /// Returns a record of a schema. Its references are ids from 0 to 2.
  mutating func row(_ id: Int, of schema: Schema) -> Row {
    var row: Row = [schema.key.name: .value(.text("\(id)"))]
    for field in schema.fields where field.type != .id {
      guard field.isRequired || random.chance(60), let value = value(of: field.type) else {
        continue
      }
      if case .file(let reference) = value {
        row.entries.append(
          (name: field.name, input: .file(reference, .bytes(Array(reference.name.utf8)))))
      } else {
        row.entries.append((name: field.name, input: .value(value)))
      }
    }
    return row
  }

  private mutating func value(of type: FieldType) -> Value? {
    switch type {
    case .id, .password: return nil
    case .text: return random.pick(["", "a", "12", "-7", "true", "1.5", "1", "é", "2026-11-20"])
    case .integer: return random.pick([0, 1, -5, 7, 9_007_199_254_740_993])
    case .number: return random.pick([0.0, 1.0, -3.0, 1.5])
    case .decimal(let digits):
      let value = random.pick([0, 1, -5, DecimalValue.power(digits.digits) - 1])
      return .decimal(DecimalValue(coefficient: value, scale: digits.scale))
    case .boolean: return random.pick([true, false])
    case .date: return .date(CalendarDate(StoreFixture.noon))
    case .datetime: return .datetime(StoreFixture.noon)
    case .geopoint: return .point(Double(random.number(0...3)), 1)
    case .file:
      let name = random.pick(["x", "yy"])
      return .file(FileReference(name, Array(name.utf8)))
    case .json: return .json(random.pick(["1", "[1,2]", #"{"a":null}"#]))
    case .relation(let relation):
      let ids = (0...2).shuffled(using: &random).prefix(random.number(1...2)).map {
        Value.text("\($0)")
      }
      return relation.isMany ? .list(Array(ids)) : ids[0]
    case .array(let element):
      let values = (0..<random.number(0...2)).compactMap { _ in value(of: element.fieldType) }
      return .list(values)
    }
  }
}
