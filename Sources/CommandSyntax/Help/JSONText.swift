/// A JSON value whose objects keep the order of their keys.
indirect enum JSONText {
  case text(String)
  case integer(Int)
  case boolean(Bool)
  case null
  case array([JSONText])
  case object(KeyValuePairs<String, JSONText>)

  /// Returns the value as JSON text, indented by two spaces per level, without a final newline.
  func serialized(indent: String = "") -> String {
    let deeper = indent + "  "
    switch self {
    case .text(let text):
      return JSONText.quoted(text)
    case .integer(let number):
      return String(number)
    case .boolean(let flag):
      return flag ? "true" : "false"
    case .null:
      return "null"
    case .array(let values):
      guard !values.isEmpty else { return "[]" }
      let lines = values.map { deeper + $0.serialized(indent: deeper) }
      return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let pairs):
      guard !pairs.isEmpty else { return "{}" }
      let lines = pairs.map { key, value in
        "\(deeper)\(JSONText.quoted(key)): \(value.serialized(indent: deeper))"
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
