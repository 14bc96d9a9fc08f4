import DataModel
import DataStore
import Foundation
import SQLiteStore
import Testing

@Suite("SQLite: connections that stay open for later snapshots")
struct IdleReaderTests {
  private let folder: TestFolder
  private let schema: Schema
  private let store: SQLiteStore

  init() async throws {
    folder = try TestFolder()
    schema = try Schema.test("account", Field("amount", .integer))
    try await folder.createSchemas(schema)
    store = try SQLiteStore.open(
      path: folder.path(), for: .writing(creates: true), coding: folder.coding, idleReaders: 2)
    try await save(50)
  }

  private func save(_ amount: Int64) async throws {
    try await store.save(
      [schema.chunk(["account_id": "a", "amount": .integer(amount)])], in: schema)
  }

  private func amount(_ reader: any StoreReader) async throws -> Int64 {
    let found = try await reader.find(["a"], in: schema, slots: [1])
    return found.rows[0, 1].integer
  }

  /// The number of connections to the file that this process has open.
  private var connectionCount: Int {
    get throws {
      let folder = "/proc/self/fd"
      return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        return path == self.folder.path()
      }
    }
  }

  @Test("reads later commits through the same idle connection instead of opening a new one")
  func reuse() async throws {
    #expect(try await amount(store.snapshot()) == 50)
    let before = try connectionCount
    for number in 0..<20 {
      try await save(Int64(number))
      #expect(try await amount(store.snapshot()) == Int64(number))
    }
    #expect(try connectionCount == before)
    await store.close()
  }

  @Test("does not reuse a connection that a snapshot or one of its streams is using")
  func isolation() async throws {
    let first = try await store.snapshot()
    #expect(try await amount(first) == 50)
    let stream = try await store.snapshot().records(Query(schema, slots: [0, 1]))
    try await save(51)
    #expect(try await amount(store.snapshot()) == 51)
    #expect(try await amount(first) == 50)
    let rows = try #require(try await stream.next(reusing: Rows(width: schema.width)))
    #expect(rows[0, 1].integer == 50)
    await store.close()
  }

  @Test("allows truncation of the WAL after the transactions of idle connections have ended")
  func transactions() async throws {
    #expect(try await amount(store.snapshot()) == 50)
    try await save(51)
    let checkpoint = "pragma wal_checkpoint(truncate)"
    #expect(try folder.query(checkpoint) == ["1"])
    await store.endIdleReads()
    #expect(try folder.query(checkpoint) == ["0"])
    #expect(try await amount(store.snapshot()) == 51)
    await store.close()
  }

  @Test("ends the read transaction of a stream of records when the stream is deallocated")
  func lateRelease() async throws {
    var stream: (any RecordStream)? = try await store.snapshot()
      .records(Query(schema, slots: [0, 1]))
    #expect(try await stream?.next(reusing: Rows(width: schema.width)) != nil)
    await store.endIdleReads()
    stream = nil
    try await save(51)
    #expect(try folder.query("pragma wal_checkpoint(truncate)") == ["0"])
    stream = try await store.snapshot().records(Query(schema, slots: [0, 1]))
    await store.close()
    stream = nil
    #expect(try connectionCount == 0)
  }

  @Test("reuses prepared statements with other parameter values, also after a table was altered")
  func statements() async throws {
    try await store.save(
      [schema.chunk(["account_id": "b", "amount": .integer(7)])], in: schema)
    // There are more statements than are kept.
    for number in 0..<60 {
      if number == 40 { _ = try folder.query("alter table account add column other text") }
      let snapshot = try await store.snapshot()
      #expect(try await amount(snapshot) == 50)
      let found = try await snapshot.find(["none", "b"], in: schema, slots: [1])
      #expect(found.missing == [0] && found.rows[0, 1].integer == 7)
      let values = (0...number % 20).map { Value.integer(Int64($0)) }
      let condition = Condition.some(
        values.map { .test(FieldPath("amount"), .compare(.equal, $0)) })
      #expect(
        try await snapshot.count(Query(schema, where: condition)) == (number % 20 < 7 ? 0 : 1))
      await store.endIdleReads()
    }
    await store.close()
    #expect(try connectionCount == 0)
  }

  @Test("opens a new connection when another file has replaced the store at the same path")
  func replacement() async throws {
    #expect(try await amount(store.snapshot()) == 50)
    await store.endIdleReads()
    let other = try TestFolder()
    try await other.createSchemas(schema)
    for suffix in ["", "-wal", "-shm", "-lock"] {
      try? FileManager.default.removeItem(atPath: folder.path("shop.db\(suffix)"))
    }
    try FileManager.default.copyItem(atPath: other.path(), toPath: folder.path())
    let found = try await store.snapshot().find(["a"], in: schema, slots: [1])
    #expect(found.missing == [0])
  }
}
