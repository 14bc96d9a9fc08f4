import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: saves of trees")
struct TreeSaveTests {
  private func fixture(_ engine: Engine) async throws -> StoreFixture {
    try await StoreFixture(
      engine,
      [
        try .test(
          "item", Field("slug", .text, isUnique: true),
          Field("parent", .relation(Relation(to: "item")))),
        try .test("box", Field("items", .relation(Relation(to: "item", isMany: true)))),
      ])
  }

  /// The items and the box of a tree.
  private struct Tree {
    var items: [Row]
    var box: Row
  }

  /// Saves trees. The lines of their records are counted from 1.
  private func save(
    _ trees: [Tree], in fixture: StoreFixture, onInvalid: WriteRequest.OnInvalid,
    commitEvery: Int? = nil
  ) async throws -> RecordingSource {
    let stored = try await fixture.store.catalog()
    let schemas = try ["item", "box"].map { name throws(DataError) in
      try stored.catalog.schema(name)
    }
    var line = 0
    func chunk(_ rows: [Row], of schema: Schema, isInside: Bool) throws -> TreeChunk {
      var changes = RowChanges(for: schema)
      for row in rows {
        line += 1
        #expect(try changes.take(row, line: line) == [])
      }
      return TreeChunk(changes, SavePolicy(), isInside: isInside)
    }
    var source = RecordingSource([])
    source.skipsInvalid = onInvalid != .refuseAll
    for tree in trees {
      source.trees.append([
        try chunk(tree.items, of: schemas[0], isInside: true),
        try chunk([tree.box], of: schemas[1], isInside: false),
      ])
    }
    let request = WriteRequest(
      to: schemas, versions: stored.versions(concerning: schemas),
      stamp: Stamp(time: StoreFixture.noon, user: nil), onInvalid: onInvalid,
      commitEvery: commitEvery)
    try await fixture.store.write(request, from: &source)
    return source
  }

  @Test(
    "saves or skips each tree of records as a whole, even if only one record is invalid",
    arguments: Engine.all)
  func skip(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let trees = [
      // References to a missing record, to later rows, and between rows.
      Tree(
        items: [
          ["item_id": "a", "slug": "x", "parent": "none"], ["item_id": "b", "parent": "a"],
        ],
        box: ["box_id": "1", "items": ["a", "b"]]),
      Tree(
        items: [["item_id": "a", "slug": "x", "parent": "b"], ["item_id": "b", "parent": "a"]],
        box: ["box_id": "1", "items": ["b", "a"]]),
      // A unique value of another tree.
      Tree(
        items: [["item_id": "c", "slug": "x"], ["item_id": "d", "slug": "y", "parent": "c"]],
        box: ["box_id": "2", "items": ["a", "c"]]),
      // References to records of the tree that was not saved, and a changed record.
      Tree(items: [["item_id": "a", "slug": "z"]], box: ["box_id": "3", "items": ["d"]]),
      Tree(
        items: [["item_id": "a", "parent": nil], ["item_id": "d", "slug": "y", "parent": "a"]],
        box: ["box_id": "3", "items": ["d"]]),
    ]
    let saved = try await save(trees, in: fixture, onInvalid: .skipTrees)
    #expect(
      saved.problems == [
        Problem(
          .danglingReference, "there is no item \"none\"", schema: "item", id: "a",
          field: "parent", line: 1),
        Problem(
          .notUnique, "\"x\" is already used by \"a\"", schema: "item", id: "c", field: "slug",
          line: 7
        ).held(by: "a"),
        Problem(
          .danglingReference, "there is no item \"c\"", schema: "item", id: "d", field: "parent",
          line: 8),
        Problem(
          .danglingReference, "there is no item \"c\"", schema: "box", id: "2", field: "items",
          line: 9),
        Problem(
          .danglingReference, "there is no item \"d\"", schema: "box", id: "3", field: "items",
          line: 11),
      ])
    #expect(saved.treeOutcomes.last == [[.changed([2]), .created], [.created]])
    #expect(
      try await fixture.all("item").map(\.bare) == [
        ["item_id": "a", "slug": "x", "parent": nil], ["item_id": "b", "slug": nil, "parent": "a"],
        ["item_id": "d", "slug": "y", "parent": "a"],
      ])
    #expect(
      try await fixture.all("box").map(\.bare) == [
        ["box_id": "1", "items": ["b", "a"]], ["box_id": "3", "items": ["d"]],
      ])
  }

  @Test(
    "commits after every two trees with commitEvery 2, however many records a tree contains",
    arguments: Engine.all)
  func parts(engine: Engine) async throws {
    let fixture = try await fixture(engine)
    let trees = (1...5).map { number in
      Tree(
        items: [
          ["item_id": .value(.text("i\(number)"))], ["item_id": .value(.text("j\(number)"))],
        ],
        box: [
          "box_id": .value(.text("\(number)")), "items": .value(.list([.text("i\(number)")])),
        ])
    }
    for onInvalid in [WriteRequest.OnInvalid.refuseAll, .skipTrees] {
      let saved = try await save(trees, in: fixture, onInvalid: onInvalid, commitEvery: 2)
      #expect(saved.committedLines == [6, 12, 15])
      #expect(try await fixture.all("item").count == 10)
    }
  }
}
