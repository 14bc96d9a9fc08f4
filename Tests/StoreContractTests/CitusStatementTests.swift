import DataModel
import DataStore
import Testing

@Suite("Statements for Citus")
struct CitusStatementTests {
  @Test("reads only those columns of related records that the query needs")
  func columns() async throws {
    let town = try Schema.test("town", Field("name", .text), Field("history", .text))
    let tour = try Schema.test(
      "tour", Field("towns", .relation(Relation(to: "town", isMany: true))))
    let fixture = try await StoreFixture(.citus, [town, tour])
    try await fixture.save("town", ["town_id": "a", "name": "Ulm", "history": "long"])
    try await fixture.save("tour", ["tour_id": "t", "towns": .value(.list(["a"]))])
    let name = FieldPath(names: ["towns", "name"])
    #expect(
      try await fixture.ids(Query(tour, where: .test(name, .compare(.equal, "Ulm")))) == ["t"])
    let statements = fixture.location.recorder.statements.filter {
      $0.contains("(select \"town_id\", \"name\" from \"store.town\" offset 0) as \"_1\"")
    }
    #expect(statements.count == 1)
  }

  @Test("writes to every worker before a save reads, also to tables with a placement of their own")
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
}
