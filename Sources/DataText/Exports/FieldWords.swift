import DataModel

extension Field {
  /// The type as shown in diagrams: `text`, `user`, `step[]`, `text[]`.
  var typeLabel: String {
    switch type {
    case .id, .text, .integer, .number, .boolean, .datetime, .geopoint, .file, .json, .password:
      type.name
    case .relation(let relation): relation.isMany ? "\(relation.target)[]" : relation.target
    case .array(let element): "\(element.rawValue)[]"
    }
  }

  /// The constraints of the field, with names derived from the keys of a schema file.
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
  /// The value as a JSON value.
  var jsonValue: JSONValue { (try? JSONValue(parsing: jsonText)) ?? .null }
}
