import DataModel
import DataStore
import QuestionSamples
import Testing

@Suite("Store contract: random queries")
struct QuestionTests {
  /// The memory store evaluates conditions by the same code as the expected result: few runs
  /// suffice.
  private static let worlds =
    (0..<200).map { (Engine.sqlite, $0) } + (0..<10).map { (Engine.memory, $0) }

  @Test("selects the expected records for random conditions", arguments: worlds)
  func conditions(engine: Engine, seed: Int) async throws {
    var world = try World(seed: UInt64(seed))
    let bench = try await Workbench(engine, world.catalog.schemas)
    try await bench.save(world)
    var telling = 0
    for _ in 0..<100 {
      let question = try world.question()
      let ids = try await bench.ids(question.schema.name, where: question.condition)
      let expected = question.selected.map(Value.text)
      #expect(Set(ids.compactMap(\.self)) == Set(expected), "seed \(seed): \(question.condition)")
      #expect(ids.count == expected.count, "seed \(seed): \(question.condition)")
      if question.isTelling { telling += 1 }
    }
    #expect(telling >= 50, "seed \(seed): too many conditions select none or all")
  }

  @Test(
    "counts and deletes the records that a random condition selects", arguments: Engine.all, 0..<10)
  func deletions(engine: Engine, seed: Int) async throws {
    var world = try World(seed: UInt64(seed))
    let bench = try await Workbench(engine, world.catalog.schemas)
    try await bench.save(world)
    for _ in 0..<20 {
      let question = try world.question()
      let query = Query(question.schema, where: question.condition)
      #expect(try await bench.store.count(query) == question.selected.count, "seed \(seed)")
      let summary = try await bench.delete(
        question.schema.name, .matching(question.condition), end: .rollBack)
      #expect(summary.deleted == question.selected.count, "seed \(seed): \(question.condition)")
    }
  }

  @Test("orders by fields of related records", arguments: Engine.all, 0..<10)
  func orders(engine: Engine, seed: Int) async throws {
    var world = try World(seed: UInt64(seed))
    let bench = try await Workbench(engine, world.catalog.schemas)
    try await bench.save(world)
    for _ in 0..<10 {
      let (schema, path) = try world.orderedPath()
      let route = try world.catalog.route(path, from: schema)
      let ids = try await bench.ids(schema.name, order: "-\(path)")
      #expect(ids.count == world.records[schema.name]?.count)
      let values = ids.map { id -> Value in
        guard case .text(let id) = id, let row = world.row(schema.name, Array(id.utf8)) else {
          return .null
        }
        return route.value(from: row, 0, world.row)
      }
      for (place, (value, next)) in zip(values, values.dropFirst()).enumerated() {
        let order = value.order(beside: next)
        let isRight =
          next == .null || order == .after || order == .same && isAbove(ids[place], ids[place + 1])
        #expect(
          isRight && (value != .null || isAbove(ids[place], ids[place + 1])), "\(seed): \(path)")
      }
    }
  }

  private func isAbove(_ first: Value?, _ second: Value?) -> Bool {
    guard let first, let second else { return false }
    return first.order(beside: second) == .after
  }
}
