import JSONText

extension TypeDescriptor {
  static let boolean = TypeDescriptor(
    name: "boolean", synonyms: ["bool"],
    declaration: .nothing, storeFormat: 1, storage: .boolean, scale: nil, textForm: .bare,
    kind: .scalar,
    family: nil, isOrdered: true,
    rules: Rules(bounds: .none, hasChoices: false, hasDefault: true), indexSize: 8,
    phrases: Phrases(
      withArticle: "a boolean", expectation: "true or false", operand: "true or false",
      bounds: ("", "")),
    sample: .boolean(false),
    setText: { changes, slot, text, _ in changes.reportTextOrSetLeniently(slot, text) },
    setNumber: { $0.setNumberLeniently($1, $2) },
    lenientJSON: { $1.boolean($0).map { Array(($0 ? "true" : "false").utf8) } },
    summand: nil,
    element: Element(
      appendText: { $0.reportElementMismatch($1, text: $2) },
      appendNumber: { $0.appendNumberLeniently($1, $2) }, example: "[true, false]"),
    parse: { (text) throws(ValueTextError) in
      if text.isEqual(to: "true".utf8.span) { return .boolean(true) }
      if text.isEqual(to: "false".utf8.span) { return .boolean(false) }
      throw .mismatch
    }, literal: nil,
    conversion: { type in
      switch type {
      case "integer", "text", "json": .lossless
      default: nil
      }
    },
    value: { _, cell in .boolean(cell.integer != 0) },
    postgresType: "boolean", jsonSchema: #"{"type":"boolean"}"#,
    writtenJSONSchema: #"{"type":"boolean"}"#, typeScript: .builtIn("boolean"),
    equivalents: Equivalents(
      json: "true, false", swift: "Bool", sqlite: "INTEGER 0, 1", postgres: "boolean",
      telerik: "Yes/No", stackMob: "Boolean", backendless: "BOOLEAN", coreData: "Boolean"))
}
