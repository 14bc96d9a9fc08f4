import DataModel

/// Generates the JSON Schema of a field's values.
struct ValueJSONSchema {
  let field: Field
  /// Whether the JSON Schema describes values in the input of a save. If not, it describes values
  /// in the output.
  let isWritten: Bool

  /// Returns the JSON Schema keywords that describe the values. If `isNullable` is true, null is
  /// allowed too.
  func members(orNull isNullable: Bool) -> [JSONValue.Member] {
    guard field.type != .json else {
      return isNullable ? [] : [.init("not", ["type": "null"])]
    }
    let rules = rules
    let shape = Self.shape(of: field.type, isWritten: isWritten).filter { member in
      !rules.contains { $0.name == member.name }
    }
    return (shape + rules).map { member in
      guard isNullable else { return member }
      switch (member.name, member.value) {
      case ("type", let type): return .init("type", .array([type, "null"]))
      case ("enum", .array(let values)): return .init("enum", .array(values + [.null]))
      default: return member
      }
    }
  }

  private static func shape(of type: FieldType, isWritten: Bool) -> [JSONValue.Member] {
    switch type {
    case .id:
      [.init("type", "string"), .init("minLength", 1), .init("maxLength", 255)]
    case .text: [.init("type", "string")]
    case .integer: [.init("type", "integer"), .init("format", "int64")]
    case .number: [.init("type", "number"), .init("format", "double")]
    case .boolean: [.init("type", "boolean")]
    case .date: [.init("type", "string"), .init("format", "date")]
    case .datetime: [.init("type", "string"), .init("format", "date-time")]
    case .geopoint: object(["lat": degrees(90), "lon": degrees(180)], required: ["lat", "lon"])
    case .file: file(isWritten: isWritten)
    case .json: []
    case .password: [.init("type", "string"), .init("format", "password")]
    case .relation(let relation):
      relation.isMany
        ? [
          .init("type", "array"), .init("items", .object(shape(of: .id, isWritten: isWritten))),
          .init("uniqueItems", true),
        ] : shape(of: .id, isWritten: isWritten)
    case .array(let element):
      [
        .init("type", "array"),
        .init("items", .object(shape(of: element.fieldType, isWritten: isWritten))),
      ]
    }
  }

  private static func degrees(_ most: Int64) -> JSONValue {
    ["type": "number", "minimum": .number(JSONNumber(-most)), "maximum": .number(JSONNumber(most))]
  }

  private static func file(isWritten: Bool) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("name", ["type": "string", "minLength": 1]), .init("type", ["type": "string"]),
      .init("size", ["type": "integer", "format": "int64", "minimum": 0]),
      .init("sha256", ["type": "string", "pattern": "^[0-9a-f]{64}$"]),
    ]
    let required = isWritten ? ["name"] : members.map(\.name)
    members.append(.init("data", ["type": "string", "contentEncoding": "base64"]))
    return object(.object(members), required: required)
  }

  private static func object(
    _ properties: JSONValue, required: [String]
  ) -> [JSONValue.Member] {
    [
      .init("type", "object"), .init("properties", properties),
      .init("required", .array(required.map { .text($0) })), .init("additionalProperties", false),
    ]
  }

  private var rules: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    switch field.type {
    case .text: members = bounds("minLength", "maxLength")
    case .array: members = bounds("minItems", "maxItems")
    case .integer, .number: members = bounds("minimum", "maximum")
    case .password:
      members = [.init("minLength", Value.integer(field.minimumPasswordLength).jsonValue)]
    case .id, .boolean, .date, .datetime, .geopoint, .file, .json, .relation: break
    }
    if let pattern = field.pattern {
      members.append(.init("pattern", .text(Self.expression(pattern.source))))
    }
    guard !field.oneOf.isEmpty else { return members }
    let choices = JSONValue.array(field.oneOf.map(\.jsonValue))
    if case .array(let element) = field.type {
      let items = Self.shape(of: element.fieldType, isWritten: isWritten)
      return members + [.init("items", .object(items + [.init("enum", choices)]))]
    }
    return members + [.init("enum", choices)]
  }

  private func bounds(_ least: String, _ most: String) -> [JSONValue.Member] {
    [(least, field.minimum), (most, field.maximum)].compactMap { name, bound in
      bound.map { .init(name, $0.jsonValue) }
    }
  }

  /// Converts an I-Regexp to the ECMAScript syntax that JSON Schema uses, as specified in RFC 9485,
  /// section 5.3.
  static func expression(_ source: String) -> String {
    var expression = "^(?:"
    var isEscaped = false
    var isInClass = false
    for scalar in source.unicodeScalars {
      if scalar == ".", !isEscaped, !isInClass {
        expression += "[^\\n\\r]"
      } else {
        expression.unicodeScalars.append(scalar)
      }
      if !isEscaped {
        if scalar == "[" { isInClass = true }
        if scalar == "]" { isInClass = false }
      }
      isEscaped = scalar == "\\" && !isEscaped
    }
    return expression + ")$"
  }

  /// Returns the JSON Schema of the operations, such as `$add`, that a change can contain instead
  /// of a value. Returns nil if the type has no operations.
  static func operation(on type: FieldType) -> JSONValue? {
    switch type {
    case .integer, .number:
      return .object(
        object(["$add": .object(shape(of: type, isWritten: true))], required: ["$add"]))
    case .relation, .array:
      let list = shape(of: type, isWritten: true).filter { $0.name != "uniqueItems" }
      guard type.isList else { return nil }
      return .object([
        .init("type", "object"),
        .init("properties", ["$append": .object(list), "$remove": .object(list)]),
        .init("minProperties", 1), .init("additionalProperties", false),
      ])
    case .id, .text, .boolean, .date, .datetime, .geopoint, .file, .json, .password: return nil
    }
  }
}
