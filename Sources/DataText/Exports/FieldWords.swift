import DataModel

extension Field {
  /// What a person calls the type: `text`, `user`, `step[]`, `text[]`.
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
  /// The value as JSON to put together with other JSON.
  var jsonValue: JSONValue { (try? JSONValue(parsing: jsonText)) ?? .null }
}
