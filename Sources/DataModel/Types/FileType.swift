extension TypeDescriptor {
  static let file = TypeDescriptor(
    name: "file", synonyms: ["blob", "binary"],
    declaration: .nothing, storeFormat: 1, storage: .bytes, scale: nil, textForm: .json,
    kind: .file,
    family: nil, isOrdered: false,
    rules: Rules(bounds: .none, hasChoices: false, hasDefault: false), indexSize: 0,
    phrases: Phrases(
      withArticle: "a file", expectation: "file, such as {\"name\": \"a.png\", \"data\": \"…\"}",
      operand: "a file", bounds: ("", "")),
    sample: .text(""),
    setText: { changes, slot, text, _ in changes.reportTextOrSetLeniently(slot, text) },
    setNumber: { $0.reportMismatch($1, number: $2) },
    lenientJSON: { _, _ in nil }, summand: nil, element: nil,
    parse: { (_) throws(ValueTextError) in throw .mismatch }, literal: nil,
    conversion: { _ in nil },
    value: { rows, cell in
      rows.withBytes(of: cell) { FileReference(canonicalText: $0) }.map(Value.file) ?? .null
    },
    postgresType: "text",
    jsonSchema: schema(required: #"["name","type","size","sha256"]"#),
    writtenJSONSchema: schema(required: #"["name"]"#),
    typeScript: .file,
    equivalents: Equivalents(
      json: "{\"name\",\"type\",\"size\",\"sha256\"}", swift: "FileReference",
      sqlite: "own table", postgres: "own table", telerik: "File", stackMob: "Binary",
      backendless: "FILE_REF", coreData: "Binary"))

  private static func schema(required: String) -> String {
    """
    {"type":"object","properties":{"name":{"type":"string","minLength":1},\
    "type":{"type":"string"},"size":{"type":"integer","format":"int64","minimum":0},\
    "sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},\
    "data":{"type":"string","contentEncoding":"base64"}},"required":\(required),\
    "additionalProperties":false}
    """
  }
}
