import CSQLite
import DataModel
import DataStore
import Foundation
import TestSupport
import Testing

@Suite("Store contract: interruption")
struct InterruptionTests {
  /// The memory store has no statements that take long.
  private static let engines = Engine.all.filter { $0.testDescription != "memory" }

  @Test(
    "stops every statement and changes nothing when the program is interrupted", .from(.test),
    .tags(.slow), arguments: engines)
  func statements(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine, [.test("item", Field("n", .integer))])
    let rows = (0..<5_000).map {
      ["item_id": .value(.text("i\($0)")), "n": .value(.integer($0))] as Row
    }
    #expect(try await fixture.trySave("item", rows).error == nil)
    let schema = try await fixture.store.catalog().catalog.schema("item")
    let before = try await fixture.everything()
    fixture.location.raiseAlarm()
    let operations: [@Sendable () async throws -> Void] = [
      { _ = try await fixture.ids("item", order: "n") },
      { _ = try await fixture.groups(GroupQuery(schema, by: [FieldPath(dotted: "n")])) },
      { try await fixture.delete("item", .matching(.all)) },
      { try await fixture.delete("item", .ids(["i1"])) },
      { try await fixture.apply([.test("item", Field("n", .text))]) },
      { try await fixture.apply([.test("item", Field("m", .text, defaultValue: .text("")))]) },
    ]
    for (index, operation) in operations.enumerated() {
      #expect(await errorCode(operation) == .interrupted, "operation \(index)")
    }
    fixture.location.lowerAlarm()
    #expect(try await fixture.everything() == before)
  }

  @Test("stops waiting for the locks of other writers when the program is interrupted")
  func locks() async throws {
    let fixture = try await StoreFixture(.sqlite, [.test("item")])
    let path = fixture.location.folder.path("store.db")
    fixture.location.raiseAlarm()
    let lock = unsafe open(path + "-lock", O_RDONLY)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    #expect(await errorCode { try await fixture.delete("item", .ids([])) } == .interrupted)
    #expect(flock(lock, LOCK_UN) == 0)

    var other: OpaquePointer?
    defer { unsafe sqlite3_close_v2(other) }
    try #require(unsafe sqlite3_open(path, &other) == SQLITE_OK)
    let code = unsafe sqlite3_exec(other, "begin immediate", nil, nil, nil)
    try #require(code == SQLITE_OK)
    #expect(await errorCode { try await fixture.delete("item", .ids([])) } == .interrupted)
  }

  private func errorCode(_ operation: () async throws -> Void) async -> ErrorCode? {
    do {
      try await operation()
      return nil
    } catch {
      return (error as? DataError)?.code
    }
  }
}
