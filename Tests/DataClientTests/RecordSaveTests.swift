import DataClient
import DataModel
import DataStore
import DataText
import Testing

@Suite("Saving records from text")
struct RecordSaveTests {
  /// Records the calls that it receives.
  struct RecordingListener: SaveListener {
    var outcomes: [Outcome] = []
    var rejected: [[UInt8]?] = []
    var progress: [SaveProgress] = []
    var committed: [Int] = []

    mutating func applied(_ changes: borrowing RowChanges, _ outcomes: [Outcome]) {
      self.outcomes += outcomes
    }

    mutating func rejected(_ rejection: Rejection, of changes: borrowing RowChanges) {
      rejected.append(rejection.text)
    }
    mutating func progressed(_ progress: SaveProgress) { self.progress.append(progress) }
    mutating func committed(throughLine line: Int) { committed.append(line) }
  }

  private func save(
    _ text: String, into name: String = "person", _ shop: Shop,
    onInvalid: SaveRequest.OnInvalid = .refuseAll, pieceSize: Int = .max
  ) async throws -> RecordSave<ReaderSource<BytesInMemory>, RecordingListener> {
    let stored = try await shop.client.store.catalog()
    let schema = try stored.catalog.schema(name)
    let reader = RecordReader(
      BytesInMemory(Array(text.utf8), pieceSize: pieceSize), for: schema, file: "people.ndjson",
      ids: IDGenerator(clock: { 0 }), keepsRejected: onInvalid == .skip)
    var save = RecordSave(
      ReaderSource(reader, file: "people.ndjson"), into: schema, onInvalid: onInvalid,
      listener: RecordingListener())
    let request = SaveRequest(
      schema: schema, catalogVersion: stored.version, stamp: try await shop.client.stamp(),
      onInvalid: onInvalid)
    try await shop.client.run(&save, request)
    return save
  }

  @Test("counts created, changed and unchanged records")
  func counts() async throws {
    let shop = try await Shop()
    let first = try await save(
      #"{"person_id":"a","name":"A"}{"person_id":"b","name":"B"}"#, shop)
    #expect(first.summary.created == 2)
    let second = try await save(
      """
      {"person_id":"a","name":"A"}
      {"person_id":"b","name":"Bo"}
      {"name":"C"}
      """, shop)
    #expect(second.summary.created == 1)
    #expect(second.summary.changed == 1)
    #expect(second.summary.same == 1)
    #expect(second.summary.saved == 3)
    #expect(second.summary.rejected == 0)
    #expect(second.count == 3)
    #expect(second.listener.outcomes == [.same, .changed([1]), .created])
    #expect(second.listener.progress.last?.records == 3)
  }

  @Test("keeps 20 problems, counts the rest, and saves nothing")
  func manyProblems() async throws {
    let shop = try await Shop()
    let lines = (1...50).map { $0 % 2 == 0 ? #"{"name":"x"}"# : #"{"name":\#($0)}"# }
    let error = try await problem { _ = try await save(lines.joined(separator: "\n"), shop) }
    #expect(error.problems.count == 20)
    #expect(error.omittedCount == 5)
    #expect(
      error.problems.first
        == Problem(
          .invalid, "expected text, found number 1", schema: "person", field: "name",
          file: "people.ndjson", line: 1, column: 9))
    #expect(error.problems.last?.line == 39)
    #expect(try await shop.client.count("person") == 0)
  }

  @Test("skips invalid records with their text when told to")
  func skips() async throws {
    let shop = try await Shop()
    let save = try await save(
      """
      {"person_id":"a","name":"A"}
      {"person_id":"b","name":2}
      {"person_id":"c","name":"C"}
      """, shop, onInvalid: .skip)
    #expect(save.summary.created == 2)
    #expect(save.summary.rejected == 1)
    #expect(save.skippedProblems?.problems.map(\.line) == [2])
    #expect(save.listener.rejected == [Array(#"{"person_id":"b","name":2}"#.utf8)])
    #expect(try await shop.client.count("person") == 2)
  }

  @Test("skips all records when all are invalid")
  func allInvalid() async throws {
    let shop = try await Shop()
    let save = try await save(
      #"{"person_id":"b","name":2}"#, shop, onInvalid: .skip)
    #expect(save.summary == SaveSummary(rejected: 1))
    #expect(save.count == 1)
    #expect(save.listener.rejected.count == 1)
    let error = try await problem { _ = try await self.save(#"{"name":2}"#, shop) }
    #expect(error.problems.map(\.line) == [1])
    let nothing = try await self.save("", shop)
    #expect(nothing.count == 0)
  }

  @Test("reports problems of the reader and of the store with the file name")
  func storeProblems() async throws {
    let shop = try await Shop()
    let error = try await problem {
      _ = try await save(
        """
        {"todo_id":"a","title":1}
        {"todo_id":"b","title":"b","owner":"unknown"}
        {"todo_id":"c"}
        """, into: "todo", shop)
    }
    #expect(error.problems.allSatisfy { $0.file == "people.ndjson" })
    #expect(
      error.problems.map { "\($0.line ?? 0) \($0.field ?? "-")" } == [
        "1 title", "3 title", "2 owner",
      ])
  }

  @Test("saves more chunks than it reads ahead")
  func longInput() async throws {
    let shop = try await Shop()
    let name = String(repeating: "n", count: 1_000)
    let text = (0..<6_000).map { #"{"person_id":"\#($0)","name":"\#(name)"}"# }
    let save = try await save(text.joined(separator: "\n"), shop, pieceSize: 100_000)
    #expect(save.summary.created == 6_000)
    #expect(save.listener.progress.count > 20)
    #expect(try await shop.client.count("person") == 6_000)
  }

  @Test("hashes passwords before the store receives them")
  func passwords() async throws {
    let shop = try await Shop()
    let save = try await save(#"{"username":"ann","password":"canary"}"#, into: "user", shop)
    #expect(save.summary.created == 1)
    let stored = try await shop.client.store.catalog()
    let schema = try stored.catalog.schema("user")
    let found = try await shop.client.store.find(
      ["ann"], in: schema, slots: Array(0..<schema.width))
    #expect(!found.rows.cells.contains { found.rows.text($0).contains("canary") })
    #expect(!String(decoding: found.rows.arena, as: UTF8.self).contains("$argon2id$"))
    #expect(try await shop.client.logIn("ann", password: "canary").user == "ann")
  }

  @Test("saves one chunk built by the caller")
  func singleChunk() async throws {
    let shop = try await Shop()
    let stored = try await shop.client.store.catalog()
    let schema = try stored.catalog.schema("person")
    var changes = RowChanges(for: schema)
    changes.beginRecord(line: 1)
    changes.set(0, text: "joe".utf8.span)
    changes.set(1, text: "Joe".utf8.span)
    #expect(changes.endRecord() == [])
    var save = RecordSave(SingleChunkSource(changes), into: schema, listener: RecordingListener())
    let request = SaveRequest(
      schema: schema, catalogVersion: stored.version, stamp: try await shop.client.stamp())
    try await shop.client.run(&save, request)
    #expect(save.listener.outcomes == [.created])
  }
}
