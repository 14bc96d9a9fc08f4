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
    if let schema = try await store.schema(named: name) { return schema }
    return try await store.catalog().catalog.schema(name)
  }

  /// The schema of this name with records of it by their ids.
  package func find(
    _ ids: [String], inSchemaNamed name: String
  ) async throws(DataError) -> (schema: Schema, found: Found) {
    if let both = try await store.find(ids, inSchemaNamed: name) { return both }
    let schema = try await schema(name)
    return (schema, try await store.find(ids, in: schema, slots: Array(0..<schema.width)))
  }

  /// Creates a schema of fields in short: `title:text!` is required, `steps:step+` many, a schema's
  /// name a relation. The primary key is added.
  ///
  /// ```swift
  /// try await client.createSchema("person", ["name:text!", "age:integer"])
  /// ```
  @discardableResult
  public func createSchema(_ name: String, _ fields: [String]) async throws -> Schema {
    let draft = try FieldShorthand.draft(schema: name, fields)
    let schema = try Schema(checking: draft)
    try await carryOut { stored throws(DataError) in
      guard stored.catalog[name] == nil else {
        throw DataError(Problem(.exists, "there is already a schema \(name)", schema: name))
      }
      return try SchemaPlan(from: stored, to: [schema], reading: .ofSchemas)
    }
    return schema
  }

  /// Takes schemas over from the texts of schema files.
  ///
  /// Records that do not fit what becomes of their schemas refuse it. Values go only under a name in
  /// `allowingLoss`: `todo` for a schema, `todo.note` for a field.
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
    try await carryOut(consents: names) { stored throws(DataError) in
      try SchemaPlan(from: stored, to: found, reading: .ofSchemas)
    }
    return schemas.map(\.schema)
  }

  /// Makes a plan from the schemas as they are and carries it out, and looks and plans again as
  /// long as others change the schemas in between and the wait is not over.
  ///
  /// Whoever finds them changed has been overtaken by somebody who is done, so that all who come at
  /// once get their turn.
  @discardableResult
  package func carryOut(
    consents: Set<String> = [], end: SaveRequest.End = .commit, wait: WriteWait = WriteWait(),
    planning: (StoredCatalog) throws(DataError) -> SchemaPlan
  ) async throws(DataError) -> SchemaPlan {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(wait.seconds)
    var rest = wait
    var plans = 0
    while true {
      let plan = try planning(try await store.catalog())
      if plan.isEmpty { return plan }
      plans += 1
      do throws(DataError) {
        try await carryOut(request(for: plan, consents: consents, end: end, wait: rest))
        return plan
      } catch {
        let left = clock.now.duration(to: deadline)
        guard error.code == .schemaChanged, left > .zero, plans < 1_000 else { throw error }
        rest.seconds = left / .seconds(1)
      }
    }
  }

  /// Asks for a plan in the name of whoever is logged in.
  package func request(
    for plan: SchemaPlan, consents: Set<String> = [], end: SaveRequest.End = .commit,
    wait: WriteWait = WriteWait()
  ) async throws(DataError) -> PlanRequest {
    // A store that is not there knows nobody.
    let isThere = plan.catalogVersion > 0
    let stamp = isThere ? try await stamp() : Stamp(time: surroundings.now())
    return PlanRequest(
      plan, consents: consents, stamp: stamp, program: "datactl \(Self.version)", wait: wait,
      end: end, review: FunctionCheck.review)
  }

  private func carryOut(_ request: PlanRequest) async throws(DataError) {
    switch request.end {
    case .commit: try makeFolder()
    case .rollBack:
      // Nothing can be in the way of schemas where there is nothing.
      if let path = ownPath, Platform.resolved(FilePath.folder(of: path)) == nil { return }
    }
    try await store.carryOut(request)
  }

  /// The path of the user's own store, if that is what this is.
  private var ownPath: String? {
    if choice.origin == .standard, case .file(let path) = choice.address.kind { path } else { nil }
  }

  /// Makes the folder of the user's own store, which nobody else would.
  func makeFolder() throws(DataError) {
    guard let path = ownPath else { return }
    let folder = FilePath.folder(of: path)
    do throws(Platform.Refusal) {
      try Platform.makeFolder(folder)
    } catch {
      throw DataError(
        Problem(.storeReadOnly, "the folder cannot be created: \(error.reason)", file: path))
    }
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
