import JSONText

extension TypeDescriptor {
  static let id = TypeDescriptor(
    name: "id", synonyms: ["uuid"],
    declaration: .nothing, storeFormat: 1, storage: .bytes, scale: nil, textForm: .quoted,
    kind: .key, family: .text,
    isOrdered: true, rules: Rules(bounds: .none, hasChoices: false, hasDefault: false),
    indexSize: IDs.limit,
    phrases: Phrases(
      withArticle: "an id", expectation: "id", operand: "an id as text", bounds: ("", "")),
    sample: .text(""),
    setText: { $0.set($1, id: $2, at: $3) },
    setNumber: { $0.set($1, idNumber: $2) },
    lenientJSON: { _, _ in nil }, summand: nil, element: nil,
    parse: { text in .text(String(decoding: text)) },
    literal: { (number) throws(NumberText.ParseError) in
      .text("\(try NumberText.integer(number))")
    },

    conversion: { _ in nil },
    value: { rows, cell in .text(rows.text(cell)) },
    postgresType: "text", jsonSchema: #"{"type":"string","minLength":1,"maxLength":255}"#,
    writtenJSONSchema: #"{"type":"string","minLength":1,"maxLength":255}"#,
    typeScript: .builtIn("string"),
    equivalents: Equivalents(
      json: "string", swift: "String", sqlite: "TEXT", postgres: "text C", telerik: "Id",
      stackMob: "String, primary key", backendless: "STRING_ID", coreData: "String"))
}

extension RowChanges {
  /// Sets a field to an id, which is the primary key or the value of a to-one relation.
  mutating func set(_ slot: Int, id: Span<UInt8>, at offset: Int?) {
    guard IDs.isValid(id) else {
      if id.isEmpty, setLeniently(slot, id) { return }
      return report(
        slot,
        "expected an id of 1 to 255 bytes without control characters, found \(Excerpt.quoted(id))")
    }
    setText(slot, text: id, at: offset)
  }

  /// Sets a field to an id that is given as a JSON number: the decimal text of an integer.
  mutating func set(_ slot: Int, idNumber number: Span<UInt8>) {
    guard let integer = try? NumberText.integer(number) else {
      return reportMismatch(slot, found: "number \(numberExcerpt(number))")
    }
    set(slot, id: "\(integer)".utf8.span, at: nil)
  }
}
