import DataModel

/// The JSON Schema of a field declaration in a schema file.
enum MetaSchemaField {
  static var value: JSONValue {
    [
      "type": "object",
      "properties": .object(
        FieldKey.allCases.map { key in
          .init(key.rawValue, MetaSchemaExport.described(key.meaning, shape(of: key)))
        }),
      "required": ["type"],
      "additionalProperties": false,
      "allOf": .array(FieldType.names.map(rule)),
    ]
  }

  private static func shape(of key: FieldKey) -> [JSONValue.Member] {
    switch key {
    case .type: [.init("enum", MetaSchemaExport.strings(FieldType.names))]
    case .to: [.init("type", "string"), .init("pattern", .text(MetaSchemaExport.name))]
    case .many, .required, .unique: [.init("type", "boolean"), .init("default", false)]
    case .onDelete:
      [
        .init("enum", MetaSchemaExport.strings(Relation.OnDelete.allCases.map(\.rawValue))),
        .init("default", .text(Relation.OnDelete.nullify.rawValue)),
      ]
    case .default, .min, .max: []
    case .oneOf: [.init("type", "array"), .init("minItems", 1)]
    case .pattern, .doc, .was: [.init("type", "string")]
    }
  }

  /// Returns the rule for the keys of a field of the given type.
  private static func rule(for name: String) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(
        "properties",
        .object(
          FieldKey.allCases.compactMap { key in
            allowed(key, for: name).map { .init(key.rawValue, $0) }
          }))
    ]
    if name == "relation" {
      members += [
        .init("required", ["to"]),
        .init("if", ["properties": ["many": ["const": true]], "required": ["many"]]),
        .init(
          "then", ["properties": ["required": ["const": false], "unique": ["const": false]]]),
      ]
    }
    return [
      "if": ["properties": ["type": ["const": .text(name)]], "required": ["type"]],
      "then": .object(members),
    ]
  }

  /// Returns the schema of a key for a type, or nil if the type does not restrict it.
  private static func allowed(_ key: FieldKey, for name: String) -> JSONValue? {
    let type = FieldType(name)
    switch key {
    case .type, .doc, .was: return nil
    case .to, .many, .onDelete: return type == nil ? nil : .boolean(false)
    case .required: return type == .id ? ["const": false] : nil
    case .unique: return type.map(isUniqueAllowed) ?? true ? nil : ["const": false]
    case .pattern: return type == .text ? nil : .boolean(false)
    case .default: return type.flatMap(defaultShape) ?? .boolean(false)
    case .min, .max: return type.flatMap(boundShape) ?? .boolean(false)
    case .oneOf:
      return type.flatMap(choiceShape).map { ["type": "array", "minItems": 1, "items": $0] }
        ?? .boolean(false)
    }
  }

  private static func isUniqueAllowed(_ type: FieldType) -> Bool { type.isOrdered && type != .id }

  private static func defaultShape(_ type: FieldType) -> JSONValue? {
    switch type {
    case .id, .password, .file, .relation: nil
    case .json: ["not": ["type": "null"]]
    case .array(let element):
      defaultShape(element.fieldType).map { ["type": "array", "items": $0] }
    case .text, .integer, .number, .boolean, .datetime, .geopoint:
      .object(ValueJSONSchema(field: Field("value", type), isWritten: true).members(orNull: false))
    }
  }

  private static func boundShape(_ type: FieldType) -> JSONValue? {
    switch type {
    case .text, .array: ["type": "integer", "minimum": 0]
    case .integer, .number, .datetime: defaultShape(type)
    case .id, .boolean, .geopoint, .file, .json, .password, .relation: nil
    }
  }

  private static func choiceShape(_ type: FieldType) -> JSONValue? {
    switch type {
    case .text, .integer, .number, .datetime: defaultShape(type)
    case .array(let element): defaultShape(element.fieldType)
    case .id, .boolean, .geopoint, .file, .json, .password, .relation: nil
    }
  }
}
