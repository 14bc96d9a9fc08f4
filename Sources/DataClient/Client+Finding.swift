internal import DataStore

extension Client {
  /// Gets a record by its id; nil if there is none.
  public func get(_ id: String, in schema: String) async throws -> Record? {
    let (schema, found) = try await find([id], inSchemaNamed: schema)
    return found.missing.isEmpty ? Record(schema, found.rows, 0) : nil
  }

  /// Gets records by their ids, in the order asked; ids that are not there are named in the error.
  public func get(_ ids: [String], in schema: String) async throws -> [Record] {
    let (schema, found) = try await find(ids, inSchemaNamed: schema)
    let missing = found.missing.map { place in
      Problem(.notFound, "there is no such record", schema: schema.name, id: ids[place])
    }
    if let error = DataError(missing) { throw error }
    return (0..<found.rows.count).map { Record(schema, found.rows, $0) }
  }

  /// Gets a value of a type of your own by its id; nil if there is none.
  public func get<Model: Codable & Sendable>(
    _ type: Model.Type, _ id: String
  ) async throws -> Model? {
    let schema = try await checkedSchema(of: type)
    return try await get(id, in: schema.name)?.decode(type)
  }

  /// Lists records, as they are found.
  ///
  /// ```swift
  /// for try await record in client.list("todo", where: "due < now()", order: "-due") { … }
  /// ```
  ///
  /// - Parameters:
  ///   - condition: a condition, as `list --where` takes it; none is all records.
  ///   - matching: the values that fields must have as well; over a list, some element has it. `nil`
  ///     asks for a field without a value.
  ///   - parameters: what stands for `:name` in the condition.
  ///   - order: the fields to order by, with commas between; `-` before one turns it round. The id
  ///     decides between equals.
  ///   - limit: how many records at the most.
  public func list(
    _ schema: String, where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:], order: String = "", limit: Int? = nil
  ) -> RecordSequence {
    RecordSequence(
      client: self, type: nil,
      question: Question(
        schema, where: condition, matching: matching, parameters: parameters, order: order,
        limit: limit))
  }

  /// Lists values of a type of your own, as they are found.
  ///
  /// The first list of a type compares its properties with the schema's fields.
  public func list<Model: Codable & Sendable>(
    _ type: Model.Type, where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:], order: String = "", limit: Int? = nil
  ) -> ModelSequence<Model> {
    ModelSequence(
      records: RecordSequence(
        client: self, type: type,
        question: Question(
          "", where: condition, matching: matching, parameters: parameters, order: order,
          limit: limit)))
  }

  /// Counts records.
  public func count(
    _ schema: String, where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:]
  ) async throws -> Int {
    let question = Question(
      schema, where: condition, matching: matching, parameters: parameters)
    return try await store.count(check(question, from: store).query())
  }
}
