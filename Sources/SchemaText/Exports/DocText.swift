import DataModel
import JSONText

/// Prepares the documentation of schemas and fields for use in exports.
enum DocText {
  /// Splits the text into lines and escapes invisible characters in each line.
  static func lines(_ doc: String) -> [String] {
    doc.unicodeScalars.split { scalar in
      switch scalar.value {
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
      default: false
      }
    }.map { Excerpt.escaped(String($0)) }
  }

  /// Returns the text as a single line, with line breaks replaced with spaces.
  static func line(_ doc: String) -> String { lines(doc).joined(separator: " ") }

  /// Returns the text with `&`, `<`, `>` and quotes escaped for HTML.
  static func html(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension Field {
  /// The type as shown in diagrams, such as `text` or `text[]`; for a relation, the target schema,
  /// such as `user` or `step[]`.
  var typeLabel: String {
    if case .array(let element) = type { return "\(element.rawValue)[]" }
    guard let relation = type.relation else { return type.name }
    return relation.isMany ? "\(relation.target)[]" : relation.target
  }

  /// The constraints and the default value of the field. The names are those in a schema file, with
  /// spaces instead of underscores, such as `one of`. A constraint such as `required` has no value.
  var rules: [(key: String, value: Value?)] {
    var rules: [(key: String, value: Value?)] = []
    if isRequired { rules.append(("required", nil)) }
    if isUnique { rules.append(("unique", nil)) }
    if defaultsToUser { rules.append(("default", .text(Field.userDefault))) }
    if let defaultValue { rules.append(("default", defaultValue)) }
    if let minimum { rules.append(("min", minimum)) }
    if let maximum { rules.append(("max", maximum)) }
    if !oneOf.isEmpty { rules.append(("one of", .list(oneOf))) }
    if let pattern { rules.append(("pattern", .text(pattern.source))) }
    if let relation = type.relation, relation.isOwned {
      rules.append(("owned", nil))
      if let position = relation.position { rules.append(("position", .text(position))) }
    } else if let relation = type.relation, relation.onDelete != .nullify {
      rules.append(("on delete", .text(relation.onDelete.rawValue)))
    }
    return rules
  }
}

extension Field {
  /// The `doc` of the field, followed by a line on an owned relation; nil if there is neither.
  var comment: String? {
    guard type.isOwned, let relation = type.relation else { return doc }
    let list = relation.inverse.map { " in its `\($0)`" } ?? ""
    return (doc.map { $0 + "\n" } ?? "") + "The owner, which has the record\(list)."
  }
}

extension Value {
  /// The value as JSON, or null if JSON cannot represent it.
  var jsonValue: JSONValue { (try? JSONValue(parsing: jsonText)) ?? .null }
}
