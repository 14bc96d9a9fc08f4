import DataModel
import TestSupport
import Testing

@Suite("Resolving changes")
struct ResolveTests {
  private let noon = Timestamp(microseconds: 1_000_000_000_000_000)
  private let later = Timestamp(microseconds: 2_000_000_000_000_000)

  private func schema() throws -> Schema {
    var draft = SchemaDraft(name: "todo")
    draft.fields = [
      .init(Field("todo_id", .id)), .init(Field("title", .text, isRequired: true)),
      .init(Field("stock", .integer, defaultValue: .integer(3))),
      .init(Field("tags", .array(.text), maximum: .integer(2))),
      .init(Field("links", .relation(Relation(to: "todo", isMany: true)))),
    ]
    return try Schema(checking: draft)
  }

  private func stamp(_ time: Timestamp?) throws -> Stamp {
    Stamp(time: try #require(time), user: "ann")
  }

  /// Returns one change of the record `a`.
  private func change(_ set: (inout RowChanges) -> Void) throws -> RowChanges {
    var changes = RowChanges(for: try schema())
    changes.beginRecord(line: 5)
    changes.set(0, text: "a".utf8.span)
    set(&changes)
    #expect(changes.endRecord() == [])
    return changes
  }

  private func values(_ changes: RowChanges) -> [Value] {
    (0..<changes.schema.width).map {
      changes.rows.value(changes.rows[0, $0], of: changes.schema.type(of: $0))
    }
  }

  /// Returns the record `a` with a title, created at noon.
  private func record() throws -> Rows {
    var changes = try change { $0.set(1, text: "tea".utf8.span) }
    #expect(changes.resolve(0, over: nil, by: SavePolicy(), stamp: try stamp(noon)) == .created)
    return changes.rows
  }

  @Test("fills a new record with defaults, empty lists and system fields")
  func creation() throws {
    var changes = try change { $0.set(1, text: "tea".utf8.span) }
    #expect(changes.resolve(0, over: nil, by: SavePolicy(), stamp: try stamp(noon)) == .created)
    let time = Value.datetime(try #require(noon))
    #expect(
      values(changes) == ["a", "tea", 3, .null, .list([]), time, "ann", time, "ann", 1])
  }

  @Test("rejects a record whose given revision is above 2^52")
  func greatestRevision() throws {
    let policy = SavePolicy(revisions: .ignored, systemFields: .given)
    for (revision, isAccepted) in [("4503599627370496", true), ("4503599627370497", false)] {
      var changes = try change {
        $0.set(1, text: "tea".utf8.span)
        $0.set($0.schema.slot(.revision), number: revision.utf8.span)
      }
      let outcome = changes.resolve(0, over: nil, by: policy, stamp: try stamp(noon))
      let rejection = Outcome.refused([
        Problem(
          .invalid, "expected a revision of at most 2^52",
          schema: "todo", id: "a", field: "revision", line: 5)
      ])
      #expect(outcome == (isAccepted ? .created : rejection))
    }
  }

  @Test("rejects a new record without a required value and reports its line")
  func required() throws {
    var changes = try change { _ in }
    #expect(
      changes.resolve(0, over: nil, by: SavePolicy(), stamp: try stamp(noon))
        == .refused([
          Problem(.invalid, "required", schema: "todo", id: "a", field: "title", line: 5)
        ]))
  }

  @Test("keeps the values of fields that a change omits")
  func changed() throws {
    var changes = try change { $0.set(2, number: "9".utf8.span) }
    let outcome = changes.resolve(
      0, over: try record(), by: SavePolicy(), stamp: try stamp(later))
    #expect(outcome == .changed([2]))
    let created = Value.datetime(try #require(noon))
    let modified = Value.datetime(try #require(later))
    #expect(
      values(changes) == ["a", "tea", 9, .null, .list([]), created, "ann", modified, "ann", 2])
  }

  @Test("leaves the system fields unchanged when all values stay the same")
  func same() throws {
    let old = try record()
    var changes = try change {
      $0.set(1, text: "tea".utf8.span)
      $0.set(2, number: "3.0".utf8.span)
      $0.openList(4)
      $0.closeList()
    }
    #expect(changes.resolve(0, over: old, by: SavePolicy(), stamp: try stamp(later)) == .same)
    let time = Value.datetime(try #require(noon))
    #expect(
      values(changes) == ["a", "tea", 3, .null, .list([]), time, "ann", time, "ann", 1])
  }

  @Test("changes null to 0 when 0 is added")
  func addToNull() throws {
    var cleared = try change { $0.setNull(2) }
    #expect(
      cleared.resolve(0, over: try record(), by: SavePolicy(), stamp: try stamp(noon))
        == .changed([2]))
    var changes = try change { $0.set(2, adding: "0".utf8.span) }
    #expect(
      changes.resolve(0, over: cleared.rows, by: SavePolicy(), stamp: try stamp(noon))
        == .changed([2]))
    #expect(values(changes)[2] == 0)
  }

  @Test("accepts the smallest 64-bit integer in an addition, but not in a subtraction")
  func leastInteger() throws {
    var changes = try change { $0.set(2, adding: "-9223372036854775808".utf8.span) }
    #expect(
      changes.resolve(0, over: try record(), by: SavePolicy(), stamp: try stamp(noon))
        == .changed([2]))
    #expect(values(changes)[2] == .integer(.min + 3))
    var refused = RowChanges(for: try schema())
    refused.beginRecord(line: 1)
    refused.set(0, text: "a".utf8.span)
    refused.set(2, adding: "-9223372036854775808".utf8.span, negated: .minus)
    #expect(
      refused.endRecord().map(\.message) == [
        "subtracting -9223372036854775808 overflows 64 bits"
      ])
  }

  @Test("removes elements of an array before it appends others, and validates the resulting array")
  func edits() throws {
    func edit(_ removed: [String], _ appended: [String], over old: Rows) throws -> RowChanges {
      try change { changes in
        for (elements, role) in [(removed, RowChanges.ListRole.remove), (appended, .append)] {
          changes.openList(3, as: role)
          for word in elements { changes.append(text: word.utf8.span) }
          changes.closeList()
        }
      }
    }
    let old = try record()
    var first = try edit(["x"], ["x", "y"], over: old)
    #expect(
      first.resolve(0, over: old, by: SavePolicy(), stamp: try stamp(noon)) == .changed([3]))
    #expect(values(first)[3] == .list(["x", "y"]))
    var second = try edit(["x"], ["x"], over: first.rows)
    #expect(
      second.resolve(0, over: first.rows, by: SavePolicy(), stamp: try stamp(noon))
        == .changed([3]))
    #expect(values(second)[3] == .list(["y", "x"]))
    var third = try edit([], ["z"], over: second.rows)
    #expect(
      third.resolve(0, over: second.rows, by: SavePolicy(), stamp: try stamp(noon))
        == .refused([
          Problem(
            .invalid, "expected at most 2 elements, found 3", schema: "todo", id: "a",
            field: "tags", line: 5)
        ]))
  }

  @Test(
    "rejects a record larger than 16 MiB and an index entry that is too long", .tags(.slow),
    .from(.test))
  func sizes() throws {
    var draft = SchemaDraft(name: "todo")
    draft.fields = [
      .init(Field("todo_id", .id)), .init(Field("slug", .text, isUnique: true)),
      .init(Field("body", .text)),
    ]
    let schema = try Schema(checking: draft)
    func outcome(slug: Int, body: Int) throws -> Outcome {
      var changes = RowChanges(for: schema)
      changes.beginRecord(line: 1)
      changes.set(0, text: "a".utf8.span)
      changes.set(1, text: String(repeating: "s", count: slug).utf8.span)
      changes.set(2, text: String(repeating: "b", count: body).utf8.span)
      #expect(changes.endRecord() == [])
      return changes.resolve(0, over: nil, by: SavePolicy(), stamp: try stamp(noon))
    }
    let limit = 16 << 20
    #expect(try outcome(slug: 2_399, body: limit - 2_400) == .created)
    #expect(
      try outcome(slug: 2_400, body: limit)
        == .refused([
          Problem(
            .invalid,
            "the index entry, including the id, has 2401 bytes; the limit is 2,400",
            schema: "todo", id: "a", field: "slug", line: 1),
          Problem(
            .invalid, "the record has 16779617 bytes; the limit is 16 MiB", schema: "todo",
            id: "a", line: 1),
        ]))
  }

  @Test("counts 8 bytes for each number and each null in the size of an index entry")
  func indexEntrySize() throws {
    var draft = SchemaDraft(name: "todo")
    draft.fields = [
      .init(Field("todo_id", .id)), .init(Field("slug", .text)), .init(Field("stock", .integer)),
      .init(Field("price", .number)),
    ]
    draft.indexes = [.init([OrderTerm("slug"), OrderTerm("stock"), OrderTerm("price")])]
    let schema = try Schema(checking: draft)
    for (slug, isValid) in [(2_383, true), (2_384, false)] {
      var changes = RowChanges(for: schema)
      changes.beginRecord(line: 1)
      changes.set(0, text: "a".utf8.span)
      changes.set(1, text: String(repeating: "s", count: slug).utf8.span)
      changes.set(2, number: "5".utf8.span)
      #expect(changes.endRecord() == [])
      let outcome = changes.resolve(0, over: nil, by: SavePolicy(), stamp: try stamp(noon))
      let problem = Problem(
        .invalid, "the index entry, including the id, has 2401 bytes; the limit is 2,400",
        schema: "todo", id: "a", field: "slug", line: 1)
      #expect(outcome == (isValid ? .created : .refused([problem])))
    }
  }
}
