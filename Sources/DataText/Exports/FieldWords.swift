import DataModel

extension Field {
  /// What a person calls the type: `text`, `user`, `list of step`, `list of text`.
  var typeWords: String {
    switch type {
    case .id, .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .json, .password:
      type.name
    case .relation(let relation): relation.isMany ? "\(relation.target)[]" : relation.target
    case .array(let element): "\(element.rawValue)[]"
    }
  }

  /// Rules that hold, and the keys that a schema file has for them.
  var rules: [(key: String, value: Value?)] {
    var rules: [(key: String, value: Value?)] = []
    if isRequired { rules.append(("required", nil)) }
    if isUnique { rules.append(("unique", nil)) }
    if let defaultValue { rules.append(("default", defaultValue)) }
    if let minimum { rules.append(("min", minimum)) }
    if let maximum { rules.append(("max", maximum)) }
    if !oneOf.isEmpty { rules.append(("one of", .list(oneOf))) }
    if let pattern { rules.append(("pattern", .text(pattern.source))) }
    if let relation = type.relation, relation.onDelete != .nullify {
      rules.append(("on delete", .text(relation.onDelete.rawValue)))
    }
    return rules
  }
}

extension Value {
  /// The value as a schema file writes it.
  var schemaText: String {
    switch self {
    case .text(let text): Self.quoted(text)
    case .integer(let integer): "\(integer)"
    case .number(let number): NumberText.text(number)
    case .boolean(let boolean): "\(boolean)"
    case .datetime(let time): Self.quoted("\(time)")
    case .geopoint(let point):
      "{\"lat\": \(NumberText.text(point.latitude)), \"lon\": \(NumberText.text(point.longitude))}"
    case .json(let text): text
    case .list(let values): "[\(values.map(\.schemaText).joined(separator: ", "))]"
    case .null, .file: "null"
    }
  }

  /// The value as JSON to put together with other JSON.
  var jsonValue: JSONValue { (try? JSONValue(parsing: schemaText)) ?? .null }

  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONQuote.append(text.utf8.span, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
