import DataModel

/// Exports the JSON Schema of schema files, which editors use for completion and validation.
package enum MetaSchemaExport {
  /// The document; it does not depend on the store.
  package static var text: String {
    let document: JSONValue = [
      "$schema": .text(JSONSchemaExport.dialect),
      "title": "Schema file",
      "description": "A schema of datactl: the fields of records, their types and their rules.",
      "type": "object",
      "properties": .object(
        SchemaFileKey.allCases.map { key in
          .init(key.rawValue, described(key.meaning, shape(of: key)))
        }),
      "required": ["schema", "fields"],
      "additionalProperties": false,
      "$defs": ["field": MetaSchemaField.value],
    ]
    return document.layout
  }

  private static func shape(of key: SchemaFileKey) -> [JSONValue.Member] {
    switch key {
    case .schema:
      [
        .init("type", "string"), .init("pattern", "^(?!sqlite_)[a-z][a-z0-9_]*$"),
        .init("maxLength", .number(JSONNumber(Int64(Names.Kind.schema.limit)))),
        .init("not", ["enum": strings(FieldType.names + [Schema.function.name])]),
      ]
    case .kind:
      [.init("enum", strings(Schema.Kind.allCases.map(\.rawValue))), .init("default", "records")]
    case .was, .doc: [.init("type", "string")]
    case .fields:
      [
        .init("type", "object"), .init("minProperties", 1),
        .init("maxProperties", .number(JSONNumber(Int64(Schema.maxFields)))),
        .init(
          "propertyNames",
          [
            "pattern": .text(name),
            "maxLength": .number(JSONNumber(Int64(Names.Kind.field.limit))),
            "not": ["enum": strings(SystemField.allCases.map(\.name))],
          ]),
        .init("additionalProperties", ["$ref": "#/$defs/field"]),
      ]
    case .indexes:
      [
        .init("type", "array"), .init("uniqueItems", true),
        .init(
          "items",
          [
            "type": "array", "minItems": 1, "uniqueItems": true,
            "items": ["type": "string", "pattern": "^-?[a-z][a-z0-9_]*$"],
          ]),
      ]
    case .properties:
      [
        .init("type", "object"),
        .init("propertyNames", ["pattern": "^[A-Za-z_][A-Za-z0-9_]*$"]),
        .init("additionalProperties", ["type": "string", "pattern": .text(name)]),
      ]
    }
  }

  static let name = "^[a-z][a-z0-9_]*$"

  static func strings(_ strings: [String]) -> JSONValue { .array(strings.map { .text($0) }) }

  static func described(_ meaning: String, _ shape: [JSONValue.Member]) -> JSONValue {
    .object([.init("description", .text(String(meaning.filter { $0 != "`" })))] + shape)
  }
}
