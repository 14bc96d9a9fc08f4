import DataModel
import DataStore
import Testing

@Suite("Columns that a query on Citus reads")
struct CitusColumnTests {
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
}
