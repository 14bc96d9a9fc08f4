internal import DataModel
internal import DataStore
internal import SchemaText
internal import Synchronization

/// What to do if a schema to be created already exists.
public enum ExistingSchemaPolicy: Hashable, Sendable {
  /// Throw an error.
  case fail
  /// Leave the existing schema unchanged, even if its fields differ.
  case keep
  /// Migrate the existing schema to the new fields. Stored values are never deleted: a migration
  /// that would delete values fails.
  case migrate
}

extension Client {
  /// Creates a schema from a short description of its fields.
  ///
  /// Each field is given as `name:type`. For example, `title:text!` is a required text field,
  /// `tags:text+` is an array of strings, `owner:person` is a relation to the schema `person`, and
  /// `steps:step+` is a relation to several records of the schema `step`. If no field has the type
  /// `id`, a primary key is added.
  ///
  /// ```swift
  /// try await client.createSchema("person", ["name:text!", "age:integer"], ifExists: .keep)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the schema.
  ///   - fields: The fields, each in the form `name:type`.
  ///   - policy: What to do if the schema already exists.
  /// - Returns: The schema as stored.
  /// - Throws: A ``DataError`` if a field is invalid, if the schema already exists and `policy` is
  ///   ``ExistingSchemaPolicy/fail``, or if the existing schema cannot be migrated.
  @discardableResult
  public func createSchema(
    _ name: String, _ fields: [String], ifExists policy: ExistingSchemaPolicy = .fail
  ) async throws -> Schema {
    try await create(
      Schema(checking: FieldShorthand.draft(schema: name, fields)), ifExists: policy)
  }

  /// Creates the schema of a model type.
  ///
  /// The fields are derived from the properties of the type, as described for
  /// `Schema.init(of:relations:)`.
  ///
  /// ```swift
  /// try await client.createSchema(for: Todo.self, relations: ["owner": "person"])
  /// ```
  ///
  /// If properties of the type contain values of other model types, the missing schemas of these
  /// types are also created. Their existing schemas are not changed.
  ///
  /// - Parameters:
  ///   - type: The model type.
  ///   - relations: The names of the referenced schemas, keyed by property name.
  ///   - policy: What to do if the schema already exists.
  /// - Returns: The schema as stored.
  /// - Throws: A ``DataError`` if no schema can be derived from the type, if the schema already
  ///   exists and `policy` is ``ExistingSchemaPolicy/fail``, or if it cannot be migrated.
  @discardableResult
  public func createSchema<Model: Codable & Sendable>(
    for type: Model.Type, relations: [String: String] = [:],
    ifExists policy: ExistingSchemaPolicy = .fail
  ) async throws -> Schema {
    try await create(
      Schema(of: type, relations: relations),
      with: Schema.nested(in: type, relations: relations), ifExists: policy)
  }

  /// Creates a schema, and those schemas in `nested` that do not exist yet.
  private func create(
    _ schema: Schema, with nested: [Schema] = [], ifExists policy: ExistingSchemaPolicy
  ) async throws -> Schema {
    var result = schema
    /// Returns the schemas to apply, if any.
    func declared(over stored: StoredCatalog) throws(DataError) -> [Schema] {
      result = schema
      if let existing = stored.catalog[schema.name] {
        switch policy {
        case .fail:
          throw DataError(
            Problem(.exists, "the schema already exists", schema: schema.name))
        case .keep:
          result = existing
          return []
        case .migrate: break
        }
      }
      return [schema] + nested.filter { stored.catalog[$0.name] == nil }
    }
    switch executor {
    case .store:
      try await apply(end: end) { stored throws(DataError) in
        let schemas = try declared(over: stored)
        if schemas.isEmpty { return SchemaPlan([], catalogVersion: stored.version) }
        return try SchemaPlan(from: stored, to: schemas, reading: .partial)
      }
    case .server(let server):
      let schemas = try declared(over: try await catalog(from: server, isCurrent: true).stored)
      try await apply(schemas.map { SchemaFile.text($0) }, in: server)
    }
    return result
  }

  /// Creates the schemas that the given schema files declare, and migrates the ones that already
  /// exist.
  ///
  /// Existing records must be valid in the migrated schemas. Stored values are deleted only if
  /// `names` contains their schema or field.
  ///
  /// ```swift
  /// try await client.applySchemas([#"{"schema": "tag", "fields": {"tag_id": {"type": "id"}}}"#])
  /// ```
  ///
  /// - Parameters:
  ///   - files: The contents of the schema files.
  ///   - names: The schemas (`todo`) and fields (`todo.note`) whose values may be deleted.
  /// - Returns: The schemas that the files declare.
  /// - Throws: A ``DataError`` that contains all problems in the files, or the problems of existing
  ///   records that are invalid in the new schemas. In that case, nothing is changed. If there are
  ///   several files, the `file` of a problem is the index of the text, such as `files[1]`.
  @discardableResult
  public func applySchemas(
    _ files: [String], allowingLoss names: Set<String> = []
  ) async throws -> [Schema] {
    var problems: [Problem] = []
    var schemas: [DeclaredSchema] = []
    for (index, text) in files.enumerated() {
      do throws(DataError) {
        let draft = try SchemaFile.read(Array(text.utf8))
        schemas.append(try DeclaredSchema(checking: draft))
      } catch {
        // Only the position tells the files apart, because they have no names here.
        let file = files.count > 1 ? "files[\(index)]" : nil
        problems += error.modifyingProblems { $0.file = file }.problems
      }
    }
    if let error = DataError(problems) { throw error }
    let found = schemas
    try await inLibraryWords { () throws(DataError) in
      switch executor {
      case .store:
        try await apply(consents: names, end: end) { stored throws(DataError) in
          try SchemaPlan(from: stored, to: found, reading: .partial)
        }
      case .server(let server): try await apply(files, consents: names, in: server)
      }
    }
    return found.map(\.schema)
  }

  /// Returns the schemas of a model type and of its nested types, after checking that the types
  /// match the schemas. Each type is checked once for each version of the catalog.
  func checkedModel(
    of type: any Codable.Type, in stored: StoredCatalog
  ) throws(DataError) -> CheckedModel {
    let key = ObjectIdentifier(type)
    let earlier = checkedTypes.withLock { types in
      types.first { $0.model.types[0].type == key && $0.version == stored.version }
    }
    if let earlier { return earlier.model }
    let schema = try stored.catalog.schema(try TypeNames.schema(of: type))
    let model = try CheckedModel(type, of: schema, in: stored.catalog)
    checkedTypes.withLock { types in
      types.removeAll { $0.model.types[0].type == key }
      types.append((model, stored.version))
    }
    return model
  }
}
