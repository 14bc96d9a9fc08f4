import DataModel
import DataStore
import Foundation
import SQLiteStore
import Testing

@Suite("SQLite: lock-free reads")
struct LockFreeReaderTests {
  private let folder: TestFolder
  private let schema: Schema

  init() async throws {
    folder = try TestFolder()
    schema = try Schema.test("account", Field("amount", .integer))
    try await folder.createSchemas(schema)
    try await save(["a": 50, "b": 50])
  }

  /// Saves through a store of its own and sets the file's modification time to some minutes ago.
  private func save(_ amounts: [String: Int64], minutesAgo minutes: Int = 1) async throws {
    let store = try folder.open()
    var changes = RowChanges(for: schema)
    for (id, amount) in amounts {
      changes.add(["account_id": .text(id), "amount": .integer(amount)])
    }
    try await store.save([changes], in: schema)
    await store.close()
    try age(minutes: minutes)
  }

  private func age(minutes: Int) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: Double(-60 * minutes))],
      ofItemAtPath: folder.path())
  }

  private func amounts(_ store: SQLiteStore, _ ids: String...) async throws -> [Int64] {
    let found = try await store.find(ids, in: schema, slots: [1])
    return (0..<found.rows.count).map { found.rows[$0, 1].integer }
  }

  @Test("reads records and schemas without creating files")
  func noFiles() async throws {
    let store = try folder.open(for: .reading)
    #expect(try await amounts(store, "a", "b") == [50, 50])
    #expect(try await store.schema(named: "account") == schema)
    #expect(try await store.catalog().version == 1)
    #expect(try folder.files == ["shop.db", "shop.db-lock"])
  }

  @Test("reads a commit that is still in the WAL")
  func inWAL() async throws {
    let reader = try folder.open(for: .reading)
    #expect(try await amounts(reader, "a") == [50])
    let writer = try folder.open()
    try await writer.save(
      [schema.chunk(["account_id": "a", "amount": .integer(7)])], in: schema)
    #expect(try folder.files.contains("shop.db-wal"))
    #expect(try await amounts(reader, "a") == [7])
    await writer.close()
    #expect(try await amounts(reader, "a") == [7])
  }

  @Test("reads a commit after a checkpoint copied the WAL into the database file")
  func inFile() async throws {
    let reader = try folder.open(for: .reading)
    #expect(try await amounts(reader, "a", "b") == [50, 50])
    try await save(["a": 7, "c": 1], minutesAgo: 2)
    #expect(try folder.files == ["shop.db", "shop.db-lock"])
    #expect(try await amounts(reader, "a", "c") == [7, 1])
  }

  @Test("reads a commit from a WAL file that another process left")
  func leftoverWAL() async throws {
    let writer = try folder.open()
    try await writer.save(
      [schema.chunk(["account_id": "a", "amount": .integer(7)])], in: schema)
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: folder.path("shop.db" + ending), toPath: folder.path("left.db" + ending))
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: folder.path("left.db"))
    let reader = try folder.open("left.db", for: .reading)
    #expect(try await amounts(reader, "a") == [7])
  }

  @Test("reads a store that another program switched to a rollback journal")
  func rollbackJournal() async throws {
    #expect(try folder.query("pragma journal_mode = delete") == ["delete"])
    try age(minutes: 1)
    #expect(try await amounts(folder.open(for: .reading), "a", "b") == [50, 50])
  }

  @Test("lets SQLite roll back a journal that another program left")
  func leftoverJournal() async throws {
    try folder.write(Array("an incomplete journal".utf8), to: "shop.db-journal")
    #expect(try await amounts(folder.open(for: .reading), "a", "b") == [50, 50])
    #expect(try folder.files == ["shop.db", "shop.db-lock"])
  }

  @Test("reads either all or none of the changes of a concurrent save")
  func atomicReads() async throws {
    // Each change sets its own old modification time, so that every read starts without locks and
    // some reads coincide with a checkpoint.
    let rounds = 60
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 1...rounds {
          try await save(
            ["a": Int64(100 + round), "b": Int64(-round)], minutesAgo: 10 + rounds - round)
        }
      }
      for _ in 0..<3 {
        group.addTask {
          var last = 0
          while last < rounds {
            let found = try await amounts(folder.open(for: .reading), "a", "b")
            #expect(found.count == 2 && found.reduce(0, +) == 100, "\(found)")
            let round = max(0, Int(found.first ?? 0) - 100)
            #expect(round >= last)
            last = round
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try folder.query("pragma integrity_check") == ["ok"])
  }
}
