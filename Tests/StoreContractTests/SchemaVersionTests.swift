import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: versions of schemas")
struct SchemaVersionTests {
  /// `line` refers to `order`, which refers to `customer`; `note` is on its own.
  private func fixture(_ engine: Engine) async throws -> StoreFixture {
    try await StoreFixture(
      engine,
      [
        try .test("customer", Field("name", .text)),
        try .test("order", Field("customer", .relation(Relation(to: "customer")))),
        try .test("line", Field("order", .relation(Relation(to: "order")))),
        try .test("note", Field("text", .text)),
      ])
  }

  private func names(_ name: String, of fixture: StoreFixture) async throws -> [String] {
    let stored = try await fixture.store.catalog()
    return stored.versions(concerning: try stored.catalog.schema(name)).schemas.map(\.name)
  }

  @Test(
    "checks the versions of all schemas that relations connect to the given schema",
    arguments: Engine.all)
  func closure(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    #expect(try await names("customer", of: fixture) == ["customer", "line", "order"])
    #expect(try await names("order", of: fixture) == ["customer", "line", "order"])
    #expect(try await names("note", of: fixture) == ["note"])
    #expect(try await names("function", of: fixture) == [])
    let stored = try await fixture.store.catalog()
    let both = [try stored.catalog.schema("note"), try stored.catalog.schema("line")]
    #expect(
      stored.versions(concerning: both).schemas.map(\.name)
        == ["customer", "line", "note", "order"])
  }

  @Test("changes the version of a schema only when that schema changes", arguments: Engine.all)
  func versions(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let before = try await fixture.store.catalog()
    try await fixture.apply(
      [
        try .test("note", Field("text", .text), Field("title", .text)), try .test("extra"),
      ], reading: .partial)
    let after = try await fixture.store.catalog()
    #expect(after.version == before.version + 1)
    let entries = after.catalog.schemas.flatMap { after.versions(concerning: $0).schemas }
    let versions = Dictionary(entries.map { ($0.name, $0.version) }) { first, _ in first }
    #expect(
      versions == [
        "customer": before.version, "order": before.version, "line": before.version,
        "note": after.version, "extra": after.version,
      ])
  }

  @Test("saves and deletes records although unrelated schemas have changed", arguments: Engine.all)
  func unrelated(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let stored = try await fixture.store.catalog()
    let customer = try stored.catalog.schema("customer")
    let versions = stored.versions(concerning: customer)
    try await fixture.apply([try .test("extra")], reading: .partial)
    var changes = RowChanges(for: customer)
    #expect(try changes.take(["customer_id": .value(.text("a"))], line: 1) == [])
    var source = RecordingSource([changes])
    try await fixture.store.write(
      WriteRequest(to: [customer], versions: versions, stamp: Stamp(time: StoreFixture.noon)),
      from: &source)
    #expect(try await fixture.ids("customer") == ["a"])
    let query = Query(customer, versions: versions, where: .all)
    #expect(try await fixture.ids(query) == ["a"])
    let summary = try await fixture.store.delete(
      DeleteRequest(customer, .ids(["a"])),
      WriteRequest(to: [customer], versions: versions, stamp: Stamp(time: StoreFixture.noon)))
    #expect(summary == DeleteSummary(deleted: 1))
  }
}
