extension TypeDescriptor {
  static let texts = array(of: .text, synonyms: ["array", "list"])
  static let integers = array(of: .integer)
  static let numbers = array(of: .number)
  static let booleans = array(of: .boolean)
  static let dates = array(of: .date)
  static let datetimes = array(of: .datetime)

  private static func array(of type: ElementType, synonyms: [String] = []) -> TypeDescriptor {
    let element = type.fieldType.descriptor
    let typeScript: TypeScript
    switch element.typeScript {
    case .builtIn(let name): typeScript = .builtIn("\(name)[]")
    case .point, .file, .json: typeScript = element.typeScript
    }
    return TypeDescriptor(
      name: "[\(element.name)]", synonyms: synonyms, declaration: .nothing,
      storeFormat: element.storeFormat, storage: .bytes, scale: nil, textForm: .json,
      kind: .array, family: nil, isOrdered: false,
      rules: Rules(bounds: .lengths, hasChoices: true, hasDefault: true), indexSize: 0,
      phrases: Phrases(
        withArticle: "an array", expectation: "an array of \(element.name)", operand: "an array",
        bounds: ("", "")),
      sample: .text(""),
      setText: { changes, slot, text, _ in changes.reportTextOrSetLeniently(slot, text) },
      setNumber: { $0.reportMismatch($1, number: $2) },
      lenientJSON: { _, _ in nil }, summand: nil, element: element.element,
      parse: { (_) throws(ValueTextError) in throw .mismatch }, literal: nil,
      conversion: { type in
        switch type {
        case "json": .lossless
        default: nil
        }
      },
      value: { rows, cell in rows.list(cell, of: type) },
      postgresType: "jsonb", jsonSchema: #"{"type":"array","items":\#(element.jsonSchema)}"#,
      writtenJSONSchema: #"{"type":"array","items":\#(element.writtenJSONSchema)}"#,
      typeScript: typeScript,
      equivalents: Equivalents(
        json: "array", swift: "[\(element.equivalents.swift)]", sqlite: "TEXT",
        postgres: "jsonb", telerik: "Array", stackMob: "Array", backendless: "–",
        coreData: "Transformable"))
  }
}
