import DataModel
import DataStore
import Testing

@Suite("Schema plans")
struct PlanTests {
  private func stored(_ schemas: Schema...) throws -> StoredCatalog {
    StoredCatalog(try Catalog(checking: schemas), version: 7)
  }

  private func problems(_ make: () throws -> SchemaPlan) -> [Problem] {
    do {
      let plan = try make()
      Issue.record("planned: \(plan.steps.map(\.text))")
      return []
    } catch let error as DataError {
      return error.problems
    } catch {
      Issue.record(error)
      return []
    }
  }

  @Test("drops a schema that no file declares only if the plan covers all schemas of the store")
  func readings() throws {
    let a = try Schema.test("a")
    let b = try Schema.test("b", Field("a", .relation(Relation(to: "a"))))
    let c = try Schema.test("c")
    let stored = try stored(a)
    let plan = try SchemaPlan(from: stored, to: [b], reading: .partial)
    #expect(plan == SchemaPlan([.create(b)], catalogVersion: 7))
    #expect(
      try SchemaPlan(from: stored, to: [c], reading: .complete)
        == SchemaPlan([.dropSchema(a), .create(c)], catalogVersion: 7))
    #expect(
      problems { try SchemaPlan(from: stored, to: [b], reading: .complete) } == [
        Problem(
          .referenced, "other schemas refer to this schema, but no file in the folder declares it",
          hint: "to keep the schema: datactl schema show a > FOLDER/a.json", schema: "a")
      ])
  }

  @Test("rejects a new schema named `date`, but can change or rename an existing one")
  func newerReservedName() throws {
    let date = try Schema.test("date", Field("x", .text))
    let changed = try Schema.test("date", Field("x", .text), Field("y", .date))
    #expect(
      problems { try SchemaPlan(from: try stored(), to: [date], reading: .partial) } == [
        Problem(.invalidSchema, "date is a reserved name", schema: "date")
      ])
    let older = try stored(date)
    #expect(try SchemaPlan(from: older, to: [changed], reading: .partial).steps.count == 1)
    #expect(try !SchemaPlan(renaming: "date", to: "day", from: older).steps.isEmpty)
    let other = try Schema.test("other")
    #expect(
      problems {
        try SchemaPlan(renaming: "other", to: "date", from: try stored(other))
      }.map(\.message) == ["date is a reserved name"])
  }

  @Test("plans nothing when the schemas are unchanged")
  func nothing() throws {
    let a = try Schema.test("a", Field("x", .text))
    let plan = try SchemaPlan(from: try stored(a), to: [a], reading: .complete)
    #expect(plan == SchemaPlan([], catalogVersion: 7))
    #expect(plan.steps == [])
  }

  @Test("plans renames in a user schema, but rejects turning a schema of records into one of users")
  func kinds() throws {
    let user = try Schema.test("user", Field("password", .password), kind: .user)
    var renamed = SchemaDraft(name: "user")
    renamed.kind = .user
    renamed.fields = [.init(Field("login", .id)), .init(Field("secret", .password))]
    let login = try Schema(checking: renamed)
    #expect(
      try SchemaPlan(from: try stored(user), to: [login], reading: .partial).steps == [
        .renameField(schema: "user", from: "username", to: "login"),
        .renameField(schema: "user", from: "password", to: "secret", isHidden: true),
      ])
    let records = try Schema.test("user")
    #expect(
      problems { try SchemaPlan(from: try stored(records), to: [user], reading: .partial) } == [
        Problem(
          .incompatibleData, "a schema of records cannot become a schema of users", schema: "user")
      ])
  }

  @Test("rejects dropping a schema that other schemas refer to")
  func drop() throws {
    let user = try Schema.test("user", Field("boss", .relation(Relation(to: "user"))))
    let todo = try Schema.test("todo", Field("owner", .relation(Relation(to: "user"))))
    let stored = try stored(user, todo)
    #expect(
      problems { try SchemaPlan(dropping: ["user"], from: stored) } == [
        Problem(
          .referenced, "cannot be dropped: todo.owner refers to it",
          hint: "drop todo first, or run schema apply with a folder that contains neither schema",
          schema: "user")
      ])
    #expect(
      try SchemaPlan(dropping: ["user", "todo"], from: stored)
        == SchemaPlan([.dropSchema(todo), .dropSchema(user)], catalogVersion: 7))
    #expect(
      problems { try SchemaPlan(dropping: ["User"], from: stored) } == [
        Problem(.schemaNotFound, "no schema User", hint: "did you mean user?", schema: "User")
      ])
  }
}
