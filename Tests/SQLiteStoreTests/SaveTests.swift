public import DataModel
import DataStore
import SQLiteStore
import TestSupport
import Testing

@Suite("SQLite: saves")
struct SaveTests {
  private func problems(
    _ store: SQLiteStore, _ chunks: RowChanges..., in schema: Schema
  ) async throws -> [Problem] {
    do {
      try await store.save(chunks, in: schema)
      return []
    } catch let error as DataError {
      return error.problems
    }
  }

  @Test("reports the field, the value, the line and the conflicting id of a unique violation")
  func collision() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("item", Field("code", .text, isUnique: true))
    let store = try folder.open()
    try await store.createSchemas([schema])
    let found = try await problems(
      store,
      schema.chunk(
        ["item_id": "a", "code": "x"], ["item_id": "b", "code": "y"],
        ["item_id": "c", "code": "x"]), in: schema)
    #expect(
      found == [
        .notUnique(
          "x", slot: 1, of: schema, id: "c", holder: "a", line: 3)
      ])
    #expect(try await store.count(Query(schema)) == 0)
  }

  @Test("reports a unique value that two new records with generated ids share")
  func collisionOfNewRecords() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("item", Field("code", .text, isUnique: true))
    let store = try folder.open()
    try await store.createSchemas([schema])
    var ids = IDGenerator(clock: { 1_795_176_000_000_000 })
    var chunk = RowChanges(for: schema)
    for (line, code) in ["x", "y", "x"].enumerated() {
      chunk.beginRecord(line: line + 1)
      chunk.assignID(from: &ids)
      chunk.set(1, to: .text(code))
      #expect(chunk.endRecord() == [])
    }
    let keys = (0..<3).map { chunk.rows.text(chunk.rows[$0, 0]) }
    #expect(
      try await problems(store, chunk, in: schema) == [
        .notUnique("x", slot: 1, of: schema, id: keys[2], holder: keys[0], line: 3)
      ])
    #expect(try await store.count(Query(schema)) == 0)
  }

  @Test("accepts a reference to a later record in the same chunk")
  func forward() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("node", Field("next", .relation(Relation(to: "node"))))
    let store = try folder.open()
    try await store.createSchemas([schema])
    let found = try await problems(
      store, schema.chunk(["node_id": "a", "next": "b"], ["node_id": "b", "next": "b"]),
      in: schema)
    #expect(found == [])
    let dangling = try await problems(
      store, schema.chunk(["node_id": "c", "next": "x"], ["node_id": "d", "next": "c"]),
      in: schema)
    #expect(
      dangling == [
        .danglingReference(to: "x", slot: 1, of: schema, id: "c", line: 1)
      ])
    #expect(try await store.count(Query(schema)) == 2)
  }

  @Test("rejects a reference to a later record when a save skips invalid records")
  func skipping() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("node", Field("next", .relation(Relation(to: "node"))))
    let store = try folder.open()
    try await store.createSchemas([schema])
    let exchange = try await store.save(
      [
        schema.chunk(
          ["node_id": "a", "next": "b"], ["node_id": "b"], ["node_id": "c", "next": "b"])
      ],
      in: schema, onInvalid: .skip)
    #expect(exchange.problems.map(\.id) == ["a"])
    #expect(try await store.count(Query(schema)) == 2)
  }

  @Test("writes the ids of a to-many relation as canonical JSON, whatever characters they contain")
  func links() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test(
      "node", Field("all", .relation(Relation(to: "node", isMany: true))))
    let store = try folder.open()
    try await store.createSchemas([schema])
    let ids = ["z", "a\"b", "back\\slash", "🫖 é", "\u{7f}", "[1,2]"].filter {
      IDs.isValid($0.utf8.span)
    }
    var chunk = RowChanges(for: schema)
    for id in ids { chunk.add(["node_id": .text(id), "all": .list(ids.map(Value.text))]) }
    try await store.save([chunk], in: schema)
    let found = try await store.find(["z"], in: schema, slots: Array(0..<schema.width))
    var expected: [UInt8] = []
    ListText.append(ids.map(Value.text), to: &expected)
    let slot = try #require(schema.slot(named: "all"))
    #expect(found.rows.text(found.rows[0, slot]) == String(decoding: expected, as: UTF8.self))
  }

  @Test("recreates the indexes after a bulk load", arguments: [WriteRequest.End.commit, .rollBack])
  func load(_ end: WriteRequest.End) async throws {
    let folder = try TestFolder()
    let owner = try Schema.test("owner")
    let schema = try Schema.test(
      "item", Field("title", .text), Field("owner", .relation(Relation(to: "owner"))),
      indexes: [["title"], ["-title", "owner"]])
    let store = try folder.open()
    try await store.createSchemas([owner, schema])
    try await store.save([owner.chunk(["owner_id": "ann"])], in: owner)
    let indexes = try folder.query(
      "select sql from sqlite_schema where type = 'index' order by name")
    var ids = IDGenerator(clock: { 1_795_176_000_000_000 })
    var load = RowChanges(for: schema)
    for line in 1...300 {
      load.beginRecord(line: line)
      load.assignID(from: &ids)
      load.set(1, to: .text("title \(line % 7)"))
      load.set(2, to: .text("ann"))
      #expect(load.endRecord() == [])
    }
    try await store.save([load], in: schema, end: end)
    let after = try folder.query("select sql from sqlite_schema where type = 'index' order by name")
    #expect(after == indexes)
    #expect(try await store.count(Query(schema)) == (end == .commit ? 300 : 0))
    #expect(try folder.query("pragma integrity_check") == ["ok"])
  }

  @Test("keeps the indexes when many records are saved in several transactions")
  func loadInParts() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("item", Field("title", .text), indexes: [["title"]])
    let store = try folder.open()
    try await store.createSchemas([schema])
    let query = "select sql from sqlite_schema where type = 'index' order by name"
    let indexes = try folder.query(query)
    let chunks = (0..<3).map { part in
      var chunk = RowChanges(for: schema)
      for number in 0..<300 { chunk.add(["item_id": .text("\(part)-\(number)"), "title": "x"]) }
      return chunk
    }
    try await store.save(chunks, in: schema, commitEvery: 300)
    #expect(try folder.query(query) == indexes)
    #expect(try await store.count(Query(schema)) == 900)
  }

  @Test("stores a file in pieces, validates the digest, and deletes the file with its record")
  func files() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("note", Field("picture", .file))
    let store = try folder.open()
    try await store.createSchemas([schema])
    let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var digest = SHA256()
    digest.update(bytes.span)
    let file = FileReference(
      name: "a.png", type: "image/png", size: 700_000, sha256: digest.hexadecimal())
    var wrong = file
    wrong.sha256 = String(repeating: "0", count: 64)
    let slot = try #require(schema.slot(named: "picture"))
    func chunk(_ file: FileReference) -> RowChanges {
      var changes = RowChanges(for: schema)
      changes.beginRecord(line: 1)
      changes.set(schema.keySlot, to: .text("n"))
      changes.set(slot, file: file, content: .bytes(bytes))
      _ = changes.endRecord()
      return changes
    }
    #expect(try await problems(store, chunk(wrong), in: schema).map(\.code) == [.invalid])
    #expect(try await problems(store, chunk(file), in: schema) == [])
    let stream = try #require(try await store.content(of: slot, id: "n", in: schema))
    var pieces: [[UInt8]] = []
    while let piece = try await stream.next() { pieces.append(piece) }
    #expect(pieces.map(\.count) == [262_144, 262_144, 175_712])
    #expect(pieces.flatMap { $0 } == bytes)
    try await store.save(
      [schema.chunk(["note_id": "n", schema.fields[slot].name: .null])], in: schema)
    #expect(try folder.query("select count(*) from _file") == ["0"])
    #expect(try await problems(store, chunk(file), in: schema) == [])
    let summary = try await store.delete(
      DeleteRequest(schema, .ids(["n"])),
      WriteRequest(
        to: [schema], versions: try await store.catalog().versions(concerning: schema),
        stamp: Stamp(time: .later)))
    #expect(summary == DeleteSummary(deleted: 1))
    #expect(try await store.content(of: slot, id: "n", in: schema) == nil)
    #expect(try folder.query("select count(*) from _file") == ["0"])
  }

  @Test("ends a user's sessions when the password changes or the user is deleted")
  func passwords() async throws {
    let folder = try TestFolder()
    let schema = try Schema.test("person", Field("password", .password), kind: .user)
    let store = try folder.open()
    try await store.createSchemas([schema])
    try await store.save(
      [schema.chunk(["username": "ann", "password": "hash one"])], in: schema)
    func logIn(_ hash: String) async throws {
      try await store.logIn(
        LogInRequest(
          PasswordCheck(of: "ann", in: schema, at: .noon, verifiedHash: hash),
          tokenHash: [1, 2], expires: .later))
    }
    await #expect(throws: DataError.self) { try await logIn("hash two") }
    try await logIn("hash one")
    let session = try await store.session([1, 2], at: .noon)
    #expect(session == Session(user: "ann", created: .noon, expires: .later))
    #expect(try await store.session([1, 2], at: .later) == nil)
    #expect(try await store.session([9], at: .noon) == nil)
    try await store.save(
      [schema.chunk(["username": "ann", "password": "hash two"])], in: schema)
    #expect(try await store.session([1, 2], at: .noon) == nil)
    try await logIn("hash two")
    _ = try await store.delete(
      DeleteRequest(schema, .matching(.all)),
      WriteRequest(
        to: [schema], versions: try await store.catalog().versions(concerning: schema),
        stamp: Stamp(time: .later)))
    #expect(try await store.session([1, 2], at: .noon) == nil)
  }
}

extension Value: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self = .text(text) }
}
