/// One field of a schema: its type and the rules that its values keep.
public struct Field: Hashable, Sendable {
  /// The field's name, as records are written.
  public var name: String
  /// What its values are.
  public var type: FieldType
  /// Whether a record must have a value here.
  public var isRequired: Bool
  /// Whether no two records may have the same value here.
  public var isUnique: Bool
  /// What a record gets that is created without this field.
  public var defaultValue: Value?
  /// The least value, or the least length of a text or an array.
  public var minimum: Value?
  /// The greatest value, or the greatest length of a text or an array.
  public var maximum: Value?
  /// The only values that it may have, if there are any here.
  public var oneOf: [Value]
  /// What the whole text must match.
  public var pattern: Pattern?
  /// What the field means.
  public var doc: String?

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

  /// Whether a value can be of the right type and still break a rule.
  package var hasRules: Bool {
    minimum != nil || maximum != nil || !oneOf.isEmpty || pattern != nil
  }
}

extension Field {
  /// What a record has here that says nothing about the field.
  package var initialValue: Value {
    if let defaultValue { return defaultValue }
    return type.relation?.isMany == true ? .list([]) : .null
  }
}
