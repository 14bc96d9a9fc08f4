import DataClient
import DataModel
import DataStore
import RecordText
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
    onInvalid: WriteRequest.OnInvalid = .refuseAll, pieceSize: Int = .max
  ) async throws -> RecordSave<ReaderSource<BytesInMemory>, RecordingListener> {
    var save = try await recordSave(
      text, into: name, shop, onInvalid: onInvalid, pieceSize: pieceSize)
    try await shop.client.run(&save)
    return save
  }

  private func recordSave(
    _ text: String, into name: String, _ shop: Shop, onInvalid: WriteRequest.OnInvalid = .refuseAll,
    commitEvery: Int? = nil, pieceSize: Int = .max
  ) async throws -> RecordSave<ReaderSource<BytesInMemory>, RecordingListener> {
    let stored = try await shop.client.store.catalog()
    let schema = try stored.catalog.schema(name)
    let reader = RecordReader(
      BytesInMemory(Array(text.utf8), pieceSize: pieceSize), for: schema, file: "people.ndjson",
      ids: IDGenerator(clock: { 0 }), keepsRejected: onInvalid == .skip)
    let request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema),
      stamp: try await shop.client.stamp(),
      onInvalid: onInvalid, commitEvery: commitEvery)
    return RecordSave(
      ReaderSource(reader, file: "people.ndjson"), of: schema, request, in: stored.catalog,
      listener: RecordingListener())
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

  @Test("reports the first 20 problems of a save and the number of further problems")
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
    #expect(try await shop.client.records("person").count() == 0)
  }

  @Test("reports the text of each invalid record that is skipped")
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
    #expect(try await shop.client.records("person").count() == 2)
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

  @Test("names the input file in errors that the reader finds and in errors that the store finds")
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

  @Test("saves input that consists of more chunks than are read ahead")
  func longInput() async throws {
    let shop = try await Shop()
    let name = String(repeating: "n", count: 1_000)
    let text = (0..<6_000).map { #"{"person_id":"\#($0)","name":"\#(name)"}"# }
    let save = try await save(text.joined(separator: "\n"), shop, pieceSize: 100_000)
    #expect(save.summary.created == 6_000)
    #expect(save.listener.progress.count > 20)
    #expect(try await shop.client.records("person").count() == 6_000)
  }

  @Test("hashes passwords before the store receives them")
  func passwords() async throws {
    let shop = try await Shop()
    let save = try await save(#"{"username":"ann","password":"canary bird"}"#, into: "user", shop)
    #expect(save.summary.created == 1)
    let stored = try await shop.client.store.catalog()
    let schema = try stored.catalog.schema("user")
    let found = try await shop.client.store.find(
      ["ann"], in: schema, slots: Array(0..<schema.width))
    #expect(!found.rows.cells.contains { found.rows.text($0).contains("canary bird") })
    #expect(!String(decoding: found.rows.arena, as: UTF8.self).contains("$argon2id$"))
    #expect(try await shop.client.logIn("ann", password: "canary bird").user == "ann")
  }

  @Test("saves a single chunk of records that the caller built")
  func singleChunk() async throws {
    let shop = try await Shop()
    let stored = try await shop.client.store.catalog()
    let schema = try stored.catalog.schema("person")
    var changes = RowChanges(for: schema)
    changes.beginRecord(line: 1)
    changes.set(0, text: "joe".utf8.span)
    changes.set(1, text: "Joe".utf8.span)
    #expect(changes.endRecord() == [])
    let request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema),
      stamp: try await shop.client.stamp())
    var save = RecordSave(
      SingleChunkSource(changes), of: schema, request, listener: RecordingListener())
    try await shop.client.run(&save)
    #expect(save.listener.outcomes == [.created])
  }

  @Test("a save fails at an invalid stored function, even if it skips other invalid records")
  func functions() async throws {
    let shop = try await Shop()
    let text = ["person", "person", "planet", "person"].enumerated().map { index, schema in
      #"{"function_id":"f\#(index)","item_type":"\#(schema)","#
        + #""function":{"selectCore":"from \#(schema) where age > 3"}}"#
    }
    var save = try await recordSave(
      text.joined(separator: "\n"), into: "function", shop, onInvalid: .skip, commitEvery: 1)
    let error = try await problem { try await shop.client.run(&save) }
    #expect(Set(error.problems.map(\.line)) == [3])
    #expect(save.listener.committed == [1, 2])
    #expect(try await shop.client.records("function").count() == 2)
  }
}

/// The results of a store that come later than those of a store in this process.
extension RecordSaveTests {
  /// Passes chunks to a store, and the results to the base several chunks later.
  struct DelayedSource<Base: OperationSource>: OperationSource {
    var base: Base
    /// The number of results to hold back.
    let delay: Int
    /// The chunks that were requested from the base and not yet passed to the store.
    private var operations: [WriteOperation] = []
    private var results: [(chunk: RowChanges, outcomes: [Outcome])] = []
    private var isAtEnd = false

    init(_ base: Base, delay: Int) {
      self.base = base
      self.delay = delay
    }

    var canRestart: Bool { false }

    mutating func next() throws(DataError) -> WriteOperation? {
      while !isAtEnd, operations.count <= delay {
        if let next = try base.next() { operations.append(next) } else { isAtEnd = true }
      }
      return operations.isEmpty ? nil : operations.removeFirst()
    }

    mutating func applied(_ chunk: consuming RowChanges, outcomes: [Outcome]) throws(DataError) {
      results.append((chunk, outcomes))
      try deliver(keeping: delay)
    }

    private mutating func deliver(keeping count: Int) throws(DataError) {
      while results.count > count {
        let (chunk, outcomes) = results.removeFirst()
        try base.applied(chunk, outcomes: outcomes)
      }
    }

    mutating func refused(_ problem: Problem) { base.refused(problem) }

    mutating func finish() throws(DataError) {
      try deliver(keeping: 0)
      try base.finish()
    }

    mutating func committed(throughLine line: Int) throws(DataError) {
      try base.committed(throughLine: line)
    }
  }

  /// Records of which every seventh is rejected by the reader, and every fifth by the store.
  private static let mixed = (1...200).map { number in
    if number % 7 == 0 { return #"{"todo_id":"\#(number)","title":\#(number)}"# }
    let owner = number % 5 == 0 ? #","owner":"none""# : ""
    return #"{"todo_id":"\#(number)","title":"t"\#(owner)}"#
  }.joined(separator: "\n")

  @Test(
    "returns the same summary even if the store returns its results several chunks late",
    arguments: [1, 3, 100],
    [nil, 10])
  func lateResults(delay: Int, commitEvery: Int?) async throws {
    let shop = try await Shop()
    var prompt = try await recordSave(
      Self.mixed, into: "todo", shop, onInvalid: .skip, commitEvery: 10)
    try await shop.client.run(&prompt)
    let other = try await Shop()
    var late = DelayedSource(
      try await recordSave(Self.mixed, into: "todo", other, onInvalid: .skip, commitEvery: 10),
      delay: delay)
    var request = late.base.request
    request.commitEvery = commitEvery
    try await other.client.store.write(request, from: &late)
    #expect(prompt.summary == SaveSummary(created: 137, rejected: 63))
    #expect(late.base.summary == prompt.summary)
    #expect(late.base.listener.outcomes == prompt.listener.outcomes)
    #expect(late.base.listener.rejected == prompt.listener.rejected)
    #expect(late.base.skippedProblems == prompt.skippedProblems)
    #expect(late.base.listener.committed.last == 200)
    #expect(try await other.client.records("todo").count() == 137)
  }

  @Test("rolls back a save even if the store reports problems several chunks late")
  func lateProblems() async throws {
    let shop = try await Shop()
    var late = DelayedSource(
      try await recordSave(Self.mixed, into: "todo", shop, commitEvery: 5), delay: 3)
    var request = late.base.request
    request.commitEvery = nil
    let error = try await problem {
      try await shop.client.store.write(request, from: &late)
    }
    #expect(error.problems.map(\.line) == [7])
    #expect(late.base.listener.committed == [])
    #expect(try await shop.client.records("todo").count() == 0)
  }

  @Test("accepts results from the store in chunks of other sizes than the chunks of the input")
  func otherChunks() async throws {
    let shop = try await Shop()
    let text = (1...6).map { number in
      #"{"person_id":"\#(number)","name":\#(number == 2 ? "2" : #""n""#)}"#
    }
    var save = try await recordSave(
      text.joined(separator: "\n"), into: "person", shop, onInvalid: .skip, commitEvery: 2)
    var chunks: [RowChanges] = []
    for _ in 1...3 {
      if case .save(let chunk, _) = try save.next() { chunks.append(chunk) }
    }
    #expect(chunks.map(\.count) == [2, 1, 1])
    let schema = try #require(chunks.first).schema
    func result(_ ids: [Int]) -> RowChanges {
      var result = RowChanges(for: schema)
      for id in ids {
        result.beginRecord(line: id)
        result.set(0, text: "\(id)".utf8.span)
        #expect(result.endRecord() == [])
      }
      return result
    }
    try save.applied(result([1]), outcomes: [.created])
    #expect(save.summary == SaveSummary(created: 1))
    try save.applied(result([3, 4, 5]), outcomes: [.created, .created, .same])
    #expect(save.summary == SaveSummary(created: 3, same: 1, rejected: 1))
    #expect(save.listener.rejected.count == 1)
  }
}
