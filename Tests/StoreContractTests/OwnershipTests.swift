import DataModel
import DataStore
import TestSupport
import Testing

/// Orders, their lines and the parts of these lines, and a tree of nodes.
@Suite("Store contract: owners and parts", .tags(.random))
struct OwnershipTests {
  private static func schemas() throws -> [Schema] {
    func owner(_ target: String, _ inverse: String, position: String? = nil) -> FieldType {
      var relation = Relation(to: target, onDelete: .cascade, inverse: inverse)
      relation.isOwned = true
      relation.position = position
      return .relation(relation)
    }
    return [
      try .test("ord", Field("title", .text), Field("tag", .relation(Relation(to: "tag")))),
      try .test(
        "line", Field("ord", owner("ord", "lines", position: "place"), isRequired: true),
        Field("place", .integer), Field("code", .text, isUnique: true)),
      try .test(
        "part", Field("line", owner("line", "parts"), isRequired: true),
        Field("tag", .relation(Relation(to: "tag")))),
      try .test("node", Field("parent", owner("node", "children")), Field("n", .integer)),
      try .test("tag", Field("name", .text)),
    ]
  }

  /// Saves a tree: an order, with lines of which some are given only as ids.
  private static func save(
    _ order: Row, lines: [Row], links: [String], _ policy: SavePolicy,
    onInvalid: WriteRequest.OnInvalid, in fixture: StoreFixture, at time: Timestamp
  ) async throws -> RecordingSource {
    let stored = try await fixture.store.catalog()
    let (orders, parts) = try (stored.catalog.schema("ord"), stored.catalog.schema("line"))
    var (root, inside, linked) = (
      RowChanges(for: orders), RowChanges(for: parts), RowChanges(for: parts)
    )
    #expect(try root.take(order, line: 1) == [])
    let id = root.rows.bytes(root.rows[0, orders.keySlot])
    var list = PartList(
      parts, try #require(parts.ownerSlot), owner: id, isOfNewOwner: false, line: 1)
    let owner = (name: "ord", input: Row.Input.value(.text(String(decoding: id, as: UTF8.self))))
    for (index, line) in lines.enumerated() {
      var line = line
      line.entries.append(owner)
      #expect(try inside.take(line, line: index + 2) == [])
      list.append(PartList.Part(chunk: 1, row: index))
    }
    for (index, link) in links.enumerated() {
      var row: Row = ["line_id": .value(.text(link))]
      row.entries.append(owner)
      #expect(try linked.take(row, line: index + 100) == [])
      list.append(PartList.Part(chunk: 2, row: index))
    }
    var source = RecordingSource([])
    source.skipsInvalid = onInvalid == .skipTrees
    source.trees = [
      [
        TreeChunk(root, policy, isInside: false, number: 0),
        TreeChunk(inside, SavePolicy(mode: .createOrChange), isInside: true, number: 1),
        TreeChunk(linked, SavePolicy(mode: .update), isInside: true, number: 2),
      ]
    ]
    source.lists = [[list]]
    let schemas = ["ord", "line", "part", "tag"].compactMap { stored.catalog[$0] }
    try await fixture.store.write(
      WriteRequest(
        to: schemas, versions: stored.versions(concerning: schemas),
        stamp: Stamp(time: time, user: "cy"), onInvalid: onInvalid), from: &source)
    return source
  }

  /// A random command: a flat save, a deletion, or a tree with a whole list.
  private static func run(
    _ generator: inout SeededRandom, on fixtures: [StoreFixture], at time: Timestamp
  ) async throws -> [Set<Problem>] {
    func id() -> String { "i\(Int.random(in: 0..<6, using: &generator))" }
    func tag() -> Row.Input { generator.chance(50) ? nil : .value(.text(id())) }
    let ids = (0..<Int.random(in: 0...3, using: &generator)).map { _ in id() }
    let name = generator.pick(["ord", "line", "part", "node", "tag"])
    let kind = Int.random(in: 0..<10, using: &generator)
    let isSkipping = generator.chance(30)
    let policy = SavePolicy(mode: generator.pick([.createOrChange, .update, .create]))
    var rows: [Row] = []
    var saved: Set<String> = []
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let key = id()
      guard saved.insert(key).inserted else { continue }
      switch name {
      case "ord": rows.append(["ord_id": .value(.text(key)), "title": .value(.text(id()))])
      case "line":
        var row: Row = ["line_id": .value(.text(key)), "ord": .value(.text(id()))]
        if generator.chance(50) { row.entries.append((name: "code", input: .value(.text(id())))) }
        if generator.chance(30) { row.entries.append((name: "place", input: 2)) }
        rows.append(row)
      case "part":
        rows.append(["part_id": .value(.text(key)), "line": .value(.text(id())), "tag": tag()])
      case "node": rows.append(["node_id": .value(.text(key)), "parent": tag()])
      default: rows.append(["tag_id": .value(.text(key)), "name": .value(.text(id()))])
      }
    }
    let order: Row = ["ord_id": .value(.text(id())), "tag": nil]
    var lines: [Row] = []
    var used = Set(ids)
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let line = id()
      guard used.insert(line).inserted else { continue }
      var row: Row = ["line_id": .value(.text(line))]
      if generator.chance(60) { row.entries.append((name: "code", input: .value(.text(id())))) }
      lines.append(row)
    }
    var results: [Set<Problem>] = []
    for fixture in fixtures {
      do {
        switch kind {
        case 0...3:
          let saved = try await fixture.trySave(
            name, rows, by: SavePolicy(mode: policy.mode == .update ? .update : .createOrChange),
            user: "ann", at: time)
          results.append(Set(saved.problems + (saved.error?.problems ?? [])))
        case 4...5:
          try await fixture.delete(
            name, .ids(IDList(ids)), missing: .ignored, user: "bob", at: time)
          results.append([])
        default:
          let links = Array(Set(ids)).sorted()
          let source = try await save(
            order, lines: lines, links: links, policy,
            onInvalid: isSkipping ? .skipTrees : .refuseAll, in: fixture, at: time)
          results.append(Set(source.problems))
        }
      } catch let error as DataError {
        results.append(Set(error.problems))
      }
    }
    return results
  }

  @Test(
    "gives owners of changed parts one new revision, and leaves no orphans, on every engine",
    arguments: EnginePair.all, Seeds.count(test: 3, all: 40).map { UInt64($0 + 1) })
  func random(pair: EnginePair, seed: UInt64) async throws {
    var generator = SeededRandom(seed: seed)
    let schemas = try Self.schemas()
    let fixtures = [
      try await StoreFixture(pair.first, schemas), try await StoreFixture(pair.second, schemas),
    ]
    for step in 0..<80 {
      let time = try #require(
        Timestamp(microseconds: StoreFixture.noon.microseconds + Int64(step) * 1_000_000))
      let before = try await fixtures[0].everything()
      let results = try await Self.run(&generator, on: fixtures, at: time)
      let context: Comment = "seed \(seed), step \(step)"
      #expect(results[0] == results[1], context)
      let after = try await fixtures[0].everything()
      #expect(after == (try await fixtures[1].everything()), context)
      check(before, after, context)
    }
  }

  @Test(
    "keeps the parts that the caller may not read, and saves nothing if one may not be deleted",
    arguments: Engine.all)
  func access(engine: Engine) async throws {
    var drafts = try Self.schemas().map { SchemaDraft($0) }
    for verb in AccessVerb.allCases where verb != .history {
      drafts[0].access[verb] = [.users]
      drafts[1].access[verb] = [.users]
    }
    drafts[1].access[.read] = [.condition("code != 'hidden'")]
    drafts[1].access[.delete] = [.condition("code != 'kept'")]
    drafts[2].access[.read] = [.users]
    let user = try Schema.test("user", Field("password", .password), kind: .user)
    let fixture = try await StoreFixture(
      engine, [user] + drafts.map { draft throws(DataError) in try Schema(checking: draft) })
    try await fixture.save("user", ["username": "ann"])
    try await fixture.save("ord", ["ord_id": "o"])
    try await fixture.save(
      "line", ["line_id": "a", "ord": "o"], ["line_id": "b", "ord": "o", "code": "hidden"],
      ["line_id": "c", "ord": "o", "code": "kept"])
    try await fixture.save("part", ["part_id": "p", "line": "a"])
    let ann = fixture.bound(for: .user("ann")) { text, _, _, _ in
      let code = String(text.split(separator: "'")[1])
      return .not(.equals(field: "code", value: .text(code)))
    }
    func save(_ links: [String]) async throws -> RecordingSource {
      try await Self.save(
        ["ord_id": "o"], lines: [], links: links, SavePolicy(), onInvalid: .refuseAll, in: ann,
        at: Self.later)
    }
    let before = try await fixture.everything()
    await #expect(throws: DataError.self) { try await save([]) }
    #expect(try await fixture.everything() == before)
    let source = try await save(["c"])
    #expect(source.removed == [DeleteSummary(deleted: 1)])
    #expect(try await fixture.ids("line") == ["b", "c"])
    #expect(try await fixture.ids("part") == [])
    #expect(try await fixture.record("ord", "o")?["revision"] == 4)
    #expect(try await fixture.record("ord", "o")?["modified_by"] == "cy")
  }

  private static let later: Timestamp = StoreFixture.later

  /// Checks that each record has a new revision exactly if it or one of its parts has changed, and
  /// that all parts have owners.
  private func check(
    _ before: [String: [Record]], _ after: [String: [Record]], _ context: Comment
  ) {
    let parts = [("ord", "line", "ord"), ("line", "part", "line"), ("node", "node", "parent")]
    for (owner, part, field) in parts {
      let ids = Set((after[owner] ?? []).compactMap { $0["\(owner)_id"] })
      for record in after[part] ?? [] {
        guard let id = record[field], id != .null else { continue }
        #expect(ids.contains(id), context)
      }
    }
    for (schema, records) in after {
      for record in records {
        let key = "\(schema)_id"
        guard let old = before[schema]?.first(where: { $0[key] == record[key] }) else { continue }
        let isChanged = text(old, schema, in: before) != text(record, schema, in: after)
        guard case .integer(let first)? = old["revision"],
          case .integer(let second)? = record["revision"]
        else { continue }
        // A record that was deleted and created again by the same command begins with 1.
        #expect(second == (isChanged ? first + 1 : first), "\(schema) \(record): \(context)")
      }
    }
  }

  /// Returns the fields of a record and its parts, without system fields, as text.
  private func text(
    _ record: Record, _ schema: String, in records: [String: [Record]], depth: Int = 0
  ) -> String {
    guard depth < 40 else { return "…" }
    let system = Set(SystemField.allCases.map(\.name))
    var lines = record.values.filter { !system.contains($0.key) }
      .map { "\(schema).\($0.key)=\($0.value)" }.sorted()
    let relation = ["ord": ("line", "ord"), "line": ("part", "line"), "node": ("node", "parent")]
    if let (part, field) = relation[schema] {
      for other in records[part] ?? [] where other[field] == record["\(schema)_id"] {
        lines.append(text(other, part, in: records, depth: depth + 1))
      }
    }
    return lines.joined(separator: "\n")
  }
}
