import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: the id of a store")
struct StoreIDTests {
  @Test("gives a store an id when it is created, which writes do not change", arguments: Engine.all)
  func creation(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine)
    #expect(try await fixture.store.storeID() == nil)
    try await fixture.apply([try .test("note", Field("text", .text))])
    let id = try #require(try await fixture.store.storeID())
    #expect(id.count == 36)
    #expect(try await fixture.store.snapshot().storeID() == id)
    try await fixture.save("note", ["note_id": "a", "text": "x"])
    #expect(try await fixture.store.storeID() == id)
  }
}
