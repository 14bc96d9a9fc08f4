package import DataModel
package import DataStore
internal import DataText
internal import Synchronization

extension Client {
  /// The schemas of the store, in the order of their names.
  public func schemas() async throws -> [Schema] {
    try await store.catalog().catalog.schemas
  }

  /// The schema of this name, or an error that suggests the nearest.
  public func schema(_ name: String) async throws(DataError) -> Schema {
    try await store.catalog().catalog.schema(name)
  }

  /// Creates a schema of fields in short: `title:text!` is required, `steps:step+` many, a schema's
  /// name a relation. The primary key is added.
  ///
  /// ```swift
  /// try await client.createSchema("person", ["name:text!", "age:integer"])
  /// ```
  @discardableResult
  public func createSchema(_ name: String, _ fields: [String]) async throws -> Schema {
    let stored = try await store.catalog()
    let draft = try FieldShorthand.draft(schema: name, fields)
    let schema = try Schema(checking: draft)
    guard stored.catalog[name] == nil else {
      throw DataError(Problem(.exists, "there is already a schema \(name)", schema: name))
    }
    try await carryOut(try SchemaPlan(from: stored, to: [schema], reading: .ofSchemas))
    return schema
  }

  /// Takes schemas over from the texts of schema files: creates what is new, adds fields and
  /// indexes, and refuses whatever else would need a look at the records.
  @discardableResult
  public func applySchemas(_ files: [String]) async throws -> [Schema] {
    let stored = try await store.catalog()
    var problems: [Problem] = []
    var schemas: [Schema] = []
    for text in files {
      do throws(DataError) {
        let draft = try SchemaFile.read(Array(text.utf8))
        schemas.append(try Schema(checking: draft))
      } catch {
        problems += error.problems
      }
    }
    if let error = DataError(problems) { throw error }
    try await carryOut(try SchemaPlan(from: stored, to: schemas, reading: .ofSchemas))
    return schemas
  }

  /// Carries out a plan; the folder of the user's own store is made with it.
  package func carryOut(
    _ plan: SchemaPlan, wait: WriteWait = WriteWait()
  ) async throws(DataError) {
    if plan.steps.isEmpty { return }
    if choice.origin == .standard, case .file(let path) = choice.address.kind {
      do throws(Platform.Refusal) {
        try Platform.makeFolder(FilePath.folder(of: path))
      } catch {
        throw DataError(
          Problem(.storeReadOnly, "the folder cannot be made: \(error.reason)", file: path))
      }
    }
    try await store.carryOut(plan, wait: wait)
  }

  /// The schema of a program's own type, which has been compared with the type.
  func checkedSchema(of type: any Codable.Type) async throws(DataError) -> Schema {
    let stored = try await store.catalog()
    let schema = try stored.catalog.schema(try TypeNames.schema(of: type))
    let key = ObjectIdentifier(type)
    let isChecked = state.withLock { $0.checkedTypes[key] == stored.version }
    if isChecked { return schema }
    try TypeProbe.check(type, against: schema)
    state.withLock { $0.checkedTypes[key] = stored.version }
    return schema
  }
}
