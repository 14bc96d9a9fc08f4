import DataModel
import DataStore
import QuestionSamples
import Testing

@Suite("Questions to each engine")
struct QuestionTests {
  /// The engines that decide every condition.
  static let engines = Engine.all

  @Test("random conditions select what the plain reading selects", arguments: engines, 0..<20)
  func conditions(engine: Engine, seed: Int) async throws {
    var world = try World(seed: UInt64(seed))
    let bench = try await Workbench(engine, world.catalog.schemas)
    try await bench.save(world)
    for _ in 0..<50 {
      let question = try world.question()
      let ids = try await bench.ids(question.schema.name, where: question.condition)
      let expected = question.selected.map(Value.text)
      #expect(Set(ids.compactMap(\.self)) == Set(expected), "seed \(seed): \(question.condition)")
    }
  }

  @Test("an order leads through relations to one record", arguments: engines, 0..<10)
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

extension Workbench {
  /// Saves all the records of a world: the ids first, so that references find them.
  fileprivate func save(_ world: World) async throws {
    let stored = try await store.catalog()
    for batches in [world.beginnings, world.batches] {
      for schema in stored.catalog.schemas {
        var exchange = Exchange([try #require(batches[schema.name])])
        try await store.save(
          SaveRequest(
            schema: schema, catalogVersion: stored.version, policy: SavePolicy(),
            stamp: world.stamp),
          through: &exchange)
      }
    }
  }
}
