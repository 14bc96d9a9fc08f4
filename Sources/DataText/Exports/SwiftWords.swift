import DataModel

/// Swift keywords, reserved names and literals.
enum SwiftSyntax {
  /// Type names that would shadow types used by the generated source or common in programs.
  static let types: Set = [
    "Any", "Array", "Bool", "Character", "Client", "Codable", "CodingKey", "Data", "DataError",
    "Date", "Decodable", "Decoder", "Deletion", "Dictionary", "Double", "Draft", "DraftValue",
    "Encodable", "Encoder", "Error", "Field", "FieldType", "FileReference", "Float", "GeoPoint",
    "Int", "Int64", "JSONValue", "NewFile", "Never", "Optional", "Problem", "Property", "Protocol",
    "Record", "RecordID", "Recorded", "Reference", "Relation", "Result", "Schema", "Self",
    "Sendable", "Set", "StaticString", "String", "Substring", "Task", "Timestamp", "Type", "URL",
    "UUID", "Value", "Void",
  ]

  /// Names that cannot be used as property names, even in backquotes.
  static let unusable: Set = ["_", "self", "init", "Self", "Type", "Protocol"]

  private static let keywords: Set = [
    "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let",
    "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
    "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Returns a name, in backquotes if it is a keyword.
  static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Returns the initial value of a property: its default value, or an empty array for a to-many
  /// relation. Returns nil if there is none or it cannot be expressed.
  static func initial(_ field: Field, isOptional: Bool) -> String? {
    if field.type.relation?.isMany == true { return "[]" }
    guard let value = field.defaultValue else { return nil }
    let (text, mayFail) = expression(value)
    return mayFail && !isOptional ? nil : text
  }

  /// Returns a value as an expression, and whether the expression is optional.
  private static func expression(_ value: Value) -> (text: String, mayFail: Bool) {
    switch value {
    case .text(let text): (literal(text), false)
    case .integer(let integer): ("\(integer)", false)
    case .number(let number): (NumberText.text(number), false)
    case .boolean(let boolean): ("\(boolean)", false)
    case .datetime(let time): ("Timestamp(microseconds: \(time.microseconds))", true)
    case .geopoint(let point):
      (
        "try? GeoPoint(latitude: \(NumberText.text(point.latitude)), "
          + "longitude: \(NumberText.text(point.longitude)))", true
      )
    case .json(let text): ("try? JSONValue(parsing: \(literal(text)))", true)
    case .list(let values):
      if values.contains(where: { expression($0).mayFail }) {
        ("[\(values.map { expression($0).text }.joined(separator: ", "))].compactMap { $0 }", false)
      } else {
        ("[\(values.map { expression($0).text }.joined(separator: ", "))]", false)
      }
    case .null, .file: ("nil", true)
    }
  }

  private static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": literal += "\\\\"
      case "\"": literal += "\\\""
      default:
        if Excerpt.isInvisible(scalar) {
          literal += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          literal.unicodeScalars.append(scalar)
        }
      }
    }
    return literal + "\""
  }
}
