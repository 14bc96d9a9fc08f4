import DataModel
import DataStore
import TestSupport
import Testing

/// Two engines that run the same commands and must return the same results.
struct EnginePair: Sendable, CustomTestStringConvertible {
  let first: Engine
  let second: Engine

  var testDescription: String { "\(first.testDescription) and \(second.testDescription)" }

  /// Every engine paired with the memory store, which is the simplest.
  static let all = Engine.all.map { EnginePair(first: $0, second: .memory) }
}

@Suite("Store contract: random operations", .tags(.random))
struct RandomCommandTests {
  /// The visible result of a command.
  private struct CommandResult: Hashable {
    var outcomes: [Outcome] = []
    var records: [Record] = []
    var problems: Set<Problem> = []
    var summary: DeleteSummary?
  }

  private func run(_ command: Command, on fixture: StoreFixture, at time: Timestamp) async throws
    -> CommandResult
  {
    var result = CommandResult()
    do {
      switch command {
      case .save(let name, let rows, let policy, let chunkSize, let end, let onInvalid):
        let saved = try await fixture.trySave(
          name, rows, by: policy, user: "ann", at: time, chunkSize: chunkSize, end: end,
          onInvalid: onInvalid)
        result.outcomes = saved.outcomes
        result.records = saved.records
        result.problems = Set(saved.problems + (saved.error?.problems ?? []))
      case .delete(let name, let selection, let missing):
        result.summary = try await fixture.delete(
          name, selection, missing: missing, user: "bob", at: time)
      }
    } catch let error as DataError {
      result.problems = Set(error.problems)
    }
    return result
  }

  @Test(
    "returns the same records and problems on two engines for random operations",
    arguments: EnginePair.all,
    Seeds.count(test: 2, all: 40).map { UInt64($0 + 1) })
  func same(pair: EnginePair, seed: UInt64) async throws {
    var commands = try RandomCommands(seed: seed)
    let first = try await StoreFixture(pair.first, commands.schemas)
    let second = try await StoreFixture(pair.second, commands.schemas)
    for step in 0..<60 {
      let command = commands.next()
      let time = try #require(
        Timestamp(microseconds: StoreFixture.noon.microseconds + Int64(step % 7) * 1_000_000))
      let before = try await first.everything()
      let result = try await run(command, on: first, at: time)
      let context: Comment = "seed \(seed), step \(step): \(command)"
      #expect(result == (try await run(command, on: second, at: time)), context)
      let after = try await first.everything()
      #expect(after == (try await second.everything()), context)
      if before != after { checkInvariants(after, commands.schemas, context) }
      #expect(before == after || mayChange(command, result), context)
    }
  }

  private func mayChange(_ command: Command, _ result: CommandResult) -> Bool {
    switch command {
    case .delete: result.summary != nil
    case .save(_, _, _, _, let end, let onInvalid):
      end == .commit && (onInvalid == .skip || result.problems.isEmpty)
    }
  }

  /// Checks the invariants of every store after every command.
  private func checkInvariants(
    _ records: [String: [Record]], _ schemas: [Schema], _ context: Comment
  ) {
    for schema in schemas {
      let all = records[schema.name] ?? []
      for field in schema.fields {
        let values = all.compactMap { $0[field.name] }.filter { $0 != .null }
        if field.isUnique { #expect(Set(values).count == values.count, context) }
        if field.isRequired { #expect(values.count == all.count, context) }
        guard let relation = field.type.relation else { continue }
        let key = schemas.first { $0.name == relation.target }?.key.name ?? ""
        let targets = Set((records[relation.target] ?? []).compactMap { $0[key] })
        #expect(Set(values.flatMap(\.elements)).isSubset(of: targets), context)
      }
    }
  }
}

/// A command for both engines of a comparison.
enum Command: Sendable {
  case save(
    String, [Row], SavePolicy, chunkSize: Int, end: WriteRequest.End,
    onInvalid: WriteRequest.OnInvalid)
  case delete(String, DeleteRequest.Selection, DeleteRequest.Missing)
}

/// Generates random schemas and commands on them. Ids and values are few, so that they often
/// conflict.
struct RandomCommands {
  var generator: SeededRandom
  private(set) var schemas: [Schema] = []

  init(seed: UInt64) throws {
    generator = SeededRandom(seed: seed)
    for name in ["a", "b"] { schemas.append(try makeSchema(name)) }
  }

  private mutating func makeSchema(_ name: String) throws -> Schema {
    var fields: [Field] = []
    for number in 0..<Int.random(in: 1...5, using: &generator) {
      fields.append(makeField("f\(number)"))
    }
    var draft = SchemaDraft(name: name)
    draft.fields = [.init(Field(name + "_id", .id))] + fields.map { .init($0) }
    draft.fields.shuffle(using: &generator)
    return try Schema(checking: draft)
  }

  private mutating func makeField(_ name: String) -> Field {
    var field = Field(name, makeType())
    field.isUnique = field.type.isOrdered && generator.chance(30)
    field.isRequired = generator.chance(20) && field.type.relation?.isMany != true
    switch field.type {
    case .integer where generator.chance(50): field.maximum = .integer(4)
    case .text where generator.chance(30): field.defaultValue = "x"
    case .array(.text) where generator.chance(30): field.maximum = .integer(2)
    case .id, .text, .integer, .number, .decimal, .boolean, .date, .datetime, .geopoint, .file,
      .json, .password, .relation, .array:
      break
    }
    return field
  }

  private mutating func makeType() -> FieldType {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: return .text
    case 1: return .integer
    case 2: return .number
    case 3: return .boolean
    case 4: return .datetime
    case 5: return .array(.text)
    case 6: return .json
    case 7: return .date
    default:
      let onDelete = generator.pick(Relation.OnDelete.allCases)
      return .relation(
        Relation(
          to: generator.pick(["a", "b"]), isMany: generator.chance(40), onDelete: onDelete))
    }
  }

  mutating func next() -> Command {
    let schema = generator.pick(schemas)
    guard generator.chance(75) else { return deletion(in: schema) }
    var rows: [Row] = []
    for _ in 0..<Int.random(in: 1...5, using: &generator) { rows.append(row(of: schema)) }
    let policy = SavePolicy(
      mode: generator.pick([.createOrChange, .createOrChange, .create, .update, .replace]),
      revisions: generator.pick([.checked, .ignored]),
      systemFields: generator.pick([.kept, .kept, .kept, .given]))
    return .save(
      schema.name, rows, policy, chunkSize: generator.pick([1, 2, 100]),
      end: generator.pick([.commit, .commit, .commit, .rollBack]),
      onInvalid: generator.pick([.refuseAll, .skip]))
  }

  private mutating func deletion(in schema: Schema) -> Command {
    let ids = (0..<Int.random(in: 1...3, using: &generator)).map { _ in makeID() }
    let selection: DeleteRequest.Selection =
      generator.chance(80)
      ? .ids(IDList(ids)) : .matching(.equals(field: schema.key.name, value: .text(makeID())))
    return .delete(schema.name, selection, generator.pick([.refused, .ignored]))
  }

  private mutating func makeID() -> String { "i\(Int.random(in: 0..<6, using: &generator))" }

  private mutating func row(of schema: Schema) -> Row {
    var row: Row = [:]
    row.entries.append((name: schema.key.name, input: .value(.text(makeID()))))
    for field in schema.fields where field.type != .id && generator.chance(60) {
      row.entries.append((name: field.name, input: input(for: field)))
    }
    if generator.chance(10) {
      row.entries.append((name: "revision", input: .value(.integer(generator.pick([1, 2, 3])))))
    }
    return row
  }

  private mutating func input(for field: Field) -> Row.Input {
    let isList = field.type.isList
    if generator.chance(15), field.type.relation?.isMany != true, !field.isRequired { return nil }
    if isList && generator.chance(50) {
      let list = makeList(field.type)
      return generator.chance(50) ? .edit(append: list) : .edit(remove: list, append: [])
    }
    switch field.type {
    case .integer where generator.chance(40), .number where generator.chance(40):
      return .add(generator.pick(["1", "-1", "2", "0"]))
    case .integer: return .value(.integer(Int64.random(in: -2...4, using: &generator)))
    case .number: return .value(.number(generator.pick([0.5, -1.5, 1e300])))
    case .decimal(let digits):
      if generator.chance(40) { return .add(generator.pick(["0.01", "-0.5", "2", "0"])) }
      let coefficient = Int128(Int64.random(in: -200...200, using: &generator))
      return .value(.decimal(DecimalValue(coefficient: coefficient, scale: digits.scale)))
    case .boolean: return .value(.boolean(generator.chance(50)))
    case .date: return .value(.date(generator.pick([.earliest, .latest])))
    case .datetime:
      return .value(.datetime(generator.pick([StoreFixture.noon, StoreFixture.later])))
    case .json: return .value(.json(generator.pick(["1", "[]", #"{"a":null}"#])))
    case .relation(let relation) where !relation.isMany: return .value(.text(makeID()))
    case .relation, .array: return .value(.list(makeList(field.type)))
    case .id, .text, .geopoint, .file, .password:
      return .value(.text(generator.pick(["", "x", "y", "é", "e\u{301}"])))
    }
  }

  private mutating func makeList(_ type: FieldType) -> [Value] {
    var list: [Value] = []
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      let value: Value = .text(type.relation == nil ? generator.pick(["x", "y"]) : makeID())
      if !list.contains(value) { list.append(value) }
    }
    return list
  }
}
