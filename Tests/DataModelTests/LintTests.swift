import DataModel
import TestSupport
import Testing

@Suite("Lint")
struct LintTests {
  private func source(
    _ name: String, _ fields: [Field], indexes: [[OrderTerm]] = [],
    properties: [String: String] = [:]
  ) throws -> DeclaredSchema {
    var draft = SchemaDraft(name: name, file: "\(name).json", line: 1)
    draft.fields = ([Field(name + "_id", .id)] + fields).enumerated().map {
      .init($1, line: $0 + 2)
    }
    draft.indexes = indexes.map { .init($0, line: 40) }
    draft.properties = properties.map { .init($0.key, field: $0.value, line: 50) }
    return try DeclaredSchema(checking: draft)
  }

  /// Returns the findings as `line rule field: message`.
  private func found(
    in sources: [DeclaredSchema], targets: Set<String>? = nil
  ) -> [String] {
    let practices = Lint(of: sources, targets: targets)
    return sources.flatMap { practices.findings(in: $0) }.map { finding in
      let field = finding.field.map { "\($0): " } ?? ""
      return "\(finding.line ?? 0) \(finding.rule.rawValue) \(field)\(finding.message)"
    }
  }

  @Test("reports nothing for a schema that follows all lint rules")
  func clean() throws {
    let owner = Field("owner", .relation(Relation(to: "person")))
    let todo = try source(
      "todo", [Field("title", .text), Field("year_born", .integer), owner],
      indexes: [[OrderTerm("owner")]])
    #expect(found(in: [todo], targets: ["person"]) == [])
  }

  @Test("reports a schema with no field except the primary key")
  func keyOnly() throws {
    #expect(
      found(in: [try source("todo", [])]) == [
        "1 key-alone todo has no fields except its primary key"
      ])
  }

  @Test("reports names that differ only by a plural ending or an underscore")
  func nearNames() throws {
    let near = [
      ("step", "steps"), ("category", "categories"), ("box", "boxes"), ("user_name", "username"),
      ("address", "addresses"), ("batch", "batches"),
    ]
    for (first, second) in near {
      let todo = try source("todo", [Field(first, .text), Field(second, .text)])
      #expect(
        found(in: [todo]) == [
          "4 near-names \(second): \(second) and \(first) are easily confused"
        ])
      let schemas = try [second, first].map { try source($0, [Field("title", .text)]) }
      #expect(found(in: schemas).count == 1)
    }
    let apart = ["adres", "address", "step", "stop", "news", "new_one", "glass", "glas_a"]
    let todo = try source("todo", apart.map { Field($0, .text) })
    #expect(found(in: [todo]) == [])
  }

  @Test("reports names that are reserved words in SQL")
  func reservedWords() throws {
    let order = try source("order", [Field("group", .text), Field("grouping", .text)])
    #expect(
      found(in: [order]) == [
        "1 reserved-word order is a reserved word of SQL",
        "3 reserved-word group: group is a reserved word of SQL",
      ])
  }

  @Test("does not report the name user of a user schema")
  func userSchema() throws {
    var draft = SchemaDraft(name: "user")
    draft.kind = .user
    draft.fields = [Field("username", .id), Field("password", .password)].map { .init($0) }
    #expect(found(in: [try DeclaredSchema(checking: draft)]) == [])
    let plain = try source("user", [Field("title", .text)])
    #expect(found(in: [plain]) == ["1 reserved-word user is a reserved word of SQL"])
  }

  @Test("warns of decimals with more digits than JavaScript keeps")
  func wideDecimals() throws {
    let fields = [
      Field("price", .decimal(digits: 15, scale: 2)), Field("rate", .decimal(digits: 16, scale: 2)),
    ]
    #expect(
      found(in: [try source("item", fields)]) == [
        "4 wide-decimal rate: 16 digits: JavaScript and older versions of jq round values with "
          + "more than 15"
      ])
  }

  @Test("reports a field name that changes when it is converted to camel case and back")
  func ambiguousNames() throws {
    let fields = [Field("x_y_z", .text), Field("a_b", .text), Field("plan_b_2", .text)]
    #expect(
      found(in: [try source("todo", fields)]) == [
        "3 way-back x_y_z: the property xYZ maps to x_yz, not to x_y_z"
      ])
    #expect(found(in: [try source("todo", fields, properties: ["xYZ": "x_y_z"])]) == [])
    #expect(
      found(in: [try source("a_b_c", [Field("title", .text)])]).first
        == "1 way-back the type ABC maps to abc, not to a_b_c")
  }

  @Test("reports index entries that can become too large and suggests a maximum")
  func wideIndexes() throws {
    let title = Field("title", .text)
    let short = Field("short", .text, maximum: .integer(300))
    let state = Field("state", .text, oneOf: [.text("open"), .text("done")])
    let mail = Field("mail", .text, isUnique: true)
    let todo = try source(
      "todo", [title, short, state, mail],
      indexes: [
        [OrderTerm("title"), OrderTerm("state")], [OrderTerm("short"), OrderTerm("state")],
      ])
    let practices = Lint(of: [todo], targets: nil)
    let findings = practices.findings(in: todo)
    #expect(
      findings.map(\.message) == [
        "an entry of the index on mail has no maximum size",
        "an entry of the index on title, state has no maximum size",
      ])
    #expect(
      findings.map(\.fix) == [
        "give mail a \"max\" of at most 536", "give title a \"max\" of at most 534",
      ])
    let wide = Field("wide", .text, isUnique: true, maximum: .integer(537))
    #expect(
      found(in: [try source("todo", [wide])]) == [
        "3 wide-index wide: an entry of the index on wide can have up to 2403 bytes"
      ])
    let note = Field("note", .text)
    let fixes = [
      ([title, note], "give title and note each a \"max\" of at most 268"),
      ([title, Field("done", .boolean)], "give title a \"max\" of at most 534"),
      (
        [title, Field("long", .text, maximum: .integer(1_000))],
        "give title and long each a \"max\" of at most 268"
      ),
    ]
    for (fields, fix) in fixes {
      let source = try source("todo", fields, indexes: [fields.map { OrderTerm($0.name) }])
      #expect(Lint(of: [source], targets: nil).findings(in: source).map(\.fix) == [fix])
    }
  }

  @Test("reports a relation to a missing schema when the names of all schemas are known")
  func targets() throws {
    let owner = Field("owner", .relation(Relation(to: "persn", isMany: true)))
    let todo = try source("todo", [owner])
    #expect(found(in: [todo]) == [])
    let findings = Lint(of: [todo], targets: ["todo", "person"]).findings(in: todo)
    #expect(findings.map(\.message) == ["there is no schema persn"])
    #expect(findings.map(\.fix) == ["did you mean person?"])
  }

  @Test("reports a relation without an index and suggests one")
  func relations() throws {
    let fields = [
      Field("owner", .relation(Relation(to: "person"))), Field("due", .datetime),
      Field("twin", .relation(Relation(to: "todo")), isUnique: true),
    ]
    let todo = try source("todo", fields)
    let findings = Lint(of: [todo], targets: nil).findings(in: todo)
    #expect(findings.map(\.message) == [#"no index in "indexes" begins with owner"#])
    #expect(
      findings[0].fix == #"to list sorted pages, add ["owner", "-due"] to "indexes""#)
    let more = fields + [Field("parent", .relation(Relation(to: "todo")))]
    #expect(
      found(in: [try source("todo", more)]) == [
        #"3 relation-without-index no index in "indexes" begins with owner or parent"#
      ])
  }

  @Test("explains every rule in full sentences with a title, a reason and a fix")
  func facts() {
    for rule in LintRule.allCases {
      for sentence in [rule.facts.title, rule.facts.why, rule.facts.fix] {
        #expect(sentence.hasSuffix("."), "\(rule)")
      }
      #expect(!rule.rawValue.contains { !"abcdefghijklmnopqrstuvwxyz-".contains($0) })
    }
  }
}
