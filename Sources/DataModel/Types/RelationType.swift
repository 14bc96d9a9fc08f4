import JSONText

extension TypeDescriptor {
  static let relation = TypeDescriptor(
    name: "relation", synonyms: ["reference"],
    declaration: .target, storeFormat: 1, storage: .bytes, scale: nil, textForm: .quoted,
    kind: .reference, family: .text, isOrdered: true,
    rules: Rules(bounds: .none, hasChoices: false, hasDefault: false), indexSize: IDs.limit,
    phrases: Phrases(
      withArticle: "a relation", expectation: "an id", operand: "an id as text",
      bounds: ("", "")),
    sample: .text(""), setText: id.setText, setNumber: id.setNumber,
    lenientJSON: id.lenientJSON, summand: nil, element: nil, parse: id.parse,
    literal: id.literal,
    conversion: { type in
      switch type {
      case "text": .lossless
      default: nil
      }
    }, value: id.value, postgresType: "text",
    jsonSchema: id.jsonSchema,
    writtenJSONSchema: id.writtenJSONSchema, typeScript: .builtIn("string"),
    equivalents: Equivalents(
      json: "an id", swift: "Reference", sqlite: "TEXT", postgres: "text", telerik: "Relation",
      stackMob: "Relationship", backendless: "DATA_REF 1:1", coreData: "To-one"))

  /// The type of a to-many relation.
  static let relations = TypeDescriptor(
    name: "relation", synonyms: [],
    declaration: .target, storeFormat: 1, storage: .bytes, scale: nil, textForm: .json,
    kind: .references,
    family: nil, isOrdered: false,
    rules: Rules(bounds: .none, hasChoices: false, hasDefault: false), indexSize: IDs.limit,
    phrases: Phrases(
      withArticle: "a to-many relation", expectation: "an array of ids",
      operand: "an id as text", bounds: ("", "")),
    sample: .text(""),
    setText: { changes, slot, text, _ in changes.reportTextOrSetLeniently(slot, text) },
    setNumber: { $0.reportMismatch($1, number: $2) },
    lenientJSON: { _, _ in nil }, summand: nil,
    element: Element(
      appendText: { changes, slot, text in
        guard IDs.isValid(text) else {
          return changes.report(
            slot,
            "expected ids of 1 to 255 bytes without control characters, found \(Excerpt.quoted(text))"
          )
        }
        changes.appendElement(text: text)
      },
      appendNumber: { (changes, _, number) throws(NumberText.ParseError) in
        changes.appendElement(.text("\(try NumberText.integer(number))"))
      }, example: nil),
    parse: { (_) throws(ValueTextError) in throw .mismatch }, literal: id.literal,
    conversion: { _ in nil },
    value: { rows, cell in rows.list(cell, of: .text) },
    postgresType: "text",
    jsonSchema: #"{"type":"array","items":\#(id.jsonSchema),"uniqueItems":true}"#,
    writtenJSONSchema: #"{"type":"array","items":\#(id.jsonSchema),"uniqueItems":true}"#,
    typeScript: .builtIn("string[]"),
    equivalents: Equivalents(
      json: "[id…]", swift: "[Reference]", sqlite: "link table", postgres: "link table",
      telerik: "Relation (multiple)", stackMob: "Relationship", backendless: "DATA_REF 1:N",
      coreData: "To-many"))
}
