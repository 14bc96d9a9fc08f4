import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: files")
struct FileTests {
  private func fixture(_ engine: Engine) async throws -> StoreFixture {
    try await StoreFixture(
      engine, [try .test("item", Field("photo", .file), Field("scan", .file), Field("note", .text))]
    )
  }

  private func record(photo: Value = nil, scan: Value = nil, note: Value = nil) -> Record {
    ["item_id": "a", "photo": photo, "scan": scan, "note": note]
  }

  private func reference(_ name: String, _ bytes: [UInt8]) -> Value {
    .file(FileReference(name, bytes))
  }

  /// Returns content that is delivered in pieces of the given sizes.
  private func pieces(_ bytes: [UInt8], of sizes: [Int]) -> FileContent {
    .stream { () throws(DataError) -> FilePieces in
      var rest = bytes[...]
      var sizes = sizes[...]
      return { () throws(DataError) -> [UInt8]? in
        guard let size = sizes.popFirst() else { return nil }
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
      }
    }
  }

  @Test(
    "returns the content of a file unchanged, whatever its size and bytes", arguments: Engine.all,
    [0, 1, 70_000, 300_000])
  func contents(engine: Engine, size: Int) async throws {
    let fixture = try await fixture(engine)
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try await fixture.save("item", ["item_id": "a", "photo": .file("p", bytes)])
    #expect(try await fixture.all("item") == [record(photo: reference("p", bytes)).stamped()])
    #expect(try await fixture.content("item", "a", "photo") == bytes)
    #expect(try await fixture.content("item", "a", "scan") == nil)
    #expect(try await fixture.content("item", "b", "photo") == nil)
    #expect(try await fixture.reopened().content("item", "a", "photo") == bytes)
  }

  @Test("accepts file content in pieces of any size", arguments: Engine.all)
  func streams(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let bytes = Array("a file that comes in pieces".utf8)
    let content = pieces(bytes, of: [1, 0, 20, bytes.count])
    try await fixture.save(
      "item", ["item_id": "a", "photo": .file(FileReference("p", bytes), content)])
    #expect(try await fixture.content("item", "a", "photo") == bytes)
  }

  @Test(
    "rejects content that does not match the size or digest of the file reference",
    arguments: Engine.all)
  func mismatch(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let bytes = Array("tea".utf8)
    let swapped = Array("eat".utf8)
    let problems = try await fixture.rejection(
      of: "item",
      [
        "item_id": "a", "photo": .file(FileReference("p", bytes), .bytes(Array("te".utf8))),
        "scan": .file(FileReference("s", bytes), pieces(swapped, of: [2, 1])),
      ])
    #expect(
      problems == [
        Problem(
          .invalid, "expected 3 bytes of content, found 2", schema: "item", id: "a", field: "photo",
          line: 1),
        Problem(
          .invalid,
          "the content has the SHA-256 \(FileReference("", swapped).sha256), not \(FileReference("", bytes).sha256)",
          schema: "item", id: "a", field: "scan", line: 1),
      ])
    #expect(try await fixture.content("item", "a", "photo") == nil)
  }

  @Test("adds contents to records that were saved without them", arguments: Engine.all)
  func separateContents(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let schema = try await fixture.store.catalog().catalog.schema("item")
    var chunk = RowChanges(for: schema)
    let row: Row = [
      "item_id": "a", "photo": .value(reference("p", bytes)), "scan": .value(reference("s", bytes)),
    ]
    #expect(try chunk.take(row, line: 1) == [])
    var source = RecordingSource([chunk])
    source.policy.attachments = .separate
    let slots = try ["photo", "scan"].map { try #require(schema.slot(named: $0)) }
    source.contents = [
      (pieces(bytes, of: [1, 299_999]), slots.map { FileField($0, of: "a", in: schema) })
    ]
    let stored = try await fixture.store.catalog()
    let request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema),
      stamp: Stamp(time: StoreFixture.noon))
    try await fixture.store.write(request, from: &source)
    #expect(try await fixture.content("item", "a", "photo") == bytes)
    #expect(try await fixture.content("item", "a", "scan") == bytes)
  }

  @Test("rolls back a save when reading the content of a file fails", arguments: Engine.all)
  func brokenStream(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let error = DataError(.fileFailed, "the file cannot be read")
    let broken = FileContent.stream { () throws(DataError) -> FilePieces in
      { () throws(DataError) -> [UInt8]? in throw error }
    }
    let saved = try await fixture.trySave(
      "item",
      [
        ["item_id": "b"],
        ["item_id": "a", "photo": .file(FileReference("p", Array("tea".utf8)), broken)],
      ])
    #expect(saved.error?.problems.map(\.message) == error.problems.map(\.message))
    #expect(try await fixture.all("item") == [])
  }

  @Test("replaces a file and deletes the old content", arguments: Engine.all)
  func replaced(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "item", ["item_id": "a", "photo": .file("p", Array("one".utf8)), "scan": .file("s", [7])])
    let outcomes = try await fixture.save(
      "item", ["item_id": "a", "photo": .file("p", Array("two".utf8))])
    #expect(outcomes == [.changed([1])])
    #expect(try await fixture.content("item", "a", "photo") == Array("two".utf8))
    #expect(try await fixture.content("item", "a", "scan") == [7])
    #expect(
      try await fixture.all("item") == [
        record(photo: reference("p", Array("two".utf8)), scan: reference("s", [7]))
          .stamped(revision: 2)
      ])
  }

  @Test(
    "accepts a file reference that comes without content only if it matches the stored content",
    arguments: Engine.all)
  func withoutBytes(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "photo": .file("p", [1, 2])])
    let renamed = reference("renamed", [1, 2])
    #expect(
      try await fixture.save("item", ["item_id": "a", "photo": .value(renamed)]) == [.changed([1])])
    #expect(try await fixture.content("item", "a", "photo") == [1, 2])
    #expect(try await fixture.all("item") == [record(photo: renamed).stamped(revision: 2)])
    let problems = try await fixture.rejection(
      of: "item", ["item_id": "a", "scan": .value(renamed)],
      ["item_id": "a", "photo": .value(reference("p", [1, 3]))])
    #expect(
      problems.map(\.message) == [
        "the stored content of the field does not match this size and sha256",
        "the stored content of the field does not match this size and sha256",
      ])
    #expect(problems.map(\.field) == ["scan", "photo"])
  }

  @Test(
    "keeps an omitted file even when --replace is given, but deletes a file that is set to null",
    arguments: Engine.all)
  func keptAndCleared(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "photo": .file("p", [1]), "note": "n"])
    try await fixture.save("item", ["item_id": "a"], by: SavePolicy(mode: .replace))
    #expect(
      try await fixture.all("item") == [record(photo: reference("p", [1])).stamped(revision: 2)])
    #expect(try await fixture.content("item", "a", "photo") == [1])
    try await fixture.save("item", ["item_id": "a", "photo": nil])
    #expect(try await fixture.all("item") == [record().stamped(revision: 3)])
    #expect(try await fixture.content("item", "a", "photo") == nil)
  }

  @Test("deletes the content of a file when its record is deleted", arguments: Engine.all)
  func deleted(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "photo": .file("p", [1])])
    try await fixture.delete("item", .ids(["a"]))
    #expect(try await fixture.content("item", "a", "photo") == nil)
    try await fixture.save("item", ["item_id": "a"])
    #expect(try await fixture.content("item", "a", "photo") == nil)
  }

  @Test(
    "keeps the stored content of a file after a failed save and after a dry run",
    arguments: Engine.all)
  func rolledBack(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "photo": .file("p", [1])])
    _ = try await fixture.rejection(
      of: "item", ["item_id": "a", "photo": .file("p", [2])], ["item_id": "a", "revision": 9])
    let rows: [Row] = [["item_id": "a", "photo": .file("p", [3])]]
    #expect(try await fixture.trySave("item", rows, end: .rollBack).outcomes == [.changed([1])])
    #expect(try await fixture.content("item", "a", "photo") == [1])
  }
}
