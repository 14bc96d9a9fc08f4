internal import ClientCore
internal import DataStore

extension Records {
  /// Returns the record with the given id, or nil if it does not exist.
  ///
  /// ```swift
  /// let tea = try await todos.get("tea")
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - relations: The relations to expand, separated by commas, in the syntax of
  ///     `datactl get --expand`, such as `customer,lines.product`. Their records are read from the
  ///     same snapshot of the store; see ``Record/related(_:)``.
  /// - Returns: The record, or nil if no record has the id.
  /// - Throws: A ``DataError`` if the schema or a relation does not exist, if the store cannot be
  ///   read, or if the record cannot be decoded.
  public func get(_ id: String, expanding relations: String = "") async throws -> Element? {
    try await found([id], relations).trees.first.map(decode)
  }

  /// Returns the records with the given ids, in the order of the ids.
  ///
  /// - Parameters:
  ///   - ids: The ids of the records.
  ///   - relations: The relations to expand, as in ``get(_:expanding:)-(String,_)``.
  /// - Returns: The records, in the order of `ids`.
  /// - Throws: A ``DataError`` with one problem for each id that does not exist.
  public func get(_ ids: [String], expanding relations: String = "") async throws -> [Element] {
    let (trees, missing) = try await found(ids, relations)
    if let missing { throw missing }
    return try trees.map(decode)
  }

  /// Returns the records that have the given ids, and the error for those that do not exist.
  private func found(
    _ ids: [String], _ relations: String
  ) async throws(DataError) -> (trees: [RecordTree], missing: DataError?) {
    try await client.inLibraryWords { () throws(DataError) in
      switch client.executor {
      case .store(let store): try await found(ids, relations, in: store)
      case .server(let server): try await found(ids, relations, in: server)
      }
    }
  }

  private func found(
    _ ids: [String], _ relations: String, in store: any Store
  ) async throws(DataError) -> (trees: [RecordTree], missing: DataError?) {
    let name = try schemaName()
    if type == nil, relations.isEmpty {
      let (schema, found) = try await client.find(ids, inSchemaNamed: name)
      return (
        try found.records(of: schema).map { RecordTree($0) }, found.missing(ids, in: schema)
      )
    }
    let source = try await source(from: store, isSnapshot: !relations.isEmpty)
    let catalog = try await source.reader.catalog().catalog
    let schema: Schema
    if let model = source.model { schema = model.schema } else { schema = try catalog.schema(name) }
    let relations = source.model?.expansion(relations) ?? relations
    let expansion = try Expansion(expanding: relations, of: schema, in: catalog)
    if !relations.isEmpty {
      try await source.reader.prepare(toRead: [schema] + expansion.schemas)
    }
    let found = try await source.reader.find(
      ids, in: schema, slots: Array(0..<schema.width),
      computed: expansion.inverses.map(\.expression), joinedFields: [])
    let records = try await source.reader.records(
      found.rows, upTo: found.rows.count, of: schema, expanding: expansion)
    var related: RelatedRecords?
    if let model = source.model, model.isTree {
      related = try await RelatedRecords(of: records, model, from: source.reader)
    }
    return (records.map { RecordTree($0, with: related) }, found.missing(ids, in: schema))
  }

  /// Returns a sequence of the records that match a condition. The records are fetched while the
  /// sequence is iterated.
  ///
  /// ```swift
  /// for try await todo in todos.list(where: "due < now()", order: "-due") { print(todo.title) }
  /// ```
  ///
  /// Errors in the arguments are thrown when iteration starts.
  ///
  /// - Parameters:
  ///   - condition: A condition, in the syntax of `datactl list --where`. If empty, all records
  ///     match.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  ///   - order: The fields to sort by, separated by commas; a `-` prefix sorts in descending order.
  ///     Ties are sorted by id.
  ///   - limit: The maximum number of records.
  ///   - value: The field or computed value for which the limit counts: at most `limit` records of
  ///     each value. If empty, the limit counts for all records.
  ///   - relations: The relations to expand, as in ``get(_:expanding:)-(String,_)``.
  /// - Returns: A sequence that runs the query each time it is iterated.
  public func list(
    where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:], order: String = "", limit: Int? = nil,
    per value: String = "", expanding relations: String = ""
  ) -> RecordSequence<Element> {
    let input: Result<QueryInput, DataError> = Result { () throws(DataError) in
      var input = try query(condition, matching, parameters, order: order, limit: limit)
      input.limitedValue = value.isEmpty ? nil : value
      return input
    }
    return RecordSequence(records: self, input: input, relations: relations)
  }

  /// Returns the number of records that match a condition.
  ///
  /// ```swift
  /// let open = try await todos.count(where: "done = false")
  /// ```
  ///
  /// - Parameters:
  ///   - condition: A condition, in the syntax of `datactl list --where`. If empty, all records
  ///     match.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  /// - Returns: The number of records that match.
  /// - Throws: A ``DataError`` if the schema does not exist or the condition is invalid.
  public func count(
    where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:]
  ) async throws -> Int {
    let input = try query(condition, matching, parameters)
    return try await client.inLibraryWords { () throws(DataError) in
      switch client.executor {
      case .store(let store):
        if type != nil { _ = try self.model(in: try await store.catalog()) }
        return try await store.count(client.check(input, from: store).query())
      case .server(let server):
        try await checkModel(from: server)
        return try await client.count(input, in: server)
      }
    }
  }
}

extension FoundRecords {
  /// Returns the error for the ids that were not found, or nil if all were found.
  fileprivate func missing(_ ids: [String], in schema: Schema) -> DataError? {
    DataError(
      missing.map { index in
        Problem(.notFound, "there is no such record", schema: schema.name, id: ids[index])
      })
  }
}
