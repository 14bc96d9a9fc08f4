import DataModel
import Testing

@Suite("Row changes")
struct ChangesTests {
  private func schema(_ fields: Field...) throws -> Schema {
    var draft = SchemaDraft(name: "todo")
    draft.fields = ([Field("todo_id", .id)] + fields).map { .init($0) }
    return try Schema(checking: draft)
  }

  private func userSchema() throws -> Schema {
    var draft = SchemaDraft(name: "user")
    draft.kind = .user
    draft.fields = [.init(Field("username", .id)), .init(Field("value", .password))]
    return try Schema(checking: draft)
  }

  /// Returns the problems of a record with the id `a` and one value.
  private func problems(
    of field: Field, _ set: (inout RowChanges, Int) -> Void
  ) throws -> [Problem] {
    var changes = RowChanges(for: try schema(field))
    changes.beginRecord(line: 3)
    changes.set(0, text: "a".utf8.span)
    set(&changes, 1)
    let problems = changes.endRecord()
    #expect(changes.count == (problems.isEmpty ? 1 : 0))
    return problems
  }

  private func problem(_ message: String, hint: String? = nil) -> Problem {
    Problem(
      .invalid, message, hint: hint, schema: "todo", id: "a", field: "value", line: 3)
  }

  /// A value of each JSON kind, as a reader passes it.
  enum JSONKind: String, CaseIterable, Sendable {
    case text, number, boolean, list, object

    func set(_ slot: Int, of changes: inout RowChanges) {
      switch self {
      case .text: changes.set(slot, text: "4 euro".utf8.span)
      case .number: changes.set(slot, number: "4.5".utf8.span)
      case .boolean: changes.set(slot, boolean: true)
      case .list:
        changes.openList(slot)
        changes.closeList()
      case .object: changes.reportMismatch(slot, found: "an object")
      }
    }

    var label: String {
      switch self {
      case .text: "text \"4 euro\""
      case .number: "number 4.5"
      case .boolean: "true"
      case .list: "an array"
      case .object: "an object"
      }
    }
  }

  private static let expectations: [(FieldType, expected: String, accepted: Set<JSONKind>)] = [
    (.text, "text", [.text]),
    (.integer, "integer", []),
    (.number, "number", [.number]),
    (.boolean, "true or false", [.boolean]),
    (.datetime, "datetime as text, such as \"2026-11-20T03:05:00Z\"", []),
    (.geopoint, "geopoint, such as {\"lat\": 47.37, \"lon\": 8.54}", []),
    (.file, "file, such as {\"name\": \"a.png\", \"data\": \"…\"}", []),
    (.relation(Relation(to: "user")), "an id of user", [.text]),
    (.relation(Relation(to: "user", isMany: true)), "an array of ids of user", [.list]),
    (.array(.text), "an array of text", [.list]),
    (.array(.integer), "an array of integer", [.list]),
    (.array(.number), "an array of number", [.list]),
    (.array(.boolean), "an array of boolean", [.list]),
    (.array(.datetime), "an array of datetime", [.list]),
  ]

  @Test(
    "reports the expected type and the actual JSON type of an invalid value",
    arguments: expectations, JSONKind.allCases)
  func mismatches(
    type: (FieldType, expected: String, accepted: Set<JSONKind>), found: JSONKind
  ) throws {
    let problems = try problems(of: Field("value", type.0)) { found.set($1, of: &$0) }
    if type.accepted.contains(found) {
      #expect(problems == [])
    } else if type.0 == .integer && found == .text {
      #expect(problems == [problem("expected integer, found text \"4 euro\"")])
    } else if type.0 == .integer && found == .number {
      #expect(problems == [problem("expected integer, found 4.5")])
    } else if type.0 == .datetime && found == .text {
      #expect(
        problems == [
          problem(
            "expected datetime, found text \"4 euro\"",
            hint: "write 2026-11-20T03:05:00Z, or 2026-11-20 for midnight UTC")
        ])
    } else {
      #expect(problems == [problem("expected \(type.expected), found \(found.label)")])
    }
  }

  @Test("never includes a password in an error", arguments: JSONKind.allCases)
  func passwords(found: JSONKind) throws {
    var changes = RowChanges(for: try userSchema())
    changes.beginRecord(line: 1)
    changes.set(0, text: "ann".utf8.span)
    found.set(1, of: &changes)
    let expected = Problem(
      .invalid, "expected password as text, found another type", schema: "user", id: "ann",
      field: "value", line: 1)
    var short = expected
    short.message = "a password must have at least 8 characters, found 6"
    #expect(changes.endRecord() == [found == .text ? short : expected])
  }

  @Test("rejects an empty password")
  func emptyPassword() throws {
    var changes = RowChanges(for: try userSchema())
    changes.beginRecord(line: 1)
    changes.set(0, text: "ann".utf8.span)
    changes.set(1, text: "".utf8.span)
    #expect(changes.endRecord().map(\.message) == ["expected a password, found an empty string"])
  }

  @Test("rejects a value that is set with the setter of another field type")
  func foreignSetters() throws {
    #expect(
      try problems(of: Field("value", .text)) {
        $0.set($1, json: "1".utf8.span)
        $0.set($1, latitude: 1, longitude: 1)
        $0.set($1, file: FileReference(name: "", type: "", size: 0, sha256: ""), content: nil)
        $0.set($1, adding: "1".utf8.span)
      } == [
        problem("expected text, found json"), problem("expected text, found a geopoint"),
        problem("expected text, found a file"), problem("cannot add to text"),
      ])
  }

  @Test(
    "rejects a number that the field type cannot represent",
    arguments: [
      (
        FieldType.integer, "9223372036854775808",
        "expected a 64-bit integer, found 9223372036854775808"
      ),
      (.integer, "1.5", "expected integer, found 1.5"),
      (.number, "1e309", "1e309 exceeds the range of a number"),
      (.number, "1e-400", "1e-400 is too small: it would become 0"),
      (
        .integer, "1" + String(repeating: "0", count: 99),
        "expected a 64-bit integer, found 1" + String(repeating: "0", count: 59) + "…"
      ),
    ])
  func numbers(type: FieldType, text: String, message: String) throws {
    #expect(
      try problems(of: Field("value", type)) { $0.set($1, number: text.utf8.span) } == [
        problem(message)
      ])
  }

  @Test("reports the expected and the actual value when a value violates a rule such as a pattern")
  func rules() throws {
    let pattern = try Pattern("[a-z]*")
    let size = Field("value", .text, minimum: .integer(2), maximum: .integer(3), pattern: pattern)
    func text(_ text: String, in field: Field) throws -> [String] {
      try problems(of: field) { $0.set($1, text: text.utf8.span) }.map(\.message)
    }
    #expect(try text("ab", in: size) == [])
    #expect(try text("a", in: size) == ["expected at least 2 characters, found 1"])
    #expect(
      try text("🙂🙂🙂🙂", in: size) == [
        "expected at most 3 characters, found 4",
        "expected text that matches [a-z]*, found \"🙂🙂🙂🙂\"",
      ])
    #expect(
      try text("m", in: Field("value", .text, oneOf: ["s", "l"])) == [
        "expected one of \"s\", \"l\", found \"m\""
      ])
    #expect(
      try text("e\u{301}", in: Field("value", .text, oneOf: ["é"])).count == 1)
    let huge = Field("value", .text, minimum: .integer(.max))
    #expect(
      try text("a", in: huge) == ["expected at least 9223372036854775807 characters, found 1"])
    let deadline = try Timestamp(parsing: "2026-11-20".utf8.span)
    #expect(
      try text("2026-11-19", in: Field("value", .datetime, minimum: .datetime(deadline))) == [
        "expected a datetime no earlier than 2026-11-20T00:00:00.000Z, "
          + "found 2026-11-19T00:00:00.000Z"
      ])
    #expect(
      try problems(of: Field("value", .number, maximum: .number(1.5), oneOf: [.number(1)])) {
        $0.set($1, number: "2".utf8.span)
      }.map(\.message) == ["expected at most 1.5, found 2", "expected one of 1, found 2"])
    #expect(
      try problems(of: Field("value", .array(.integer), minimum: .integer(2), oneOf: [1, 2])) {
        $0.openList($1)
        $0.append(number: "7".utf8.span)
        $0.closeList()
      }.map(\.message) == [
        "expected at least 2 elements, found 1", "expected one of 1, 2, found 7",
      ])
  }

  @Test("rejects null when a value is required")
  func nulls() throws {
    #expect(
      try problems(of: Field("value", .text, isRequired: true)) { $0.setNull($1) } == [
        problem("expected a value, found null")
      ])
    #expect(
      try problems(of: Field("value", .relation(Relation(to: "user", isMany: true)))) {
        $0.setNull($1)
      } == [problem("a to-many relation cannot be null", hint: "pass [] to clear the relation")])
    #expect(try problems(of: Field("value", .text)) { $0.setNull($1) } == [])
  }

  @Test("validates each element of an array")
  func elements() throws {
    #expect(
      try problems(of: Field("value", .array(.integer))) {
        $0.openList($1)
        $0.append(number: "1.5".utf8.span)
        $0.append(boolean: true)
        $0.append(text: "12".utf8.span)
        $0.append(text: "x".utf8.span)
        $0.appendInvalid("null")
        $0.closeList()
      } == [
        problem("expected an array of integer, found 1.5"),
        problem("expected an array of integer, found true as an element"),
        problem("expected integers, found text \"x\""),
        problem("expected an array of integer, found null as an element"),
      ])
    #expect(
      try problems(of: Field("value", .relation(Relation(to: "user", isMany: true)))) {
        $0.openList($1)
        $0.append(text: "5".utf8.span)
        $0.append(number: "5.0".utf8.span)
        $0.closeList()
      } == [problem("duplicate id in a to-many relation: \"5\"")])
  }

  @Test("accepts ids of 1 to 255 bytes without control characters")
  func ids() throws {
    for id in ["", "a\n", String(repeating: "a", count: 256)] {
      var changes = RowChanges(for: try schema())
      changes.beginRecord(line: 1)
      changes.set(0, text: id.utf8.span)
      #expect(
        changes.endRecord() == [
          Problem(
            .invalid,
            "expected an id of 1 to 255 bytes without control characters, found \(Excerpt.quoted(id))",
            schema: "todo", field: "todo_id", line: 1)
        ])
    }
    var changes = RowChanges(for: try schema())
    changes.beginRecord(line: 1)
    changes.set(0, number: "7".utf8.span)
    #expect(changes.endRecord() == [])
    #expect(changes.rows.text(changes.rows[0, 0]) == "7")
  }

  @Test("rejects a record without an id, and adds a hint")
  func missingID() throws {
    var changes = RowChanges(for: try schema())
    changes.beginRecord(line: 9)
    #expect(
      changes.endRecord() == [
        Problem(
          .invalid, "required", hint: "give the record an id; in Swift, assignID() generates one",
          schema: "todo", field: "todo_id", line: 9)
      ])
    var users = RowChanges(for: try userSchema())
    var generator = IDGenerator(clock: { 0 })
    users.beginRecord(line: 9)
    users.assignID(from: &generator)
    #expect(
      users.endRecord() == [
        Problem(
          .invalid, "required", hint: "assign a user name", schema: "user", field: "username",
          line: 9)
      ])
  }

  @Test("generates an id if there is none, and omits the generated id from errors")
  func assignedIDs() throws {
    var generator = IDGenerator(clock: { 0 })
    var changes = RowChanges(for: try schema(Field("value", .integer)))
    changes.beginRecord(line: 1)
    changes.assignID(from: &generator)
    #expect(changes.endRecord() == [])
    #expect(changes.rows[0, 0].length == 36)
    changes.beginRecord(line: 2)
    changes.set(0, text: "mine".utf8.span)
    changes.assignID(from: &generator)
    #expect(changes.endRecord() == [])
    #expect(changes.rows.text(changes.rows[1, 0]) == "mine")
    #expect(changes.hasAssignedID == [true, false])
    changes.beginRecord(line: 3)
    changes.set(1, text: "x".utf8.span)
    changes.assignID(from: &generator)
    #expect(changes.endRecord().map(\.id) == [nil])
    #expect(changes.count == 2)
  }

  @Test("suggests the most similar field for an unknown field")
  func unknownFields() throws {
    var changes = RowChanges(for: try schema(Field("title", .text)))
    changes.beginRecord(line: 4)
    changes.set(0, text: "a".utf8.span)
    changes.reportUnknownField("titel")
    changes.reportUnknownField("zzz\u{7}")
    #expect(
      changes.endRecord() == [
        Problem(
          .unknownField, "todo has no field titel", hint: "did you mean title?", schema: "todo",
          id: "a", field: "titel", line: 4),
        Problem(
          .unknownField, "todo has no field zzz\\u0007", hint: "see datactl schema show todo",
          schema: "todo", id: "a", field: "zzz\\u0007", line: 4),
      ])
  }

  @Test("validates the revision, times and users in the system fields")
  func systemFields() throws {
    let schema = try schema()
    var changes = RowChanges(for: schema)
    changes.beginRecord(line: 1)
    changes.set(0, text: "a".utf8.span)
    changes.set(schema.slot(.revision), number: "0".utf8.span)
    changes.set(schema.slot(.revision), number: "9223372036854775807".utf8.span)
    changes.set(schema.slot(.revision), text: "1".utf8.span)
    changes.set(schema.slot(.createdAt), text: "09/09/2013".utf8.span)
    changes.set(schema.slot(.createdBy), number: "1.5".utf8.span)
    #expect(
      changes.endRecord().map(\.message) == [
        "expected a revision: an integer from 1 to 2^53, found 0",
        "expected a revision: an integer from 1 to 2^53, found 9223372036854775807",
        "expected a revision, found text \"1\"",
        "expected datetime, found text \"09/09/2013\"", "expected text, found number 1.5",
      ])
  }

  @Test("removes an invalid record and its file contents from a chunk of changes")
  func removal() throws {
    var changes = RowChanges(for: try schema(Field("value", .integer), Field("photo", .file)))
    for (line, value) in ["1", "1.5", "2"].enumerated() {
      changes.beginRecord(line: line + 1)
      changes.set(0, text: value.utf8.span)
      changes.set(
        2, file: FileReference(name: "p", type: "t", size: 1, sha256: ""),
        content: .bytes(Array(value.utf8)))
      changes.set(1, number: value.utf8.span)
      #expect(changes.endRecord().isEmpty == (value != "1.5"))
    }
    #expect(changes.lines == [1, 3])
    #expect(changes.contents.map(\.row) == [0, 1])
    #expect((0..<2).map { changes.rows[$0, 1].integer } == [1, 2])
    changes.removeAll()
    #expect(changes.count == 0)
    #expect(changes.rows.count == 0)
    #expect(changes.contents.isEmpty)
  }
}
