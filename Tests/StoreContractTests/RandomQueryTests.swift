import DataModel
import DataStore
import Foundation
import TestSupport
import Testing

@Suite("Store contract: random queries", .tags(.random))
struct RandomQueryTests {
  /// The memory store evaluates conditions by the same code as the expected result: few runs
  /// suffice.
  private static let runs =
    Seeds.count(check: 3, test: 40, all: 300).map { (Engine.sqlite, $0) }
    + Seeds.count(check: 1, test: 3, all: 10).map { (Engine.memory, $0) }
    + Engine.servers.flatMap { server in Seeds.count(test: 1, all: 20).map { (server, $0) } }

  @Test(
    "selects the same records by random conditions as ConditionMatcher does in memory",
    arguments: runs)
  func conditions(engine: Engine, seed: Int) async throws {
    var sampleData = try SampleData(seed: UInt64(seed))
    let fixture = try await StoreFixture(engine, sampleData.catalog.schemas)
    try await fixture.save(sampleData)
    var selectiveCount = 0
    for _ in 0..<100 {
      let sampleQuery = try sampleData.sampleQuery()
      let ids = try await fixture.ids(sampleQuery.schema.name, where: sampleQuery.condition)
      let expected = sampleQuery.selected.map(Value.text)
      #expect(
        Set(ids.compactMap(\.self)) == Set(expected), "seed \(seed): \(sampleQuery.condition)")
      #expect(ids.count == expected.count, "seed \(seed): \(sampleQuery.condition)")
      if sampleQuery.isSelective { selectiveCount += 1 }
    }
    #expect(selectiveCount >= 50, "seed \(seed): too many conditions select none or all")
  }

  @Test(
    "counts and deletes the records that a random condition selects",
    arguments: Engine.all, Seeds.count(check: 1, test: 1, all: 10))
  func deletions(engine: Engine, seed: Int) async throws {
    var sampleData = try SampleData(seed: UInt64(seed))
    let fixture = try await StoreFixture(engine, sampleData.catalog.schemas)
    try await fixture.save(sampleData)
    for _ in 0..<20 {
      let sampleQuery = try sampleData.sampleQuery()
      let query = Query(sampleQuery.schema, where: sampleQuery.condition)
      #expect(try await fixture.store.count(query) == sampleQuery.selected.count, "seed \(seed)")
      let summary = try await fixture.delete(
        sampleQuery.schema.name, .matching(sampleQuery.condition), end: .rollBack)
      #expect(
        summary.deleted == sampleQuery.selected.count, "seed \(seed): \(sampleQuery.condition)")
    }
  }

  @Test(
    "sorts records by the fields of related records",
    arguments: Engine.all, Seeds.count(test: 2, all: 10))
  func orders(engine: Engine, seed: Int) async throws {
    var sampleData = try SampleData(seed: UInt64(seed))
    let fixture = try await StoreFixture(engine, sampleData.catalog.schemas)
    try await fixture.save(sampleData)
    for _ in 0..<10 {
      let (schema, path) = try sampleData.orderedPath()
      let resolvedPath = try sampleData.catalog.resolvedPath(path, from: schema)
      let ids = try await fixture.ids(schema.name, order: "-\(path)")
      #expect(ids.count == sampleData.records[schema.name]?.count)
      let values = ids.map { id -> Value in
        guard case .text(let id) = id,
          let row = sampleData.related.record(Array(id.utf8), in: schema.name)
        else { return .null }
        return resolvedPath.value(from: row, 0, sampleData.related)
      }
      for (index, (value, next)) in zip(values, values.dropFirst()).enumerated() {
        let order = value.order(comparedTo: next)
        let isOrdered =
          next == .null || order == .after
          || order == .same && isGreater(ids[index], ids[index + 1])
        #expect(
          isOrdered && (value != .null || isGreater(ids[index], ids[index + 1])), "\(seed): \(path)"
        )
      }
    }
  }

  @Test(
    "computes the same components of datetimes, such as the hour in a zone, as the memory store",
    arguments: Engine.all, ["Europe/Zurich", "America/St_Johns", "Australia/Lord_Howe", "UTC"])
  func zones(engine: Engine, zone: String) async throws {
    let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(zone)"))
    let rules = try #require(TimeZoneRules(name: zone, parsing: Array(file)))
    let schema = try Schema.test("visit", Field("at", .datetime))
    let fixture = try await StoreFixture(engine, [schema])
    let memory = try await StoreFixture(.memory, [schema])
    var generator = SeededRandom(seed: 7)
    var times = [Timestamp.earliest.microseconds, Timestamp.latest.microseconds, -1, 0]
    for transition in rules.transitions(in: -3_000_000_000...9_000_000_000).prefix(40) {
      times += [transition.time * 1_000_000 - 1, transition.time * 1_000_000]
    }
    for _ in 0..<60 {
      times.append(Int64.random(in: times[0]...times[1], using: &generator))
      times.append(Int64.random(in: 0...4_000_000_000_000_000, using: &generator))
    }
    let rows = times.enumerated().map { index, time -> Row in
      [
        "visit_id": .value(.text("\(index)")),
        "at": .value(Timestamp(microseconds: time).map(Value.datetime) ?? .null),
      ]
    }
    #expect(try await fixture.trySave("visit", rows).error == nil)
    #expect(try await memory.trySave("visit", rows).error == nil)
    let local = Expression.local(.path(FieldPath("at")), TimeZoneOffsets(rules))
    let parts = ScalarFunction.allCases.filter(\.isTimePart).map {
      NamedExpression($0.rawValue, .function($0, [local]))
    }
    let query = GroupQuery(
      schema, columns: [NamedExpression(FieldPath("visit_id"))] + parts, aggregates: [.count])
    #expect(try await fixture.groups(query) == memory.groups(query))
  }

  @Test(
    "computes the same distances and finds the same records in circles as the memory store",
    arguments: Engine.all)
  func distances(engine: Engine) async throws {
    let schema = try Schema.test("spot", Field("place", .geopoint))
    let fixture = try await StoreFixture(engine, [schema])
    let memory = try await StoreFixture(.memory, [schema])
    var generator = SeededRandom(seed: 11)
    var points: [(Double, Double)] = [
      (90, 0), (-90, 7), (0, 180), (0, -180), (-47.37, -171.46), (47.37, 8.54),
    ]
    for _ in 0..<150 {
      let spreads: [Double] = [0.001, 0.1, 5, 80]
      let spread = spreads[Int.random(in: 0..<4, using: &generator)]
      points.append(
        (
          min(max(47.37 + .random(in: -spread...spread, using: &generator), -90), 90),
          8.54 + .random(in: -spread...spread, using: &generator)
        ))
    }
    let rows = points.enumerated().map { index, place -> Row in
      let point = try? GeoPoint(latitude: place.0, longitude: place.1)
      return [
        "spot_id": .value(.text("\(index)")),
        "place": .value(index % 20 == 9 ? .null : point.map(Value.geopoint) ?? .null),
      ]
    }
    #expect(try await fixture.trySave("spot", rows).error == nil)
    #expect(try await memory.trySave("spot", rows).error == nil)
    let center = try GeoPoint(latitude: 47.37, longitude: 8.54)
    let distance = Expression.distance(FieldPath("place"), to: center)
    for isDescending in [false, true] {
      let term = OrderTerm(distance, text: "distance", isDescending: isDescending)
      let whole = try await memory.ids(Query(schema, order: [term]))
      #expect(try await fixture.ids(Query(schema, order: [term])) == whole)
      for limit in [1, 3, 40, 90, 200] {
        let nearby = try await fixture.store.nearby(Query(schema, order: [term], limit: limit))
        #expect(nearby.condition == .all || !isDescending)
        #expect(try await fixture.ids(nearby) == Array(whole.prefix(limit)), "\(limit)")
      }
    }
    let query = GroupQuery(
      schema, columns: [NamedExpression(FieldPath("spot_id")), NamedExpression("d", distance)])
    #expect(try await fixture.groups(query) == memory.groups(query))
  }

  private func isGreater(_ first: Value?, _ second: Value?) -> Bool {
    guard let first, let second else { return false }
    return first.order(comparedTo: second) == .after
  }
}
