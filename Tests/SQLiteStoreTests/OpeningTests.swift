import DataModel
import DataStore
import Foundation
import SQLiteStore
import Testing

@Suite("Opening a store in a file")
struct OpeningTests {
  private static let ways: [SQLiteStore.Access] = [
    .reading, .writing(creates: false), .writing(creates: true),
  ]

  @Test("a store that is not there is not made by opening it")
  func absent() async throws {
    let place = try Place()
    #expect(place.refusal(for: .reading) == .storeNotFound)
    #expect(place.refusal(for: .writing(creates: false)) == .storeNotFound)
    let store = try place.open()
    #expect(try await store.catalog().version == 0)
    #expect(try place.files == [])
  }

  @Test("the first plan makes the file, with marks of datactl's own and in WAL mode")
  func made() async throws {
    let place = try Place()
    try await place.make(try .test("todo"))
    #expect(try place.files == ["shop.db", "shop.db-lock"])
    #expect(try place.ask("pragma application_id") == ["1684108385"])
    #expect(try place.ask("pragma user_version") == ["1"])
    #expect(try place.ask("pragma page_size") == ["8192"])
    #expect(try place.ask("pragma journal_mode") == ["wal"])
  }

  @Test("a plan that fails leaves no file")
  func failedPlan() async throws {
    let place = try Place()
    let store = try place.open()
    let schema = try Schema.test("todo")
    await #expect(throws: DataError.self) {
      try await store.carryOut(.test([.create(schema), .create(schema)]))
    }
    #expect(try place.files == ["shop.db-lock"])
  }

  @Test("a plan that is taken back makes no file and no lock, and is refused as the true one")
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

  @Test("a link that leads nowhere is no place for a store", arguments: ways)
  func danglingLink(_ access: SQLiteStore.Access) throws {
    let place = try Place()
    try FileManager.default.createSymbolicLink(
      atPath: place.path(), withDestinationPath: place.path("none.db"))
    #expect(place.refusal(for: access) == .notAStore)
    #expect(try place.files == ["shop.db"])
  }

  @Test("a store is not made in a folder that is not there", arguments: [false, true])
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

  @Test("an empty file is no store and stays empty", arguments: ways)
  func empty(_ access: SQLiteStore.Access) throws {
    let place = try Place()
    try place.write([], to: "shop.db")
    #expect(place.refusal(for: access) == .notAStore)
    #expect(try place.files == ["shop.db"])
    #expect(try place.bytes() == [])
  }

  @Test("a file that is no database is left as it is", arguments: ways)
  func noDatabase(_ access: SQLiteStore.Access) throws {
    let place = try Place()
    let text = Array(String(repeating: "title,done\n", count: 400).utf8)
    try place.write(text, to: "shop.db")
    #expect(place.refusal(for: access) == .notAStore)
    #expect(try place.files == ["shop.db"])
    #expect(try place.bytes() == text)
  }

  @Test("a file shorter than a header is no store", arguments: ways)
  func short(_ access: SQLiteStore.Access) throws {
    let place = try Place()
    try place.write(Array("SQLite format 3\0".utf8), to: "shop.db")
    #expect(place.refusal(for: access) == .notAStore)
  }

  @Test("a database that another program made is left as it is", arguments: ways)
  func foreign(_ access: SQLiteStore.Access) throws {
    let place = try Place()
    _ = try place.ask("create table note (text)")
    let before = try place.bytes()
    #expect(place.refusal(for: access) == .notAStore)
    #expect(try place.files == ["shop.db"])
    #expect(try place.bytes() == before)
  }

  @Test("a store of a newer format is left as it is", arguments: ways)
  func newer(_ access: SQLiteStore.Access) async throws {
    let place = try Place()
    try await place.make(try .test("todo"))
    _ = try place.ask("pragma user_version = 2")
    let before = try place.bytes()
    #expect(place.refusal(for: access) == .storeTooNew)
    #expect(try place.bytes() == before)
  }

  @Test("a folder is no store", arguments: ways)
  func folder(_ access: SQLiteStore.Access) throws {
    let place = try Place()
    #expect(place.refusal("", for: access) == .notAStore)
  }

  @Test("a damaged store is one clear error")
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
    "a path is taken literally",
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

  @Test("a path with NUL and a path that is too long are refused")
  func impossible() throws {
    let place = try Place()
    #expect(place.refusal("a\0b.db", for: .reading) == .storeNotFound)
    let long = String(repeating: "y/", count: 1_000)
    #expect(place.refusal(long, for: .writing(creates: true)) == .storeUnreachable)
  }

  @Test("reading leaves nothing behind and changes nothing")
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

  @Test("a store opened for reading refuses to write")
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
