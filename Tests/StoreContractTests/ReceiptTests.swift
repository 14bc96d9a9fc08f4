import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: receipts of writes")
struct ReceiptTests {
  private func fixture(_ engine: Engine) async throws -> StoreFixture {
    try await StoreFixture(engine, [try .test("item", Field("stock", .integer))])
  }

  private func receipt(_ key: String, _ request: String = "r") -> Receipt {
    var hash = SHA256()
    hash.update(key.utf8.span)
    return Receipt(key: hash.finish(), request: request)
  }

  private func save(
    _ receipt: Receipt, _ row: Row, in fixture: StoreFixture, at time: Timestamp = StoreFixture.noon
  ) async throws -> DataError? {
    try await fixture.trySave("item", [row], at: time, receipt: receipt).error
  }

  @Test(
    "executes a repeated write only once, and returns the counts of the first execution again",
    arguments: Engine.all)
  func once(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let row: Row = ["item_id": "a", "stock": .add("2")]
    let first = receipt("k")
    #expect(try await save(first, row, in: fixture) == nil)
    #expect(first.result == .first)
    let second = receipt("k")
    #expect(try await save(second, row, in: fixture)?.code == .exists)
    var counts = Receipt.Counts()
    counts.saved.created = 1
    #expect(second.result == .repeated(counts))
    let other = receipt("k", "another")
    #expect(try await save(other, row, in: fixture)?.code == .invalid)
    #expect(other.result == .otherRequest)
    #expect(try await save(receipt("k2"), row, in: fixture) == nil)
    #expect(try await save(receipt("k2"), row, in: fixture)?.code == .exists)
    #expect(try await fixture.all("item").map { $0.values["stock"] } == [.integer(4)])
  }

  @Test(
    "remembers a committed write for one day, so that the same request is not executed again",
    arguments: Engine.all)
  func rollback(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let invalid = try await fixture.trySave(
      "item", [["item_id": "a", "stock": .add("2")]], finalError: DataError(.failed, "test"),
      receipt: receipt("k"))
    #expect(invalid.error?.code == .failed)
    let row: Row = ["item_id": "a", "stock": .add("1")]
    let again = receipt("k")
    #expect(try await save(again, row, in: fixture) == nil)
    #expect(again.result == .first)
    let nextDay = try #require(
      Timestamp(microseconds: StoreFixture.noon.microseconds + 86_400_000_001))
    #expect(try await save(receipt("k"), row, in: fixture, at: nextDay) == nil)
    #expect(try await save(receipt("k"), row, in: fixture, at: nextDay)?.code == .exists)
    #expect(try await fixture.all("item").map { $0.values["stock"] } == [.integer(2)])
  }

  @Test("returns the output of the first execution, unless it is too long", arguments: Engine.all)
  func output(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let longest = String(repeating: "{\"a\":\"é\"}\n", count: 5_957) + "123456789"
    #expect(longest.utf8.count == Receipt.maxOutputSize)
    for (index, output) in ["", "{}\n", longest, longest + "x", "\0", nil].enumerated() {
      let row: Row = ["item_id": .value(.text("\(index)"))]
      let error = try await fixture.trySave(
        "item", [row], receipt: receipt("\(index)"), output: output.map { Array($0.utf8) }
      ).error
      #expect(error == nil)
      let second = receipt("\(index)")
      #expect(try await save(second, row, in: fixture)?.code == .exists)
      guard case .repeated(let counts) = second.result else {
        Issue.record("\(second.result)")
        continue
      }
      #expect(counts.output == (index < 3 ? output : nil), "\(index)")
    }
  }
}
