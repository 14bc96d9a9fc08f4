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
}
