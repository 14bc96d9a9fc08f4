/// What records must be like to be found.
///
/// Values are of the field's type, or of its elements' type where the field is a list: whoever makes
/// a condition has checked it against the schema.
package indirect enum Condition: Hashable, Sendable {
  /// Every record.
  case all
  /// The field has the value; over a list, some element has it. Null equals nothing.
  case equals(field: String, value: Value)
  /// The field has no value.
  case isNull(field: String)
  /// Every one of them holds.
  case and([Condition])
}
