import DataModel
import DataStore
import QuestionSamples

/// Generates random schemas, random changes of them, and records.
struct RandomSchemas {
  var dice: Dice

  init(seed: UInt64) {
    dice = Dice(seed: seed)
  }

  private static let types: [FieldType] = [
    .text, .text, .integer, .integer, .number, .boolean, .datetime, .geopoint, .file, .json,
    .array(.text), .array(.integer), .relation(Relation(to: "b")),
    .relation(Relation(to: "a", isMany: true)), .relation(Relation(to: "b", onDelete: .cascade)),
  ]

  /// Returns two or three schemas that refer to each other.
  mutating func beginning() -> [SchemaDraft] {
    ["a", "b", "c"].prefix(dice.number(2...3)).map { name in
      var draft = SchemaDraft(name: name)
      draft.fields = [.init(Field("\(name)_id", .id))]
      for place in 0..<dice.number(1...5) { draft.fields.append(.init(field("f\(place)"))) }
      return settled(draft)
    }
  }

  private mutating func field(_ name: String) -> Field {
    var field = Field(name, dice.one(of: Self.types))
    if dice.falls(15) { field.isRequired = true }
    if dice.falls(15) { field.isUnique = true }
    if dice.falls(25) { field.defaultValue = value(of: field.type) }
    return field
  }

  /// Returns the draft without properties that would make it invalid.
  private func settled(_ draft: SchemaDraft) -> SchemaDraft {
    var draft = draft
    for place in draft.fields.indices {
      var field = draft.fields[place].field
      let trials: [(inout Field) -> Void] = [
        { _ in }, { $0.defaultValue = nil }, { $0.isUnique = false }, { $0.isRequired = false },
        { field in (field.minimum, field.maximum, field.oneOf) = (nil, nil, []) },
      ]
      for trial in trials {
        trial(&field)
        draft.fields[place].field = field
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
    for _ in 0..<dice.number(1...4) {
      let place = dice.number(0...drafts.count - 1)
      var trial = drafts
      change(&trial, place)
      trial = trial.map(settled)
      if (try? trial.map { try DeclaredSchema(checking: $0) }) != nil { drafts = trial }
    }
    return drafts
  }

  private mutating func change(_ drafts: inout [SchemaDraft], _ place: Int) {
    let own = drafts[place].fields.indices.filter { drafts[place].fields[$0].field.type != .id }
    guard let slot = own.isEmpty ? nil : dice.one(of: own) else {
      return drafts[place].fields.append(.init(field("n\(dice.number(0...9))")))
    }
    switch dice.number(0...13) {
    case 0, 1, 2: drafts[place].fields.append(.init(field("n\(dice.number(0...9))")))
    case 3: drafts[place].fields.remove(at: slot)
    case 4, 5:
      let name = drafts[place].fields[slot].field.name
      if drafts[place].fields[slot].was == nil { drafts[place].fields[slot].was = name }
      drafts[place].fields[slot].field.name = "r\(dice.number(0...9))"
      drafts[place].indexes = []
    case 6: rename(&drafts, place)
    case 7, 8:
      let old = drafts[place].fields[slot].field.type
      let near = Self.types.filter { Conversion(old, $0) != nil }
      let isAny = near.isEmpty || dice.falls(15)
      drafts[place].fields[slot].field.type = dice.one(of: isAny ? Self.types : near)
      (drafts[place].fields[slot].field.defaultValue, drafts[place].indexes) = (nil, [])
    case 9: drafts[place].fields[slot].field.isRequired.toggle()
    case 10: drafts[place].fields[slot].field.isUnique.toggle()
    case 11:
      drafts[place].fields[slot].field.maximum = .integer(Int64(dice.number(1...30)))
      drafts[place].fields[slot].field.doc = "Changed."
    case 12:
      let name = drafts[place].fields[slot].field.name
      drafts[place].indexes = [.init([OrderTerm(name, isDescending: dice.falls(50))])]
    default: drafts[place].fields.shuffle(using: &dice)
    }
  }

  private mutating func rename(_ drafts: inout [SchemaDraft], _ place: Int) {
    let (old, new) = (drafts[place].name, "s\(dice.number(0...9))")
    guard !drafts.contains(where: { $0.name == new || $0.was == new }) else { return }
    if drafts[place].was == nil { drafts[place].was = old }
    drafts[place].name = new
    for other in drafts.indices {
      for slot in drafts[other].fields.indices {
        if var relation = drafts[other].fields[slot].field.type.relation, relation.target == old {
          relation.target = new
          drafts[other].fields[slot].field.type = .relation(relation)
        }
      }
    }
    for slot in drafts[place].fields.indices where drafts[place].fields[slot].field.type == .id {
      drafts[place].fields[slot].field.name = "\(new)_id"
    }
  }

  /// Returns a record of a schema. Its references are ids from 0 to 2.
  mutating func row(_ id: Int, of schema: Schema) -> Row {
    var row: Row = [schema.key.name: .value(.text("\(id)"))]
    for field in schema.fields where field.type != .id {
      guard field.isRequired || dice.falls(60), let value = value(of: field.type) else { continue }
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
    case .text: return dice.one(of: ["", "a", "12", "-7", "true", "1.5", "1", "é"])
    case .integer: return dice.one(of: [0, 1, -5, 7, 9_007_199_254_740_993])
    case .number: return dice.one(of: [0.0, 1.0, -3.0, 1.5])
    case .boolean: return dice.one(of: [true, false])
    case .datetime: return .datetime(Workbench.noon)
    case .geopoint: return .point(Double(dice.number(0...3)), 1)
    case .file:
      let name = dice.one(of: ["x", "yy"])
      return .file(FileReference(name, Array(name.utf8)))
    case .json: return .json(dice.one(of: ["1", "[1,2]", #"{"a":null}"#]))
    case .relation(let relation):
      let ids = (0...2).shuffled(using: &dice).prefix(dice.number(1...2)).map {
        Value.text("\($0)")
      }
      return relation.isMany ? .list(Array(ids)) : ids[0]
    case .array(let element):
      let values = (0..<dice.number(0...2)).compactMap { _ in value(of: element.fieldType) }
      return .list(values)
    }
  }
}
