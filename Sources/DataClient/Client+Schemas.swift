internal import DataModel
internal import DataStore
internal import DataText
internal import Synchronization

extension Client {
  /// Creates a schema from fields in shorthand.
  ///
  /// `title:text!` is a required field, `steps:step+` a list, and the name of a schema as type
  /// makes a relation. The primary key is added.
  ///
  /// ```swift
  /// try await client.createSchema("person", ["name:text!", "age:integer"])
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the schema.
  ///   - fields: The fields in shorthand.
  /// - Returns: The schema that was created.
  /// - Throws: A ``DataError`` if the schema already exists or a field is invalid.
  @discardableResult
  public func createSchema(_ name: String, _ fields: [String]) async throws -> Schema {
    let draft = try FieldShorthand.draft(schema: name, fields)
    let schema = try Schema(checking: draft)
    try await apply { stored throws(DataError) in
      guard stored.catalog[name] == nil else {
        throw DataError(Problem(.exists, "there is already a schema \(name)", schema: name))
      }
      return try SchemaPlan(from: stored, to: [schema], reading: .partial)
    }
    return schema
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
