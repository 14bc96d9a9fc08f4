import JSONText

extension TypeDescriptor {
  static let json = TypeDescriptor(
    name: "json", synonyms: ["object", "jsonb", "map"],
    declaration: .nothing, storeFormat: 1, storage: .bytes, scale: nil, textForm: .json,
    kind: .json, family: nil, isOrdered: false,
    rules: Rules(bounds: .none, hasChoices: false, hasDefault: true), indexSize: 0,
    phrases: Phrases(
      withArticle: "json", expectation: "json",
      operand: "text, a number, true, false or json '…'", bounds: ("", "")),
    sample: .text(""),
    setText: { changes, slot, text, _ in changes.reportTextOrSetLeniently(slot, text) },
    setNumber: { $0.reportMismatch($1, number: $2) },
    lenientJSON: { _, _ in nil }, summand: nil, element: nil,
    parse: { text in .text(String(decoding: text)) },
    literal: { (number) throws(NumberText.ParseError) in
      let value = JSONPathEvaluator.scalar(number)
      if case .number(let double) = value, !double.isFinite { throw .beyondLargest }
      return value
    },

    conversion: { _ in nil },
    value: { rows, cell in .json(rows.text(cell)) },
    postgresType: "json", jsonSchema: "{}", writtenJSONSchema: "{}", typeScript: .json,
    equivalents: Equivalents(
      json: "any value", swift: "JSONValue", sqlite: "TEXT", postgres: "json", telerik: "Object",
      stackMob: "–", backendless: "JSON", coreData: "Transformable"))
}
