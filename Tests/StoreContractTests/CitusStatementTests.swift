import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Statements for Citus", .tags(.postgres), .from(.all))
struct CitusStatementTests {
  /// Saves a tour through a town, which is in a land with a river.
  private func tours() async throws -> (fixture: StoreFixture, tour: Schema) {
    func many(_ schema: String) -> FieldType { .relation(Relation(to: schema, isMany: true)) }
    let river = try Schema.test("river", Field("name", .text), Field("mouths", .array(.text)))
    let land = try Schema.test("land", Field("rivers", many("river")))
    let town = try Schema.test("town", Field("name", .text), Field("lands", many("land")))
    let tour = try Schema.test("tour", Field("towns", many("town")))
    let fixture = try await StoreFixture(.citus, [river, land, town, tour])
    try await fixture.save(
      "river", ["river_id": "r", "name": "Po", "mouths": .value(.list(["Goro", "Pila"]))])
    try await fixture.save("land", ["land_id": "l", "rivers": .value(.list(["r"]))])
    try await fixture.save("town", ["town_id": "a", "name": "Ulm", "lands": .value(.list(["l"]))])
    try await fixture.save("tour", ["tour_id": "t", "towns": .value(.list(["a"]))])
    return (fixture, tour)
  }

  @Test("selects matching related records in one subquery for all conditions on the same path")
  func relatedIDs() async throws {
    let (fixture, tour) = try await tours()
    let name = FieldPath(names: ["towns", "name"])
    let river = FieldPath(names: ["towns", "lands", "rivers", "name"])
    let condition = Condition.or([
      .test(name, .compare(.equal, "Bern")), .test(river, .compare(.equal, "Po")),
      .test(FieldPath(names: ["towns"]), .compare(.equal, "x")), .test(name, .isNull),
    ])
    #expect(try await fixture.ids(Query(tour, where: condition)) == ["t"])
    #expect(try await fixture.ids(Query(tour, where: .not(condition))) == [])
    let statements = fixture.location.recorder.statements.filter { $0.contains("\"_1\"") }
    let related = """
      "tour"."tour_id" in (select source from "store.tour.towns" as _links where target in \
      (select "_1"."town_id" from "store.town" as "_1" where "_1"."name" = ? \
      or "_1"."name" is null or "_1"."town_id" in (select source from "store.town.lands" as _links \
      where target in (select "_2"."land_id" from "store.land" as "_2" where "_2"."land_id" in \
      (select source from "store.land.rivers" as _links where target in (select "_3"."river_id" \
      from "store.river" as "_3" where "_3"."name" = ?)))))))
      """
    #expect(statements.allSatisfy { $0.contains(related) }, "\(statements)")
    #expect(statements.count == 2)
  }

  @Test("executes a write on every worker, for each table of a save, before the save reads")
  func firstWrite() async throws {
    let part = try Schema.test(
      "part", Field("number", .integer, isUnique: true), Field("name", .text, isUnique: true))
    let fixture = try await StoreFixture(.citus, [part])
    try await fixture.save("part", ["part_id": "a", "number": 1, "name": "x"])
    let statements = fixture.location.recorder.statements
    #expect(statements.contains("delete from \"store._staging\""))
    #expect(
      statements.filter { $0.hasSuffix("where value is null") } == [
        "delete from \"store.part.number:unique\" where value is null"
      ])
  }

  @Test(
    "uses the separate table of unique values when a query compares a unique field with a value")
  func uniqueValues() async throws {
    let part = try Schema.test("part", Field("number", .integer, isUnique: true))
    let fixture = try await StoreFixture(.citus, [part])
    try await fixture.save("part", ["part_id": "a", "number": 1], ["part_id": "b"])
    let isOne = Condition.equals(field: "number", value: 1)
    #expect(try await fixture.ids(Query(part, where: isOne)) == ["a"])
    #expect(try await fixture.ids(Query(part, where: .not(isOne))) == ["b"])
    #expect(
      fixture.location.recorder.statements.contains {
        $0.contains(
          """
          "part"."part_id" in (select id from "store.part.number:unique" where value = ?)
          """)
      })
  }

  @Test("rejects a condition with too many subqueries")
  func subqueries() async throws {
    let (fixture, tour) = try await tours()
    let name = FieldPath(names: ["towns", "name"])
    func condition(_ count: Int) -> Condition {
      .and(Array(repeating: .test(name, .compare(.equal, "Ulm")), count: count))
    }
    #expect(try await fixture.ids(Query(tour, where: condition(20))) == ["t"])
    await #expect(throws: DataError.queryTooLarge) {
      try await fixture.ids(Query(tour, where: condition(201)))
    }
  }

  @Test("compares a field with values of records related through three to-many relations")
  func comparedValues() async throws {
    let (fixture, tour) = try await tours()
    let river = FieldPath(names: ["towns", "lands", "rivers", "name"])
    let mouths = FieldPath(names: ["towns", "lands", "rivers", "mouths"])
    let lands = FieldPath(names: ["towns", "lands"])
    let id = FieldPath(names: ["tour_id"])
    for path in [river, mouths] {
      #expect(
        try await fixture.ids(Query(tour, where: .test(path, .comparePath(.less, id)))) == ["t"])
      #expect(
        try await fixture.ids(Query(tour, where: .test(path, .comparePath(.greater, id)))) == [])
    }
    #expect(
      try await fixture.ids(Query(tour, where: .test(lands, .comparePath(.less, id)))) == ["t"])
  }
}
