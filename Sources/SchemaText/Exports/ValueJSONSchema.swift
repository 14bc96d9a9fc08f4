import DataModel
import JSONText

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
      case ("type", .array(let types)): return .init("type", .array(types + ["null"]))
      case ("type", let type): return .init("type", .array([type, "null"]))
      case ("enum", .array(let values)): return .init("enum", .array(values + [.null]))
      default: return member
      }
    }
  }

  private static func shape(of type: FieldType, isWritten: Bool) -> [JSONValue.Member] {
    let descriptor = type.descriptor
    let text = isWritten ? descriptor.writtenJSONSchema : descriptor.jsonSchema
    guard case .object(let members) = try? JSONValue(parsing: text) else { return [] }
    return members
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
    switch field.type.descriptor.rules.bounds {
    case .lengths:
      members =
        field.type.isArray ? bounds("minItems", "maxItems") : bounds("minLength", "maxLength")
    case .values: if field.type.isNumeric { members = bounds("minimum", "maximum") }
    case .passwordLength:
      members = [.init("minLength", Value.integer(field.minimumPasswordLength).jsonValue)]
    case .none: break
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
    if type.hasSums {
      return .object(
        object(["$add": .object(shape(of: type, isWritten: true))], required: ["$add"]))
    }
    guard type.isList else { return nil }
    let list = shape(of: type, isWritten: true).filter { $0.name != "uniqueItems" }
    return .object([
      .init("type", "object"),
      .init("properties", ["$append": .object(list), "$remove": .object(list)]),
      .init("minProperties", 1), .init("additionalProperties", false),
    ])
  }
}
