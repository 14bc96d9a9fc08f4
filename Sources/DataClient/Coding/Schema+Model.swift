internal import DataModel

extension Schema {
  /// Creates a schema with a field for each property of a model type.
  ///
  /// ```swift
  /// struct Todo: Codable, Sendable {
  ///   var todoID: RecordID
  ///   var title: String
  ///   var due: Date?
  ///   var owner: ReferenceTo<Person>?
  ///   var steps: [Step]
  /// }
  ///
  /// let schema = try Schema(of: Todo.self)
  /// ```
  ///
  /// The schema is named after the type, unless the type conforms to ``Recorded``. The property
  /// `todoID` of `Todo` is the primary key. A property that is not optional is a required field. If
  /// a property's type is an enum that is `CaseIterable`, only its raw values are allowed in the
  /// field.
  ///
  /// A property is a relation if its type is a reference, or a model type with a primary key of its
  /// own, such as `Step` with the property `stepID`. The relation references the schema of that
  /// type. A `Reference` without an entry in `relations` references the schema with the same name
  /// as the property. A list of these types is a to-many relation. A property whose type has no
  /// corresponding field type becomes a `json` field.
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
    self = try ModelSchema(of: type, relations: relations).schema
  }

  /// Returns the schemas of the records that are nested in values of a model type, at any depth.
  ///
  /// - Parameters:
  ///   - type: The model type.
  ///   - relations: The names of the schemas that properties of the type reference, keyed by
  ///     property name. These schemas are not part of the result.
  static func nested(
    in type: any Decodable.Type, relations: [String: String]
  ) throws(DataError) -> [Schema] {
    var schemas: [Schema] = []
    var names = [try TypeNames.schema(of: type)]
    var open = try ModelSchema(of: type, relations: relations).nestedTypes
    while !open.isEmpty {
      let next = open.removeFirst()
      let name = try TypeNames.schema(of: next)
      if names.contains(name) { continue }
      let nested = try ModelSchema(of: next)
      names.append(name)
      schemas.append(nested.schema)
      open += nested.nestedTypes
    }
    return schemas
  }
}

/// The schema that is derived from a model type.
private struct ModelSchema {
  var schema: Schema
  /// The types of the nested records that the model type contains.
  var nestedTypes: [any Decodable.Type] = []

  init(
    of type: any Decodable.Type, relations: [String: String] = [:]
  ) throws(DataError) {
    var draft = SchemaDraft(name: try TypeNames.schema(of: type))
    let (properties, areComplete) = TypeProbe.properties(of: type)
    guard areComplete else {
      let last = properties.last.map { " after the property \($0.name)" } ?? ""
      throw DataError(
        .usage, "cannot derive a schema from \(type): decoding a sample failed\(last)",
        hint: "make its enum types CaseIterable, or declare the fields with createSchema(_:_:)")
    }
    if properties.areOfUser { draft.kind = .user }
    let key = properties.key(ofSchema: draft.name)
    let systemFields = SystemField.allCases.map(\.name)
    for property in properties {
      let target = relations[property.name]
      if target == nil, let nested = property.nestedModel { nestedTypes.append(nested) }
      let field = try property.field(key: key, relation: target)
      if !systemFields.contains(field.name) { draft.fields.append(SchemaDraft.FieldDraft(field)) }
    }
    var problems = relations.keys.filter { name in !properties.contains { $0.name == name } }
      .sorted().map { name in
        Problem(.usage, "\(type) has no property \(name)", schema: draft.name, field: name)
      }
    if !draft.fields.contains(where: { $0.field.name == key }) {
      let property = properties.areOfUser ? key : Names.property(for: draft.name) + "ID"
      problems.append(
        Problem(
          .usage, "\(type) has no property for the primary key",
          hint: "declare var \(property): RecordID", schema: draft.name, field: key))
    }
    if let error = DataError(problems) { throw error }
    let schema = try Schema(checking: draft)
    let mismatches = properties.compactMap { $0.mismatch(with: schema, of: "\(type)") }
    if let error = DataError(mismatches) { throw error }
    self.schema = schema
  }
}

extension [Property] {
  /// Whether the properties belong to a user type, which is a type with a property `password`.
  fileprivate var areOfUser: Bool { contains { $0.name == "password" } }

  /// Returns the name of the primary key in a schema that is derived from these properties, such as
  /// `todo_id` in the schema `todo`.
  fileprivate func key(ofSchema name: String) -> String { areOfUser ? "username" : name + "_id" }
}

extension Property {
  /// The name of the field that represents the property in a new schema.
  fileprivate var fieldName: String {
    Names.isValid(name, as: .field) ? name : Names.fieldName(ofProperty: name) ?? name
  }

  /// The model type of the nested records in the property, or nil if the property contains no
  /// records. Values of a type are records if the type has a property for the primary key.
  fileprivate var nestedModel: (any Decodable.Type)? {
    guard let type = nestedType?.type, let schema = try? TypeNames.schema(of: type) else {
      return nil
    }
    let properties = TypeProbe.properties(of: type).found
    let key = properties.key(ofSchema: schema)
    return properties.contains { $0.fieldName == key } ? type : nil
  }

  /// Returns the field that represents the property in a new schema.
  ///
  /// - Parameters:
  ///   - key: The name of the primary key.
  ///   - target: The name of the schema that the property references; nil to derive it from the
  ///     type of the property.
  fileprivate func field(key: String, relation target: String?) throws(DataError) -> Field {
    let name = fieldName
    if name == key { return Field(name, .id) }
    if name == "password" { return Field(name, .password) }
    let target = if let target { target } else { try relationTarget }
    let type = target.map { .relation(Relation(to: $0, isMany: isList)) } ?? valueType
    return Field(
      name, type, isRequired: !isOptional && type.relation?.isMany != true,
      oneOf: type == .text || type == .integer ? choices : [])
  }

  /// The name of the schema that the property references, derived from the type of the property.
  /// Nil if the property is not a relation.
  private var relationTarget: String? {
    get throws(DataError) {
      switch shape {
      case .scalar(let value), .list(.scalar(let value)):
        if let reference = value as? any TypedReference.Type {
          return try TypeNames.schema(of: reference.model)
        }
        return value == Reference.self ? fieldName : nil
      case .list, .object, .unknown:
        guard let nestedModel else { return nil }
        return try TypeNames.schema(of: nestedModel)
      }
    }
  }

  private var isList: Bool {
    if case .list = shape { true } else { false }
  }

  private var valueType: FieldType {
    switch shape {
    case .scalar(let value):
      let types: [FieldType] = [
        .text, .integer, .number, .boolean, .date, .datetime, .geopoint, .file,
      ]
      return types.first(where: value.canRepresent) ?? .json
    case .list(.scalar(let element)):
      let type = ElementType.allCases.first { element.canRepresent($0.fieldType) }
      return type.map { .array($0) } ?? .json
    case .list, .object, .unknown: return .json
    }
  }
}
