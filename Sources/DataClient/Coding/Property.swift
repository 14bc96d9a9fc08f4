internal import ClientCore

/// A property of a model type, found by decoding the type with `TypeProbe`.
struct Property {
  /// The structure of a property's type, as far as decoding reveals it.
  indirect enum Shape {
    case scalar(any FieldValue.Type)
    case list(Shape)
    /// A type that is decoded from a keyed container. The associated value is the type, or nil if
    /// it cannot be determined because the model type calls `nestedContainer`.
    case object((any Decodable.Type)?)
    case unknown
  }

  var name: String
  var typeName: String
  var shape: Shape
  var isOptional: Bool
  /// The raw values of the property's type if the type is a `CaseIterable` enum; empty for other
  /// types.
  var choices: [Value] = []

  /// Returns a problem if the property does not match the schema, or nil if it does.
  func mismatch(with schema: Schema, of owner: String) -> Problem? {
    guard let slot = schema.slot(ofProperty: name) else {
      let names = schema.knownFieldNames
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

  /// Returns whether the property can store the values of a field of the given type.
  private func canRepresent(_ type: FieldType) -> Bool {
    switch (shape, type) {
    case (.unknown, _), (_, .json): true
    case (.scalar(let value), _): value.canRepresent(type)
    case (.list(.scalar(let element)), .array(let elementType)):
      element.canRepresent(elementType.fieldType)
    case (.list(.scalar(let element)), .relation(let relation)):
      relation.isMany && element.canRepresent(.relation(Relation(to: relation.target)))
    case (.list(.unknown), _): type.isList
    case (_, .relation(let relation)):
      nestedType.map { $0.isMany == relation.isMany && TypeProbe.hasProperties($0.type) } ?? false
    case (.list, _), (.object, _): false
    }
  }

  /// The type of the values that are nested in the property, such as `Line` for a property of the
  /// type `[Line]`, and whether the property contains a list of them. Nil if the type is not
  /// decoded from a keyed container.
  var nestedType: (type: any Decodable.Type, isMany: Bool)? {
    switch shape {
    case .object(let type?): (type, false)
    case .list(.object(let type?)): (type, true)
    case .scalar, .list, .object, .unknown: nil
    }
  }
}

extension Schema {
  /// Returns whether a property for the field in the given slot must be optional.
  ///
  /// A property for a field with a default value need not be optional. However, a record that
  /// contains null in this field can be decoded only if the property is optional.
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

extension CheckedModel {
  /// Checks that the properties of a type match the fields of a schema, and that the properties of
  /// its nested types match the schemas of the relations. Throws an error with all mismatches.
  init(
    _ type: any Decodable.Type, of schema: Schema, in catalog: Catalog
  ) throws(DataError) {
    self.init()
    var problems: [Problem] = []
    _ = add(type, schema, catalog, &problems)
    if let error = DataError(problems) { throw error }
  }

  /// Adds a type and its nested types to `types`, unless they were added before. Returns the index
  /// of the type in `types`.
  private mutating func add(
    _ type: any Decodable.Type, _ schema: Schema, _ catalog: Catalog, _ problems: inout [Problem]
  ) -> Int {
    let key = ObjectIdentifier(type)
    if let index = types.firstIndex(where: { $0.type == key && $0.schema.name == schema.name }) {
      return index
    }
    let index = types.count
    types.append(NestedType(key, of: schema))
    let (properties, areComplete) = TypeProbe.properties(of: type, for: schema, in: catalog)
    if !areComplete { types[index].lastKnownProperty = properties.last?.name ?? "" }
    for property in properties {
      let names = [property.name, Names.fieldName(ofProperty: property.name)]
      let inverse = catalog.declaredInverses(of: schema).first { names.contains($0.name) }
      if schema.slot(ofProperty: property.name) == nil, let inverse,
        let nested = property.nestedType, nested.isMany
      {
        types[index].inverses.append(inverse.name)
        let slot = schema.width + types[index].inverses.count - 1
        let nestedIndex = add(nested.type, inverse.source, catalog, &problems)
        types[index].relations.append(NestedRelation(slot: slot, type: nestedIndex))
        continue
      }
      if let problem = property.mismatch(with: schema, of: "\(type)") {
        problems.append(problem)
        continue
      }
      guard let slot = schema.slot(ofProperty: property.name),
        let nested = property.nestedType,
        let target = schema.type(of: slot).relation.flatMap({ catalog[$0.target] })
      else { continue }
      let relation = NestedRelation(
        slot: slot, type: add(nested.type, target, catalog, &problems))
      types[index].relations.append(relation)
    }
    return index
  }
}
