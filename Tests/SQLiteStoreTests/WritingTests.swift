import DataModel
import DataStore
import Foundation
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("SQLite: concurrent writes")
struct WritingTests {
  @Test("creates one store when forty connections create it concurrently")
  func creatingAtOnce() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("todo")
    let codes = await withTaskGroup(of: ErrorCode?.self) { group in
      for _ in 0..<40 {
        group.addTask {
          do {
            try await folder.open().createSchemas([schema], wait: WriteWait(seconds: 86_400))
            return nil
          } catch {
            return (error as? DataError)?.code
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.count { $0 == nil } == 1)
    // A handle reports `.referenced` if it finds the other's table, and `.schemaChanged` if it
    // finds only the new catalog version.
    #expect(codes.allSatisfy { [nil, .schemaChanged, .referenced].contains($0) })
    #expect(try await folder.open(for: .reading).catalog().version == 1)
    #expect(try folder.files == ["shop.db", "shop.db-lock"])
  }

  @Test("loses no records when forty connections save concurrently")
  func savingAtOnce() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("todo", Field("title", .text))
    try await folder.createSchemas(schema)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let store = try folder.open()
          try await store.save(
            [schema.chunk(["todo_id": .text("t\(number)"), "title": "x"])], in: schema,
            wait: WriteWait(seconds: 86_400))
          await store.close()
        }
      }
      try await group.waitForAll()
    }
    #expect(try await folder.open(for: .reading).count(Query(schema)) == 40)
    #expect(try folder.query("pragma integrity_check") == ["ok"])
  }

  @Test("calls the commit listener of the store before and after each commit, and at no other time")
  func commitStages() async throws {
    let folder = try TestFolder()
    let received = Mutex<[CommitStage]>([])
    let schema = try Schema.test("todo", Field("title", .text))
    let chunk = schema.chunk(["todo_id": .text("a"), "title": "x"])
    func stages() -> [CommitStage] {
      received.withLock { stages in
        defer { stages = [] }
        return stages
      }
    }

    let store = try folder.open { stage in received.withLock { $0.append(stage) } }
    try await store.createSchemas([schema])
    #expect(stages() == [.inProgress, .done])
    try await store.save([chunk], in: schema)
    #expect(stages() == [.inProgress, .done])
    _ = try await store.count(Query(schema))
    try await store.apply(.test([.create(.test("note"))], version: 1, end: .rollBack))
    #expect(stages() == [])
  }

  @Test("stops waiting for another writer's lock at the timeout")
  func busy() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("todo")
    try await folder.createSchemas(schema)
    let descriptor = unsafe open(folder.path("shop.db-lock"), O_RDONLY)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    let store = try folder.open()
    for seconds in [0, 0.05] {
      do {
        try await store.save(
          [schema.chunk(["todo_id": "a"])], in: schema, wait: WriteWait(seconds: seconds))
        Issue.record("saved without the lock")
      } catch let error as DataError {
        #expect(error.code == .storeBusy)
      }
    }
    flock(descriptor, LOCK_UN)
    try await store.save([schema.chunk(["todo_id": "a"])], in: schema)
    #expect(try await store.count(Query(schema)) == 1)
  }

  @Test("reads one snapshot while other connections write")
  func snapshot() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("todo")
    let store = try folder.open()
    try await store.createSchemas([schema])
    var changes = RowChanges(for: schema)
    for number in 0..<9_000 { changes.add(["todo_id": .text("t\(number)")]) }
    try await store.save([changes], in: schema)
    let stream = try await store.records(Query(schema))
    var count = try #require(await stream.next(reusing: Rows(width: schema.width))).count
    try await store.save([schema.chunk(["todo_id": "zz"])], in: schema)
    while let rows = try await stream.next(reusing: Rows(width: schema.width)) {
      count += rows.count
    }
    #expect(count == 9_000)
    #expect(try await store.count(Query(schema)) == 9_001)
  }

  @Test("changes nothing and reports no commit when a save is rolled back")
  func rollBack() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("todo")
    let store = try folder.open()
    try await store.createSchemas([schema])
    let exchange = try await store.save(
      [schema.chunk(["todo_id": "a"])], in: schema, end: .rollBack)
    #expect(exchange.outcomes == [.created])
    #expect(exchange.committedLines == [])
    #expect(try await store.count(Query(schema)) == 0)
  }

  @Test("rejects a save when the schemas have changed since the request was prepared")
  func schemasChanged() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("todo")
    let store = try folder.open()
    try await store.createSchemas([schema])
    var source = RecordingSource([schema.chunk(["todo_id": "a"])])
    do {
      try await store.write(
        WriteRequest(
          to: [schema], versions: SchemaVersions(catalog: 7), stamp: Stamp(time: .noon)),
        from: &source)
      Issue.record("saved")
    } catch {
      #expect(error.code == .schemaChanged)
    }
  }
}
