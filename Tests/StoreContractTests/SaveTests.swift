import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: saves")
struct SaveTests {
  private func fixture(_ engine: Engine) async throws -> StoreFixture {
    try await StoreFixture(
      engine,
      [
        try .test(
          "item", Field("title", .text, isRequired: true), Field("slug", .text, isUnique: true),
          Field("parent", .relation(Relation(to: "item"))),
          Field("stock", .integer, defaultValue: 0))
      ])
  }

  private func record(
    _ id: String, _ title: String, slug: Value = nil, parent: Value = nil, stock: Value = 0
  ) -> Record {
    [
      "item_id": .text(id), "title": .text(title), "slug": slug, "parent": parent, "stock": stock,
    ]
  }

  private func problem(
    _ code: ErrorCode, _ message: String, hint: String? = nil, id: String = "a",
    field: String? = nil, line: Int = 1
  ) -> Problem {
    Problem(code, message, hint: hint, schema: "item", id: id, field: field, line: line)
  }

  @Test("rejects an id that already exists when --create is given", arguments: Engine.all)
  func create(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let policy = SavePolicy(mode: .create)
    #expect(
      try await fixture.save("item", ["item_id": "a", "title": "tea"], by: policy) == [.created])
    let problems = try await fixture.rejection(
      of: "item", ["item_id": "b", "title": "new"], ["item_id": "a", "title": "other"], by: policy)
    #expect(problems == [problem(.exists, "the record already exists", line: 2)])
  }

  @Test("rejects an id that does not exist when --update is given", arguments: Engine.all)
  func update(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let policy = SavePolicy(mode: .update)
    try await fixture.save("item", ["item_id": "a", "title": "tea"])
    let outcomes = try await fixture.save("item", ["item_id": "a", "stock": 4], by: policy)
    #expect(outcomes == [.changed([4])])
    let problems = try await fixture.rejection(
      of: "item", ["item_id": "a", "stock": 5], ["item_id": "b", "title": "x", "revision": 1],
      by: policy)
    #expect(problems == [problem(.notFound, "there is no such record", id: "b", line: 2)])
  }

  @Test(
    "resets fields that a record omits to their default or null when --replace is given",
    arguments: Engine.all)
  func replace(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let policy = SavePolicy(mode: .replace)
    try await fixture.save(
      "item", ["item_id": "a", "title": "tea", "slug": "tea", "parent": "a", "stock": 9])
    let outcomes = try await fixture.save(
      "item", ["item_id": "a", "title": "tea"], ["item_id": "b", "title": "new"], by: policy)
    #expect(outcomes == [.changed([2, 3, 4]), .created])
    #expect(
      try await fixture.all("item") == [
        record("a", "tea").stamped(revision: 2), record("b", "new").stamped(),
      ])
    let problems = try await fixture.rejection(
      of: "item", ["item_id": "a", "stock": 1], by: policy)
    #expect(problems == [problem(.invalid, "required", field: "title")])
  }

  @Test(
    "rejects a change of an existing record if the given revision is not the current one",
    arguments: Engine.all)
  func revisions(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "title": "tea", "revision": 7])
    try await fixture.save("item", ["item_id": "a", "stock": 1, "revision": 1])
    #expect(try await fixture.all("item") == [record("a", "tea", stock: 1).stamped(revision: 2)])
    let problems = try await fixture.rejection(
      of: "item", ["item_id": "a", "stock": 2, "revision": 1])
    #expect(
      problems == [
        problem(
          .changed, "changed concurrently: expected revision 1, found 2",
          hint: "read the record again, or pass --any-revision")
      ])
    try await fixture.save(
      "item", ["item_id": "a", "stock": 2, "revision": 1], by: SavePolicy(revisions: .ignored))
    #expect(try await fixture.all("item") == [record("a", "tea", stock: 2).stamped(revision: 3)])
  }

  @Test(
    "rejects a change of a record that was created again, if the policy says so",
    arguments: Engine.all)
  func recreated(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "title": "tea"])
    let policy = SavePolicy(mode: .update, revisions: .checkedWithCreation)
    try await fixture.save(
      "item", ["item_id": "a", "stock": 1, "revision": 1, "created_at": "2026-11-20T12:00:00Z"],
      by: policy)
    let problems = try await fixture.rejection(
      of: "item", ["item_id": "a", "stock": 2, "revision": 2, "created_at": "2001-01-01"],
      by: policy)
    #expect(
      problems == [
        problem(
          .changed, "the record was deleted and created again", hint: "read the record again",
          field: "created_at")
      ])
  }

  @Test(
    "rejects a revision that differs from the current one even if no value changes",
    arguments: Engine.all)
  func revisionOfTheSame(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "title": "tea"])
    let problems = try await fixture.rejection(
      of: "item", ["item_id": "a", "title": "tea", "revision": 2])
    #expect(problems.map(\.code) == [.changed])
  }

  @Test("ignores all system fields in the input except the revision", arguments: Engine.all)
  func ignoredSystemFields(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let row: Row = [
      "item_id": "a", "title": "tea", "created_at": "2000-01-01", "created_by": "eve",
      "modified_at": "2000-01-01", "modified_by": "eve",
    ]
    try await fixture.save("item", row, user: "ann")
    #expect(try await fixture.save("item", row, user: "bob", at: StoreFixture.later) == [.same])
    #expect(
      try await fixture.all("item") == [record("a", "tea").stamped(by: "ann", by: "ann")])
  }

  @Test(
    "stores the system fields of the input when --keep-system-fields is given",
    arguments: Engine.all)
  func givenSystemFields(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let policy = SavePolicy(systemFields: .given)
    let row: Row = [
      "item_id": "a", "title": "tea", "revision": 41, "created_at": "2000-01-01",
      "created_by": "eve", "modified_at": "2001-01-01", "modified_by": nil,
    ]
    try await fixture.save("item", row, by: policy, user: "ann")
    let expected = record("a", "tea").stamped(
      revision: 41, created: "2000-01-01", by: "eve", modified: "2001-01-01", by: nil)
    #expect(try await fixture.all("item") == [expected])
    #expect(try await fixture.save("item", row, by: policy, user: "bob") == [.same])
    let outcomes = try await fixture.save("item", ["item_id": "a", "revision": 3], by: policy)
    #expect(outcomes == [.changed([])])
    #expect(
      try await fixture.all("item") == [
        record("a", "tea").stamped(
          revision: 3, created: "2000-01-01", by: "eve", modified: "2001-01-01", by: nil)
      ])
  }

  @Test("sets the times and the revision of a record that omits them", arguments: Engine.all)
  func givenPartly(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "item",
      [
        "item_id": "a", "title": "tea", "created_by": nil,
      ], by: SavePolicy(systemFields: .given), user: "ann")
    #expect(
      try await fixture.all("item") == [record("a", "tea").stamped(by: nil, by: "ann")])
  }

  @Test("never decreases modified_at, even if the clock is set back", arguments: Engine.all)
  func timeIsMonotonic(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "title": "tea"], at: StoreFixture.later)
    try await fixture.save("item", ["item_id": "a", "stock": 1], at: StoreFixture.noon)
    #expect(
      try await fixture.all("item") == [
        record("a", "tea", stock: 1).stamped(
          revision: 2, created: StoreFixture.later, modified: StoreFixture.later)
      ])
  }

  @Test(
    "saves the records in the order of the input, in chunks of any size",
    arguments: Engine.all, [1, 2, 100])
  func inOrder(engine: Engine, chunkSize: Int) async throws {
    let fixture = try await fixture(engine)
    let saved = try await fixture.trySave(
      "item",
      [
        ["item_id": "a", "title": "one"], ["item_id": "b", "title": "two"],
        ["item_id": "a", "title": "three"], ["item_id": "a", "title": "three"],
        ["item_id": "a", "slug": "s", "revision": 2], ["item_id": "b", "title": "four"],
      ], chunkSize: chunkSize)
    #expect(
      saved.outcomes == [
        .created, .created, .changed([1]), .same, .changed([2]), .changed([1]),
      ])
    #expect(
      saved.records == [
        record("a", "one").stamped(), record("b", "two").stamped(),
        record("a", "three").stamped(revision: 2), record("a", "three").stamped(revision: 2),
        record("a", "three", slug: "s").stamped(revision: 3),
        record("b", "four").stamped(revision: 2),
      ])
    #expect(
      try await fixture.all("item") == [
        record("a", "three", slug: "s").stamped(revision: 3),
        record("b", "four").stamped(revision: 2),
      ])
  }

  @Test("rejects an id that occurs twice in one save when --create is given", arguments: Engine.all)
  func createTwice(engine: Engine) async throws {
    let problems = try await fixture(engine).rejection(
      of: "item", ["item_id": "a", "title": "one"], ["item_id": "a", "title": "two"],
      by: SavePolicy(mode: .create))
    #expect(problems == [problem(.exists, "the record already exists", line: 2)])
  }

  @Test(
    "checks that values are unique after each record, not only at the end of a save",
    arguments: Engine.all)
  func uniqueInOrder(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "item", ["item_id": "a", "title": "A", "slug": "x"],
      ["item_id": "b", "title": "B", "slug": "y"])
    let problems = try await fixture.rejection(
      of: "item", ["item_id": "a", "slug": "y"], ["item_id": "b", "slug": "x"])
    #expect(
      problems == [
        problem(.notUnique, "\"y\" is already used by \"b\"", field: "slug").held(by: "b"),
        problem(.notUnique, "\"x\" is already used by \"a\"", id: "b", field: "slug", line: 2)
          .held(by: "a"),
      ])
    try await fixture.save(
      "item", ["item_id": "a", "slug": nil], ["item_id": "b", "slug": "x"],
      ["item_id": "a", "slug": "y"])
    #expect(
      try await fixture.all("item").map(\.bare) == [
        record("a", "A", slug: "y"), record("b", "B", slug: "x"),
      ])
  }

  @Test(
    "moves unique values between records in one save, whatever their order in the store",
    arguments: Engine.all)
  func uniqueChains(engine: Engine) async throws {
    let schema = try Schema.test("item", Field("code", .integer, isUnique: true))
    let fixture = try await StoreFixture(engine, [schema])
    func rows(_ numbers: [Int], offset: Int) -> [Row] {
      numbers.map { number in
        [
          "item_id": .value(.text("i\(100 + number)")),
          "code": .value(.integer(Int64(number + offset))),
        ]
      }
    }
    let numbers = Array(0..<60)
    for (order, offset) in [(numbers, 0), (numbers.reversed(), 1), (numbers, 0)] {
      let saved = try await fixture.trySave("item", rows(order, offset: offset))
      #expect(saved.error == nil)
      let codes = try await fixture.all("item").map { $0["code"] }
      #expect(codes == numbers.map { .integer(Int64($0 + offset)) })
    }
  }

  @Test("rejects a unique value that occurs twice in one save", arguments: Engine.all, [1, 100])
  func uniqueInOneCommand(engine: Engine, chunkSize: Int) async throws {
    let fixture = try await fixture(engine)
    let saved = try await fixture.trySave(
      "item",
      [
        ["item_id": "a", "title": "A", "slug": "x"], ["item_id": "b", "title": "B", "slug": "x"],
      ], chunkSize: chunkSize)
    let expected = problem(
      .notUnique, "\"x\" is already used by \"a\"", id: "b", field: "slug", line: 2
    ).held(by: "a")
    #expect(saved.outcomes == [.created, .refused([expected])])
    #expect(saved.error == DataError(expected))
    #expect(try await fixture.all("item") == [])
  }

  @Test("compares unique text values byte by byte", arguments: Engine.all)
  func uniqueBytes(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "item", ["item_id": "a", "title": "A", "slug": "é"],
      ["item_id": "b", "title": "B", "slug": "e\u{301}"],
      ["item_id": "c", "title": "C", "slug": ""], ["item_id": "d", "title": "D", "slug": "É"])
    #expect(try await fixture.ids("item") == ["a", "b", "c", "d"])
  }

  @Test("accepts references to later records and to the record itself", arguments: Engine.all)
  func forwardReferences(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "item", ["item_id": "a", "title": "A", "parent": "b"],
      ["item_id": "b", "title": "B", "parent": "a"], ["item_id": "c", "title": "C", "parent": "c"])
    #expect(
      try await fixture.all("item").map(\.bare) == [
        record("a", "A", parent: "b"), record("b", "B", parent: "a"), record("c", "C", parent: "c"),
      ])
  }

  @Test("reports a dangling reference with its line", arguments: Engine.all)
  func danglingReferences(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "title": "A"])
    let problems = try await fixture.rejection(
      of: "item", ["item_id": "b", "title": "B", "parent": "unknown"],
      ["item_id": "c", "title": "C", "parent": "a"], ["item_id": "a", "parent": "none"])
    #expect(
      problems == [
        problem(
          .danglingReference, "there is no item \"unknown\"", id: "b", field: "parent", line: 1),
        problem(.danglingReference, "there is no item \"none\"", field: "parent", line: 3),
      ])
  }

  @Test(
    "checks only the final value of a reference that is saved several times", arguments: Engine.all)
  func replacedReference(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "item", ["item_id": "a", "title": "A", "parent": "unknown"], ["item_id": "a", "parent": "a"])
    #expect(
      try await fixture.all("item") == [record("a", "A", parent: "a").stamped(revision: 2)])
  }

  @Test("reports every problem in a save", arguments: Engine.all)
  func allProblems(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "title": "A", "slug": "x"])
    let problems = try await fixture.rejection(
      of: "item", ["item_id": "b"], ["item_id": "c", "title": "C", "slug": "x"],
      ["item_id": "d", "title": "D", "parent": "none"], ["item_id": "a", "revision": 4])
    #expect(
      problems == [
        problem(.invalid, "required", id: "b", field: "title", line: 1),
        problem(.notUnique, "\"x\" is already used by \"a\"", id: "c", field: "slug", line: 2)
          .held(by: "a"),
        problem(
          .changed, "changed concurrently: expected revision 4, found 1",
          hint: "read the record again, or pass --any-revision", line: 4),
        problem(.danglingReference, "there is no item \"none\"", id: "d", field: "parent", line: 3),
      ])
  }

  @Test(
    "rolls back a save when the caller throws an error after the last record",
    arguments: Engine.all)
  func finalError(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "title": "A"])
    let before = try await fixture.everything()
    let error = DataError(.failed, "the disk of the caller is full")
    let saved = try await fixture.trySave(
      "item", [["item_id": "a", "title": "B"], ["item_id": "b", "title": "B"]], finalError: error)
    #expect(saved.error == error)
    #expect(saved.committedLines == [])
    #expect(try await fixture.everything() == before)
  }

  @Test("returns the results of all records and rolls back in a dry run", arguments: Engine.all)
  func dryRun(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save("item", ["item_id": "a", "title": "A"])
    let before = try await fixture.everything()
    let rows: [Row] = [
      ["item_id": "a", "title": "B"], ["item_id": "b", "title": "C", "parent": "b"],
    ]
    let saved = try await fixture.trySave("item", rows, end: .rollBack)
    #expect(saved.outcomes == [.changed([1]), .created])
    #expect(
      saved.records == [
        record("a", "B").stamped(revision: 2), record("b", "C", parent: "b").stamped(),
      ])
    #expect(saved.error == nil)
    #expect(saved.committedLines == [])
    #expect(try await fixture.everything() == before)
    let refused = try await fixture.trySave(
      "item", [["item_id": "c", "title": "C", "parent": "none"]], end: .rollBack)
    #expect(refused.error?.code == .danglingReference)
  }

  @Test(
    "saves each valid record independently of the others when --skip-invalid is given",
    arguments: Engine.all, [1, 100])
  func skip(engine: Engine, chunkSize: Int) async throws {
    let fixture = try await fixture(engine)
    let saved = try await fixture.trySave(
      "item",
      [
        ["item_id": "a", "title": "A", "slug": "x"], ["item_id": "b"],
        ["item_id": "c", "title": "C", "slug": "x"], ["item_id": "d", "title": "D", "parent": "e"],
        ["item_id": "e", "title": "E", "parent": "e"],
        ["item_id": "f", "title": "F", "parent": "b"],
        ["item_id": "d", "title": "D", "parent": "e"],
      ], chunkSize: chunkSize, onInvalid: .skip)
    #expect(saved.error == nil)
    #expect(
      saved.outcomes == [
        .created, .refused([problem(.invalid, "required", id: "b", field: "title", line: 2)]),
        .refused([
          problem(
            .notUnique, "\"x\" is already used by \"a\"", id: "c", field: "slug", line: 3
          ).held(by: "a")
        ]),
        .refused([
          problem(.danglingReference, "there is no item \"e\"", id: "d", field: "parent", line: 4)
        ]),
        .created,
        .refused([
          problem(.danglingReference, "there is no item \"b\"", id: "f", field: "parent", line: 6)
        ]),
        .created,
      ])
    #expect(
      try await fixture.all("item") == [
        record("a", "A", slug: "x").stamped(), record("d", "D", parent: "e").stamped(),
        record("e", "E", parent: "e").stamped(),
      ])
  }

  @Test(
    "commits after every N records when given --commit-every N, and reports each commit",
    arguments: Engine.all)
  func commitEvery(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let rows = (1...5).map { number -> Row in
      ["item_id": .value(.text("i\(number)")), "title": "T"]
    }
    let saved = try await fixture.trySave("item", rows, chunkSize: 1, commitEvery: 2)
    #expect(saved.error == nil)
    #expect(saved.committedLines == [2, 4, 5])
    #expect(try await fixture.ids("item") == ["i1", "i2", "i3", "i4", "i5"])
  }

  @Test(
    "commits the records so far when --commit-every is given and the input pauses",
    arguments: Engine.all)
  func commitPending(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let stored = try await fixture.store.catalog()
    let schema = try stored.catalog.schema("item")
    var first = RowChanges(for: schema)
    #expect(try first.take(["item_id": "a", "title": "A"], line: 1) == [])
    var second = RowChanges(for: schema)
    #expect(try second.take(["item_id": "b", "title": "B"], line: 2) == [])
    let request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema),
      stamp: Stamp(time: StoreFixture.noon),
      commitEvery: 100)
    var source = RecordingSource([first, RowChanges(for: schema), second])
    try await fixture.store.write(request, from: &source)
    #expect(source.committedLines == [1, 2])
    #expect(try await fixture.ids("item") == ["a", "b"])
  }

  @Test(
    "keeps the earlier commits of --commit-every, and rolls back the rest, if a record is invalid",
    arguments: Engine.all)
  func commitEveryRolledBack(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let saved = try await fixture.trySave(
      "item",
      [
        ["item_id": "a", "title": "A"], ["item_id": "b", "title": "B"],
        ["item_id": "c", "title": "C"], ["item_id": "d", "title": "D", "parent": "e"],
        ["item_id": "e", "title": "E"], ["item_id": "f", "title": "F"],
      ], chunkSize: 1, commitEvery: 2)
    #expect(
      saved.error
        == DataError(
          problem(.danglingReference, "there is no item \"e\"", id: "d", field: "parent", line: 4)))
    #expect(saved.outcomes == [.created, .created, .created, .created])
    #expect(saved.committedLines == [2])
    #expect(try await fixture.ids("item") == ["a", "b"])
  }

  @Test("succeeds when there are no records to save", arguments: Engine.all)
  func nothing(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let saved = try await fixture.trySave("item", [])
    #expect(saved.error == nil)
    #expect(saved.outcomes == [])
    #expect(saved.committedLines == [])
  }

  @Test(
    "rejects a save when the schemas have changed since the request was prepared",
    arguments: Engine.all)
  func schemaChanged(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let stored = try await fixture.store.catalog()
    let schema = try stored.catalog.schema("item")
    try await fixture.apply([try .test("other", Field("item", .relation(Relation(to: "item"))))])
    var changes = RowChanges(for: schema)
    #expect(try changes.take(["item_id": "a", "title": "A"], line: 1) == [])
    var source = RecordingSource([changes])
    let request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema),
      stamp: Stamp(time: StoreFixture.noon))
    await #expect(throws: DataError.schemaChanged) {
      try await fixture.store.write(request, from: &source)
    }
    #expect(source.outcomes == [])
    #expect(try await fixture.all("item") == [])
  }

  @Test("filters and sorts records by the system fields", arguments: Engine.all)
  func systemFieldsInQueries(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    try await fixture.save(
      "item", ["item_id": "a", "title": "A"], user: "ann", at: StoreFixture.later)
    try await fixture.save("item", ["item_id": "b", "title": "B"], user: "bob")
    try await fixture.save("item", ["item_id": "c", "title": "C"])
    try await fixture.save("item", ["item_id": "c", "title": "D"])
    #expect(try await fixture.ids("item", order: "-created_at") == ["a", "c", "b"])
    #expect(try await fixture.ids("item", order: "created_by") == ["c", "a", "b"])
    #expect(try await fixture.ids("item", order: "-revision", "title") == ["c", "a", "b"])
    let byAnn = Condition.equals(field: "created_by", value: "ann")
    #expect(try await fixture.ids("item", where: byAnn) == ["a"])
  }
}
