internal import DataStore
internal import JSONText

extension Client {
  /// Returns the record with the given id, or nil if it does not exist.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - schema: The name of the schema that the record belongs to.
  ///   - relations: The relations to expand, separated by commas, in the syntax of
  ///     `datactl get --expand`, such as `customer,lines.product`. Their records are read from the
  ///     same snapshot of the store; see ``Record/related(_:)``.
  /// - Returns: The record with all its fields, or nil if no record has the id.
  /// - Throws: A ``DataError`` if the schema or a relation does not exist, or if the store cannot
  ///   be read.
  public func get(
    _ id: String, in schema: String, expanding relations: String = ""
  ) async throws -> Record? {
    try await records(withIDs: [id], in: schema, expanding: relations).records.first
  }

  /// Returns the records with the given ids, in the order of the ids.
  ///
  /// - Parameters:
  ///   - ids: The ids of the records.
  ///   - schema: The name of the schema that the records belong to.
  ///   - relations: The relations to expand, as in ``get(_:in:expanding:)``.
  /// - Returns: The records, in the order of `ids`.
  /// - Throws: A ``DataError`` with one problem for each id that does not exist.
  public func get(
    _ ids: [String], in schema: String, expanding relations: String = ""
  ) async throws -> [Record] {
    let (schema, records, missing) = try await records(
      withIDs: ids, in: schema, expanding: relations)
    try checkFound(ids, missing: missing, in: schema)
    return records
  }

  private func records(
    withIDs ids: [String], in name: String, expanding relations: String
  ) async throws(DataError) -> (schema: Schema, records: [Record], missing: [Int]) {
    if relations.isEmpty {
      let (schema, found) = try await find(ids, inSchemaNamed: name)
      return (schema, try found.records(of: schema), found.missing)
    }
    let snapshot = try await store.snapshot()
    let catalog = try await snapshot.catalog().catalog
    let schema = try catalog.schema(name)
    let expansion = try Expansion(expanding: relations, of: schema, in: catalog)
    try await snapshot.prepare(toRead: [schema] + expansion.schemas)
    let found = try await snapshot.find(
      ids, in: schema, slots: Array(0..<schema.width),
      computed: expansion.inverses.map(\.expression), joinedFields: [])
    let records = try await snapshot.records(
      found.rows, upTo: found.rows.count, of: schema, expanding: expansion)
    return (schema, records, found.missing)
  }

  private func checkFound(
    _ ids: [String], missing: [Int], in schema: Schema
  ) throws(DataError) {
    let problems = missing.map { index in
      Problem(.notFound, "there is no such record", schema: schema.name, id: ids[index])
    }
    if let error = DataError(problems) { throw error }
  }

  /// Returns the record with the given id, decoded as a model type, or nil if it does not exist.
  ///
  /// ```swift
  /// let ann = try await client.get("ann", in: Person.self)
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - type: The model type, which determines the schema; see ``Recorded``.
  /// - Returns: The decoded record, or nil if no record has the id.
  /// - Throws: A ``DataError`` if the type does not match the schema or the record cannot be
  ///   decoded.
  public func get<Model: Codable & Sendable>(
    _ id: String, in type: Model.Type
  ) async throws -> Model? {
    if let source = try await treeSource(of: type) {
      return try await trees([id], source).trees.first?.decode(type)
    }
    let schema = try await checkedSchema(of: type)
    return try await get(id, in: schema.name)?.decode(type)
  }

  /// Returns the records with the given ids, in the order of the ids, decoded as a model type.
  ///
  /// - Parameters:
  ///   - ids: The ids of the records.
  ///   - type: The model type, which determines the schema; see ``Recorded``.
  /// - Returns: The decoded records, in the order of `ids`.
  /// - Throws: A ``DataError`` if the type does not match the schema, or with one problem for each
  ///   id that does not exist.
  public func get<Model: Codable & Sendable>(
    _ ids: [String], in type: Model.Type
  ) async throws -> [Model] {
    if let source = try await treeSource(of: type) {
      let (trees, missing) = try await trees(ids, source)
      try checkFound(ids, missing: missing, in: source.model.schema)
      return try trees.map { try $0.decode(type) }
    }
    let schema = try await checkedSchema(of: type)
    return try await get(ids, in: schema.name).map { try $0.decode(type) }
  }

  /// Returns the schemas of a model type, and a snapshot of the store for reading its records and
  /// their nested records. Returns nil if no property of the type contains records.
  func treeSource(
    of type: any Codable.Type
  ) async throws(DataError) -> (model: CheckedModel, snapshot: any StoreReader)? {
    guard try await checkedModel(of: type).isTree else { return nil }
    let snapshot = try await store.snapshot()
    // The schemas may have changed before the snapshot was taken.
    let model = try checkedModel(of: type, in: try await snapshot.catalog())
    try await snapshot.prepare(toRead: model.schemas)
    return (model, snapshot)
  }

  /// Returns the records that have the given ids, together with their nested records, and the
  /// indices of the ids that were not found.
  private func trees(
    _ ids: [String], _ source: (model: CheckedModel, snapshot: any StoreReader)
  ) async throws(DataError) -> (trees: [RecordTree], missing: [Int]) {
    let (records, missing) = try await source.snapshot.records(
      withIDs: ids, of: source.model.schema)
    let related = try await RelatedRecords(of: records, source.model, from: source.snapshot)
    return (records.map { RecordTree($0, with: related) }, missing)
  }

  /// Returns a sequence of the records that match a condition. The records are fetched while the
  /// sequence is iterated.
  ///
  /// ```swift
  /// for try await record in client.list("todo", where: "due < now()", order: "-due") { … }
  /// ```
  ///
  /// Errors in the arguments are thrown when iteration starts.
  ///
  /// - Parameters:
  ///   - schema: The name of the schema.
  ///   - condition: A condition, in the syntax of `datactl list --where`. If empty, all records
  ///     match.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  ///   - order: The fields to sort by, separated by commas; a `-` prefix sorts in descending order.
  ///     Ties are sorted by id.
  ///   - limit: The maximum number of records.
  ///   - relations: The relations to expand, as in ``get(_:in:expanding:)``.
  /// - Returns: A sequence that runs the query each time it is iterated.
  public func list(
    _ schema: String, where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:], order: String = "", limit: Int? = nil,
    expanding relations: String = ""
  ) -> RecordSequence {
    RecordSequence(
      client: self, type: nil,
      input: QueryInput(
        schema, where: condition, matching: matching, parameters: parameters, order: order,
        limit: limit), relations: relations)
  }

  /// Returns a sequence of the records that match a condition, decoded as a model type.
  ///
  /// When a model type is first used, its properties are validated against the schema's fields.
  /// Errors in the arguments are thrown when iteration starts.
  ///
  /// - Parameters:
  ///   - type: The model type, which determines the schema; see ``Recorded``.
  ///   - condition: A condition, in the syntax of `datactl list --where`. If empty, all records
  ///     match.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  ///   - order: The fields to sort by, separated by commas; a `-` prefix sorts in descending order.
  ///   - limit: The maximum number of records.
  /// - Returns: A sequence that runs the query each time it is iterated.
  public func list<Model: Codable & Sendable>(
    _ type: Model.Type, where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:], order: String = "", limit: Int? = nil
  ) -> ModelSequence<Model> {
    ModelSequence(
      records: RecordSequence(
        client: self, type: type,
        input: QueryInput(
          "", where: condition, matching: matching, parameters: parameters, order: order,
          limit: limit), relations: ""))
  }

  /// Returns the number of records that match a condition.
  ///
  /// ```swift
  /// let open = try await client.count("todo", where: "done = false")
  /// ```
  ///
  /// - Parameters:
  ///   - schema: The name of the schema.
  ///   - condition: A condition, in the syntax of `datactl list --where`. If empty, all records
  ///     match.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  /// - Returns: The number of records that match.
  /// - Throws: A ``DataError`` if the schema does not exist or the condition is invalid.
  public func count(
    _ schema: String, where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:]
  ) async throws -> Int {
    let input = QueryInput(
      schema, where: condition, matching: matching, parameters: parameters)
    return try await store.count(check(input, from: store).query())
  }

  /// Returns the number of records of a model type that match a condition.
  ///
  /// - Parameters:
  ///   - type: The model type, which determines the schema; see ``Recorded``.
  ///   - condition: A condition, in the syntax of `datactl list --where`. If empty, all records
  ///     match.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  /// - Returns: The number of records that match.
  /// - Throws: A ``DataError`` if the type does not match the schema or the condition is invalid.
  public func count<Model: Codable & Sendable>(
    _ type: Model.Type, where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:]
  ) async throws -> Int {
    try await count(
      checkedSchema(of: type).name, where: condition, matching: matching, parameters: parameters)
  }
}

extension QueryInput {
  init(
    _ schema: String, where condition: String, matching: [String: DraftValue],
    parameters: [String: DraftValue], order: String = "", limit: Int? = nil
  ) {
    self.init(
      schema, where: condition, matching: matching.mapValues(\.asJSON),
      parameters: parameters.mapValues(\.asJSON), order: order, limit: limit)
  }
}

extension DraftValue {
  /// The value as JSON. A value that is nested too deep becomes `outOfRange`, which every
  /// query rejects.
  fileprivate var asJSON: JSONValue {
    if form.isNull { return .null }
    var bytes: [UInt8] = []
    append(to: &bytes)
    if let value = try? JSONValue(parsing: bytes.span) { return value }
    return JSONNumber(text: Self.outOfRange).map(JSONValue.number) ?? .null
  }
}
