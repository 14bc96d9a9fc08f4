import DataModel
import DataStore
import Testing

@Suite("Steps of a schema plan")
struct PlanStepTests {
  /// Two versions of a schema `item`, with a schema `other` it may refer to, and the steps between
  /// them.
  struct Pair: Sendable, CustomTestStringConvertible {
    var old: [Field]
    var new: [Field]
    var was: [String: String] = [:]
    var oldIndexes: [[String]] = []
    var newIndexes: [[String]] = []
    var steps: [String]
    var validatesRecords = false
    var losses: [String] = []
    var testDescription: String { steps.first ?? "nothing" }
  }

  private static let one = FieldType.relation(Relation(to: "other"))
  private static let many = FieldType.relation(Relation(to: "other", isMany: true))

  private static func pair(
    _ old: Field, _ new: Field, _ step: String?, validates: Bool = false, loses: Bool = false
  ) -> Pair {
    Pair(
      old: [old], new: [new], steps: step.map { ["change item.a: \($0)"] } ?? [],
      validatesRecords: validates,
      losses: loses ? ["item.a"] : [])
  }

  private static let text = Field("a", .text)
  private static let number = Field("a", .number)
  private static let integer = Field("a", .integer)

  static let rules: [Pair] = [
    pair(text, text, nil),
    pair(text, Field("a", .text, isRequired: true), "required", validates: true),
    pair(Field("a", .text, isRequired: true), text, "no longer required"),
    pair(
      text, Field("a", .text, isRequired: true, defaultValue: "x"),
      "required, default \"x\", \"x\" in records without a value", validates: true),
    pair(text, Field("a", .text, minimum: .integer(0)), "min 0"),
    pair(text, Field("a", .text, isUnique: true), "unique", validates: true),
    pair(Field("a", .text, isUnique: true), text, "no longer unique"),
    pair(text, Field("a", .text, defaultValue: "x"), "default \"x\""),
    pair(Field("a", .text, defaultValue: "x"), text, "no longer default \"x\""),
    pair(text, Field("a", .text, minimum: .integer(1)), "min 1", validates: true),
    pair(
      Field("a", .integer, minimum: 1), Field("a", .integer, minimum: 2), "min 1 to 2",
      validates: true),
    pair(Field("a", .integer, minimum: 2), Field("a", .integer, minimum: 1), "min 2 to 1"),
    pair(
      Field("a", .text, maximum: .integer(9)), Field("a", .text, maximum: .integer(8)),
      "max 9 to 8", validates: true),
    pair(Field("a", .text, maximum: .integer(8)), text, "no longer max 8"),
    pair(number, Field("a", .number, maximum: 1.5), "max 1.5", validates: true),
    pair(text, Field("a", .text, oneOf: ["x"]), "one_of [\"x\"]", validates: true),
    pair(
      Field("a", .text, oneOf: ["x"]), Field("a", .text, oneOf: ["x", "y"]),
      "one_of [\"x\"] to [\"x\", \"y\"]"),
    pair(
      Field("a", .text, oneOf: ["x", "y"]), Field("a", .text, oneOf: ["x"]),
      "one_of [\"x\", \"y\"] to [\"x\"]", validates: true),
    pair(text, Field("a", .text, doc: "A."), "doc added"),
    pair(Field("a", .text, doc: "A."), Field("a", .text, doc: "B."), "doc changed"),
    pair(Field("a", .text, doc: "A."), text, "doc dropped"),
    pair(
      Field("a", one), Field("a", .relation(Relation(to: "other", onDelete: .deny))),
      "on_delete \"nullify\" to \"deny\""),
    pair(
      text, Field("a", .text, isRequired: true, maximum: .integer(3), doc: "A."),
      "required, max 3, doc added", validates: true),
  ]

  static let types: [Pair] = [
    pair(text, integer, "text to integer", validates: true),
    pair(text, number, "text to number", validates: true, loses: true),
    pair(text, Field("a", .datetime), "text to datetime", validates: true),
    pair(integer, text, "integer to text"),
    pair(integer, number, "integer to number", validates: true, loses: true),
    pair(number, integer, "number to integer", validates: true, loses: true),
    pair(text, Field("a", .array(.text)), "text to [text]"),
    Pair(
      old: [text], new: [Field("a", .array(.text), oneOf: ["x"])],
      steps: ["change item.a: text to [text]", "change item.a: one_of [\"x\"]"],
      validatesRecords: true),
    pair(
      Field("a", .relation(Relation(to: "other", onDelete: .deny))), text,
      "a relation to other to text"),
    pair(Field("a", .array(.text)), text, "[text] to text", validates: true, loses: true),
    pair(Field("a", one), Field("a", many), "a relation to other to a relation to many other"),
    pair(
      Field("a", many), Field("a", one), "a relation to many other to a relation to other",
      validates: true, loses: true),
    pair(text, Field("a", one), "text to a relation to other", validates: true),
    pair(text, Field("a", .json), "text to json"),
  ]

  static let fields: [Pair] = [
    Pair(old: [], new: [text], steps: ["add field item.a: text"]),
    Pair(
      old: [], new: [Field("a", .integer, isRequired: true, defaultValue: 3)],
      steps: ["add field item.a: integer, 3 in existing records"]),
    Pair(
      old: [], new: [Field("a", .integer, isRequired: true)],
      steps: ["add field item.a: integer"], validatesRecords: true),
    Pair(old: [text], new: [], steps: ["drop field item.a"], losses: ["item.a"]),
    Pair(
      old: [text], new: [Field("b", .text)], was: ["b": "a"],
      steps: ["rename field item.a to item.b"]),
    Pair(
      old: [text], new: [Field("b", .text, maximum: .integer(3))], was: ["b": "a"],
      steps: ["rename field item.a to item.b", "change item.b: max 3"], validatesRecords: true),
    Pair(old: [text], new: [text], was: ["a": "b"], steps: []),
    Pair(
      old: [text, Field("b", .text)], new: [text], was: ["a": "b"],
      steps: ["drop field item.b"], losses: ["item.b"]),
    Pair(
      old: [text, Field("b", .text)], new: [Field("b", .text), text],
      steps: ["order the fields of item: item_id, b, a"]),
    Pair(
      old: [text], new: [text], oldIndexes: [["a"], ["-a"]], newIndexes: [["-a"], ["a"]],
      steps: []),
    Pair(
      old: [text], new: [text], newIndexes: [["a"]], steps: ["add index item (a)"]),
    Pair(
      old: [text], new: [text], oldIndexes: [["-a"]], newIndexes: [["a"]],
      steps: ["drop index item (-a)", "add index item (a)"]),
    Pair(
      old: [text], new: [Field("b", .text)], was: ["b": "a"], oldIndexes: [["a"]],
      newIndexes: [["b"]], steps: ["rename field item.a to item.b"]),
    Pair(
      old: [text, integer.called("b")], new: [integer.called("a")], was: ["a": "b"],
      oldIndexes: [["a"]],
      steps: [
        "drop field item.b", "change item.a: text to integer", "drop index item (a)",
      ], validatesRecords: true, losses: ["item.b"]),
  ]

  private func item(_ fields: [Field], _ indexes: [[String]]) throws -> Schema {
    var draft = SchemaDraft(name: "item")
    draft.fields = ([Field("item_id", .id)] + fields).map { .init($0) }
    draft.indexes = indexes.map { .init($0.map(OrderTerm.init(text:))) }
    return try Schema(checking: draft)
  }

  @Test(
    "plans the expected steps, record checks and losses for each pair of an old and a new schema",
    arguments: rules + types + fields)
  func steps(pair: Pair) throws {
    let stored = StoredCatalog(
      try Catalog(checking: [
        try item(pair.old, pair.oldIndexes), try .test("other"),
      ]), version: 1)
    let desired = DeclaredSchema(try item(pair.new, pair.newIndexes), fieldsWere: pair.was)
    let steps = try SchemaPlan(from: stored, to: [desired], reading: .partial).steps
    #expect(steps.map(\.text) == pair.steps)
    #expect(steps.contains(where: \.validatesRecords) == pair.validatesRecords)
    #expect(steps.compactMap(\.loss) == pair.losses)
  }

  @Test("tests at least forty pairs of an old and a new schema")
  func count() {
    #expect(Self.rules.count + Self.types.count + Self.fields.count >= 40)
  }
}

extension Field {
  fileprivate func called(_ name: String) -> Field {
    var field = self
    field.name = name
    return field
  }
}
