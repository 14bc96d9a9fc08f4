import DataModel
import DataStore
import Foundation
import SQLiteStore
import Testing

@Suite("SQLite: opening a store")
struct OpeningTests {
  private static let ways: [SQLiteStore.Access] = [
    .reading, .writing(creates: false), .writing(creates: true),
  ]

  @Test("does not create a store by opening it")
  func absent() async throws {
    let place = try Place()
    #expect(place.refusal(for: .reading) == .storeNotFound)
    #expect(place.refusal(for: .writing(creates: false)) == .storeNotFound)
    let store = try place.open()
    #expect(try await store.catalog().version == 0)
    #expect(try place.files == [])
  }

  @Test("creates the file with the first plan, with datactl's application id and in WAL mode")
  func made() async throws {
    let place = try Place()
    try await place.make(try .test("todo"))
    #expect(try place.files == ["shop.db", "shop.db-lock"])
    #expect(try place.ask("pragma application_id") == ["1684108385"])
    #expect(try place.ask("pragma user_version") == ["1"])
    #expect(try place.ask("pragma page_size") == ["8192"])
    #expect(try place.ask("pragma journal_mode") == ["wal"])
  }

  @Test("leaves no file when the plan fails")
  func failedPlan() async throws {
    let place = try Place()
    let store = try place.open()
    let schema = try Schema.test("todo")
    await #expect(throws: DataError.self) {
      try await store.carryOut(.test([.create(schema), .create(schema)]))
    }
    #expect(try place.files == ["shop.db-lock"])
  }

  @Test("creates no file and no lock when the plan is rolled back, and reports the same problems")
  func rehearsal() async throws {
    let place = try Place()
    let store = try place.open()
    let schema = try Schema.test("todo")
    try await store.carryOut(.test([.create(schema)], end: .rollBack))
    #expect(try await store.catalog().version == 0)
    await #expect(throws: DataError.self) {
      try await store.carryOut(.test([.create(schema), .create(schema)], end: .rollBack))
    }
    #expect(try place.files == [])
  }

  @Test("rejects a dangling symbolic link", arguments: ways)
  func danglingLink(_ access: SQLiteStore.Access) throws {
    let place = try Place()
    try FileManager.default.createSymbolicLink(
      atPath: place.path(), withDestinationPath: place.path("none.db"))
    #expect(place.refusal(for: access) == .notAStore)
    #expect(try place.files == ["shop.db"])
  }

  @Test("rejects a path whose folder does not exist", arguments: [false, true])
  func missingFolder(isDryRun: Bool) async throws {
    let place = try Place()
    let store = try place.open("none/shop.db")
    let error = await #expect(throws: DataError.self) {
      try await store.carryOut(
        .test([.create(try .test("todo"))], end: isDryRun ? .rollBack : .commit))
    }
    #expect(error?.code == .storeUnreachable)
    #expect(
      error?.problems.map(\.message) == [
        "\(place.path("none/shop.db")): the folder \(place.path("none")) does not exist"
      ])
    #expect(try place.files == [])
  }

  @Test("rejects an empty file and leaves it empty", arguments: ways)
  func empty(_ access: SQLiteStore.Access) throws {
    let place = try Place()
    try place.write([], to: "shop.db")
    #expect(place.refusal(for: access) == .notAStore)
    #expect(try place.files == ["shop.db"])
    #expect(try place.bytes() == [])
  }

  @Test("rejects a file that is not a database and leaves it unchanged", arguments: ways)
  func noDatabase(_ access: SQLiteStore.Access) throws {
    let place = try Place()
    let text = Array(String(repeating: "title,done\n", count: 400).utf8)
    try place.write(text, to: "shop.db")
    #expect(place.refusal(for: access) == .notAStore)
    #expect(try place.files == ["shop.db"])
    #expect(try place.bytes() == text)
  }

  @Test("rejects a file shorter than a header", arguments: ways)
  func short(_ access: SQLiteStore.Access) throws {
    let place = try Place()
    try place.write(Array("SQLite format 3\0".utf8), to: "shop.db")
    #expect(place.refusal(for: access) == .notAStore)
  }

  @Test("rejects a database of another program and leaves it unchanged", arguments: ways)
  func foreign(_ access: SQLiteStore.Access) throws {
    let place = try Place()
    _ = try place.ask("create table note (text)")
    let before = try place.bytes()
    #expect(place.refusal(for: access) == .notAStore)
    #expect(try place.files == ["shop.db"])
    #expect(try place.bytes() == before)
  }

  @Test("rejects a store of a newer format and leaves it unchanged", arguments: ways)
  func newer(_ access: SQLiteStore.Access) async throws {
    let place = try Place()
    try await place.make(try .test("todo"))
    _ = try place.ask("pragma user_version = 2")
    let before = try place.bytes()
    #expect(place.refusal(for: access) == .storeTooNew)
    #expect(try place.bytes() == before)
  }

  @Test("rejects a folder", arguments: ways)
  func folder(_ access: SQLiteStore.Access) throws {
    let place = try Place()
    #expect(place.refusal("", for: access) == .notAStore)
  }

  @Test("reports a damaged store")
  func damaged() async throws {
    let place = try Place()
    let schema = try Schema.test("todo")
    try await place.make(schema)
    var bytes = try place.bytes()
    for index in 100..<bytes.count { bytes[index] = 0xFF }
    try place.write(bytes, to: "shop.db")
    do {
      _ = try await place.open(for: .reading).catalog()
      Issue.record("a damaged store was read")
    } catch let error as DataError {
      #expect(error.code == .storeDamaged)
    }
  }

  @Test(
    "uses a path literally",
    arguments: [
      "a?mode=memory.db", "a%20b.db", "a#b.db", "file:x.db", ":memory:", "🫖.db", "a'b\"c.db",
      String(repeating: "x", count: 200),
    ])
  func literal(_ name: String) async throws {
    let place = try Place()
    try await place.make(try .test("todo"), name: name)
    #expect(try place.files == [name, name + "-lock"].sorted())
    let store = try place.open(name, for: .reading)
    #expect(try await store.catalog().catalog.schemas.map(\.name) == ["todo"])
  }

  @Test("rejects a path with NUL and a path that is too long")
  func impossible() throws {
    let place = try Place()
    #expect(place.refusal("a\0b.db", for: .reading) == .storeNotFound)
    let long = String(repeating: "y/", count: 1_000)
    #expect(place.refusal(long, for: .writing(creates: true)) == .storeUnreachable)
  }

  @Test("changes nothing and leaves no file when reading")
  func traceless() async throws {
    let place = try Place()
    let schema = try Schema.test("todo")
    try await place.make(schema)
    let before = try place.bytes()
    let store = try place.open(for: .reading)
    #expect(try await store.count(Query(schema)) == 0)
    #expect(try await store.all(schema).isEmpty)
    await store.close()
    #expect(try place.files == ["shop.db", "shop.db-lock"])
    #expect(try place.bytes() == before)
  }

  @Test("rejects a write when opened for reading")
  func readOnly() async throws {
    let place = try Place()
    let schema = try Schema.test("todo")
    try await place.make(schema)
    let store = try place.open(for: .reading)
    await #expect(throws: DataError.self) {
      try await store.make([try .test("other")])
    }
    #expect(try await store.catalog().version == 1)
  }
}
