import DataModel
import Testing

@Suite("Breaking schema changes")
struct SchemaChangesTests {
  private func schema(
    _ fields: [Field], indexes: [[OrderTerm]] = [], properties: [(String, String)] = [],
    kind: Schema.Kind = .records, key: String = "todo_id"
  ) throws -> DeclaredSchema {
    var draft = SchemaDraft(name: "todo", file: "todo.json", line: 1)
    draft.kind = kind
    let secret = kind == .user ? [Field("secret", .password)] : []
    draft.fields = ([Field(key, .id)] + secret + fields).map { .init($0, line: 7) }
    draft.indexes = indexes.map { .init($0) }
    draft.properties = properties.map { .init($0.0, field: $0.1) }
    return try DeclaredSchema(checking: draft)
  }

  private func found(from old: DeclaredSchema, to new: DeclaredSchema) -> [String] {
    SchemaChanges(from: [old.schema], to: [new]).findings(in: new).map { finding in
      let field = finding.field.map { "\($0): " } ?? ""
      return "\(finding.rule.rawValue) \(field)\(finding.message)"
    }
  }

  private func found(from old: Field, to new: Field) throws -> [String] {
    found(from: try schema([old]), to: try schema([new]))
  }

  @Test("reports nothing when only docs and optional fields were added")
  func harmless() throws {
    let old = try schema([Field("title", .text)])
    #expect(found(from: old, to: old) == [])
    let more = try schema([
      Field("title", .text, doc: "Its title."), Field("note", .text),
      Field("rank", .integer, isRequired: true, defaultValue: .integer(0)),
    ])
    #expect(found(from: old, to: more) == [])
  }

  @Test("reports removed fields and schemas, and new required fields")
  func fields() throws {
    let old = try schema([Field("title", .text)])
    #expect(
      found(from: old, to: try schema([])) == ["field-removed title: no longer declared"])
    let demanding = try schema([
      Field("title", .text), Field("rank", .integer, isRequired: true),
    ])
    #expect(
      found(from: old, to: demanding)
        == ["field-demanded rank: new and required, without a default"])
    #expect(
      SchemaChanges(from: [old.schema], to: []).removals(except: []).map(\.schema) == ["todo"])
    #expect(SchemaChanges(from: [old.schema], to: []).removals(except: ["todo"]) == [])
    #expect(SchemaChanges(from: [old.schema], to: [old]).removals(except: []) == [])
  }

  @Test("reports a renamed primary key, and a schema of records that became a schema of users")
  func key() throws {
    let users = try schema([], kind: .user, key: "nick")
    let others = try schema([], kind: .user, key: "name")
    #expect(found(from: users, to: others) == ["key-renamed name: the primary key was named nick"])
    #expect(
      found(from: try schema([]), to: try schema([], kind: .user)) == [
        "kind-changed kind was records, is now user"
      ])
  }

  @Test("reports only the type change when other attributes of the field also change")
  func types() throws {
    #expect(
      try found(
        from: Field("a", .text), to: Field("a", .integer, isRequired: true)) == [
          "type-changed a: was text, is now integer"
        ])
    let one = Field("a", .relation(Relation(to: "todo")))
    let many = Field("a", .relation(Relation(to: "todo", isMany: true)))
    #expect(
      try found(from: one, to: many) == [
        "type-changed a: was a relation to todo, is now a relation to many todo"
      ])
    let cascading = Field("a", .relation(Relation(to: "todo", onDelete: .cascade)))
    #expect(
      try found(from: one, to: cascading) == [
        "on-delete-changed a: on_delete was nullify, is now cascade"
      ])
  }

  @Test(
    "reports a field rule, such as min, that became stricter, but ignores a relaxed rule",
    arguments: [
      ("min was none, is now 1", Field("a", .integer, minimum: .integer(1))),
      ("max was none, is now 9", Field("a", .integer, maximum: .integer(9))),
      (
        "allowed any value, now allows only the 2 values in one_of",
        Field("a", .integer, oneOf: [.integer(1), .integer(2)])
      ),
    ])
  func rules(_ message: String, _ tight: Field) throws {
    let loose = Field("a", .integer)
    #expect(try found(from: loose, to: tight) == ["rule-tightened a: \(message)"])
    #expect(try found(from: tight, to: loose).filter { $0.hasPrefix("rule") } == [])
  }

  @Test("reports a change of the field attributes required, unique, pattern, one_of and default")
  func fieldRules() throws {
    let plain = Field("a", .text)
    let required = Field("a", .text, isRequired: true)
    #expect(
      try found(from: plain, to: required) == ["required-added a: was optional, is now required"])
    #expect(
      try found(from: required, to: plain) == ["required-dropped a: was required, is now optional"])
    #expect(
      try found(from: plain, to: Field("a", .text, isUnique: true)) == [
        "unique-added a: was not unique, is now unique"
      ])
    let pattern = Field("a", .text, pattern: try Pattern("[a-z]+"))
    #expect(try found(from: plain, to: pattern) == ["rule-tightened a: has a new pattern"])
    #expect(try found(from: pattern, to: plain) == [])
    let choices = Field("a", .text, oneOf: [.text("x"), .text("y")])
    let others = Field("a", .text, oneOf: [.text("y"), .text("z")])
    #expect(
      try found(from: choices, to: others) == [
        #"rule-tightened a: can no longer be "x""#, #"choice-added a: can now be "z""#,
      ])
    #expect(try found(from: choices, to: plain) == ["choice-added a: one_of was removed"])
    #expect(
      try found(from: plain, to: Field("a", .text, defaultValue: .text("x"))) == [
        #"default-changed a: the default was none, is now "x""#
      ])
  }

  @Test("reports a rename once, and no changes that follow from the rename")
  func renames() throws {
    let twin = Field("twin", .relation(Relation(to: "todo")))
    let old = try schema(
      [Field("title", .text), twin], indexes: [[OrderTerm("title")]],
      properties: [("head", "title")])
    var draft = SchemaDraft(name: "task", file: "task.json", line: 1)
    draft.was = "todo"
    draft.fields = [
      .init(Field("task_id", .id)),
      .init(Field("heading", .text, maximum: .integer(9)), was: "title", line: 3),
      .init(Field("twin", .relation(Relation(to: "task")))),
    ]
    draft.indexes = [.init([OrderTerm("heading")])]
    draft.properties = [.init("head", field: "heading")]
    let new = try DeclaredSchema(checking: draft)
    #expect(
      found(from: old, to: new) == [
        "schema-renamed was named todo", "field-renamed heading: was named title",
        "rule-tightened heading: max was none, is now 9",
      ])
    #expect(SchemaChanges(from: [old.schema], to: [new]).removals(except: []) == [])
    #expect(SchemaChanges(from: [new.schema], to: [new]).findings(in: new) == [])
  }

  @Test("reports a property name that moved to another field, and a removed index")
  func propertiesAndIndexes() throws {
    let fields = [Field("a", .text), Field("b", .text)]
    let old = try schema(
      fields, indexes: [[OrderTerm("a")], [OrderTerm("b")]], properties: [("first", "a")])
    let new = try schema(fields, indexes: [[OrderTerm("b")]], properties: [("first", "b")])
    #expect(
      found(from: old, to: new) == [
        "property-removed a: the property first no longer maps to this field",
        "index-dropped the index on a was removed",
      ])
    let renamed = try schema(
      [Field("first", .text)] + fields, indexes: [[OrderTerm("a")], [OrderTerm("b")]])
    #expect(
      found(from: old, to: renamed) == [
        "property-removed a: the property first no longer maps to this field"
      ])
  }
}
