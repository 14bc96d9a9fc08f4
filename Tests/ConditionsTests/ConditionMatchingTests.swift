import DataModel
import TestSupport
import Testing

@Suite("Conditions: evaluation")
struct ConditionMatchingTests {
  @Test(
    "compares values of several types, and treats null as different from every value",
    arguments: [
      ("priority = 5", "b"), ("priority != 5", "a c d e f g h"), ("priority < 5", "a c"),
      ("not priority < 5", "b d e f g h"), ("priority <= 1", "a c"), ("priority > -3", "a b"),
      ("priority >= -3", "a b c"), ("priority in (1, -3, 7)", "a c"),
      ("priority not in (1, -3)", "b d e f g h"), ("priority between -3 and 1", "a c"),
      ("priority not between -3 and 1", "b d e f g h"), ("priority between 1 and -3", ""),
      ("priority is null", "d e f g h"), ("priority is not null", "a b c"),
      ("not (priority is not null)", "d e f g h"), ("price = 0.1", "a"), ("price >= 2.5", "b c"),
      ("done", "a"), ("not done", "b c d e f g h"), ("done = false", "b c"),
      ("done < true", "b c"), ("due < now()", "a b"),
      ("due between now() - 1d and now() + 60d", "a c"),
      ("title = 'tea'", "b"), ("title > 'Tea'", "b c f g"), ("title = '\u{E9}'", ""),
      ("title = 'e\u{301}'", "f"), ("todo_id in ('a', 'h', 'x')", "a h"),
      ("todo_id >= 'f'", "f g h"),
      ("created_at = '2026-11-20T12:00:00Z' and revision = 1", "a b c d e f g h"),
      ("revision != 1 or created_at is null", ""), ("\"in\" = 'x'", "c"),
      ("true", "a b c d e f g h"), ("false", ""), ("not false and todo_id = 'a'", "a"),
    ])
  func comparisons(text: String, ids: String) throws { try expect(text, ids) }

  @Test(
    "compares text, and matches `like` patterns",
    arguments: [
      ("title like 'T%'", "a"), ("title ilike 'T%'", "a b"), ("title like '_ea'", "a b"),
      ("title like '%'", "a b c f g"), ("title not like '%'", "d e h"), ("title ilike 'ä%'", ""),
      ("title like 'Ä____'", "c"), ("title like '__'", "f g"), ("note like '%\\%'", "a"),
      ("note like ''", "c"), ("note contains ''", "a b c"), ("note contains '''s'", "b"),
      ("title contains 'ea'", "a b"), ("title contains 'EA'", ""), ("owner like 'a%'", "a"),
      ("tags like '%gent'", "a c"), ("tags ilike 'u%'", "a c"), ("steps like 's_'", "a b"),
    ])
  func texts(text: String, ids: String) throws { try expect(text, ids) }

  @Test(
    "selects a record when any element of an array matches, or with `not` when none matches",
    arguments: [
      ("tags = 'urgent'", "a"), ("tags contains 'urgent'", "a"),
      ("tags != 'urgent'", "b c d e f g h"),
      ("tags not contains 'urgent'", "b c d e f g h"), ("tags in ('home', 'Urgent')", "a c"),
      ("tags > 'h'", "a"), ("not tags > 'h'", "b c d e f g h"), ("tags is null", "d e f g h"),
      ("tags is empty", "b"), ("tags is not empty", "a c d e f g h"),
      ("tags is not null", "a b c"), ("sizes between 3 and 6", "b"),
      ("sizes > 3 and sizes < 6", "a b"),
      ("sizes = priority", "a b"), ("sizes < priority", ""), ("steps = 's1'", "a"),
      ("steps contains 's3'", "b"), ("steps is empty", "c d e f g h"),
      ("steps is not empty", "a b"),
      ("steps.title = 'pour'", "a"), ("steps.title != 'pour'", "b c d e f g h"),
      ("steps.title is null", "b"), ("steps.title is not null", "a c d e f g h"),
      ("steps.count > 1", "a"), ("steps.count >= priority", "a"),
    ])
  func lists(text: String, ids: String) throws { try expect(text, ids) }

  @Test(
    "evaluates a path such as owner.full_name to null when a relation in the path is null",
    arguments: [
      ("owner.full_name = 'Ann'", "a"), ("owner.full_name is null", "b c d e f g h"),
      ("owner.full_name != 'Ann'", "b c d e f g h"), ("owner.username = 'bob'", "b"),
      ("owner is null", "c d e f g h"), ("parent.parent.title = 'Tea'", "c"),
      ("parent.owner.home.lat > 47", "b"), ("parent.tags = 'urgent'", "b"),
      ("parent.steps.title = 'boil'", "b"), ("parent.tags is empty", "c"),
      ("parent.done = done", "c"), ("not parent.done = done", "a b d e f g h"),
      ("parent.priority < priority", "b"), ("created_by.full_name = 'Ann' and todo_id = 'a'", "a"),
      ("modified_by.home within 1 m of (47.37, 8.54) and done", "a"),
      ("owner.home is null and owner is not null", "b"),
    ])
  func paths(text: String, ids: String) throws { try expect(text, ids) }

  @Test(
    "compares JSON values only with values of the same kind",
    arguments: [
      ("details.color = 'red'", "d g"), ("details.color != 'red'", "a b c e f h"),
      ("details = 'red'", "f"), ("details.size = 5", "d"), ("details.size = '5'", ""),
      ("details.size > 4.5", "d g"), ("details.size < 5.5", "d"),
      ("details.size <= 5.5", "d"), ("details.size >= 5.5", "g"),
      ("details.size = 9007199254740993", "g"),
      ("details.size = 9007199254740992", ""), ("details.size < 9007199254740993", "d"),
      ("details = 1", "e"), ("details contains 'two'", "e"), ("details contains 'tw'", ""),
      ("details contains 're'", "f"), ("details.tags = 'a'", "d"), ("details.tags is empty", "g"),
      ("details.tags is null", "a b c e f h"), ("details.deep.\"a b\" is null", "a b c d e f g h"),
      ("details.color like 'r_d'", "d g"), ("details like 't%'", "e"),
      ("details is null", "a b c h"),
      ("details = json '{\"x\": 1}'", "e"), ("details = json '[1,\"two\",[3],{\"x\":1}]'", "e"),
      ("details.tags = json '[\"a\", \"b\"]'", "d"), ("details.color in ('red', 5, true)", "d g"),
      ("details.size between 4 and 6", "d"), ("details.color.x = 1", ""), ("details.color < 5", ""),
    ])
  func json(text: String, ids: String) throws { try expect(text, ids) }

  @Test(
    "compares JSON objects and arrays by value, even if they are written differently",
    arguments: [
      (#"["\u00e9"]"#, #"["é"]"#, true), (#"["é","\/"]"#, #"["\u00e9","/"]"#, true),
      (#"["e\u0301"]"#, #"["é"]"#, false), (#"["\ud83d\ude42\n"]"#, #"["🙂\u000a"]"#, true),
      (#"{"n":0.1}"#, #"{"n":0.10}"#, true), ("[100,-0,0.5]", "[1.0e2,0,5e-1]", true),
      ("[9007199254740993]", "[9007199254740992]", false), ("[1]", "[1.0]", true),
      ("[0.1]", "[0.10000000000000000000000000001]", false), ("[1e400]", "[10e399]", true),
      ("[1]", #"["1"]"#, false), ("[1,2]", "[2,1]", false), ("[1]", "[1,1]", false),
      (#"{"a":1,"b":[{"x":1,"y":2}]}"#, #"{"b":[{"y":2,"x":1}],"\u0061":1}"#, true),
      (#"{"a":1}"#, #"{"a":1,"b":null}"#, false), ("{}", "[]", false), ("{}", "{}", true),
      (#"[true,null]"#, "[ true , null ]", true), (#"[null]"#, "[false]", false),
    ])
  func wholeJSON(stored: String, literal: String, isEqual: Bool) throws {
    var records = Records(try Shop().catalog)
    try records.add(
      "todo",
      """
      {"todo_id":"a","details":\(stored)}
      {"todo_id":"b","details":{"k":\(stored)}}
      {"todo_id":"c","details":["other",\(stored)]}
      """)
    let texts = [
      ("details = json '\(literal)'", "a"), ("details in ('zz', json '\(literal)')", "a"),
      ("details.k = json '\(literal)'", "b"), ("details contains json '\(literal)'", "c"),
      ("details = json '{\"k\":\(literal)}'", "b"),
    ]
    for (text, id) in texts {
      let found = try records.ids("todo", where: text).split(separator: " ").contains { $0 == id }
      #expect(found == isEqual, "\(text)")
    }
  }

  @Test(
    "evaluates conditions on geopoints and files, and on components such as place.lat",
    arguments: [
      ("place within 5 km of (47.37, 8.54)", "d"), ("place within 1 km of (47.37, 8.54)", ""),
      ("place not within 5 km of (47.37, 8.54)", "a b c e f g h"),
      ("place within 0 m of (0, -180)", "e"), ("place within 12 km of (0, 179.99)", "e"),
      ("place within 12.3 km of (0, 179.99)", "e f"), ("place within 1 m of (90, 77)", "g"),
      ("place within 30000 km of (1, 1)", "d e f g"), ("place within 7.6 mi of (0, 179.99)", "e"),
      ("place within 7.61 mi of (0, 179.99)", "e f"), ("place within box (47, 8, 48, 9)", "d"),
      ("place within box (47.38, 8.55, 47.38, 8.55)", "d"),
      ("place within box (-1, 179, 1, -179)", "e f"),
      ("place within box (-1, -180, 1, -179)", "e f"), ("place within box (-1, 179, 1, 180)", "e"),
      ("place within box (-90, -180, 90, 180)", "d e f g"), ("place = (47.38, 8.55)", "d"),
      ("place in ((90, 0), (0, 180))", "e g"), ("place is not null", "d e f g"),
      ("place.lat > 47.3", "d g"), ("photo is not null", "d"), ("photo.type = 'image/png'", "d"),
      ("photo.size = 3", "d"), ("photo.name ilike '%.PNG'", "d"),
      ("photo.size is null", "a b c e f g h"),
    ])
  func points(text: String, ids: String) throws { try expect(text, ids) }

  private func expect(_ text: String, _ ids: String) throws {
    #expect(try Records.todos().ids("todo", where: text) == ids)
  }

  @Test(
    "combines random conditions with `and`, `or` and `not` according to the laws of logic",
    .tags(.random),
    arguments: Seeds.count(check: 4, test: 20, all: 80))
  func laws(seed: Int) throws {
    var sampleData = try SampleData(seed: UInt64(seed) + 2_000)
    for _ in 0..<20 {
      let first = try sampleData.sampleQuery()
      let all = Set(
        (sampleData.records[first.schema.name] ?? [:]).keys.map {
          String(decoding: $0, as: UTF8.self)
        })
      func selected(_ condition: Condition) throws -> Set<String> {
        try sampleData.evaluated(condition, of: first.schema).selected
      }
      #expect(try selected(.not(first.condition)) == all.subtracting(first.selected))
      #expect(try selected(first.condition.negation) == all.subtracting(first.selected))
      let second = try sampleData.sampleQuery()
      guard second.schema == first.schema else { continue }
      let (a, b) = (first.condition, second.condition)
      #expect(try selected(.and([a, b])) == first.selected.intersection(second.selected))
      #expect(try selected(.or([a, b])) == first.selected.union(second.selected))
      #expect(try selected(.every([a, b])) == first.selected.intersection(second.selected))
      #expect(try selected(.some([a, b])) == first.selected.union(second.selected))
    }
  }

  @Test("finds a substring at any position")
  func parts() throws {
    var random = SeededRandom(seed: 7)
    var records = Records(try Shop().catalog)
    func word(_ longest: Int) -> String {
      (0..<random.number(0...longest)).map { _ in random.pick(["a", "b", "a"]) }.joined()
    }
    let notes = (0..<100).map { _ in word(12) }
    let lines = notes.enumerated().map { "{\"todo_id\":\"\($0)\",\"note\":\"\($1)\"}" }
    try records.add("todo", lines.joined(separator: "\n"))
    for _ in 0..<100 {
      let part = word(6)
      let expected = notes.indices.filter { index in
        let note = Array(notes[index].utf8)
        return note.indices.contains { note[$0...].starts(with: part.utf8) } || part.isEmpty
      }
      #expect(
        try records.ids("todo", where: "note contains '\(part)'")
          == expected.map(String.init).sorted().joined(separator: " "), "\(part)")
    }
  }

  @Test("reports an unknown field as an error")
  func stale() throws {
    let records = try Records.todos()
    let error = #expect(throws: DataError.self) {
      try records.ids("todo", where: .equals(field: "colour", value: .text("red")))
    }
    #expect(error?.problems.first?.message == "todo has no field colour")
  }
}
