internal import DataStore

/// The numbers of records that a deletion affected.
public struct Deletion: Hashable, Sendable {
  /// The number of deleted records that the call selected by id or by condition.
  public let deleted: Int
  /// The numbers of other records that were deleted because they referenced a deleted record, keyed
  /// by schema name. This happens if the relation has the rule `"on_delete": "cascade"`.
  public let cascaded: [String: Int]
  /// The number of records in which a reference to a deleted record was set to null or removed from
  /// a list.
  public let nullified: Int

  init(_ summary: DeleteSummary) {
    deleted = summary.deleted
    cascaded = Dictionary(
      summary.cascaded.map { ($0.schema, $0.count) }, uniquingKeysWith: { $0 + $1 })
    nullified = summary.nullified
  }
}

extension Client {
  /// Deletes the record with the given id.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - schema: The name of the schema that the record belongs to.
  ///   - revision: The revision that the record must have. If nil, the record is deleted
  ///     regardless of its revision.
  /// - Returns: How many records were deleted, and from how many records references to them were
  ///   removed.
  /// - Throws: A ``DataError`` if the record does not exist, has a different revision, or is
  ///   referenced by a relation that forbids deletion.
  @discardableResult
  public func delete(
    _ id: String, in schema: String, revision: Int64? = nil
  ) async throws -> Deletion {
    try await delete(.ids([id]), in: schema, revision: revision)
  }

  /// Deletes the records with the given ids, or none of them if one cannot be deleted.
  ///
  /// - Parameters:
  ///   - ids: The ids of the records.
  ///   - schema: The name of the schema that the records belong to.
  /// - Returns: How many records were deleted, and from how many records references to them were
  ///   removed.
  /// - Throws: A ``DataError`` if a record does not exist or cannot be deleted.
  @discardableResult
  public func delete(_ ids: [String], in schema: String) async throws -> Deletion {
    try await delete(.ids(IDList(ids)), in: schema)
  }

  /// Deletes the records that match a condition and have the given values.
  ///
  /// - Parameters:
  ///   - schema: The name of the schema.
  ///   - condition: A condition, in the syntax of `datactl list --where`.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  /// - Returns: How many records were deleted, and from how many records references to them were
  ///   removed.
  /// - Throws: A ``DataError`` if both `condition` and `matching` are empty, if the condition is
  ///   invalid, or if a record cannot be deleted.
  @discardableResult
  public func delete(
    in schema: String, where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:]
  ) async throws -> Deletion {
    guard !matching.isEmpty || !condition.isEmpty else {
      throw DataError(
        .usage, "deleting records of \(schema) requires a condition",
        hint: "use deleteAll to delete all records")
    }
    let input = QueryInput(
      schema, where: condition, matching: matching, parameters: parameters)
    let checked = try await check(input, from: store)
    return try await delete(.matching(checked.condition), in: schema)
  }

  /// Deletes all records of a schema.
  ///
  /// - Parameter schema: The name of the schema.
  /// - Returns: How many records were deleted, and from how many records references to them were
  ///   removed.
  /// - Throws: A ``DataError`` if the schema does not exist or a record cannot be deleted.
  @discardableResult
  public func deleteAll(in schema: String) async throws -> Deletion {
    try await delete(.matching(.all), in: schema)
  }

  /// Deletes the record that a value of a model type represents.
  ///
  /// If the type has a property `revision` with a value, the record must have that revision.
  ///
  /// - Parameter value: A value with the id of the record. Its type determines the schema; see
  ///   ``Recorded``.
  /// - Returns: How many records were deleted, and from how many records references to them were
  ///   removed.
  /// - Throws: A ``DataError`` if the record does not exist, has a different revision, or is
  ///   referenced by a relation that forbids deletion.
  @discardableResult
  public func delete<Model: Codable & Sendable>(_ value: Model) async throws -> Deletion {
    let schema = try await checkedSchema(of: Model.self)
    var id = ""
    var revision: Int64?
    for entry in try Draft(encoding: value).entries {
      switch (schema.slot(ofProperty: entry.name), entry.value.form) {
      case (schema.keySlot, .value(.text(let text))): id = text
      case (schema.slot(.revision), .value(.integer(let integer))): revision = integer
      default: break
      }
    }
    return try await delete(id, in: schema.name, revision: revision)
  }

  /// Deletes the record with the given id from the schema of a model type.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - type: The model type, which determines the schema; see ``Recorded``.
  ///   - revision: The revision that the record must have. If nil, the record is deleted
  ///     regardless of its revision.
  /// - Returns: How many records were deleted, and from how many records references to them were
  ///   removed.
  /// - Throws: A ``DataError`` if the record does not exist, has a different revision, or is
  ///   referenced by a relation that forbids deletion.
  @discardableResult
  public func delete<Model: Codable & Sendable>(
    _ id: String, in type: Model.Type, revision: Int64? = nil
  ) async throws -> Deletion {
    try await delete(id, in: checkedSchema(of: type).name, revision: revision)
  }

  /// Deletes the records with the given ids from the schema of a model type. If one of them cannot
  /// be deleted, none is deleted.
  ///
  /// - Parameters:
  ///   - ids: The ids of the records.
  ///   - type: The model type, which determines the schema; see ``Recorded``.
  /// - Returns: How many records were deleted, and from how many records references to them were
  ///   removed.
  /// - Throws: A ``DataError`` if a record does not exist or cannot be deleted.
  @discardableResult
  public func delete<Model: Codable & Sendable>(
    _ ids: [String], in type: Model.Type
  ) async throws -> Deletion {
    try await delete(ids, in: checkedSchema(of: type).name)
  }

  /// Deletes the records of a model type that match a condition and have the given values.
  ///
  /// ```swift
  /// try await client.delete(in: Todo.self, where: "done and due < now()")
  /// ```
  ///
  /// - Parameters:
  ///   - type: The model type, which determines the schema; see ``Recorded``.
  ///   - condition: A condition, in the syntax of `datactl list --where`.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  /// - Returns: How many records were deleted, and from how many records references to them were
  ///   removed.
  /// - Throws: A ``DataError`` if both `condition` and `matching` are empty, if the condition is
  ///   invalid, or if a record cannot be deleted.
  @discardableResult
  public func delete<Model: Codable & Sendable>(
    in type: Model.Type, where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:]
  ) async throws -> Deletion {
    try await delete(
      in: checkedSchema(of: type).name, where: condition, matching: matching,
      parameters: parameters)
  }

  /// Deletes all records of a model type.
  ///
  /// - Parameter type: The model type, which determines the schema; see ``Recorded``.
  /// - Returns: How many records were deleted, and from how many records references to them were
  ///   removed.
  /// - Throws: A ``DataError`` if the type does not match the schema or a record cannot be deleted.
  @discardableResult
  public func deleteAll<Model: Codable & Sendable>(
    in type: Model.Type
  ) async throws -> Deletion {
    try await deleteAll(in: checkedSchema(of: type).name)
  }

  private func delete(
    _ selection: DeleteRequest.Selection, in name: String, revision: Int64? = nil
  ) async throws -> Deletion {
    let stored = try await store.catalog()
    let schema = try stored.catalog.schema(name)
    let request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema), stamp: try await stamp(),
      end: end)
    return Deletion(
      try await store.delete(DeleteRequest(schema, selection, revision: revision), request))
  }
}
