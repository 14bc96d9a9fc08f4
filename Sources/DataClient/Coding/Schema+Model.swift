internal import DataModel

extension Schema {
  /// Creates a schema with a field for each property of a model type.
  ///
  /// ```swift
  /// struct Todo: Codable, Sendable {
  ///   var todoID: RecordID
  ///   var title: String
  ///   var due: Date?
  ///   var owner: Reference?
  /// }
  ///
  /// let schema = try Schema(of: Todo.self, relations: ["owner": "person"])
  /// ```
  ///
  /// The schema is named after the type, unless the type conforms to ``Recorded``. The property
  /// `todoID` of `Todo` is the primary key. A property that is not optional is a required field. A
  /// `Reference` without an entry in `relations` references the schema with the same name as the
  /// property. If a property's type is an enum that is `CaseIterable`, only its raw values are
  /// allowed in the field. A property whose type has no corresponding field type becomes a `json`
  /// field.
  ///
  /// A type with a property `password` becomes a user schema, whose primary key is `username`.
  ///
  /// - Parameters:
  ///   - type: The model type.
  ///   - relations: The names of the referenced schemas, keyed by property name.
  /// - Throws: A ``DataError`` if the properties cannot be found by decoding the type, if the type
  ///   has no property for the primary key, or if the schema would be invalid.
  public init<Model: Codable & Sendable>(
    of type: Model.Type, relations: [String: String] = [:]
  ) throws(DataError) {
    var draft = SchemaDraft(name: try TypeNames.schema(of: type))
    let (properties, areComplete) = TypeProbe.properties(of: type)
    guard areComplete else {
      let last = properties.last.map { " after the property \($0.name)" } ?? ""
      throw DataError(
        .usage, "cannot derive a schema from \(type): decoding a sample failed\(last)",
        hint: "make its enum types CaseIterable, or declare the fields with createSchema(_:_:)")
    }
    let isUser = properties.contains { $0.name == "password" }
    if isUser { draft.kind = .user }
    let key = isUser ? "username" : draft.name + "_id"
    let systemFields = SystemField.allCases.map(\.name)
    draft.fields = properties.compactMap { property in
      let field = property.field(key: key, relation: relations[property.name])
      return systemFields.contains(field.name) ? nil : SchemaDraft.FieldDraft(field)
    }
    var problems = relations.keys.filter { name in !properties.contains { $0.name == name } }
      .sorted().map { name in
        Problem(.usage, "\(type) has no property \(name)", schema: draft.name, field: name)
      }
    if !draft.fields.contains(where: { $0.field.name == key }) {
      problems.append(
        Problem(
          .usage, "\(type) has no property for the primary key",
          hint: "declare var \(isUser ? key : Names.property(for: draft.name) + "ID"): RecordID",
          schema: draft.name, field: key)
      )
    }
    if let error = DataError(problems) { throw error }
    self = try Schema(checking: draft)
    try TypeProbe.check(type, against: self)
  }
}

extension Property {
  /// Returns the field that represents the property in a new schema.
  ///
  /// - Parameters:
  ///   - key: The name of the primary key.
  ///   - target: The name of the schema that the property references; nil if it is not given.
  fileprivate func field(key: String, relation target: String?) -> Field {
    let name =
      Names.isValid(name, as: .field) ? name : Names.fieldName(ofProperty: name) ?? name
    if name == key { return Field(name, .id) }
    if name == "password" { return Field(name, .password) }
    let type = fieldType(relation: target, name: name)
    return Field(
      name, type, isRequired: !isOptional && type.relation?.isMany != true,
      oneOf: type == .text || type == .integer ? choices : [])
  }

  private func fieldType(relation target: String?, name: String) -> FieldType {
    switch shape {
    case .scalar(let value):
      if let target = target ?? (value == Reference.self ? name : nil) {
        return .relation(Relation(to: target))
      }
      let types: [FieldType] = [.text, .integer, .number, .boolean, .datetime, .geopoint, .file]
      return types.first(where: value.canRepresent) ?? .json
    case .list(.scalar(let element)):
      if let target = target ?? (element == Reference.self ? name : nil) {
        return .relation(Relation(to: target, isMany: true))
      }
      let type = ElementType.allCases.first { element.canRepresent($0.fieldType) }
      return type.map { .array($0) } ?? .json
    case .list, .object, .unknown: return target.map { .relation(Relation(to: $0)) } ?? .json
    }
  }
}
