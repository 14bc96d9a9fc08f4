import DataModel
import RecordText
import TestSupport
import Testing

@Suite("Trees that are read from JSON")
struct TreeReaderTests {
  private let catalog: Catalog
  private let plan: Schema

  init() throws {
    catalog = try Catalog(checking: [
      schema(
        "step", Field("text", .text), Field("n", .number), Field("data", .json),
        Field("tags", .array(.text)), Field("next", .relation(Relation(to: "step")))),
      schema(
        "plan", Field("title", .text), Field("count", .integer),
        Field("steps", .relation(Relation(to: "step", isMany: true)))),
    ])
    plan = try catalog.schema("plan")
  }

  /// A description of each record that the reader returns, and of each problem.
  private func read(_ text: String) throws -> [String] {
    var reader = TreeReader(
      BytesInMemory(Array(text.utf8)), for: plan, in: catalog, file: "in",
      ids: IDGenerator(clock: { 0 }))
    var found: [String] = []
    while let chunk = try reader.next() {
      let changes = chunk.changes
      for row in 0..<changes.count {
        let values = changes.schema.fields.indices.compactMap { slot -> String? in
          let cell = changes.rows[row, slot]
          guard cell.hasValue, slot != changes.schema.keySlot else { return nil }
          guard cell.operation == .set else {
            return "\(changes.schema.name(of: slot)) += \(changes.givenTargets(row, slot))"
          }
          return changes.rows.value(cell, of: changes.schema.type(of: slot)).display
        }
        let id = changes.rows.text(changes.rows[row, changes.schema.keySlot])
        found.append(([changes.schema.name, id] + values).joined(separator: " "))
      }
      for problem in chunk.rejected.flatMap(\.problems) {
        let place = [problem.path, problem.field].compactMap(\.self).joined(separator: ".")
        found.append("\(problem.line ?? 0) \(place): \(problem.message)")
      }
    }
    return found
  }

  @Test("returns nested records first, and replaces them with their ids")
  func order() throws {
    let found = try read(
      #"""
      {"plan_id": "p", "title": "a\tb", "steps": ["x", {"step_id": "\u0061", "text": "T",
        "next": {"step_id": "b", "tags": ["u", "v"], "next": {"step_id": "c"}}}, {"step_id": "d"}]}
      """#)
    #expect(
      found == [
        #"step b ["u", "v"] "c""#, #"step a "T" "b""#, #"plan p "a\u0009b" ["x", "a", "d"]"#,
      ])
  }

  @Test("returns a record that occurs several times with the same values once")
  func repeated() throws {
    let found = try read(
      #"""
      {"plan_id": "p", "steps": [{"step_id": "a", "text": "T", "n": 1, "data": {"k": "A"}}]}
      {"plan_id": "q", "steps": [{"data": {"k" : "\u0041"}, "n": 1.0, "text": "\u0054",
        "step_id": "a"}]}
      {"plan_id": "r", "steps": [{"step_id": "a", "text": "U"}]}
      """#)
    #expect(
      found == [
        #"step a "T" 1 "{"k":"A"}""#, #"step a "U""#, #"plan p ["a"]"#, #"plan q ["a"]"#,
        #"plan r ["a"]"#,
      ])
  }

  @Test("applies an operation each time it occurs, with nested records in its lists")
  func operations() throws {
    let found = try read(
      #"""
      {"plan_id": "p", "steps": {"$append": [{"step_id": "a", "text": "T"}, "b"]}}
      {"plan_id": "p", "count": {"$add": 1}}
      {"plan_id": "p", "steps": {"$append": [{"step_id": "a", "text": "T"}, "b"]}}
      """#)
    #expect(
      found == [
        #"step a "T""#, #"plan p steps += ["a", "b"]"#, #"plan p count += []"#,
        #"plan p steps += ["a", "b"]"#,
      ])
  }

  @Test("ignores null as an id, and reports other invalid ids with the record that has them")
  func ids() throws {
    let found = try read(
      #"""
      {"plan_id": null, "steps": [{"step_id": null, "text": "T"}]}
      {"plan_id": "p", "steps": [{"step_id": {"a": 1}, "text": "T"}, {"step_id": 7}]}
      """#)
    #expect(
      found.map { $0.replacing(/[0-9a-f-]{36}/, with: "ID") } == [
        #"step ID "T""#, "2 $.steps[0].step_id: expected id, found an object",
        #"plan ID ["ID"]"#, #"plan p ["7"]"#,
      ])
  }

  @Test("keeps at most 1000 problems of a tree, and counts the others")
  func problems() throws {
    let steps = Array(repeating: #"{"text": 1}"#, count: 1_200).joined(separator: ",")
    let found = try read(#"{"plan_id": "p", "steps": [\#(steps)]}{"plan_id": "q", "title": 7}"#)
    #expect(found.count { $0.contains("expected text, found number 1") } == 1_000)
    #expect(
      found.contains("1 $.steps[1000]: 200 further problems were found"), "\(found.suffix(3))")
    #expect(found.last == "1 $.title: expected text, found number 7")
  }

  @Test("returns each occurrence with another value, also if null or an operation differs")
  func occurrences() throws {
    for (first, second) in [
      (#""n":1"#, #""n":1,"text":null"#), (#""n":1,"text":null"#, #""n":1,"text":"""#),
      (#""n":{"$add":1}"#, #""n":1"#), (#""text":"T""#, #""text":"U""#),
    ] {
      let found = try read(
        #"""
        {"plan_id":"p","steps":[{"step_id":"a",\#(first)}]}
        {"plan_id":"q","steps":[{"step_id":"a",\#(second)}]}
        """#)
      #expect(found.count { $0.hasPrefix("step a") } == 2, "\(found)")
    }
  }

  @Test("reports a record that occurs twice in a tree with different values, also after a copy")
  func contradictions() throws {
    for (first, second) in [
      (#""text":"T""#, #""text":"U""#),
      (#""tags":{"$append":["u"]}"#, #""tags":{"$append":["v"]}"#),
      (#""tags":{"$remove":["u"]}"#, #""tags":{"$remove":["v"]}"#),
      (#""n":{"$add":1}"#, #""n":1"#),
    ] {
      let error = try #require(throws: DataError.self) {
        _ = try read(
          #"""
          {"plan_id":"p","steps":[{"step_id":"a",\#(first)}]}
          {"plan_id":"q","steps":[{"step_id":"a",\#(first)},
            {"step_id":"a",\#(second)}]}
          """#)
      }
      #expect(
        "\(error.problems)".contains(
          "the record occurs twice with different values, first in line 2, at $.steps[0]"))
    }
  }

  @Test("reports an invalid record once, and returns a later valid occurrence")
  func invalidOccurrences() throws {
    let found = try read(
      #"""
      {"plan_id":"p","steps":[{"step_id":"a","text":7}]}
      {"plan_id":"q","steps":[{"step_id":"a","text":7}]}
      {"plan_id":"r","steps":[{"step_id":"a","text":"T"},{"step_id":"b","x":1}]}
      """#)
    #expect(
      found == [
        #"step a "T""#, "1 $.steps[0].text: expected text, found number 7",
        "3 $.steps[1].x: step has no field x", #"plan p ["a"]"#, #"plan q ["a"]"#,
        #"plan r ["a", "b"]"#,
      ], "\(found)")
  }

  @Test("treats records of one schema alike in all relations, and each root as a record")
  func relations() throws {
    let found = try read(
      #"""
      {"plan_id":"p","steps":[{"step_id":"b","n":1,"next":{"step_id":"a","n":2}},
        {"step_id":"a","n":2},{"step_id":null}]}
      {"plan_id":"q"}
      {"plan_id":"q"}
      """#)
    #expect(
      found.map { $0.replacing(/[0-9a-f-]{36}/, with: "ID") } == [
        "step a 2", #"step b 1 "a""#, "step ID", #"plan p ["b", "a", "ID"]"#, "plan q", "plan q",
      ], "\(found)")
  }

  @Test("counts further problems again after earlier ones were returned")
  func omittedProblems() throws {
    let steps = Array(repeating: #"{"text":1,"n":"x"}"#, count: 600).joined(separator: ",")
    let trees = ["p", "q"].map { #"{"plan_id":"\#($0)","steps":[\#(steps)]}"# }
    let found = try read(trees.joined(separator: "\n"))
    for line in 1...2 {
      #expect(found.contains("\(line) $.steps[500]: 200 further problems were found"))
      #expect(found.count { $0.hasPrefix("\(line) ") } == 1_001)
    }
  }

  @Test("divides the records of a large tree into several chunks")
  func chunks() throws {
    let steps = Array(repeating: #"{"text":"T"}"#, count: 20_000).joined(separator: ",")
    var reader = TreeReader(
      BytesInMemory(Array(#"{"steps":[\#(steps)]}"#.utf8)), for: plan, in: catalog, file: "in",
      ids: IDGenerator(clock: { 0 }))
    var counts: [Int] = []
    while let chunk = try reader.next() { counts.append(chunk.changes.count) }
    #expect(counts == [16_384, 3_616, 1])
  }

  @Test("keeps the text of an invalid tree unless one of its records can have a password")
  func texts() throws {
    var user = SchemaDraft(name: "user")
    user.kind = .user
    user.fields = [.init(Field("username", .id)), .init(Field("password", .password))]
    let catalog = try Catalog(checking: [
      try Schema(checking: user),
      schema("note", Field("text", .text), Field("owner", .relation(Relation(to: "user")))),
    ])
    let trees = [
      #"{"text":1,"owner":{"username":"ann","password":"correct horse"}}"#,
      #"{"text":1,"owner":"ann"}"#,
    ]
    var reader = TreeReader(
      BytesInMemory(Array(trees.joined(separator: "\n").utf8)),
      for: try catalog.schema("note"), in: catalog, file: "in", ids: IDGenerator(clock: { 0 }),
      onInvalid: .skip(keepingText: true))
    var texts: [[UInt8]?] = []
    while let chunk = try reader.next() { texts += chunk.rejected.map(\.text) }
    #expect(texts == [nil, Array(trees[1].utf8)])
  }

  @Test("returns the files of nested records once, wherever the input is divided")
  func files() throws {
    let catalog = try Catalog(checking: [
      schema("page", Field("n", .integer), Field("scan", .file)),
      schema("book", Field("pages", .relation(Relation(to: "page", isMany: true)))),
    ])
    func page(_ id: String) -> String {
      #"{"page_id":"\#(id)","n":1,"scan":{"name":"\#(id).txt","data":"YQ=="}}"#
    }
    let text = """
      {"book_id":"A","pages":[\(page("a")),{"page_id":"b"},\(page("c"))]}
      {"book_id":"B","pages":[\(page("d")),{"page_id":"e","n":2},\(page("f"))]}
      """
    for size in stride(from: 20, through: text.utf8.count, by: 9) {
      var reader = TreeReader(
        BytesInMemory(Array(text.utf8), pieceSize: size), for: try catalog.schema("book"),
        in: catalog, file: "in", ids: IDGenerator(clock: { 0 }), pace: .immediate)
      var found: [String] = []
      while let chunk = try reader.next() {
        let changes = chunk.changes
        found += changes.contents.map { content in
          guard content.row < changes.count else { return "?" }
          return changes.rows.text(changes.rows[content.row, changes.schema.keySlot])
        }
      }
      #expect(found == ["a", "c", "d", "f"], "\(size)")
    }
  }

  @Test("rejects the invalid one of several nested records if it also lacks a required field")
  func incomplete() throws {
    let catalog = try Catalog(checking: [
      schema("page", Field("n", .integer), Field("text", .text, isRequired: true)),
      schema("book", Field("pages", .relation(Relation(to: "page", isMany: true)))),
    ])
    let text = #"{"pages":[{"page_id":"a","text":"T"},{"page_id":"b","n":"x"}]}"#
    var reader = TreeReader(
      BytesInMemory(Array(text.utf8)), for: try catalog.schema("book"), in: catalog, file: "in",
      ids: IDGenerator(clock: { 0 }))
    var created: [Bool] = []
    while let chunk = try reader.next() {
      var changes = chunk.changes
      for row in 0..<changes.count {
        let outcome = changes.resolve(
          row, over: nil, by: SavePolicy(),
          stamp: Stamp(time: .earliest))
        created.append(outcome == .created)
      }
    }
    #expect(created == [true, false, true])
  }

  @Test("skips a tree with a problem at a path that is not in the tree, and reports it once")
  func findings() throws {
    var source = ConvertedSource(
      bytes: BytesInMemory(Array(#"{"plan_id":"p"} {"plan_id":"q","title":7}"#.utf8)))
    for tree in 1...2 {
      var problem = Problem(.invalid, "expected a step", schema: "step")
      problem.path = "$.steps[0]"
      source.findings.problems[tree] = [problem]
    }
    var reader = TreeReader(
      source, for: plan, in: catalog, file: "in", ids: IDGenerator(clock: { 0 }),
      onInvalid: .skip(keepingText: false))
    var messages: [[String]] = []
    while let chunk = try reader.next() {
      #expect(chunk.changes.count == 0)
      messages += chunk.rejected.map { $0.problems.map(\.message) }
    }
    #expect(messages == [["expected a step"], ["expected a step"]])
  }
}

/// A source that reports problems of the trees in its text.
private struct ConvertedSource: ByteSource {
  var bytes: BytesInMemory
  var findings = SourceFindings()
  var remainingCount: Int? { bytes.remainingCount }

  mutating func read(into buffer: inout [UInt8], atMost count: Int) -> Int {
    bytes.read(into: &buffer, atMost: count)
  }

  mutating func takeFindings() -> SourceFindings {
    defer { findings = SourceFindings() }
    return findings
  }
}
