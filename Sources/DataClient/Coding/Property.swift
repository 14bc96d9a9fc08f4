/// A property of a model type, found by decoding the type with `TypeProbe`.
struct Property {
  /// The structure of a property's type, as far as decoding reveals it.
  indirect enum Shape {
    case scalar(any FieldValue.Type)
    case list(Shape)
    case object
    case unknown
  }

  var name: String
  var typeName: String
  var shape: Shape
  var isOptional: Bool
  /// The raw values of the property's type if the type is a `CaseIterable` enum; empty for other
  /// types.
  var choices: [Value] = []

  /// Returns the mismatch between the property and the schema, or nil if they match.
  func mismatch(with schema: Schema, of owner: String) -> Problem? {
    guard let slot = schema.slot(ofProperty: name) else {
      let names = schema.fields.map(\.name)
      let suggestion = nearest(Names.fieldName(ofProperty: name) ?? name, among: names)
      return problem(
        schema, nil, "\(owner).\(name): \(schema.name) has no field for this property",
        hint: suggestion.map { "did you mean \($0)?" })
    }
    let type = schema.type(of: slot)
    let field = schema.name(of: slot)
    guard canRepresent(type) else {
      return problem(
        schema, field,
        "\(owner).\(name): the field is \(type.name), and \(typeName) cannot store its values",
        hint: "declare the property as \(type.swiftName)\(isOptional ? "?" : "")")
    }
    guard isOptional || !schema.mayBeNull(slot) else {
      return problem(
        schema, field, "\(owner).\(name): the field may be null, and \(typeName) is not optional",
        hint: "declare the property as \(typeName)?, or make the field required")
    }
    return nil
  }

  private func problem(
    _ schema: Schema, _ field: String?, _ message: String, hint: String?
  ) -> Problem {
    Problem(.usage, message, hint: hint, schema: schema.name, field: field)
  }

  /// Returns whether a property of this shape can store the values of a field.
  private func canRepresent(_ type: FieldType) -> Bool {
    switch (shape, type) {
    case (.unknown, _), (_, .json): true
    case (.scalar(let value), _): value.canRepresent(type)
    case (.list(.scalar(let element)), .array(let elementType)):
      element.canRepresent(elementType.fieldType)
    case (.list(.scalar(let element)), .relation(let relation)):
      relation.isMany && element.canRepresent(.relation(Relation(to: relation.target)))
    case (.list(.unknown), _): type.isList
    case (.list, _), (.object, _): false
    }
  }
}

extension Schema {
  /// Returns whether the field in a slot may be null. A field with a default counts as never null,
  /// although a record can set it to null. Decoding such a record then fails if the property is not
  /// optional.
  fileprivate func mayBeNull(_ slot: Int) -> Bool {
    guard slot < fields.count else {
      switch SystemField.allCases[slot - fields.count] {
      case .createdBy, .modifiedBy: return true
      case .createdAt, .modifiedAt, .revision: return false
      }
    }
    let field = fields[slot]
    if field.type == .password { return true }
    if field.type.relation?.isMany == true || field.type == .id { return false }
    return !field.isRequired && field.defaultValue == nil
  }
}
