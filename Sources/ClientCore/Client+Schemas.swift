package import DataModel
package import DataStore
import Platform

extension Client {
  /// Returns the schemas of the store, sorted by name.
  ///
  /// ```swift
  /// for schema in try await client.schemas() { print(schema.name, schema.fields.map(\.name)) }
  /// ```
  ///
  /// - Returns: The schemas. Schemas and fields that are hidden from the caller are omitted.
  /// - Throws: A ``DataError`` if the store cannot be read.
  public func schemas() async throws -> [Schema] {
    switch executor {
    case .store(let store): try await store.catalog().catalog.schemas.map(\.shown)
    case .server(let server):
      try await catalog(from: server, isCurrent: true).stored.catalog.schemas
    }
  }

  /// Returns the schema with the given name.
  ///
  /// ```swift
  /// let fields = try await client.schema("todo").fields
  /// ```
  ///
  /// - Parameter name: The name of the schema.
  /// - Returns: The schema, without fields that are hidden from the caller.
  /// - Throws: A ``DataError`` that suggests the most similar name if the schema does not exist.
  public func schema(_ name: String) async throws(DataError) -> Schema {
    switch executor {
    case .store: try await storedSchema(name).shown
    case .server(let server):
      try await catalog(from: server, isCurrent: true).stored.catalog.schema(name)
    }
  }

  /// Returns the schema with the given name, including the fields that are hidden from the caller.
  /// Requests to the store must contain this complete schema, because the store compares it with
  /// the stored schema.
  package func storedSchema(_ name: String) async throws(DataError) -> Schema {
    if let schema = try await store.schema(named: name) { return schema }
    return try await store.catalog().catalog.schema(name)
  }

  /// Returns the schema with the given name, and its records with the given ids. Takes a single
  /// round trip if the store supports it.
  package func find(
    _ ids: [String], inSchemaNamed name: String
  ) async throws(DataError) -> (schema: Schema, found: FoundRecords) {
    if let result = try await store.find(ids, inSchemaNamed: name) { return result }
    let schema = try await store.catalog().catalog.schema(name)
    return (schema, try await store.find(ids, in: schema, slots: Array(0..<schema.width)))
  }

  /// Plans a migration from the current schemas, and applies it.
  ///
  /// If another writer changes the schemas between the two steps, the migration is planned again
  /// for the new schemas, until the time limit `wait` is reached.
  ///
  /// - Returns: The plan that was applied, which is empty if nothing had to be changed.
  @discardableResult
  package func apply(
    consents: Set<String> = [], end: WriteRequest.End = .commit, wait: WriteWait = WriteWait(),
    planning: (StoredCatalog) throws(DataError) -> SchemaPlan
  ) async throws(DataError) -> SchemaPlan {
    // A plan can be computed only from all schemas, and some of them may be hidden from other
    // callers.
    try await checkIsAdministrator("change schemas")
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(wait.seconds)
    var remainingWait = wait
    var plans = 0
    while true {
      let plan = try planning(try await store.catalog())
      if plan.isEmpty { return plan }
      plans += 1
      do throws(DataError) {
        try await apply(request(for: plan, consents: consents, end: end, wait: remainingWait))
        return plan
      } catch {
        let remaining = clock.now.duration(to: deadline)
        guard error.code == .schemaChanged, remaining > .zero, plans < 1_000 else { throw error }
        remainingWait.seconds = remaining / .seconds(1)
      }
    }
  }

  /// Returns a request to apply a migration plan. The store saves the current time and the
  /// logged-in user together with the change.
  package func request(
    for plan: SchemaPlan, consents: Set<String> = [], end: WriteRequest.End = .commit,
    wait: WriteWait = WriteWait()
  ) async throws(DataError) -> PlanRequest {
    // A store that does not exist yet has no sessions to look up.
    let storeExists = plan.catalogVersion > 0
    let stamp = storeExists ? try await stamp() : Stamp(time: try environment.now())
    return PlanRequest(
      plan, consents: consents, stamp: stamp, program: "datactl \(Self.version)", wait: wait,
      end: end, review: FunctionCheck.review)
  }

  private func apply(_ request: PlanRequest) async throws(DataError) {
    switch request.end {
    case .commit: try makeFolder()
    case .rollBack:
      // If the folder does not exist, neither does the store, and a dry run has nothing to check.
      if let path = defaultStorePath, !FileSystem.exists(FilePath.folder(of: path)) { return }
    }
    try await store.apply(request)
  }

  /// The path of the user's default store, or nil if this client uses another store.
  private var defaultStorePath: String? {
    if choice.origin == .defaultStore, case .file(let path) = choice.address.kind {
      path
    } else {
      nil
    }
  }

  /// Creates the folder of the user's default store. For any other store, does nothing: its folder
  /// must already exist.
  func makeFolder() throws(DataError) {
    guard let path = defaultStorePath else { return }
    let folder = FilePath.folder(of: path)
    do throws(SystemCallError) {
      try PrivateFile.makeFolder(folder)
    } catch {
      throw DataError(
        Problem(.storeReadOnly, "cannot create the folder of this file: \(error.text)", file: path))
    }
  }
}
