internal import DataStore

/// The outcome of a deletion.
public struct Deletion: Hashable, Sendable {
  /// The number of records deleted because they were named or matched.
  public let deleted: Int
  /// The number of further records deleted through cascading relations, by schema.
  public let cascaded: [String: Int]
  /// The number of records in which a reference was set to null.
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
  ///   - revision: The revision that the record must have. If nil, any revision is deleted.
  /// - Returns: The number of records deleted and changed.
  /// - Throws: A ``DataError`` if the record does not exist, has another revision, or is referenced
  ///   by a relation that forbids deletion.
  @discardableResult
  public func delete(
    _ id: String, in schema: String, revision: Int64? = nil
  ) async throws -> Deletion {
    try await delete(.ids([id]), in: schema, revision: revision)
  }

  /// Deletes the records with the given ids, all of them or none.
  ///
  /// - Parameters:
  ///   - ids: The ids of the records.
  ///   - schema: The name of the schema that the records belong to.
  /// - Returns: The number of records deleted and changed.
  /// - Throws: A ``DataError`` if a record does not exist or cannot be deleted. Nothing is deleted
  ///   then.
  @discardableResult
  public func delete(_ ids: [String], in schema: String) async throws -> Deletion {
    try await delete(.ids(ids), in: schema)
  }

  /// Deletes the records that match a condition and have the given values.
  ///
  /// - Parameters:
  ///   - schema: The name of the schema.
  ///   - condition: A condition, in the syntax of `datactl list --where`.
  ///   - matching: Values that fields must have, by field or property name. For a list, one element
  ///     must match; `nil` matches fields without a value.
  ///   - parameters: The values of the condition's `:name` placeholders.
  /// - Returns: The number of records deleted and changed.
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
  /// - Returns: The number of records deleted and changed.
  /// - Throws: A ``DataError`` if the schema does not exist or a record cannot be deleted.
  @discardableResult
  public func deleteAll(in schema: String) async throws -> Deletion {
    try await delete(.matching(.all), in: schema)
  }

  /// Deletes the record of a value of a model type.
  ///
  /// If the type has a property `revision` with a value, the record must have that revision.
  ///
  /// - Parameter value: The value. Its schema is derived from its type's name, or given by
  ///   ``Recorded``.
  /// - Returns: The number of records deleted and changed.
  /// - Throws: A ``DataError`` if the record does not exist, has another revision, or is referenced
  ///   by a relation that forbids deletion.
  @discardableResult
  public func delete<Model: Codable & Sendable>(_ value: Model) async throws -> Deletion {
    let schema = try await checkedSchema(of: Model.self)
    var id = ""
    var revision: Int64?
    for entry in try Draft(encoding: value).entries {
      switch (schema.slot(ofProperty: entry.name), entry.value.form) {
      case (schema.keySlot, .text(let text)): id = text
      case (schema.slot(.revision), .integer(let integer)): revision = integer
      default: break
      }
    }
    return try await delete(id, in: schema.name, revision: revision)
  }

  /// Deletes the record with the given id from the schema of a model type.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - type: The model type. Its schema is derived from its name, or given by ``Recorded``.
  ///   - revision: The revision that the record must have. If nil, any revision is deleted.
  /// - Returns: The number of records deleted and changed.
  /// - Throws: A ``DataError`` if the record does not exist, has another revision, or is referenced
  ///   by a relation that forbids deletion.
  @discardableResult
  public func delete<Model: Codable & Sendable>(
    _ id: String, in type: Model.Type, revision: Int64? = nil
  ) async throws -> Deletion {
    try await delete(id, in: checkedSchema(of: type).name, revision: revision)
  }

  /// Deletes the records with the given ids from the schema of a model type, all of them or none.
  ///
  /// - Parameters:
  ///   - ids: The ids of the records.
  ///   - type: The model type. Its schema is derived from its name, or given by ``Recorded``.
  /// - Returns: The number of records deleted and changed.
  /// - Throws: A ``DataError`` if a record does not exist or cannot be deleted. Nothing is deleted
  ///   then.
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
  ///   - type: The model type. Its schema is derived from its name, or given by ``Recorded``.
  ///   - condition: A condition, in the syntax of `datactl list --where`.
  ///   - matching: Values that fields must have, by field or property name. For a list, one element
  ///     must match; `nil` matches fields without a value.
  ///   - parameters: The values of the condition's `:name` placeholders.
  /// - Returns: The number of records deleted and changed.
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
  /// - Parameter type: The model type. Its schema is derived from its name, or given by
  ///   ``Recorded``.
  /// - Returns: The number of records deleted and changed.
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
    let request = DeleteRequest(
      schema: try stored.catalog.schema(name), catalogVersion: stored.version,
      selection: selection, revision: revision, stamp: try await stamp())
    return Deletion(try await store.delete(request))
  }
}
