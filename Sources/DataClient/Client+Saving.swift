package import DataModel
package import DataStore

/// What a save does with a record whose id is there, and with one whose id is not.
public enum SaveMode: Hashable, Sendable {
  /// Creates what is new, and changes the fields that are given of what is there.
  case createOrChange
  /// Refuses an id that is there.
  case create
  /// Refuses an id that is not there.
  case update
  /// Creates what is new, and clears the fields that are not given of what is there.
  case replace
}

extension Client {
  /// Saves a record and returns it as it now stands.
  ///
  /// The record needs an id: ``Draft/assignID(in:)`` gives it one.
  @discardableResult
  public func save(
    _ draft: Draft, in schema: String, mode: SaveMode = .createOrChange
  ) async throws -> Record {
    let records = try await saveAll([draft], in: schema, mode: mode)
    guard let record = records.first else { throw DataError(.failed, "nothing was saved") }
    return record
  }

  /// Saves many records at once, all of them or none, and returns them as they now stand.
  @discardableResult
  public func save(
    _ drafts: [Draft], in schema: String, mode: SaveMode = .createOrChange
  ) async throws -> [Record] {
    try await saveAll(drafts, in: schema, mode: mode)
  }

  /// Saves a value of a type of your own and returns its record as it now stands.
  ///
  /// The first save of a type compares its properties with the schema's fields.
  @discardableResult
  public func save<Model: Codable & Sendable>(
    _ value: Model, mode: SaveMode = .createOrChange
  ) async throws -> Record {
    let schema = try await checkedSchema(of: Model.self)
    return try await save(Draft(encoding: value), in: schema.name, mode: mode)
  }

  /// Saves many values of a type of your own at once, all of them or none.
  @discardableResult
  public func save<Model: Codable & Sendable>(
    _ values: [Model], mode: SaveMode = .createOrChange
  ) async throws -> [Record] {
    let schema = try await checkedSchema(of: Model.self)
    return try await save(values.map(Draft.init(encoding:)), in: schema.name, mode: mode)
  }

  private func saveAll(
    _ drafts: [Draft], in name: String, mode: SaveMode
  ) async throws(DataError) -> [Record] {
    if drafts.isEmpty { return [] }
    let stored = try await store.catalog()
    let schema = try stored.catalog.schema(name)
    var save = RecordSave(
      DraftSource(drafts, for: schema), into: schema, of: stored.catalog,
      listener: RecordCollector())
    let request = SaveRequest(
      schema: schema, catalogVersion: stored.version, policy: SavePolicy(mode: mode.policy),
      stamp: try await stamp())
    try await run(&save, request)
    return save.listener.records
  }

  /// Carries out a save: reads ahead, then hands it to the store.
  ///
  /// A save that commits in parts may have an endless source, and does not wait for more of it.
  package func run<Source, Listener>(
    _ save: inout RecordSave<Source, Listener>, _ request: SaveRequest
  ) async throws(DataError) {
    if request.commitEvery == nil { try save.prepare() }
    if let plan = request.plan?.plan, !plan.isEmpty, request.end == .commit { try makeFolder() }
    try await store.save(request, through: &save)
  }
}

extension SaveMode {
  fileprivate var policy: SavePolicy.Mode {
    switch self {
    case .createOrChange: .createOrChange
    case .create: .create
    case .update: .update
    case .replace: .replace
    }
  }
}
