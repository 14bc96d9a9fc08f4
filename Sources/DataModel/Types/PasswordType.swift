import JSONText

extension TypeDescriptor {
  static let password = TypeDescriptor(
    name: "password", synonyms: [],
    declaration: .nothing, storeFormat: 1, storage: .bytes, scale: nil, textForm: .quoted,
    kind: .password,
    family: nil, isOrdered: false,
    rules: Rules(bounds: .passwordLength, hasChoices: false, hasDefault: false), indexSize: 0,
    phrases: Phrases(
      withArticle: "a password", expectation: "password as text", operand: "a password",
      bounds: ("", "")),
    sample: .text(""),
    setText: { changes, slot, text, _ in
      if text.isEmpty, changes.setLeniently(slot, text) { return }
      changes.set(slot, password: text)
    },
    setNumber: { $0.reportMismatch($1, number: $2) },
    lenientJSON: { _, _ in nil }, summand: nil, element: nil,
    parse: { (_) throws(ValueTextError) in throw .mismatch }, literal: nil,
    conversion: { _ in nil },
    // A password never leaves the store.
    value: { _, _ in .null },
    postgresType: "text", jsonSchema: #"{"type":"string","format":"password"}"#,
    writtenJSONSchema: #"{"type":"string","format":"password"}"#,
    typeScript: .builtIn("string"),
    equivalents: Equivalents(
      json: "write only", swift: "–", sqlite: "TEXT", postgres: "text", telerik: "(user)",
      stackMob: "(user)", backendless: "(user)", coreData: "–"))
}

extension RowChanges {
  fileprivate mutating func set(_ slot: Int, password: Span<UInt8>) {
    if password.isEmpty {
      report(slot, "expected a password, found an empty string")
    } else {
      let least = schema.fields[slot].minimumPasswordLength
      let length = UTF8Check.scalarCount(in: password)
      if length < least {
        report(slot, "a password must have at least \(least) characters, found \(length)")
      }
    }
    if password.indices.contains(where: { password[$0] == 0x0A || password[$0] == 0x0D }) {
      report(slot, "a password cannot contain a line break, because login reads only one line")
    }
    if password.count > Schema.maxPasswordLength {
      report(
        slot,
        "a password can have at most \(Schema.maxPasswordLength) bytes, found \(password.count)")
    }
    rows[count - 1, slot] = rows.store(password)
  }
}
