import DataModel
import DataStore
import Testing

@Suite("Store contract: renaming")
struct RenamingTests {
  private func shop(_ engine: Engine) async throws -> StoreFixture {
    let fixture = try await StoreFixture(
      engine,
      [
        try .test("person", Field("name", .text, isUnique: true)),
        try .test(
          "todo", Field("title", .text), Field("place", .geopoint), Field("photo", .file),
          Field("owner", .relation(Relation(to: "person", onDelete: .deny))),
          Field("helpers", .relation(Relation(to: "person", isMany: true))),
          Field("after", .relation(Relation(to: "todo", isMany: true))),
          indexes: [["title", "-owner"]], properties: [("assignee", "owner")]),
      ])
    try await fixture.save("person", ["person_id": "p", "name": "Ann"], ["person_id": "q"])
    try await fixture.save(
      "todo",
      [
        "todo_id": "a", "title": "tea", "place": .value(.point(1, 2)), "photo": .file("f", [1, 2]),
        "owner": "p", "helpers": ["q", "p"], "after": ["a"],
      ], user: "ann")
    return fixture
  }

  @Test("renames a schema, its primary key and all references to it", arguments: Engine.all)
  func schema(engine: Engine) async throws {
    let fixture = try await shop(engine)
    let stored = try await fixture.store.catalog()
    try await fixture.apply(try SchemaPlan(renaming: "person", to: "human", from: stored))
    try await fixture.apply(
      try SchemaPlan(renaming: "todo", to: "task", from: try await fixture.store.catalog()))
    let again = try await fixture.reopened()
    let task: Record = [
      "task_id": "a", "title": "tea", "place": .point(1, 2), "owner": "p", "helpers": ["q", "p"],
      "after": ["a"],
      "photo": .file(FileReference("f", [1, 2])),
    ]
    #expect(try await again.all("task") == [task.stamped(by: "ann", by: "ann")])
    #expect(try await again.content("task", "a", "photo") == [1, 2])
    #expect(try await again.ids("human") == ["p", "q"])
    let schema = try await again.store.catalog().catalog.schema("task")
    #expect(schema.properties.map(\.field) == ["owner"])
    #expect(schema.fields.compactMap { $0.type.relation?.target } == ["human", "human", "task"])
    #expect(
      try await again.rejection(of: "human", ["human_id": "r", "name": "Ann"]).map(\.code) == [
        .notUnique
      ])
    #expect(
      try await again.rejectedDeletion("human", .ids(["p"])).map(\.code) == [.referenced])
    #expect(
      try await again.delete("task", .ids(["a"])) == DeleteSummary(deleted: 1))
  }

  @Test(
    "swaps the names of two fields or of two schemas and keeps their values", arguments: Engine.all)
  func exchange(engine: Engine) async throws {
    let a = try Schema.test(
      "a", Field("x", .text, isUnique: true), Field("y", .text), Field("p", .geopoint),
      Field("q", .geopoint), Field("l", .relation(Relation(to: "b", isMany: true))),
      Field("m", .relation(Relation(to: "a", isMany: true))), Field("f", .file), Field("g", .file),
      indexes: [["x", "y"]])
    let b = try Schema.test("b", Field("z", .integer), Field("f", .file), Field("g", .file))
    let fixture = try await StoreFixture(engine, [a, b])
    try await fixture.save("b", ["b_id": "1", "z": 7, "f": .file("h", [3])])
    try await fixture.save("a", ["a_id": "1", "x": "one"])
    try await fixture.save(
      "a",
      [
        "a_id": "1", "y": "two", "p": .value(.point(1, 1)), "q": .value(.point(2, 2)),
        "l": ["1"], "m": [], "f": .file("f", [1]), "g": .file("g", [2]),
      ])
    let fields = ["x": "y", "y": "x", "p": "q", "q": "p", "l": "m", "m": "l", "f": "g", "g": "f"]
    let stored = try await fixture.store.catalog()
    let targets = ["a": "b", "b": "a"]
    func renamed(_ name: String, _ new: String) throws -> SchemaPlan.Renaming {
      let schema = try stored.catalog.schema(name)
      var names = Schema.NewNames(schema: new, fields: fields, targets: targets)
      names.fields["\(name)_id"] = "\(new)_id"
      return SchemaPlan.Renaming(before: schema, after: try schema.renamed(names))
    }
    try await fixture.apply(
      SchemaPlan(
        [.rename([try renamed("a", "b"), try renamed("b", "a")])],
        catalogVersion: stored.version))
    let again = try await fixture.reopened()
    #expect(
      try await again.all("a").map(\.bare) == [
        ["a_id": "1", "z": 7, "g": .file(FileReference("h", [3])), "f": nil]
      ])
    #expect(try await again.content("a", "1", "g") == [3])
    #expect(
      try await again.all("b").map(\.bare) == [
        [
          "b_id": "1", "y": "one", "x": "two", "q": .point(1, 1), "p": .point(2, 2), "m": ["1"],
          "l": [], "g": .file(FileReference("f", [1])), "f": .file(FileReference("g", [2])),
        ]
      ])
    #expect(try await again.content("b", "1", "g") == [1])
    #expect(try await again.content("b", "1", "f") == [2])
    #expect(
      try await again.rejection(of: "b", ["b_id": "2", "y": "one"]).map(\.code) == [.notUnique])
  }

  @Test(
    "follows a chain of previous names (`was`), and changes nothing if the schema is applied again",
    arguments: Engine.all)
  func was(engine: Engine) async throws {
    let fixture = try await StoreFixture(
      engine, [try .test("t", Field("a", .text), Field("b", .text))])
    try await fixture.save("t", ["t_id": "1", "a": "A", "b": "B"])
    let chain = DeclaredSchema(
      try .test("t", Field("b", .text), Field("c", .text)), fieldsWere: ["b": "a", "c": "b"])
    for _ in 0..<2 {
      try await fixture.apply([chain])
      #expect(try await fixture.all("t").map(\.bare) == [["t_id": "1", "b": "A", "c": "B"]])
    }
    let fields = [Field("a", .integer), Field("b", .text), Field("c", .text)]
    let moved = DeclaredSchema(
      try .test("u", fields[0], fields[1], fields[2]), was: "t", fieldsWere: ["b": "a", "c": "b"])
    for _ in 0..<2 {
      try await fixture.apply([moved], reading: .complete)
      #expect(
        try await fixture.all("u").map(\.bare) == [["u_id": "1", "a": nil, "b": "A", "c": "B"]])
    }
    let fresh = DeclaredSchema(try .test("t", Field("n", .integer)))
    try await fixture.apply([moved, fresh], reading: .complete)
    #expect(try await fixture.all("u").count == 1)
    #expect(try await fixture.all("t") == [])
  }

  @Test("rejects a previous name (`was`) that is still the name of another field or schema")
  func contested() throws {
    let old = try Schema.test("t", Field("a", .text), Field("b", .text))
    let stored = StoredCatalog(try Catalog(checking: [old]), version: 1)
    func problems(_ desired: DeclaredSchema...) -> [Problem]? {
      #expect(throws: DataError.self) {
        try SchemaPlan(from: stored, to: desired, reading: .complete)
      }?.problems
    }
    func problem(_ new: String, _ old: String, _ prefix: String, field: String?) -> Problem {
      Problem(
        .incompatibleData,
        """
        was \(old), but \(old) is also declared: it is unclear which of them keeps the existing \
        values
        """,
        hint: """
          if \(new) should keep the values: datactl schema rename \(prefix)\(old) \(new); \
          if \(old) should keep the values: remove "was" from \(new)
          """, schema: field == nil ? new : "t", field: field)
    }
    let fields = [Field("a", .text), Field("b", .text), Field("c", .text)]
    #expect(
      problems(
        DeclaredSchema(
          try .test("t", fields[0], fields[1], fields[2]), fieldsWere: ["b": "a", "c": "b"]))
        == [problem("b", "a", "t.", field: "b")])
    #expect(
      problems(DeclaredSchema(try .test("t", fields[0], fields[2]), fieldsWere: ["c": "a"]))
        == [problem("c", "a", "t.", field: "c")])
    #expect(
      problems(
        DeclaredSchema(try .test("u", Field("a", .text), Field("b", .text)), was: "t"),
        DeclaredSchema(try .test("t", Field("n", .integer))))
        == [problem("u", "t", "", field: nil)])
  }

  @Test("rejects previous names (`was`) that form a cycle")
  func cycles() throws {
    var draft = SchemaDraft(try .test("t", Field("a", .text), Field("b", .text)))
    draft.fields[1].was = "b"
    draft.fields[2].was = "a"
    #expect(
      #expect(throws: DataError.self) { try DeclaredSchema(checking: draft) }?.problems
        == ["a", "b"].map { name in
          Problem(
            .invalidSchema, "was: the renames form a cycle",
            hint: "first give one of the fields a temporary name with datactl schema rename",
            schema: "t", field: name)
        })
    let stored = StoredCatalog(try Catalog(checking: [try .test("a"), try .test("b")]), version: 1)
    let desired = [
      DeclaredSchema(try .test("a"), was: "b"), DeclaredSchema(try .test("b"), was: "a"),
    ]
    let error = #expect(throws: DataError.self) {
      try SchemaPlan(from: stored, to: desired, reading: .complete)
    }
    #expect(error?.problems.map(\.code) == [.invalidSchema, .invalidSchema])
  }

  @Test("rejects a rename to an existing name, from an unknown name or of a primary key")
  func rejections() throws {
    let stored = StoredCatalog(
      try Catalog(checking: [
        try .test("todo", Field("title", .text), Field("due", .datetime)), try .test("note"),
      ]), version: 1)
    func code(_ make: () throws -> SchemaPlan) -> ErrorCode? {
      do {
        _ = try make()
        return nil
      } catch {
        return (error as? DataError)?.code
      }
    }
    #expect(code { try SchemaPlan(renaming: "todo", to: "note", from: stored) } == .exists)
    #expect(code { try SchemaPlan(renaming: "tod", to: "x", from: stored) } == .schemaNotFound)
    #expect(code { try SchemaPlan(renaming: "function", to: "x", from: stored) } == .usage)
    for name in ["text", "Task", "", "a-b", "_a"] {
      #expect(code { try SchemaPlan(renaming: "todo", to: name, from: stored) } == .invalidSchema)
    }
    #expect(
      code { try SchemaPlan(renaming: "title", of: "todo", to: "due", from: stored) } == .exists)
    #expect(
      code { try SchemaPlan(renaming: "titel", of: "todo", to: "x", from: stored) } == .usage)
    #expect(
      code { try SchemaPlan(renaming: "todo_id", of: "todo", to: "x", from: stored) } == .usage)
    #expect(
      code { try SchemaPlan(renaming: "title", of: "todo", to: "Bad", from: stored) }
        == .invalidSchema)
  }
}
