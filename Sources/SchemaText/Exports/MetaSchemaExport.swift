import DataModel
import JSONText

/// Exports the JSON Schema that describes schema files. Editors use it for completion and
/// validation.
package enum MetaSchemaExport {
  /// The text of the JSON Schema. It is the same for all stores.
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
        .init("not", ["enum": strings(Schema.reservedNames)]),
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
    case .roles, .disabled: [.init("type", "string"), .init("pattern", .text(name))]
    case .access: accessShape(of: AccessVerb.allCases.map(\.rawValue))
    }
  }

  /// Returns the JSON Schema of an object that has access rules under the given keys, such as
  /// `read`.
  static func accessShape(of keys: [String]) -> [JSONValue.Member] {
    let rule: JSONValue = ["type": "string", "minLength": 1]
    let rules: JSONValue = ["anyOf": [rule, ["type": "array", "items": rule]]]
    return [
      .init("type", "object"), .init("properties", .object(keys.map { .init($0, rules) })),
      .init("additionalProperties", false),
    ]
  }

  static let name = "^[a-z][a-z0-9_]*$"

  static func strings(_ strings: [String]) -> JSONValue { .array(strings.map { .text($0) }) }

  static func described(_ meaning: String, _ shape: [JSONValue.Member]) -> JSONValue {
    .object([.init("description", .text(String(meaning.filter { $0 != "`" })))] + shape)
  }
}

/// Generates the JSON Schema of a field declaration in a schema file.
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
    case .digits, .scale: integerShape(of: key)
    case .to, .inverse, .position:
      [.init("type", "string"), .init("pattern", .text(MetaSchemaExport.name))]
    case .many, .owned, .required, .unique: [.init("type", "boolean"), .init("default", false)]
    case .onDelete:
      [
        .init("enum", MetaSchemaExport.strings(Relation.OnDelete.allCases.map(\.rawValue))),
        .init("default", .text(Relation.OnDelete.nullify.rawValue)),
      ]
    case .default, .min, .max: []
    case .oneOf: [.init("type", "array"), .init("minItems", 1)]
    case .pattern, .doc, .was: [.init("type", "string")]
    case .access: MetaSchemaExport.accessShape(of: ["read", "write"])
    }
  }

  private static func integerShape(of key: FieldKey) -> [JSONValue.Member] {
    let keys = FieldType.samples.flatMap { $0.integers?.keys ?? [] }
    guard let limits = keys.first(where: { $0.name == key.rawValue }) else { return [] }
    return [
      .init("type", "integer"), .init("minimum", .number(JSONNumber(Int64(limits.least)))),
      .init("maximum", .number(JSONNumber(Int64(limits.greatest)))),
    ]
  }

  /// Returns the part of the JSON Schema that applies to the declarations of fields with the given
  /// type. It restricts which keys such a declaration can have, and the values of these keys.
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
          "then",
          [
            "properties": [
              "required": ["const": false], "unique": ["const": false], "default": false,
            ]
          ]),
      ]
    }
    if let integers = FieldType.sample(name)?.integers {
      members.append(.init("required", MetaSchemaExport.strings(integers.keys.map(\.name))))
    }
    return [
      "if": ["properties": ["type": ["const": .text(name)]], "required": ["type"]],
      "then": .object(members),
    ]
  }

  /// Returns the JSON Schema for the value of a key, such as `min`, in the declarations of fields
  /// with the given type. Returns nil if the type does not restrict the value.
  private static func allowed(_ key: FieldKey, for name: String) -> JSONValue? {
    let type = FieldType.sample(name).flatMap { $0.relation == nil ? $0 : nil }
    switch key {
    case .type, .doc, .was: return nil
    case .access: return type == .id ? .boolean(false) : nil
    case .digits, .scale, .to, .many, .onDelete, .inverse, .owned, .position:
      return key.owner == name ? nil : .boolean(false)
    case .required: return type == .id ? ["const": false] : nil
    case .unique: return type.map(isUniqueAllowed) ?? true ? nil : ["const": false]
    case .pattern: return type == .text ? nil : .boolean(false)
    case .default:
      if name == "relation" { return ["const": .text(Field.userDefault)] }
      return type.flatMap(defaultShape) ?? .boolean(false)
    case .min where type == .password: return ["type": "integer", "minimum": 1, "maximum": 256]
    case .min, .max: return type.flatMap(boundShape) ?? .boolean(false)
    case .oneOf:
      return type.flatMap(choiceShape).map { ["type": "array", "minItems": 1, "items": $0] }
        ?? .boolean(false)
    }
  }

  private static func isUniqueAllowed(_ type: FieldType) -> Bool { type.isOrdered && type != .id }

  private static func defaultShape(_ type: FieldType) -> JSONValue? {
    guard type.descriptor.rules.hasDefault else { return nil }
    if type.integers != nil { return ["type": ["number", "string"]] }
    return .object(
      ValueJSONSchema(field: Field("value", type), isWritten: true).members(orNull: false))
  }

  private static func boundShape(_ type: FieldType) -> JSONValue? {
    switch type.descriptor.rules.bounds {
    case .lengths: ["type": "integer", "minimum": 0]
    case .values: defaultShape(type)
    case .passwordLength, .none: nil
    }
  }

  private static func choiceShape(_ type: FieldType) -> JSONValue? {
    guard type.descriptor.rules.hasChoices else { return nil }
    return defaultShape(type.isArray ? type.elementType.fieldType : type)
  }
}
