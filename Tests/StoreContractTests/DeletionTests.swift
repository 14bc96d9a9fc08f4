import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: deletion")
struct DeletionTests {
  /// Returns a store with schemas that refer to each other in every possible way.
  private func fixture(_ engine: Engine) async throws -> StoreFixture {
    try await StoreFixture(
      engine,
      [
        try .test(
          "node", Field("owner", .relation(Relation(to: "node", onDelete: .cascade))),
          Field("guard", .relation(Relation(to: "node", onDelete: .deny))),
          Field("friend", .relation(Relation(to: "node"))),
          Field("friends", .relation(Relation(to: "node", isMany: true)))),
        try .test(
          "leaf",
          Field("branch", .relation(Relation(to: "node")), isRequired: true),
          Field("owners", .relation(Relation(to: "node", isMany: true, onDelete: .cascade))),
          Field("guards", .relation(Relation(to: "leaf", isMany: true, onDelete: .deny)))),
      ])
  }

  private func node(
    _ id: String, owner: Value = nil, guard keeper: Value = nil, friend: Value = nil,
    friends: Value = []
  ) -> Record {
    [
      "node_id": .text(id), "owner": owner, "guard": keeper, "friend": friend, "friends": friends,
    ]
  }

  private func chunks(_ chunks: [String]...) -> IDList {
    IDList { () throws(DataError) in
      var rest = chunks
      return { () throws(DataError) in rest.isEmpty ? nil : rest.removeFirst() }
    }
  }

  private func denied(
    _ id: String, by referrer: String, in field: String, _ rule: String, schema: String = "node"
  ) -> Problem {
    let parts = referrer.split(separator: " ").map(String.init)
    var problem = Problem(
      .referenced, "cannot be deleted: \(parts[0]) \"\(parts[1])\" refers to it in \(rule)",
      schema: schema, id: id)
    problem.referrer = Problem.Referrer(schema: parts[0], id: parts[1], field: field)
    return problem
  }

  @Test("deletes each record once when an id is given twice", arguments: Engine.all)
  func ids(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("node", ["node_id": "a"], ["node_id": "b"], ["node_id": "c"])
    let summary = try await fixture.delete("node", .ids(["c", "a", "c"]))
    #expect(summary == DeleteSummary(deleted: 2))
    #expect(try await fixture.all("node") == [node("b").stamped()])
    #expect(try await fixture.delete("node", .ids([])) == DeleteSummary())
  }

  @Test(
    "deletes each record once when the same id occurs in several chunks of the request",
    arguments: Engine.all)
  func chunks(engine: Engine) async throws {
    let fixture = try await StoreFixture(engine, [.test("item")])
    try await fixture.save("item", ["item_id": "a"], ["item_id": "b"], ["item_id": "c"])
    let problems = try await fixture.rejectedDeletion("item", .ids(chunks(["a", "x"], ["y"])))
    #expect(problems.map(\.id) == ["x", "y"])
    let summary = try await fixture.delete("item", .ids(chunks(["a", "c"], ["c"], ["c", "a"])))
    #expect(summary == DeleteSummary(deleted: 2))
    #expect(try await fixture.ids("item") == ["b"])
  }

  @Test(
    "deletes records by id in several chunks, even records to which other records refer",
    arguments: Engine.all)
  func referencedChunks(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "node", ["node_id": "a"], ["node_id": "b", "friend": "a"], ["node_id": "c", "guard": "b"],
      ["node_id": "d", "owner": "a"], ["node_id": "e"], ["node_id": "f"], ["node_id": "g"])
    let problems = try await fixture.rejectedDeletion("node", .ids(chunks(["e"], ["b", "x"])))
    #expect(problems.map(\.code) == [.notFound])
    #expect(
      try await fixture.rejectedDeletion("node", .ids(chunks(["e"], ["b"]))) == [
        denied("b", by: "node c", in: "guard", "guard, whose on_delete is deny")
      ])
    let free = try await fixture.delete(
      "node", .ids(chunks(["e", "x"], ["f"], ["e"])), missing: .ignored)
    #expect(free == DeleteSummary(deleted: 2))
    let referenced = try await fixture.delete("node", .ids(chunks(["g", "c"], ["b", "a"])))
    #expect(
      referenced == DeleteSummary(deleted: 4, cascaded: [.init(schema: "node", count: 1)]))
    #expect(try await fixture.all("node") == [])
  }

  @Test(
    "rejects a deletion by id when records are missing, and names each missing id",
    arguments: Engine.all)
  func missing(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("node", ["node_id": "a"])
    let problems = try await fixture.rejectedDeletion("node", .ids(["x", "a", "y", "x"]))
    #expect(
      problems
        == ["x", "y"].map {
          Problem(.notFound, "there is no such record", schema: "node", id: $0)
        })
    let summary = try await fixture.delete("node", .ids(["x", "a"]), missing: .ignored)
    #expect(summary == DeleteSummary(deleted: 1))
    #expect(try await fixture.all("node") == [])
  }

  @Test(
    "deletes the matching records except the given ones, unless a deletion cascades to them",
    arguments: Engine.all)
  func kept(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "node", ["node_id": "a"], ["node_id": "b", "friend": "a"], ["node_id": "c"],
      ["node_id": "d", "owner": "c"])
    let stored = try await fixture.store.catalog()
    let node = try stored.catalog.schema("node")
    var deletion = DeleteRequest(node, .matching(.all))
    deletion.kept = chunks(["b", "x"], ["d", "b"])
    deletion.returnsRecords = true
    var source = ResultSource(deletion)
    let request = WriteRequest(
      to: [node], versions: stored.versions(concerning: node),
      stamp: Stamp(time: StoreFixture.noon))
    try await fixture.store.write(request, from: &source)
    // d is the child of c, so it is deleted although it is kept from the condition.
    #expect(
      source.result?.summary
        == DeleteSummary(
          deleted: 2, cascaded: [.init(schema: "node", count: 1)], nullified: 1))
    let records = source.result?.records.flatMap { rows in
      (0..<rows.count).map { rows.values(ofRow: $0, in: node) }
    }
    #expect(records?.map { $0["node_id"] } == ["a", "c"])
    #expect(records?.map { $0["revision"] } == [1, 1])
    #expect(try await fixture.ids("node") == ["b"])
  }

  @Test("rejects a deletion when the given revision is not the current one", arguments: Engine.all)
  func revision(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("node", ["node_id": "a"])
    try await fixture.save("node", ["node_id": "a", "friend": "a"])
    for revision: Int64 in [1, 3] {
      let problems = try await fixture.rejectedDeletion("node", .ids(["a"]), revision: revision)
      #expect(
        problems == [
          Problem(
            .changed, "changed concurrently: expected revision \(revision), found 2",
            hint: "read the record again", schema: "node", id: "a")
        ])
    }
    #expect(try await fixture.delete("node", .ids(["a"]), revision: 2) == DeleteSummary(deleted: 1))
  }

  @Test("deletes the records that match a condition, or all records", arguments: Engine.all)
  func condition(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "node", ["node_id": "a"], ["node_id": "b", "friend": "a"], ["node_id": "c", "friend": "b"])
    let summary = try await fixture.delete(
      "node", .matching(.and([.equals(field: "friend", value: "b"), .isNull(field: "owner")])))
    #expect(summary == DeleteSummary(deleted: 1))
    #expect(try await fixture.ids("node") == ["a", "b"])
    #expect(try await fixture.delete("node", .matching(.all)) == DeleteSummary(deleted: 2))
    #expect(try await fixture.delete("node", .matching(.all)) == DeleteSummary())
  }

  @Test(
    "deletes the records that match a condition on their to-many relation", arguments: Engine.all)
  func linkCondition(engine: Engine) async throws {
    let fixture = try await StoreFixture(
      engine,
      [
        try .test("tag"),
        try .test("item", Field("tags", .relation(Relation(to: "tag", isMany: true)))),
      ])
    try await fixture.save("tag", ["tag_id": "t"], ["tag_id": "u"])
    try await fixture.save(
      "item", ["item_id": "a", "tags": ["t", "u"]], ["item_id": "b", "tags": ["u"]],
      ["item_id": "c"])
    let summary = try await fixture.delete(
      "item", .matching(.test(FieldPath("tags"), .contains("t"))))
    #expect(summary == DeleteSummary(deleted: 1))
    #expect(
      try await fixture.all("item") == [
        Record(["item_id": "b", "tags": ["u"]]).stamped(),
        Record(["item_id": "c", "tags": []]).stamped(),
      ])
  }

  @Test("counts the deletions and changes nothing in a dry run", arguments: Engine.all)
  func dryRun(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "node", ["node_id": "a"], ["node_id": "b", "owner": "a"], ["node_id": "c", "friend": "a"])
    let before = try await fixture.everything()
    let summary = try await fixture.delete("node", .ids(["a"]), end: .rollBack)
    #expect(
      summary
        == DeleteSummary(deleted: 1, cascaded: [.init(schema: "node", count: 1)], nullified: 1))
    #expect(try await fixture.everything() == before)
  }

  @Test("cascades a deletion through chains, cycles and to-many relations", arguments: Engine.all)
  func cascade(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "node", ["node_id": "a", "owner": "c"], ["node_id": "b", "owner": "a"],
      ["node_id": "c", "owner": "b"], ["node_id": "d", "owner": "d"], ["node_id": "e"])
    try await fixture.save(
      "leaf", ["leaf_id": "l1", "branch": "e", "owners": ["e", "c"]],
      ["leaf_id": "l2", "branch": "e", "owners": ["e"]])
    let summary = try await fixture.delete("node", .ids(["b", "d"]))
    #expect(
      summary
        == DeleteSummary(
          deleted: 2, cascaded: [.init(schema: "leaf", count: 1), .init(schema: "node", count: 2)]))
    #expect(try await fixture.ids("node") == ["e"])
    #expect(try await fixture.ids("leaf") == ["l2"])
  }

  @Test("cascades a deletion to the end of a long chain of references", arguments: Engine.all)
  func longChain(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    // Each record of the chain takes a round trip.
    let length = TestTier.current == .all ? 300 : 20
    let rows = (0..<length).map { number -> Row in
      let owner: Row.Input = number == 0 ? nil : .value(.text("n\(number - 1)"))
      return ["node_id": .value(.text("n\(number)")), "owner": owner]
    }
    #expect(try await fixture.trySave("node", rows).error == nil)
    let summary = try await fixture.delete("node", .ids(["n0"]))
    #expect(
      summary == DeleteSummary(deleted: 1, cascaded: [.init(schema: "node", count: length - 1)]))
    #expect(try await fixture.all("node") == [])
  }

  @Test(
    "deletes none of the records when a reference denies the deletion of one record",
    arguments: Engine.all)
  func deny(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "node", ["node_id": "a"], ["node_id": "b", "owner": "a"], ["node_id": "c", "guard": "b"],
      ["node_id": "d", "guard": "a"])
    let problems = try await fixture.rejectedDeletion("node", .ids(["a"]))
    #expect(
      problems == [
        denied("b", by: "node c", in: "guard", "guard, whose on_delete is deny"),
        denied("a", by: "node d", in: "guard", "guard, whose on_delete is deny"),
      ])
  }

  @Test(
    "deletes a record when the record that denies its deletion is deleted too",
    arguments: Engine.all)
  func denyInside(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "node", ["node_id": "a", "guard": "a"], ["node_id": "b", "owner": "a", "guard": "a"],
      ["node_id": "c", "guard": "b"])
    let summary = try await fixture.delete("node", .ids(["c", "a"]))
    #expect(
      summary == DeleteSummary(deleted: 2, cascaded: [.init(schema: "node", count: 1)]))
    #expect(try await fixture.all("node") == [])
  }

  @Test(
    "rejects deleting any target of a to-many relation whose on_delete is deny",
    arguments: Engine.all)
  func denyingList(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("node", ["node_id": "a"])
    try await fixture.save(
      "leaf", ["leaf_id": "k", "branch": "a"],
      ["leaf_id": "l", "branch": "a", "guards": ["l", "k"]])
    let problems = try await fixture.rejectedDeletion("leaf", .ids(["k"]))
    #expect(
      problems == [
        denied(
          "k", by: "leaf l", in: "guards", "guards, whose on_delete is deny", schema: "leaf")
      ])
    #expect(try await fixture.delete("leaf", .ids(["l"])) == DeleteSummary(deleted: 1))
  }

  @Test("rejects deleting the target of a required reference", arguments: Engine.all)
  func requiredReference(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("node", ["node_id": "a"])
    try await fixture.save("leaf", ["leaf_id": "l", "branch": "a"])
    let problems = try await fixture.rejectedDeletion("node", .ids(["a"]))
    #expect(problems == [denied("a", by: "leaf l", in: "branch", "the required field branch")])
  }

  @Test(
    "updates a record only once when a deletion clears several of its references",
    arguments: Engine.all)
  func nullify(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "node", ["node_id": "a"], ["node_id": "b"],
      ["node_id": "c", "friend": "a", "friends": ["b", "c", "a", "d"]],
      ["node_id": "d", "friend": "c", "friends": ["c"]], ["node_id": "e", "friend": "b"],
      user: "ann")
    let summary = try await fixture.delete(
      "node", .ids(["a", "b"]), user: "bob", at: StoreFixture.later)
    #expect(summary == DeleteSummary(deleted: 2, nullified: 2))
    #expect(
      try await fixture.all("node") == [
        node("c", friends: ["c", "d"])
          .stamped(revision: 2, by: "ann", modified: StoreFixture.later, by: "bob"),
        node("d", friend: "c", friends: ["c"]).stamped(by: "ann", by: "ann"),
        node("e").stamped(revision: 2, by: "ann", modified: StoreFixture.later, by: "bob"),
      ])
  }

  @Test("never decreases modified_at when a deletion clears a reference", arguments: Engine.all)
  func nullifyEarlier(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "node", ["node_id": "a"], ["node_id": "b", "friend": "a"], at: StoreFixture.later)
    try await fixture.delete("node", .ids(["a"]), at: StoreFixture.noon)
    #expect(
      try await fixture.all("node") == [
        node("b").stamped(revision: 2, created: StoreFixture.later, modified: StoreFixture.later)
      ])
  }

  @Test(
    "rejects a deletion if another schema that refers to the records' schema was added meanwhile",
    arguments: Engine.all)
  func schemaChanged(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("node", ["node_id": "a"])
    let stored = try await fixture.store.catalog()
    let node = try stored.catalog.schema("node")
    let request = WriteRequest(
      to: [node], versions: stored.versions(concerning: node),
      stamp: Stamp(time: StoreFixture.noon))
    try await fixture.apply([
      node, try .test("edge", Field("node", .relation(Relation(to: "node")))),
    ])
    await #expect(throws: DataError.schemaChanged) {
      try await fixture.store.delete(DeleteRequest(node, .ids(["a"])), request)
    }
    #expect(try await fixture.ids("node") == ["a"])
  }

  @Test("rejects a deletion when more records match than the user confirmed", arguments: Engine.all)
  func agreement(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("node", ["node_id": "a"])
    try await fixture.save("node", ["node_id": "b"])
    let stored = try await fixture.store.catalog()
    let node = try stored.catalog.schema("node")
    let request = WriteRequest(
      to: [node], versions: stored.versions(concerning: node),
      stamp: Stamp(time: StoreFixture.noon))
    var deletion = DeleteRequest(node, .matching(.all))
    deletion.confirmed = DeleteSummary(deleted: 1)
    let refused = deletion
    await #expect {
      _ = try await fixture.store.delete(refused, request)
    } throws: { ($0 as? DataError)?.code == .changed }
    #expect(try await fixture.ids("node") == ["a", "b"])
    deletion.confirmed = DeleteSummary(deleted: 2)
    #expect(try await fixture.store.delete(deletion, request) == DeleteSummary(deleted: 2))
  }
}

/// Executes one deletion and keeps its result.
private struct ResultSource: OperationSource {
  private var deletion: DeleteRequest?
  private(set) var result: DeleteResult?

  init(_ deletion: DeleteRequest) { self.deletion = deletion }

  var canRestart: Bool { true }
  mutating func next() throws(DataError) -> WriteOperation? {
    deletion.take().map(WriteOperation.delete)
  }
  mutating func deleted(_ result: DeleteResult) throws(DataError) { self.result = result }
  mutating func applied(_ chunk: consuming RowChanges, outcomes: [Outcome]) throws(DataError) {}
  mutating func refused(_ problem: Problem) {}
  mutating func finish() throws(DataError) {}
  mutating func committed(throughLine line: Int) throws(DataError) {}
}
