internal import DataModel
internal import DataStore
internal import DataText
internal import Synchronization

/// What to do if a schema that is to be created already exists.
public enum ExistingSchemaPolicy: Hashable, Sendable {
  /// Throw an error.
  case fail
  /// Leave the existing schema unchanged, even if its fields differ.
  case keep
  /// Migrate the existing schema to the new fields. Stored values are never deleted: a migration
  /// that would delete some fails.
  case migrate
}

extension Client {
  /// Creates a schema from fields in shorthand.
  ///
  /// `title:text!` is a required field, `steps:step+` a list, and the name of a schema as type
  /// makes a relation. The primary key is added.
  ///
  /// ```swift
  /// try await client.createSchema("person", ["name:text!", "age:integer"], ifExists: .keep)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the schema.
  ///   - fields: The fields in shorthand.
  ///   - policy: What to do if the schema already exists.
  /// - Returns: The schema as it is in the store.
  /// - Throws: A ``DataError`` if a field is invalid, if the schema already exists and `policy` is
  ///   ``ExistingSchemaPolicy/fail``, or if it cannot be migrated.
  @discardableResult
  public func createSchema(
    _ name: String, _ fields: [String], ifExists policy: ExistingSchemaPolicy = .fail
  ) async throws -> Schema {
    try await create(
      Schema(checking: FieldShorthand.draft(schema: name, fields)), ifExists: policy)
  }

  /// Creates the schema of a model type.
  ///
  /// The fields are those of `Schema.init(of:relations:)`.
  ///
  /// ```swift
  /// try await client.createSchema(for: Todo.self, relations: ["owner": "person"])
  /// ```
  ///
  /// - Parameters:
  ///   - type: The model type.
  ///   - relations: The names of the referenced schemas, by property name.
  ///   - policy: What to do if the schema already exists.
  /// - Returns: The schema as it is in the store.
  /// - Throws: A ``DataError`` if no schema can be derived from the type, if the schema already
  ///   exists and `policy` is ``ExistingSchemaPolicy/fail``, or if it cannot be migrated.
  @discardableResult
  public func createSchema<Model: Codable & Sendable>(
    for type: Model.Type, relations: [String: String] = [:],
    ifExists policy: ExistingSchemaPolicy = .fail
  ) async throws -> Schema {
    try await create(Schema(of: type, relations: relations), ifExists: policy)
  }

  private func create(
    _ schema: Schema, ifExists policy: ExistingSchemaPolicy
  ) async throws -> Schema {
    var result = schema
    try await apply { stored throws(DataError) in
      if let existing = stored.catalog[schema.name] {
        switch policy {
        case .fail:
          throw DataError(
            Problem(.exists, "the schema already exists", schema: schema.name))
        case .keep:
          result = existing
          return SchemaPlan([], catalogVersion: stored.version)
        case .migrate: break
        }
      }
      result = schema
      return try SchemaPlan(from: stored, to: [schema], reading: .partial)
    }
    return result
  }

  /// Applies the schemas in the given schema files: creates schemas and migrates existing ones.
  ///
  /// Existing records must be valid for the migrated schemas. Stored values are deleted only for
  /// the names in `allowingLoss`.
  ///
  /// - Parameters:
  ///   - files: The texts of schema files.
  ///   - names: The schemas (`todo`) and fields (`todo.note`) whose values may be deleted.
  /// - Returns: The schemas of the files.
  /// - Throws: A ``DataError`` with every problem of the files, or of the records that do not fit.
  ///   Nothing is changed then.
  @discardableResult
  public func applySchemas(
    _ files: [String], allowingLoss names: Set<String> = []
  ) async throws -> [Schema] {
    var problems: [Problem] = []
    var schemas: [DeclaredSchema] = []
    for text in files {
      do throws(DataError) {
        let draft = try SchemaFile.read(Array(text.utf8))
        schemas.append(try DeclaredSchema(checking: draft))
      } catch {
        problems += error.problems
      }
    }
    if let error = DataError(problems) { throw error }
    let found = schemas
    try await apply(consents: names) { stored throws(DataError) in
      try SchemaPlan(from: stored, to: found, reading: .partial)
    }
    return schemas.map(\.schema)
  }

  /// Returns the schema of a model type, after validating the type against it.
  func checkedSchema(of type: any Codable.Type) async throws(DataError) -> Schema {
    let stored = try await store.catalog()
    let schema = try stored.catalog.schema(try TypeNames.schema(of: type))
    let key = ObjectIdentifier(type)
    let isChecked = checkedTypes.withLock { $0[key] == stored.version }
    if isChecked { return schema }
    try TypeProbe.check(type, against: schema)
    checkedTypes.withLock { $0[key] = stored.version }
    return schema
  }
}
