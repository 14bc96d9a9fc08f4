extension Field {
  /// The problems of the field's declaration, as messages.
  var problems: [String] {
    var problems: [String] = []
    if isRequired && type.relation?.isMany == true {
      problems.append("a to-many relation is never null, so required has no effect")
    }
    if isUnique && !type.isOrdered { problems.append("\(type.name) cannot be unique") }
    problems += typeProblems
    problems += boundProblems
    if pattern != nil && type != .text { problems.append("only text can have a pattern") }
    if !oneOf.isEmpty && !hasChoices { problems.append("\(type.name) cannot have one_of") }
    if type == .id && (defaultValue != nil || isUnique || isRequired || hasRules) {
      problems.append("the primary key takes no rules: it is always required and unique")
    }
    if type == .password && (defaultValue != nil || isUnique || hasRules) {
      problems.append("a password takes no rule except required")
    }
    if let defaultValue { problems += defaultProblems(defaultValue) }
    return problems
  }

  /// Whether `one_of` can list its values, or those of its elements.
  private var hasChoices: Bool {
    switch type {
    case .text, .integer, .number, .datetime, .array: true
    case .id, .boolean, .geopoint, .file, .json, .password, .relation: false
    }
  }

  /// The problems of rules whose values have a different type than the field.
  private var typeProblems: [String] {
    guard hasRules || defaultValue != nil else { return [] }
    let single: FieldType = if case .array(let element) = type { element.fieldType } else { type }
    var mistyped: [(rule: String, value: Value, expected: FieldType)] = []
    switch type {
    case .integer, .number, .datetime:
      for (rule, bound) in [("min", minimum), ("max", maximum)] {
        if let bound { mistyped.append((rule, bound, type)) }
      }
    case .id, .text, .boolean, .geopoint, .file, .json, .password, .relation, .array: break
    }
    if hasChoices { mistyped += oneOf.map { ("one_of", $0, single) } }
    switch type {
    case .text, .integer, .number, .boolean, .datetime, .geopoint, .json, .array:
      if let defaultValue, defaultValue != .null {
        mistyped.append(("default", defaultValue, type))
      }
    case .id, .file, .password, .relation: break
    }
    return mistyped.filter { !$0.value.isAllowed(by: $0.expected) }.map { rule, value, expected in
      "\(rule): expected \(expected.expectation), found \(value.display)"
    }
  }

  private var boundProblems: [String] {
    guard minimum != nil || maximum != nil else { return [] }
    switch type {
    case .text, .array:
      for bound in [minimum, maximum] {
        if let bound {
          guard case .integer(let length) = bound, length >= 0 else {
            return ["min and max of \(type.name) are lengths: integers from 0"]
          }
        }
      }
    case .integer, .number, .datetime: break
    case .relation(let relation) where relation.isMany:
      return ["relations cannot have min and max"]
    case .id, .boolean, .geopoint, .file, .json, .password, .relation:
      return type == .id || type == .password ? [] : ["\(type.name) cannot have min and max"]
    }
    if let minimum, let maximum, minimum.isGreater(than: maximum) {
      return ["min is greater than max"]
    }
    return []
  }

  private func defaultProblems(_ value: Value) -> [String] {
    switch type {
    case .file, .relation: return ["\(type.name) cannot have a default"]
    case .id, .password: return []
    case .text, .integer, .number, .boolean, .datetime, .geopoint, .json, .array:
      if value == .null { return ["a default of null has no effect: remove it"] }
      if !value.isAllowed(by: type) { return [] }
      return violations(of: value).map { "the default violates the field's own rules: \($0)" }
    }
  }
}

extension Value {
  /// Returns whether a field of the given type can have this value.
  func isAllowed(by type: FieldType) -> Bool {
    switch (self, type) {
    case (.text(let text), .text): !text.utf8.contains(0)
    case (.number(let number), .number): number.isFinite
    case (.integer, .integer), (.boolean, .boolean), (.datetime, .datetime),
      (.geopoint, .geopoint), (.json, .json):
      true
    case (.list(let values), .array(let element)):
      values.allSatisfy { $0.isAllowed(by: element.fieldType) }
    case (.null, _), (.text, _), (.integer, _), (.number, _), (.boolean, _), (.datetime, _),
      (.geopoint, _), (.file, _), (.json, _), (.list, _):
      false
    }
  }

  /// Returns whether the value is greater than another one of the same type. False for types that
  /// have no minimum and maximum.
  package func isGreater(than other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left > right
    case (.number(let left), .number(let right)): left > right
    case (.datetime(let left), .datetime(let right)): left > right
    case (.null, _), (.text, _), (.integer, _), (.number, _), (.boolean, _), (.datetime, _),
      (.geopoint, _), (.file, _), (.json, _), (.list, _):
      false
    }
  }
}
