internal import DataModel
internal import DataStore
import RecordText

/// How a save treats records that already exist and records that do not exist yet.
public enum SaveMode: Hashable, Sendable {
  /// Creates new records. In existing records, changes only the given fields.
  case createOrChange
  /// Creates new records. An id that already exists is an error.
  case create
  /// Changes the given fields of existing records. An id that does not exist is an error.
  case update
  /// Creates new records. In existing records, fields that are missing from the input are reset to
  /// their defaults, except passwords and files, which are kept.
  case replace
}

extension Client {
  /// Saves a record and returns it as stored.
  ///
  /// The record needs an id: ``Draft/assignID(in:)`` assigns one.
  ///
  /// - Parameters:
  ///   - draft: The fields to save.
  ///   - schema: The name of the schema.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The record with all its fields, as stored.
  /// - Throws: A ``DataError`` that contains all problems in the draft. If the draft has a revision
  ///   that differs from the stored one, the error's code is `changed`.
  @discardableResult
  public func save(
    _ draft: Draft, in schema: String, mode: SaveMode = .createOrChange
  ) async throws -> Record {
    try await only(saveAll([draft], in: schema, mode: mode))
  }

  private func only(_ records: [Record]) throws(DataError) -> Record {
    guard let record = records.first else {
      throw DataError(.failed, "the store did not return the saved record")
    }
    return record
  }

  /// Saves several records in one transaction and returns them as stored.
  ///
  /// - Parameters:
  ///   - drafts: The fields of each record.
  ///   - schema: The name of the schema.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The records with all their fields, as stored, in the order of `drafts`.
  /// - Throws: A ``DataError`` that contains the problems of all drafts. In that case, nothing is
  ///   saved.
  @discardableResult
  public func save(
    _ drafts: [Draft], in schema: String, mode: SaveMode = .createOrChange
  ) async throws -> [Record] {
    try await saveAll(drafts, in: schema, mode: mode)
  }

  /// Saves a value of a model type and returns its record as stored.
  ///
  /// When a model type is first used, its properties are validated against the schema's fields.
  ///
  /// - Parameters:
  ///   - value: The value to save. Its type determines the schema; see ``Recorded``.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The record with all its fields, as stored.
  /// - Throws: A ``DataError`` if the type does not match the schema or the value is invalid.
  @discardableResult
  public func save<Model: Codable & Sendable>(
    _ value: Model, mode: SaveMode = .createOrChange
  ) async throws -> Record {
    try await only(saveAll([value], mode: mode))
  }

  /// Saves several values of a model type in one transaction and returns their records as stored.
  ///
  /// - Parameters:
  ///   - values: The values to save.
  ///   - mode: How the save treats records that already exist and those that do not.
  /// - Returns: The records as stored, in the order of `values`.
  /// - Throws: A ``DataError`` that contains the problems of all values. In that case, nothing is
  ///   saved.
  @discardableResult
  public func save<Model: Codable & Sendable>(
    _ values: [Model], mode: SaveMode = .createOrChange
  ) async throws -> [Record] {
    try await saveAll(values, mode: mode)
  }

  private func saveAll<Model: Codable & Sendable>(
    _ values: [Model], mode: SaveMode
  ) async throws -> [Record] {
    let stored = try await store.catalog()
    let model = try checkedModel(of: Model.self, in: stored)
    let drafts = try values.map(Draft.init(encoding:))
    let schemas = model.isTree ? model.schema.treeSchemas(in: stored.catalog) : [model.schema]
    return try await saveAll(DraftText(drafts, of: model), to: schemas, in: stored, mode: mode)
  }

  private func saveAll(
    _ drafts: [Draft], in name: String, mode: SaveMode
  ) async throws(DataError) -> [Record] {
    if drafts.isEmpty { return [] }
    let stored = try await store.catalog()
    let schema = try stored.catalog.schema(name)
    return try await saveAll(
      DraftText(drafts, for: schema), to: [schema], in: stored, mode: mode)
  }

  /// Saves drafts. The first element of `schemas` is the schema of the drafts, and the remaining
  /// elements are the schemas of their nested records.
  private func saveAll(
    _ text: DraftText, to schemas: [Schema], in stored: StoredCatalog, mode: SaveMode
  ) async throws(DataError) -> [Record] {
    if text.drafts.isEmpty { return [] }
    let stamp = try await stamp()
    let request = WriteRequest(
      to: schemas, versions: stored.versions(concerning: schemas), stamp: stamp, end: end)
    func save(_ records: some ChunkSource) async throws(DataError) -> [Record] {
      var save = RecordSave(
        DraftSource(text, readBy: records), of: schemas[0], by: SavePolicy(mode: mode.policy),
        request, in: stored.catalog, listener: RecordCollector())
      try await run(&save)
      return save.listener.records
    }
    guard text.isTree else {
      return try await save(
        ReaderSource(RecordReader(text, for: schemas[0], TextForm(.ndjson), file: ""), file: ""))
    }
    return try await save(
      TreeSource(
        TreeReader(
          text, for: schemas[0], in: stored.catalog, file: "",
          ids: IDGenerator(clock: { stamp.time.microseconds }))))
  }
}

extension SaveMode {
  var policy: SavePolicy.Mode {
    switch self {
    case .createOrChange: .createOrChange
    case .create: .create
    case .update: .update
    case .replace: .replace
    }
  }
}
