internal import ClientCore
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

extension Records {
  /// Deletes the record with the given id.
  ///
  /// ```swift
  /// try await todos.delete("tea")
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - revision: The revision that the record must have. If nil, the record is deleted
  ///     regardless of its revision.
  /// - Returns: The numbers of deleted and changed records.
  /// - Throws: A ``DataError`` if the record does not exist, if it has another revision, or if it is
  ///   still referenced.
  @discardableResult
  public func delete(_ id: String, revision: Int64? = nil) async throws -> Deletion {
    try await client.inLibraryWords { () throws(DataError) in
      try await delete(.ids([id]), revision: revision)
    }
  }

  /// Deletes the records with the given ids, in one transaction.
  ///
  /// - Parameter ids: The ids of the records.
  /// - Returns: The numbers of deleted and changed records.
  /// - Throws: A ``DataError`` if a record does not exist or is still referenced. In that case,
  ///   nothing is deleted.
  @discardableResult
  public func delete(_ ids: [String]) async throws -> Deletion {
    try await client.inLibraryWords { () throws(DataError) in
      try await delete(.ids(IDList(ids)))
    }
  }

  /// Deletes all records that match a condition, in one transaction.
  ///
  /// - Parameters:
  ///   - condition: A condition, in the syntax of `datactl list --where`. It must not be empty
  ///     unless `matching` is given: ``deleteAll()`` deletes all records.
  ///   - matching: The values that fields must have, keyed by field or property name.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  /// - Returns: The numbers of deleted and changed records.
  /// - Throws: A ``DataError`` if an argument is invalid, or if a record is still referenced. In
  ///   that case, nothing is deleted.
  @discardableResult
  public func delete(
    where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:]
  ) async throws -> Deletion {
    guard !matching.isEmpty || !condition.isEmpty else {
      throw DataError(
        .usage, "deleting records of \(try schemaName()) requires a condition",
        hint: "use deleteAll to delete all records")
    }
    let input = try query(condition, matching, parameters)
    return try await client.inLibraryWords { () throws(DataError) in
      switch client.executor {
      case .store(let store):
        try await delete(.matching(client.check(input, from: store).condition))
      case .server(let server): try await delete(input, in: server)
      }
    }
  }

  /// Deletes all records of the schema, in one transaction.
  ///
  /// ```swift
  /// let deletion = try await todos.deleteAll()
  /// ```
  ///
  /// - Returns: The numbers of deleted and changed records.
  /// - Throws: A ``DataError`` if a record is still referenced. In that case, nothing is deleted.
  @discardableResult
  public func deleteAll() async throws -> Deletion {
    try await client.inLibraryWords { () throws(DataError) in
      switch client.executor {
      case .store: try await delete(.matching(.all))
      case .server(let server): try await delete(query(), in: server)
      }
    }
  }

  private func delete(
    _ selection: DeleteRequest.Selection, revision: Int64? = nil
  ) async throws(DataError) -> Deletion {
    switch client.executor {
    case .store(let store):
      let stored = try await store.catalog()
      let schema = try model(in: stored).schema
      let request = WriteRequest(
        to: [schema], versions: stored.versions(concerning: schema),
        stamp: try await client.stamp(), end: client.end)
      return Deletion(
        try await store.delete(DeleteRequest(schema, selection, revision: revision), request))
    case .server(let server):
      guard case .ids(let list) = selection else {
        throw DataError(.failed, "the records to delete are not given")
      }
      return try await delete(list.array ?? [], revision: revision, in: server)
    }
  }
}

extension Records where Element: Codable {
  /// Deletes the record of a value.
  ///
  /// - Parameter value: The value. If it contains a revision, the record must have this revision.
  /// - Returns: The numbers of deleted and changed records.
  /// - Throws: A ``DataError`` if the record does not exist, if it has another revision, or if it is
  ///   still referenced.
  @discardableResult
  public func delete(_ value: Element) async throws -> Deletion {
    let schema = try await model().schema
    var id = ""
    var revision: Int64?
    for entry in try Draft(encoding: value).entries {
      switch (schema.slot(ofProperty: entry.name), entry.value.form) {
      case (schema.keySlot, .value(.text(let text))): id = text
      case (schema.slot(.revision), .value(.integer(let integer))): revision = integer
      default: break
      }
    }
    return try await delete(id, revision: revision)
  }
}
