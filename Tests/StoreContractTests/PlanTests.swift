import DataModel
import DataStore
import Testing

@Suite("Plans")
struct PlanTests {
  private func stored(_ schemas: Schema...) throws -> StoredCatalog {
    StoredCatalog(try Catalog(checking: schemas), version: 7)
  }

  private func problems(_ make: () throws -> SchemaPlan) -> [Problem] {
    do {
      let plan = try make()
      Issue.record("planned: \(plan.steps.map(\.description))")
      return []
    } catch let error as DataError {
      return error.problems
    } catch {
      Issue.record(error)
      return []
    }
  }

  private func problems(from old: [Field], to new: [Field]) throws -> [Problem] {
    let other = try Schema.test("other")
    let third = try Schema.test("third")
    let stored = StoredCatalog(
      try Catalog(checking: [try item(old), other, third]), version: 1)
    let schema = try item(new)
    return problems { try SchemaPlan(from: stored, to: [schema], reading: .ofSchemas) }
  }

  private func item(_ fields: [Field]) throws -> Schema {
    var draft = SchemaDraft(name: "item")
    draft.fields = ([Field("item_id", .id)] + fields).map { .init($0) }
    return try Schema(checking: draft)
  }

  @Test("files speak for their schemas, a folder for the store")
  func readings() throws {
    let a = try Schema.test("a")
    let b = try Schema.test("b", Field("a", .relation(Relation(to: "a"))))
    let stored = try stored(a)
    let plan = try SchemaPlan(from: stored, to: [b], reading: .ofSchemas)
    #expect(plan == SchemaPlan([.create(b)], catalogVersion: 7))
    let c = try Schema.test("c")
    for schema in [b, c] {
      #expect(
        problems { try SchemaPlan(from: stored, to: [schema], reading: .ofStore) } == [
          Problem(
            .loss, "the store has this schema, and no file of the folder declares it",
            hint: """
              to keep it: datactl schema show a > FOLDER/a.json
              to take it away with its records: datactl schema drop a
              """, schema: "a")
        ])
    }
  }

  @Test("nothing to change is an empty plan")
  func nothing() throws {
    let a = try Schema.test("a", Field("x", .text))
    let plan = try SchemaPlan(from: try stored(a), to: [a], reading: .ofStore)
    #expect(plan == SchemaPlan([], catalogVersion: 7))
  }

  @Test("each step says what it does")
  func descriptions() throws {
    let slug = Field("slug", .text, isUnique: true)
    let old = try Schema.test("todo", slug, Field("due", .datetime), indexes: [["due"]])
    let new = try Schema.test(
      "todo", Field("done", .boolean), Field("slug", .text), Field("due", .datetime),
      Field("code", .integer, isUnique: true), indexes: [["done", "-due"]])
    let between = try Schema.test(
      "todo", Field("done", .boolean), slug, Field("due", .datetime),
      Field("code", .integer, isUnique: true), indexes: [["due"]])
    let plan = try SchemaPlan(
      from: try stored(old), to: [new, try .test("user"), try .test("note")], reading: .ofStore)
    #expect(
      plan.steps == [
        .create(try .test("note")), .create(try .test("user")), .addFields([1, 4], to: between),
        .changeIndexes(from: between, to: new),
      ])
    #expect(
      plan.steps.map(\.description) == [
        "create schema note", "create schema user", "add fields todo.done, todo.code",
        "drop unique todo.slug, drop index todo (due), add index todo (done, -due)",
      ])
    let described = try Schema.test("todo", Field("due", .datetime), slug, indexes: [["due"]])
    #expect(
      try SchemaPlan(from: try stored(old), to: [described], reading: .ofSchemas).steps
        .map(\.description) == ["change what schema todo says and allows"])
    let grown = try Schema.test(
      "todo", slug, Field("due", .datetime), Field("note", .text), indexes: [["due"]])
    #expect(
      try SchemaPlan(from: try stored(old), to: [grown], reading: .ofSchemas).steps
        .map(\.description) == ["add field todo.note"])
    #expect(
      try SchemaPlan(dropping: ["todo"], from: try stored(old)).steps.map(\.description) == [
        "drop schema todo"
      ])
  }

  @Test("a field that is left out would be a loss")
  func leftOut() throws {
    #expect(
      try problems(from: [Field("a", .text), Field("b", .text)], to: [Field("b", .text)]) == [
        Problem(
          .loss, "the field is left out, and its values would be lost",
          hint: "declare it as the store has it", schema: "item", field: "a")
      ])
  }

  @Test(
    "what the values may not fit is refused",
    arguments: [
      (
        Field("a", .text), Field("a", .integer),
        "text cannot become integer: every value would have to change"
      ),
      (
        Field("a", .relation(Relation(to: "other"))), Field("a", .relation(Relation(to: "third"))),
        "a relation to other cannot become one to third"
      ),
      (
        Field("a", .relation(Relation(to: "other"))),
        Field("a", .relation(Relation(to: "other", isMany: true))),
        "a relation to one cannot become one to many"
      ),
      (
        Field("a", .relation(Relation(to: "other", isMany: true))),
        Field("a", .relation(Relation(to: "other"))),
        "a relation to many cannot become one to one"
      ),
      (
        Field("a", .text), Field("a", .text, isRequired: true, defaultValue: "x"),
        "cannot become required: every record would need a value"
      ),
      (
        Field("a", .text), Field("a", .text, isUnique: true),
        "cannot become unique: no two records could have the same value"
      ),
      (
        Field("a", .text), Field("a", .text, minimum: .integer(1)),
        "min cannot become 1: every value would need to fit"
      ),
      (
        Field("a", .integer, minimum: .integer(1)), Field("a", .integer, minimum: .integer(2)),
        "min cannot become 2: every value would need to fit"
      ),
      (
        Field("a", .number), Field("a", .number, maximum: .number(1.5)),
        "max cannot become 1.5: every value would need to fit"
      ),
      (
        Field("a", .text, maximum: .integer(9)), Field("a", .text, maximum: .integer(8)),
        "max cannot become 8: every value would need to fit"
      ),
      (
        Field("a", .text), Field("a", .text, oneOf: ["x"]),
        "one_of cannot become narrower: every value would need to be one of them"
      ),
      (
        Field("a", .text, oneOf: ["x", "y"]), Field("a", .text, oneOf: ["x", "z"]),
        "one_of cannot become narrower: every value would need to be one of them"
      ),
    ])
  func misfits(old: Field, new: Field, message: String) throws {
    #expect(
      try problems(from: [old], to: [new]) == [
        Problem(.misfit, message, schema: "item", field: "a")
      ])
  }

  @Test("another pattern is refused, and none is not")
  func patterns() throws {
    let old = Field("a", .text, pattern: try Pattern("[a-z]*"))
    let new = Field("a", .text, pattern: try Pattern("[a-y]*"))
    #expect(
      try problems(from: [old], to: [new]) == [
        Problem(
          .misfit, "pattern cannot become another: every value would need to match",
          schema: "item", field: "a")
      ])
    let plan = try SchemaPlan(
      from: try stored(try item([old])), to: [try item([Field("a", .text)])], reading: .ofSchemas)
    #expect(plan.steps == [.describe(try item([Field("a", .text)]))])
  }

  @Test("the kind and the primary key stay")
  func kinds() throws {
    let user = try Schema.test("user", Field("password", .password), kind: .user)
    var renamed = SchemaDraft(name: "user")
    renamed.kind = .user
    renamed.fields = [.init(Field("login", .id)), .init(Field("password", .password))]
    let login = try Schema(checking: renamed)
    #expect(
      problems { try SchemaPlan(from: try stored(user), to: [login], reading: .ofSchemas) } == [
        Problem(
          .misfit, "the primary key cannot be renamed to login", hint: "call it username",
          schema: "user", field: "username")
      ])
    let records = try Schema.test("user")
    #expect(
      problems { try SchemaPlan(from: try stored(records), to: [user], reading: .ofSchemas) } == [
        Problem(.misfit, "a schema of records cannot become one of users", schema: "user"),
        Problem(
          .misfit, "the primary key cannot be renamed to username", hint: "call it user_id",
          schema: "user", field: "user_id"),
      ])
  }

  @Test("a schema that others refer to cannot be dropped without them")
  func drop() throws {
    let user = try Schema.test("user", Field("boss", .relation(Relation(to: "user"))))
    let todo = try Schema.test("todo", Field("owner", .relation(Relation(to: "user"))))
    let stored = try stored(user, todo)
    #expect(
      problems { try SchemaPlan(dropping: ["user"], from: stored) } == [
        Problem(
          .referenced, "cannot be dropped: todo.owner refers to it",
          hint: "drop todo too, or first",
          schema: "user")
      ])
    #expect(
      try SchemaPlan(dropping: ["user", "todo"], from: stored)
        == SchemaPlan([.drop(todo), .drop(user)], catalogVersion: 7))
    #expect(
      problems { try SchemaPlan(dropping: ["User"], from: stored) } == [
        Problem(.schemaNotFound, "no schema User", hint: "did you mean user?", schema: "User")
      ])
  }
}
