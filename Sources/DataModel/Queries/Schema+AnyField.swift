extension Schema {
  /// The condition that one of some fields has the value which a text stands for there.
  ///
  /// A text that stands for no value of a field's type is not the value of that field.
  package func condition(anyOf slots: [Int], is text: String) -> Condition {
    .some(
      slots.compactMap { slot in
        type(of: slot).value(ofText: text).map { .equals(field: name(of: slot), value: $0) }
      })
  }
}

extension FieldType {
  /// The value of the type that a text is written as, as operands write it.
  fileprivate func value(ofText text: String) -> Value? {
    switch self {
    case .id, .text: return .text(text)
    case .relation(let relation): return relation.isMany ? nil : .text(text)
    case .integer: return (try? NumberText.integer(text.utf8.span)).map(Value.integer)
    case .number: return (try? NumberText.double(text.utf8.span)).map(Value.number)
    case .boolean: return text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
    case .datetime: return (try? Timestamp(parsing: text.utf8.span)).map(Value.datetime)
    case .geopoint: return (try? GeoPoint(parsing: text.utf8.span)).map(Value.geopoint)
    case .file, .json, .password, .array: return nil
    }
  }
}
