public import DataModel
import Testing

@Suite("Schema validation")
struct SchemaValidationTests {
  private func draft(
    _ name: String, _ fields: [Field], kind: Schema.Kind = .records
  ) -> SchemaDraft {
    var draft = SchemaDraft(name: name, file: "\(name).json", line: 2)
    draft.kind = kind
    draft.fields = fields.enumerated().map { .init($0.element, line: $0.offset + 4) }
    return draft
  }

  private func problems(of draft: SchemaDraft) -> [Problem] {
    do {
      _ = try Schema(checking: draft)
      return []
    } catch {
      return error.problems
    }
  }

  /// Returns the problems of a schema `todo` with its key on line 4 and a field on line 5.
  private func messages(of field: Field) -> [String] {
    problems(of: draft("todo", [Field("todo_id", .id), field])).map(\.message)
  }

  private func problem(
    _ message: String, hint: String? = nil, schema: String = "todo", field: String? = nil,
    line: Int = 2
  ) -> Problem {
    Problem(
      .invalidSchema, message, hint: hint, schema: schema, field: field, file: "\(schema).json",
      line: line)
  }

  @Test("accepts a schema with only a primary key")
  func keyOnly() throws {
    let schema = try Schema(checking: draft("todo", [Field("todo_id", .id)]))
    #expect(schema.key == Field("todo_id", .id))
    #expect(!schema.requiresExplicitIDs)
  }

  @Test(
    "rejects an invalid schema name and suggests a valid one",
    arguments: [
      ("Todo", "not a valid name: use lowercase letters, digits and underscores, such as todo"),
      ("TODO", "not a valid name: use lowercase letters, digits and underscores, such as todo"),
      (
        "blogPost",
        "not a valid name: use lowercase letters, digits and underscores, such as blog_post"
      ),
      ("_todo", "not a valid name: use lowercase letters, digits and underscores, such as todo"),
      ("größe", "not a valid name: use lowercase letters, digits and underscores"),
      (String(repeating: "a", count: 41), "names of schemas can have at most 40 characters"),
      ("function", "function is a reserved name"),
      ("datetime", "datetime is a reserved name"),
      ("sqlite_master", "names that begin with sqlite_ are reserved"),
    ])
  func schemaNames(name: String, message: String) {
    let draft = draft(name, [Field("\(name)_id", .id)])
    #expect(problems(of: draft).first == problem(message, schema: name))
  }

  @Test("accepts SQL keywords as names", arguments: ["select", "xmin", "table", "order"])
  func sqlKeywords(name: String) {
    #expect(problems(of: draft(name, [Field("\(name)_id", .id), Field(name, .text)])) == [])
  }

  @Test("rejects an invalid field name and suggests a valid one")
  func fieldNames() {
    let long = String(repeating: "a", count: 49)
    let fields = [
      Field("todo_id", .id), Field("yearBorn", .integer), Field("Title", .text),
      Field(long, .text), Field("revision", .integer), Field("year", .text), Field("year", .text),
    ]
    #expect(
      problems(of: draft("todo", fields)) == [
        problem(
          "not a valid name: use lowercase letters, digits and underscores, such as year_born",
          field: "yearBorn", line: 5),
        problem(
          "not a valid name: use lowercase letters, digits and underscores, such as title",
          field: "Title", line: 6),
        problem("names of fields can have at most 48 characters", field: long, line: 7),
        problem(
          "this is a system field of every record and cannot be declared",
          field: "revision", line: 8),
        problem("declared twice", field: "year", line: 10),
      ])
  }

  @Test("reports a missing primary key with the line to add")
  func missingKey() {
    #expect(
      problems(of: draft("todo", [Field("title", .text)])) == [
        problem(
          "no primary key", hint: "add \"todo_id\": {\"type\": \"id\"} to \"fields\"",
          field: "todo_id")
      ])
  }

  @Test("requires the primary key to be named after the schema")
  func keyName() {
    #expect(
      problems(of: draft("todo", [Field("id", .id)])) == [
        problem("the primary key of todo must be named todo_id", field: "id", line: 4)
      ])
  }

  @Test("rejects a second field of type id")
  func twoKeys() {
    #expect(
      problems(of: draft("todo", [Field("todo_id", .id), Field("owner", .id)])) == [
        problem(
          "a schema must have exactly one field of type id; use a relation to refer to a record",
          field: "owner", line: 5)
      ])
  }

  @Test("accepts any name for the primary key of a user schema")
  func userKeys() throws {
    for name in ["username", "login"] {
      let schema = try Schema(
        checking: draft("user", [Field(name, .id), Field("password", .password)], kind: .user))
      #expect(schema.key.name == name)
      #expect(schema.requiresExplicitIDs)
    }
  }

  @Test("reports a missing username and a missing password with the lines to add")
  func emptyUser() {
    #expect(
      problems(of: draft("user", [], kind: .user)) == [
        problem(
          "no primary key", hint: "add \"username\": {\"type\": \"id\"} to \"fields\"",
          schema: "user", field: "username"),
        problem(
          "a user schema must have exactly one field of type password",
          hint: "add \"password\": {\"type\": \"password\"} to \"fields\"", schema: "user",
          field: "password"),
      ])
  }

  @Test("accepts only one password field, and only in a user schema")
  func passwords() {
    let fields = [Field("todo_id", .id), Field("secret", .password), Field("pin", .password)]
    var users = draft("todo", fields, kind: .user)
    users.fields[0].field.name = "username"
    #expect(
      problems(of: users) == [
        problem("a user schema must have exactly one field of type password", field: "pin", line: 6)
      ])
    #expect(
      problems(of: draft("todo", fields))
        == ["secret", "pin"].enumerated().map {
          problem(
            "only a user schema can have a password", hint: "set \"kind\": \"user\"",
            field: $0.element, line: $0.offset + 5)
        })
  }

  @Test(
    "rejects rules that do not apply to the field type",
    arguments: [
      (Field("a", .json, isUnique: true), ["json cannot be unique"]),
      (Field("a", .array(.text), isUnique: true), ["[text] cannot be unique"]),
      (Field("a", .boolean, minimum: 1), ["boolean cannot have min and max"]),
      (
        Field("a", .relation(Relation(to: "b", isMany: true)), maximum: 1),
        ["relations cannot have min and max"]
      ),
      (
        Field("a", .relation(Relation(to: "b")), maximum: 1),
        ["relation cannot have min and max"]
      ),
      (
        Field("a", .text, minimum: .integer(-1)),
        ["min and max of text are lengths, which must be integers of at least 0"]
      ),
      (
        Field("a", .array(.number), maximum: .number(1.5)),
        ["min and max of [number] are lengths, which must be integers of at least 0"]
      ),
      (Field("a", .integer, minimum: 2, maximum: 1), ["min is greater than max"]),
      (Field("a", .boolean, oneOf: [.boolean(true)]), ["boolean cannot have one_of"]),
      (
        Field("a", .relation(Relation(to: "b")), defaultValue: "x"),
        ["relation cannot have a default"]
      ),
      (Field("a", .text, defaultValue: .null), ["a default of null has no effect: remove it"]),
      (
        Field("a", .text, defaultValue: "long", maximum: 3),
        ["the default violates the field's own rules: expected at most 3 characters, found 4"]
      ),
      (Field("a", .integer, defaultValue: "x"), ["default: expected integer, found \"x\""]),
      (
        Field("a", .number, minimum: 1, oneOf: [.boolean(true), .number(1)]),
        ["min: expected number, found 1", "one_of: expected number, found true"]
      ),
      (
        Field("a", .array(.integer), defaultValue: .list([1, "x"]), oneOf: ["x"]),
        [
          "one_of: expected integer, found \"x\"",
          "default: expected an array of integer, found [1, \"x\"]",
        ]
      ),
    ])
  func rules(field: Field, expected: [String]) {
    #expect(messages(of: field) == expected)
  }

  @Test("accepts a pattern only for text fields")
  func patterns() throws {
    let pattern = try Pattern("a*")
    #expect(messages(of: Field("a", .text, pattern: pattern)) == [])
    #expect(
      messages(of: Field("a", .integer, pattern: pattern)) == ["only text can have a pattern"])
    #expect(
      messages(of: Field("a", .text, defaultValue: "b", pattern: pattern)) == [
        "the default violates the field's own rules: expected text that matches a*, found \"b\""
      ])
  }

  @Test("rejects rules such as `required` for the primary key, and most rules for a password")
  func keyRules() {
    let fields = [
      Field("username", .id, isRequired: true),
      Field("password", .password, isRequired: true, minimum: 300, maximum: 400),
    ]
    #expect(
      problems(of: draft("user", fields, kind: .user)).map(\.message) == [
        "the primary key cannot have rules: it is always required and unique",
        "min of a password must be a length from 1 to 256",
        "a password can have no rules except required and min",
      ])
  }

  @Test("rejects an index that is empty, repeated, or on an unknown or unsortable field")
  func indexes() {
    var draft = draft(
      "todo", [Field("todo_id", .id), Field("title", .text), Field("tags", .array(.text))])
    draft.indexes = [
      .init([], line: 7), .init([OrderTerm("titel")], line: 8),
      .init([OrderTerm("title"), OrderTerm("title", isDescending: true)], line: 9),
      .init([OrderTerm("tags")], line: 10), .init([OrderTerm("title")], line: 11),
      .init([OrderTerm("title")], line: 12),
    ]
    #expect(
      problems(of: draft) == [
        problem("an index must have at least one field", line: 7),
        problem(
          "the index names a field that is not declared", hint: "did you mean title?",
          field: "titel", line: 8),
        problem("used twice in one index", field: "title", line: 9),
        problem("[text] has no order, so it cannot be indexed", field: "tags", line: 10),
        problem("the same index is declared twice", line: 12),
      ])
  }

  @Test("rejects invalid property names, and two property names for one field")
  func properties() {
    var draft = draft(
      "todo",
      [Field("todo_id", .id), Field("owner", .text), Field("due_date", .text), Field("x", .text)])
    draft.properties = [
      .init("assignee", field: "owner", line: 10), .init("user", field: "owner", line: 11),
      .init("dueDate", field: "x", line: 12), .init("a-b", field: "due_date", line: 13),
      .init("name", field: "titel", line: 14),
    ]
    #expect(
      problems(of: draft) == [
        problem("the field has two properties", field: "owner", line: 11),
        problem("property dueDate already maps to another field", field: "x", line: 12),
        problem(
          "property a-b is not a valid name: use letters, digits and underscores",
          field: "due_date", line: 13),
        problem("property name names a field that is not declared", field: "titel", line: 14),
      ])
    draft.properties = [.init("revision", field: "owner", line: 10)]
    #expect(
      problems(of: draft) == [
        problem(
          "revision is a system field of every record; a property cannot have its name",
          field: "owner", line: 10)
      ])
  }

  @Test("accepts a schema of up to 500 fields")
  func manyFields() {
    let fields = (1..<501).map { Field("f\($0)", .text) }
    #expect(problems(of: draft("todo", [Field("todo_id", .id)] + fields.dropLast())) == [])
    #expect(
      problems(of: draft("todo", [Field("todo_id", .id)] + fields)) == [
        problem("501 fields, including the primary key; a schema can have at most 500")
      ])
  }

  @Test("accepts an index of up to 31 fields and the id")
  func manyIndexedFields() {
    let names = (1...32).map { "f\($0)" }
    var draft = draft("todo", [Field("todo_id", .id)] + names.map { Field($0, .integer) })
    draft.indexes = [.init((names.dropLast() + ["todo_id"]).map { OrderTerm($0) })]
    #expect(problems(of: draft) == [])
    draft.indexes = [.init(names.map { OrderTerm($0) })]
    #expect(
      problems(of: draft) == [
        problem("32 fields in an index; the limit is 31, not counting the id")
      ])
  }

  @Test("finds a field by its name, or by its declared or derived property name, such as dueDate")
  func names() throws {
    var draft = draft(
      "todo", [Field("todo_id", .id), Field("owner", .text), Field("due_date", .text)])
    draft.properties = [.init("assignee", field: "owner")]
    let schema = try Schema(checking: draft)
    let names = [
      "todo_id", "todoId", "todoID", "owner", "assignee", "due_date", "dueDate", "revision", "x",
    ]
    #expect(
      names.map { schema.slot(named: $0) } == [0, 0, 0, 1, 1, 2, 2, schema.slot(.revision), nil])
  }

  @Test("todoID means a field with this property name, even if the primary key is todo_id")
  func keyProperty() throws {
    var declared = draft("todo", [Field("todo_id", .id), Field("number", .integer)])
    declared.properties = [.init("todoID", field: "number")]
    #expect(try Schema(checking: declared).slot(named: "todoID") == 1)
    let other = draft("todo", [Field("todo_id", .id), Field("todo_i_d", .integer)])
    #expect(try Schema(checking: other).slot(named: "todoID") == 1)
  }

  @Test("reports the invalid schema name Foo only once, although the key Foo_id contains the name")
  func keyOfInvalidName() {
    #expect(problems(of: draft("Foo", [Field("Foo_id", .id)])).count == 1)
  }

  @Test("rejects schemas with duplicate names, two user schemas or missing relation targets")
  func catalogs() throws {
    let key = Field("todo_id", .id)
    let todo = try Schema(checking: draft("todo", [key]))
    let lost = try Schema(
      checking: draft(
        "lost", [Field("lost_id", .id), Field("todo", .relation(Relation(to: "todos")))]))
    let users = try ["a", "b"].map { name in
      try Schema(
        checking: draft(name, [Field("username", .id), Field("p", .password)], kind: .user))
    }
    do {
      _ = try Catalog(checking: [todo, todo, lost] + users)
      Issue.record("the catalog was taken")
    } catch {
      #expect(
        error.problems == [
          Problem(.invalidSchema, "declared twice", schema: "todo"),
          Problem(.invalidSchema, "a store can have at most one user schema", schema: "b"),
          Problem(
            .invalidSchema, "refers to schema todos, which does not exist",
            hint: "did you mean todo?", schema: "lost", field: "todo"),
        ])
    }
    let catalog = try Catalog(checking: [users[0], todo])
    #expect(catalog.schemas.map(\.name) == ["a", "todo"])
    #expect(catalog.userSchema == users[0])
    #expect(
      throws: DataError(
        Problem(.schemaNotFound, "no schema Todo", hint: "did you mean todo?", schema: "Todo"))
    ) {
      try catalog.schema("Todo")
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral text: String) { self = .text(text) }
  public init(integerLiteral integer: Int64) { self = .integer(integer) }
}
