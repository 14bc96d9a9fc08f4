/// A field of a schema: its type and the rules for its values.
public struct Field: Hashable, Sendable {
  /// The name of the field, as used in records.
  public var name: String
  /// The type of the field's values.
  public var type: FieldType
  /// Whether each record must have a value for the field.
  public var isRequired: Bool
  /// Whether the values must differ between all records.
  public var isUnique: Bool
  /// The value of the field in new records that do not set it.
  public var defaultValue: Value?
  /// The minimum value, or the minimum length of a text or an array.
  public var minimum: Value?
  /// The maximum value, or the maximum length of a text or an array.
  public var maximum: Value?
  /// The allowed values, or an empty array if all values are allowed.
  public var oneOf: [Value]
  /// The pattern that the whole text must match.
  public var pattern: Pattern?
  /// The description of the field.
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

  /// Whether the field has rules beyond its type that restrict its values.
  package var hasRules: Bool {
    minimum != nil || maximum != nil || !oneOf.isEmpty || pattern != nil
  }
}

extension Field {
  /// The value in new records that do not set the field: the default, an empty list, or null.
  package var initialValue: Value {
    if let defaultValue { return defaultValue }
    return type.relation?.isMany == true ? .list([]) : .null
  }
}
