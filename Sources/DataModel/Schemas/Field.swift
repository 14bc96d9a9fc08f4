import JSONText

/// A field of a schema: its type and the rules for its values.
public struct Field: Hashable, Sendable {
  /// The name of the field, as used in records.
  public var name: String
  /// The type of the field's values.
  public var type: FieldType
  /// Whether each record must have a value for the field.
  public var isRequired: Bool
  /// Whether no two records can have the same value for the field.
  public var isUnique: Bool
  /// The value of the field in new records that do not set it.
  public var defaultValue: Value?
  /// Whether new records that do not set the field get the id of the acting user; in a schema file,
  /// the default `:user`. If no user acts, the value is null.
  public var defaultsToUser = false
  /// The minimum value, or the minimum length of text or of an array.
  public var minimum: Value?
  /// The maximum value, or the maximum length of text or of an array.
  public var maximum: Value?
  /// The allowed values, or an empty array if all values are allowed.
  public var oneOf: [Value]
  /// The pattern that the whole text must match.
  public var pattern: Pattern?
  /// A description of the field for people, or nil if there is none.
  public var doc: String?
  /// The access rules of the field, which apply in addition to those of the records.
  public var access = FieldAccess()

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - type: The type of its values.
  ///   - isRequired: Whether each record must have a value.
  ///   - isUnique: Whether no two records can have the same value.
  ///   - defaultValue: The value in new records that do not set the field.
  ///   - minimum: The minimum value or length.
  ///   - maximum: The maximum value or length.
  ///   - oneOf: The allowed values, or an empty array if all values are allowed.
  ///   - pattern: The pattern that the whole text must match.
  ///   - doc: The description of the field.
  public init(
    _ name: String, _ type: FieldType, isRequired: Bool = false, isUnique: Bool = false,
    defaultValue: Value? = nil, minimum: Value? = nil, maximum: Value? = nil, oneOf: [Value] = [],
    pattern: Pattern? = nil, doc: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isRequired = isRequired
    self.isUnique = isUnique
    self.defaultValue = defaultValue
    self.minimum = minimum
    self.maximum = maximum
    self.oneOf = oneOf
    self.pattern = pattern
    self.doc = doc
  }

  /// Whether the field has rules, beyond its type, that restrict its values.
  package var hasRules: Bool {
    minimum != nil || maximum != nil || !oneOf.isEmpty || pattern != nil
  }
}

extension Field {
  /// The text in a schema file that sets the default of a field to the acting user.
  package static let userDefault = ":user"

  /// Whether a new record that does not set the field may get a value.
  package var hasDefault: Bool { defaultsToUser || defaultValue != nil }

  /// The default as JSON, or nil if there is none. The text `:user` is written with an escape, which
  /// tells it from the acting user.
  package var defaultText: String? {
    if defaultsToUser { return "\"\(Self.userDefault)\"" }
    return defaultValue == .text(Self.userDefault) ? "\"\\u003auser\"" : defaultValue?.jsonText
  }

  /// The value in new records that do not set the field: the default, an empty list, or null. It is
  /// null for a field that defaults to the acting user.
  package var initialValue: Value {
    if let defaultValue { return defaultValue }
    return type.relation?.isMany == true ? .list([]) : .null
  }
}

extension Field {
  /// The largest minimum length (`min`) that a schema can declare for a password.
  private static let maxPasswordMinimum: Int64 = 256

  /// The minimum length of this password field in characters: the declared `min`, or 8 by default.
  package var minimumPasswordLength: Int64 {
    if case .integer(let length)? = minimum { length } else { 8 }
  }

  /// The messages that explain why the field's declaration is invalid; empty if it is valid.
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
      problems.append("the primary key cannot have rules: it is always required and unique")
    }
    if type == .password
      && (defaultValue != nil || isUnique || maximum != nil || pattern != nil || !oneOf.isEmpty)
    {
      problems.append("a password can have no rules except required and min")
    }
    if let defaultValue { problems += defaultProblems(defaultValue) }
    if defaultsToUser && type != .text && type.relation?.isMany != false {
      problems.append("only text and to-one relations can have the default \(Self.userDefault)")
    }
    if !access.isEmpty { problems += access.problems(of: type) }
    return problems
  }

  /// Whether a field of this type can declare `one_of`, the list of allowed values.
  private var hasChoices: Bool { type.descriptor.rules.hasChoices }

  /// The messages about rules whose values have the wrong type. For example, the `min` of an
  /// integer cannot be a text.
  private var typeProblems: [String] {
    guard hasRules || defaultValue != nil else { return [] }
    let single: FieldType = if case .array(let element) = type { element.fieldType } else { type }
    var mistyped: [(rule: String, value: Value, expected: FieldType)] = []
    if type.descriptor.rules.bounds == .values {
      for (rule, bound) in [("min", minimum), ("max", maximum)] {
        if let bound { mistyped.append((rule, bound, type)) }
      }
    }
    if hasChoices { mistyped += oneOf.map { ("one_of", $0, single) } }
    if type.descriptor.rules.hasDefault, let defaultValue, defaultValue != .null {
      mistyped.append(("default", defaultValue, type))
    }
    return mistyped.filter { !$0.value.isAllowed(by: $0.expected) }.map { rule, value, expected in
      "\(rule): expected \(expected.expectation), found \(value.display)"
    }
  }

  private var boundProblems: [String] {
    guard minimum != nil || maximum != nil else { return [] }
    switch type.descriptor.rules.bounds {
    case .lengths:
      for bound in [minimum, maximum] {
        if let bound {
          guard case .integer(let length) = bound, length >= 0 else {
            return ["min and max of \(type.name) are lengths, which must be integers of at least 0"]
          }
        }
      }
    case .passwordLength:
      guard case .integer(let length)? = minimum, !(1...Self.maxPasswordMinimum ~= length) else {
        return []
      }
      return ["min of a password must be a length from 1 to \(Self.maxPasswordMinimum)"]
    case .values: break
    case .none:
      if type == .id { return [] }
      let name = type.isList ? "relations" : type.name
      return ["\(name) cannot have min and max"]
    }
    if let minimum, let maximum, minimum.isGreater(than: maximum) {
      return ["min is greater than max"]
    }
    return []
  }

  private func defaultProblems(_ value: Value) -> [String] {
    guard type.descriptor.rules.hasDefault else {
      return type == .id || type == .password ? [] : ["\(type.name) cannot have a default"]
    }
    if value == .null { return ["a default of null has no effect: remove it"] }
    if !value.isAllowed(by: type) { return [] }
    return violations(of: value).map { "the default violates the field's own rules: \($0)" }
  }
}

extension Value {
  /// Returns whether the value is valid for a field of the given type.
  func isAllowed(by type: FieldType) -> Bool {
    if case .list(let values) = self, case .array(let element) = type {
      return values.allSatisfy { $0.isAllowed(by: element.fieldType) }
    }
    guard self.type?.name == type.name, type.descriptor.rules.hasDefault else { return false }
    if case .text(let text) = self { return !text.utf8.contains(0) }
    if case .number(let number) = self { return number.isFinite }
    return true
  }

  /// Returns whether the value is greater than another one of the same type. Returns false for
  /// types that have no minimum and maximum.
  package func isGreater(than other: Value) -> Bool {
    type?.name == other.type?.name && type?.descriptor.rules.bounds == .values
      && order(comparedTo: other) == .after
  }
}

extension Field {
  /// Returns a message for each rule of the field that the text violates.
  func violations(ofText text: Span<UInt8>) -> [String] {
    var violations: [String] = []
    if case .integer(let lowerBound) = minimum, (text.count + 3) / 4 < lowerBound {
      let length = UTF8Check.scalarCount(in: text)
      if length < lowerBound {
        violations.append(
          "expected at least \(pluralized(lowerBound, "character")), found \(length)")
      }
    }
    if case .integer(let upperBound) = maximum, Int64(text.count) > upperBound {
      let length = UTF8Check.scalarCount(in: text)
      if length > upperBound {
        violations.append(
          "expected at most \(pluralized(upperBound, "character")), found \(length)")
      }
    }
    if !oneOf.isEmpty && !oneOf.contains(where: { $0.isText(text) }) {
      violations.append(choiceViolation(Excerpt.quoted(text)))
    }
    if let pattern, !pattern.matches(text) {
      violations.append(
        "expected text that matches \(pattern.source), found \(Excerpt.quoted(text))")
    }
    return violations
  }

  /// Returns a message for each rule of the field that a list violates.
  func violations(ofList values: [Value]) -> [String] {
    var violations: [String] = []
    if case .integer(let lowerBound) = minimum, values.count < lowerBound {
      violations.append(
        "expected at least \(pluralized(lowerBound, "element")), found \(values.count)")
    }
    if case .integer(let upperBound) = maximum, values.count > upperBound {
      violations.append(
        "expected at most \(pluralized(upperBound, "element")), found \(values.count)")
    }
    if !oneOf.isEmpty, let wrong = values.first(where: { !oneOf.contains($0) }) {
      violations.append(choiceViolation(wrong.display))
    }
    return violations
  }

  /// Returns a message for each rule of the field that a value violates. The value must have the
  /// field's type.
  func violations(of value: Value) -> [String] {
    if case .text(let text) = value { return violations(ofText: text.utf8.span) }
    if case .list(let values) = value { return violations(ofList: values) }
    guard type.descriptor.rules.bounds == .values else { return [] }
    return violations(of: value, bounds: type.descriptor.phrases.bounds)
  }

  /// Returns a message for each rule that a number, a date or a datetime violates.
  ///
  /// - Parameter bounds: The words that precede the minimum and the maximum in a message.
  private func violations(
    of value: Value, bounds: (lower: String, upper: String)
  ) -> [String] {
    var violations: [String] = []
    if let minimum, minimum.isGreater(than: value) {
      violations.append("expected \(bounds.lower) \(minimum.display), found \(value.display)")
    }
    if let maximum, value.isGreater(than: maximum) {
      violations.append("expected \(bounds.upper) \(maximum.display), found \(value.display)")
    }
    if !oneOf.isEmpty && !oneOf.contains(value) {
      violations.append(choiceViolation(value.display))
    }
    return violations
  }

  private func choiceViolation(_ found: String) -> String {
    "expected one of \(Excerpt.choices(oneOf.lazy.map(\.display))), found \(found)"
  }

  private func pluralized(_ count: Int64, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}

extension Value {
  fileprivate func isText(_ bytes: Span<UInt8>) -> Bool {
    if case .text(let text) = self { text.utf8.span.isEqual(to: bytes) } else { false }
  }
}
