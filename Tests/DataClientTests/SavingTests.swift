import DataClient
import Testing

@Suite("Saving drafts")
struct SavingTests {
  @Test("returns each record as it is stored")
  func saves() async throws {
    let shop = try await Shop()
    let record = try await shop.client.records("todo").save(["todo_id": "t1", "title": "tea"])
    #expect(record.id == "t1")
    #expect(record["title"] == .text("tea"))
    #expect(record["done"] == .boolean(false))
    #expect(record["due"] == .null)
    #expect(record["steps"] == .list([]))
    #expect(record["nothing"] == nil)
    #expect(record.revision == 1)
    #expect(record.createdAt == shop.clock.time)
    #expect(record.modifiedAt == shop.clock.time)
    #expect(record.createdBy == nil)
    #expect(try await shop.client.records("todo").get("t1") == record)
  }

  @Test("rejects a draft without an id")
  func refusesMissingID() async throws {
    let shop = try await Shop()
    let error = try await problem {
      try await shop.client.records("todo").save(["title": "tea"])
    }
    let expected = Problem(
      .invalid, "required", hint: "give the record an id; in Swift, assignID() generates one",
      schema: "todo", field: "todo_id")
    #expect(error == DataError(expected))
  }

  @Test("reports all problems of a save at once, each with its record and field")
  func reportsAll() async throws {
    let shop = try await Shop()
    let error = try await problem {
      try await shop.client.records("person").save(
        [
          ["person_id": "a", "name": 1, "age": -1, "colour": "red"],
          ["person_id": "b", "name": "Bo"],
          ["person_id": "c", "age": "x", "Name": "C"],
        ])
    }
    #expect(
      error.problems.map { "\($0.id ?? "-") \($0.field ?? "-"): \($0.message)" } == [
        "a name: record 1: expected text, found number 1",
        "a age: record 1: expected at least 0, found -1",
        "a colour: record 1: person has no field colour",
        "c age: record 3: expected integer, found text \"x\"",
      ])
    #expect(error.problems.allSatisfy { $0.line == nil && $0.file == nil && $0.column == nil })
    #expect(try await shop.client.records("person").count() == 0)
  }

  @Test("saves values of every type")
  func types() async throws {
    let shop = try await Shop()
    try await shop.client.records("person").save(["person_id": "ann", "name": "Ann"])
    let time = try #require(Timestamp(microseconds: 1_000_000))
    let point = try GeoPoint(latitude: 47.37, longitude: 8.54)
    let record = try await shop.client.records("sample").save(
      [
        "sample_id": "s", "text": "é🙂\n", "integer": -5, "number": 2.5, "boolean": true,
        "datetime": .datetime(time), "geopoint": .geopoint(point),
        "file": .file(NewFile(name: "a.txt", type: "text/plain", content: Array("abc".utf8))),
        "json": ["a": [1, nil, true], "b": "x\"y"], "one": "ann", "many": ["ann"],
        "texts": ["a", "b"], "integers": [1, 2], "numbers": [1.5], "booleans": [true],
        "datetimes": .list([.datetime(time)]),
      ])
    let file = FileReference(
      name: "a.txt", type: "text/plain", size: 3,
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let expected: [String: Value] = [
      "sample_id": .text("s"), "text": .text("é🙂\n"), "integer": .integer(-5),
      "number": .number(2.5), "boolean": .boolean(true), "datetime": .datetime(time),
      "geopoint": .geopoint(point), "file": .file(file),
      "json": .json(#"{"a":[1,null,true],"b":"x\"y"}"#), "one": .text("ann"),
      "many": .list([.text("ann")]), "texts": .list([.text("a"), .text("b")]),
      "integers": .list([.integer(1), .integer(2)]), "numbers": .list([.number(1.5)]),
      "booleans": .list([.boolean(true)]), "datetimes": .list([.datetime(time)]),
    ]
    for (name, value) in expected { #expect(record[name] == value, "\(name)") }
    let again = try await shop.client.records("sample").save(record.draft)
    #expect(again == record)
  }

  @Test("applies additions and list operations to stored values")
  func operations() async throws {
    let shop = try await Shop()
    let client = shop.client
    try await client.records("todo").save(
      ["todo_id": "t", "title": "tea", "stock": 5, "tags": ["a", "b"]])
    try await client.records("todo").save([
      "todo_id": "t", "stock": .add(-3), "tags": .append(["c"]),
    ])
    let record = try await client.records("todo").save(
      ["todo_id": "t", "tags": .edit(remove: ["a"], append: ["d"])])
    #expect(record["stock"] == .integer(2))
    #expect(record["tags"] == .list([.text("b"), .text("c"), .text("d")]))
    #expect(record.revision == 3)
  }

  @Test("rejects an addition to a json field, an append to a text field, NaN and infinity")
  func refusesOperations() async throws {
    let shop = try await Shop()
    let error = try await problem {
      try await shop.client.records("sample").save(
        [
          "sample_id": "s", "json": .add(1), "text": .append(["x"]), "number": .number(.infinity),
          "datetimes": .list([.number(.nan)]),
        ])
    }
    #expect(
      Set(error.problems.map { "\($0.field ?? "-"): \($0.message)" }) == [
        "json: expected json, found an addition", "number: expected a finite number, found inf",
        "datetimes: expected a finite number, found nan",
        "text: expected text, found an operation on a list",
      ])
  }

  @Test("rejects a deletion of the records whose json field is infinity")
  func infiniteOperand() async throws {
    let client = try await Shop().client
    try await client.records("sample").save(["sample_id": "s", "json": .list([])])
    let error = try await problem {
      try await client.records("sample").delete(matching: ["json": .number(.infinity)])
    }
    #expect(error.description.contains("1e999 exceeds the range of a number"))
    #expect(try await client.records("sample").count() == 1)
    await #expect(throws: DataError.self) {
      try await client.batch { batch in
        batch.save(["sample_id": "s", "number": .number(.nan)], in: "sample")
      }
    }
  }

  @Test("fails with a conflict and saves nothing when the revision is outdated")
  func conflict() async throws {
    let shop = try await Shop()
    let client = shop.client
    let first = try await client.records("person").save(["person_id": "joe", "name": "Joe"])
    var mine = first.draft
    mine["age"] = 30
    try await client.records("person").save(["person_id": "joe", "age": 40])
    let error = try await problem { try await client.records("person").save(mine) }
    #expect(error.code == .changed)
    #expect(try await client.records("person").get("joe")?["age"] == .integer(40))
  }

  @Test(
    "creates, changes or replaces a record according to the save mode",
    arguments: [(SaveMode.create, ErrorCode.exists), (.update, .notFound)])
  func modes(mode: SaveMode, code: ErrorCode) async throws {
    let shop = try await Shop()
    try await shop.client.records("person").save(["person_id": "joe", "name": "Joe", "age": 1])
    let id: DraftValue = mode == .create ? "joe" : "bo"
    let error = try await problem {
      try await shop.client.records("person").save(["person_id": id, "name": "Bo"], mode: mode)
    }
    #expect(error.code == code)
    let replaced = try await shop.client.records("person").save(
      ["person_id": "joe", "name": "Jo"], mode: .replace)
    #expect(replaced["age"] == .null)
  }

  @Test("accepts property names such as todoID for fields such as todo_id, but not both at once")
  func properties() async throws {
    let shop = try await Shop()
    try await shop.client.records("person").save(["personID": "ann", "name": "Ann"])
    let record = try await shop.client.records("todo").save(
      ["todoID": "t", "title": "tea", "assignee": "ann"])
    #expect(record["owner"] == .text("ann"))
    #expect(record["assignee"] == .text("ann"))
    let error = try await problem {
      try await shop.client.records("todo").save(
        ["todo_id": "t", "todoID": "t", "title": "tea"])
    }
    #expect(error.problems.map(\.field) == ["todo_id"])
  }

  @Test("suggests a similar name when the schema does not exist")
  func unknownSchema() async throws {
    let shop = try await Shop()
    let error = try await problem { try await shop.client.records("persons").save(["a": 1]) }
    let expected = Problem(
      .schemaNotFound, "no schema persons", hint: "did you mean person?", schema: "persons")
    #expect(error == DataError(expected))
  }

  @Test("prints records and drafts as JSON, and errors with their fields and hints")
  func descriptions() async throws {
    let client = try await Shop().client
    let draft: Draft = ["todo_id": "t", "title": "te\"a", "tags": ["a"], "stock": .add(2)]
    #expect("\(draft)" == #"{"todo_id":"t","title":"te\"a","tags":["a"],"stock":{"$add":2}}"#)
    let record = try await client.records("todo").save(draft)
    #expect(
      "\(record)"
        == #"todo {"todo_id":"t","title":"te\"a","done":false,"tags":["a"],"stock":2,"#
        + #""steps":[],"revision":1}"#)
    #expect("\(record["tags"] ?? .null) \(record["owner"] ?? .null)" == #"["a"] null"#)
    let groups = try await client.records("todo").groups(by: "title", [.sum("stock")])
    #expect("\(groups)" == #"[{"title":"te\"a","count":1,"sum_stock":2}]"#)
    let person = try await client.schema("person")
    #expect("\(person)".hasPrefix("{\n  \"schema\": \"person\""), "\(person)")
    #expect("\(person.fields)" == "[person_id: id, name: text, age: integer]")
    #expect("\(FieldType.array(.text)) \(DraftValue.add(2))" == #"[text] {"$add":2}"#)
    #expect("\(Reference("a")) \(ReferenceTo<Int>("b"))" == "a b")
    #expect("\(NewFile(name: "a.txt", content: [1, 2]))".hasPrefix("a.txt ("))
    #expect("\(client)" == "a client of memory:")
    #expect("\(client.records("todo"))" == "records of todo in memory:")
    let error = try await problem {
      try await client.records("todo").save(["title": 1, "due": "2026-02-30T00:00:00Z"])
    }
    #expect(
      "\(error)" == """
        todo.title: expected text, found number 1
        todo.due: there is no such day: "2026-02-30T00:00:00Z"
        todo.todo_id: required
          give the record an id; in Swift, assignID() generates one
        """)
  }
}
