internal import DataStore

/// What a deletion did.
public struct Deletion: Hashable, Sendable {
  /// How many of the records that were named or matched are gone.
  public let deleted: Int
  /// How many others went with them, by schema.
  public let cascaded: [String: Int]
  /// How many records lost a reference, and changed by that.
  public let nullified: Int

  init(_ summary: DeleteSummary) {
    deleted = summary.deleted
    cascaded = Dictionary(
      summary.cascaded.map { ($0.schema, $0.count) }, uniquingKeysWith: { $0 + $1 })
    nullified = summary.nullified
  }
}

extension Client {
  /// Deletes a record by its id; with a revision, only if that is the one it has.
  @discardableResult
  public func delete(
    _ id: String, in schema: String, revision: Int64? = nil
  ) async throws -> Deletion {
    try await delete(.ids([id]), in: schema, revision: revision)
  }

  /// Deletes records by their ids; if one is not there, none is deleted.
  @discardableResult
  public func delete(_ ids: [String], in schema: String) async throws -> Deletion {
    try await delete(.ids(ids), in: schema)
  }

  /// Deletes the records that meet a condition, and whose fields have these values.
  @discardableResult
  public func delete(
    in schema: String, where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:]
  ) async throws -> Deletion {
    guard !matching.isEmpty || !condition.isEmpty else {
      throw DataError(
        .usage, "nothing selects the records of \(schema) to delete",
        hint: "use deleteAll to delete all records")
    }
    let question = Question(
      schema, where: condition, matching: matching, parameters: parameters)
    let checked = try await check(question, from: store)
    return try await delete(.matching(checked.condition), in: schema)
  }

  /// Deletes every record of a schema.
  @discardableResult
  public func deleteAll(in schema: String) async throws -> Deletion {
    try await delete(.matching(.all), in: schema)
  }

  private func delete(
    _ selection: DeleteRequest.Selection, in name: String, revision: Int64? = nil
  ) async throws -> Deletion {
    let stored = try await store.catalog()
    let request = DeleteRequest(
      schema: try stored.catalog.schema(name), catalogVersion: stored.version,
      selection: selection, revision: revision, stamp: try await stamp())
    return Deletion(try await store.delete(request))
  }
}
