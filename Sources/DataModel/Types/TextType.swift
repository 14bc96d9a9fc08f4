import JSONText

extension TypeDescriptor {
  static let text = TypeDescriptor(
    name: "text", synonyms: ["string", "str", "varchar", "char", "email", "url"],
    declaration: .nothing, storeFormat: 1, storage: .bytes, scale: nil,
    textForm: .quoted, kind: .text, family: .text, isOrdered: true,
    rules: Rules(bounds: .lengths, hasChoices: true, hasDefault: true), indexSize: .max,
    phrases: Phrases(
      withArticle: "text", expectation: "text", operand: "text", bounds: ("", "")),
    sample: .text(""),
    setText: { $0.setText($1, text: $2, at: $3) },
    setNumber: { $0.reportMismatch($1, number: $2) },
    lenientJSON: { _, _ in nil }, summand: nil,
    element: Element(
      appendText: { changes, slot, text in
        if let nul = text.indices.first(where: { text[$0] == 0 }) {
          return changes.report(slot, "expected text without NUL, found one at byte \(nul + 1)")
        }
        changes.appendElement(text: text)
      },
      appendNumber: { $0.reportElementMismatch($1, number: $2) }, example: nil),
    parse: { text in .text(String(decoding: text)) }, literal: nil,
    conversion: { type in
      switch type {
      case "integer", "boolean", "date", "datetime", "relation": .mayFail
      case "number", "decimal": .lossy
      case "json": .lossless
      default: nil
      }
    },
    value: { rows, cell in .text(rows.text(cell)) },
    postgresType: "text", jsonSchema: #"{"type":"string"}"#,
    writtenJSONSchema: #"{"type":"string"}"#, typeScript: .builtIn("string"),
    equivalents: Equivalents(
      json: "string", swift: "String", sqlite: "TEXT", postgres: "text C", telerik: "Text",
      stackMob: "String", backendless: "STRING, TEXT", coreData: "String"))
}

extension RowChanges {
  mutating func setText(_ slot: Int, text: Span<UInt8>, at offset: Int?) {
    if text.count > schema.slots[slot].uncheckedLength {
      reportAll(slot, schema.fields[slot].violations(ofText: text))
    }
    if let offset {
      rows[count - 1, slot] = .input(offset..<offset + text.count)
    } else {
      rows[count - 1, slot] = rows.store(text)
    }
  }
}
