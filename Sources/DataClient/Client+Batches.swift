internal import ClientCore
internal import DataStore
internal import JSONText
internal import RecordText

/// Operations on records of several schemas, which ``Client/batch(_:)`` executes in one
/// transaction.
public struct Batch: Sendable {
  enum Operation: Sendable {
    /// A save of a draft. The members are the optional keys of the operation's JSON object, such as
    /// `mode`.
    case save(Draft, schema: String, [JSONValue.Member])
    /// A deletion, check or read, as the members of its JSON object.
    case other([JSONValue.Member])
  }

  private(set) var operations: [Operation] = []
  /// The numbers of the operations that `getJSON` has added. Their results are JSON objects instead
  /// of records. The first operation of the batch has the number 1.
  private(set) var jsonOperations: Set<Int> = []

  /// Creates a batch without operations.
  public init() {}

  /// Adds an operation that saves a record. If the draft has no id, assigns a new id.
  ///
  /// ```swift
  /// let results = try await client.batch { $0.save(["todo_id": "t1", "done": true], in: "todo") }
  /// ```
  ///
  /// - Parameters:
  ///   - draft: The fields to save.
  ///   - schema: The name of the schema.
  ///   - mode: How the save treats records that already exist and those that do not.
  ///   - ignoringRevision: Whether the record is saved even if the draft has a revision that
  ///     differs from the stored one.
  /// - Returns: A reference to the record, for relation fields of other records.
  @discardableResult
  public mutating func save(
    _ draft: Draft, in schema: String, mode: SaveMode = .createOrChange,
    ignoringRevision: Bool = false
  ) -> Reference {
    var draft = draft
    let key = [schema + "_id", "username"].first { draft.value(ofField: $0) != nil }
    if key == nil { draft.assignID(in: schema) }
    var members = [JSONValue.Member("mode", .text(mode.word))]
    if ignoringRevision { members.append(.init("any_revision", .boolean(true))) }
    operations.append(.save(draft, schema: schema, members))
    if case .value(.text(let id)) = draft.value(ofField: key ?? schema + "_id")?.form {
      return Reference(id)
    }
    return Reference("")
  }

  /// Adds an operation that changes all records that match a condition.
  ///
  /// - Parameters:
  ///   - draft: The fields to change.
  ///   - schema: The name of the schema.
  ///   - condition: A condition, in the syntax of `datactl list --where`.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  public mutating func save(
    _ draft: Draft, in schema: String, where condition: String,
    parameters: [String: DraftValue] = [:]
  ) {
    operations.append(.save(draft, schema: schema, Self.members(where: condition, parameters)))
  }

  /// Adds an operation that saves a value of a model type.
  ///
  /// A batch cannot save a value that contains other records: save these first, and use references.
  ///
  /// - Parameters:
  ///   - value: The value to save. Its type determines the schema; see ``Recorded``.
  ///   - mode: How the save treats records that already exist and those that do not.
  ///   - ignoringRevision: Whether the record is saved even if the value has a revision that
  ///     differs from the stored one.
  /// - Returns: A reference to the record, for relation fields of other records.
  /// - Throws: A ``DataError`` if the value cannot be encoded.
  @discardableResult
  public mutating func save<Model: Codable & Sendable>(
    _ value: Model, mode: SaveMode = .createOrChange, ignoringRevision: Bool = false
  ) throws -> Reference {
    save(
      try Draft(encoding: value), in: try TypeNames.schema(of: Model.self), mode: mode,
      ignoringRevision: ignoringRevision)
  }

  /// Adds an operation that deletes the record with the given id.
  ///
  /// ```swift
  /// let results = try await client.batch { $0.delete("t1", in: "todo") }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - schema: The name of the schema.
  ///   - revision: The revision that the record must have. If nil, the record is deleted
  ///     regardless of its revision.
  ///   - ifExists: Whether the operation does nothing if the record does not exist. If false, the
  ///     batch fails.
  public mutating func delete(
    _ id: String, in schema: String, revision: Int64? = nil, ifExists: Bool = false
  ) {
    var members = [JSONValue.Member("delete", .text(schema)), .init("id", .text(id))]
    if ifExists { members.append(.init("if_exists", .boolean(true))) }
    if let revision { members.append(.init("revision", .number(JSONNumber(revision)))) }
    operations.append(.other(members))
  }

  /// Adds an operation that deletes all records that match a condition.
  ///
  /// - Parameters:
  ///   - schema: The name of the schema.
  ///   - condition: A condition, in the syntax of `datactl list --where`.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  public mutating func delete(
    in schema: String, where condition: String, parameters: [String: DraftValue] = [:]
  ) {
    operations.append(
      .other(
        [.init("delete", .text(schema))] + Self.members(where: condition, parameters)))
  }

  /// Adds a check that a record exists and matches a condition. If it does not, the batch fails.
  ///
  /// Other clients cannot change the record until the batch is committed.
  ///
  /// ```swift
  /// try await client.batch { batch in
  ///   batch.check("t1", in: "todo", where: "done = false")
  ///   batch.save(["todo_id": "t1", "done": true], in: "todo")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - schema: The name of the schema.
  ///   - condition: A condition, in the syntax of `datactl list --where`. If it is empty, the
  ///     record only has to exist.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  public mutating func check(
    _ id: String, in schema: String, where condition: String = "",
    parameters: [String: DraftValue] = [:]
  ) {
    operations.append(
      .other(
        [.init("check", .text(schema)), .init("id", .text(id))]
          + Self.members(where: condition, parameters)))
  }

  /// Adds a check that exactly the given number of records match a condition. If another number of
  /// records match, the batch fails.
  ///
  /// Other clients cannot change the records of the schema until the batch is committed.
  ///
  /// - Parameters:
  ///   - count: The expected number of records.
  ///   - schema: The name of the schema.
  ///   - condition: A condition, in the syntax of `datactl list --where`. If it is empty, all
  ///     records match.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  public mutating func check(
    count: Int, in schema: String, where condition: String = "",
    parameters: [String: DraftValue] = [:]
  ) {
    operations.append(
      .other(
        [.init("check", .text(schema)), .init("count", .number(JSONNumber(Int64(count))))]
          + Self.members(where: condition, parameters)))
  }

  /// Adds an operation that reads the record with the given id. The result includes the changes
  /// made by earlier operations of the batch.
  ///
  /// ```swift
  /// let results = try await client.batch { $0.get("t1", in: "todo") }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - schema: The name of the schema.
  public mutating func get(_ id: String, in schema: String) {
    operations.append(.other([.init("get", .text(schema)), .init("id", .text(id))]))
  }

  /// Adds an operation that reads chosen fields of the record with the given id as a JSON object.
  /// It can also read the records that this record refers to. The result includes the changes made
  /// by earlier operations of the batch.
  ///
  /// ```swift
  /// batch.getJSON("o1", in: "order", fields: "title, gross = net * 1.08", expanding: "customer")
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - schema: The name of the schema.
  ///   - fields: The fields, in the syntax of `datactl get --fields`. If empty, all fields are
  ///     read.
  ///   - relations: The relations whose records are nested in place of their ids, in the syntax of
  ///     `datactl get --expand`. If empty, relations contain ids.
  public mutating func getJSON(
    _ id: String, in schema: String, fields: String = "", expanding relations: String = ""
  ) {
    var members = [JSONValue.Member("get", .text(schema)), .init("id", .text(id))]
    if !fields.isEmpty { members.append(.init("fields", .text(fields))) }
    if !relations.isEmpty { members.append(.init("expand", .text(relations))) }
    operations.append(.other(members))
    jsonOperations.insert(operations.count)
  }

  private static func members(
    where condition: String, _ parameters: [String: DraftValue]
  ) -> [JSONValue.Member] {
    guard !condition.isEmpty else { return [] }
    let values = parameters.sorted { $0.key < $1.key }.compactMap { name, value in
      (try? JSONValue(parsing: value.jsonText)).map { JSONValue.Member(name, $0) }
    }
    return [.init("where", .text(condition))]
      + (values.isEmpty ? [] : [.init("param", .object(values))])
  }
}

/// The result of one operation of a batch.
public enum BatchResult: Hashable, Sendable {
  /// A record was saved. The associated value is the record with all its fields, as stored.
  case saved(Record)
  /// Records that match a condition were changed. The associated value is their number.
  case changed(Int)
  /// Records were deleted. The associated value contains their numbers.
  case deleted(Deletion)
  /// A check succeeded.
  case checked
  /// A record was read. The associated value is the record with all its fields.
  case read(Record)
  /// A record was read with ``Batch/getJSON(_:in:fields:expanding:)``. The associated value is a
  /// JSON object, in UTF-8.
  case readJSON([UInt8])
}

extension Client {
  /// Executes operations on records of several schemas in one transaction, in order.
  ///
  /// ```swift
  /// try await client.batch { batch in
  ///   let order = batch.save(["title": "Tea", "customer": "ann"], in: "order")
  ///   batch.save(["order": .reference(order), "product": "tea"], in: "line")
  ///   batch.save(["product_id": "tea", "stock": .add(-2)], in: "product", mode: .update)
  ///   batch.check("tea", in: "product", where: "stock >= 0")
  /// }
  /// ```
  ///
  /// - Parameter body: A closure that adds the operations to the batch.
  /// - Returns: One result for each operation.
  /// - Throws: A ``DataError`` if an operation fails. In that case, nothing is changed. The
  ///   `operation` of each problem is the number of the operation, starting at 1.
  @discardableResult
  public func batch(_ body: (inout Batch) throws -> Void) async throws -> [BatchResult] {
    var batch = Batch()
    try body(&batch)
    if batch.operations.isEmpty { return [] }
    return try await inLibraryWords { [batch] () throws(DataError) in
      switch executor {
      case .store(let store): try await execute(batch, in: store)
      case .server(let server): try await execute(batch, in: server)
      }
    }
  }

  private func execute(
    _ batch: Batch, in store: any Store
  ) async throws(DataError) -> [BatchResult] {
    let stored = try await store.catalog()
    let text = try batch.text(in: stored.catalog)
    let plan = try BatchPlan(BatchText(BytesInMemory(text), file: "batch"), in: stored)
    let stamp = try await stamp()
    var run = BatchRun(
      plan, now: stamp.time, ids: IDGenerator(clock: { stamp.time.microseconds }),
      listener: ResultCollector(jsonOperations: batch.jsonOperations))
    do throws(DataError) {
      try await self.run(&run, plan.request(stamp: stamp, end: end))
    } catch {
      throw error.modifyingProblems { $0.file = nil }
    }
    return run.listener.results
  }

  private func execute(
    _ batch: Batch, in server: ServerExecutor
  ) async throws(DataError) -> [BatchResult] {
    let catalog = try await catalog(from: server).stored.catalog
    do throws(DataError) {
      let results = try await self.batch(batch.text(in: catalog), in: server)
      guard results.count == batch.operations.count else {
        throw server.responses.invalidResponse(
          results.isEmpty
            ? "the operations were executed, but their results were lost"
            : "it has \(results.count) results")
      }
      var number = 0
      return try results.map { result throws(DataError) in
        defer { number += 1 }
        return try batch.operations[number].result(
          result, isJSON: batch.jsonOperations.contains(number + 1), in: catalog, from: server)
      }
    } catch {
      throw error.modifyingProblems { $0.file = nil }
    }
  }
}

extension Batch {
  /// Returns the operations as NDJSON.
  fileprivate func text(in catalog: Catalog) throws(DataError) -> [UInt8] {
    var text: [UInt8] = []
    for (index, operation) in operations.enumerated() {
      do throws(DataError) {
        try operation.append(to: &text, in: catalog)
      } catch {
        throw error.modifyingProblems { problem in
          problem.line = index + 1
          problem.operation = index + 1
        }
      }
    }
    return text
  }
}

extension Batch.Operation {
  /// The name of the schema of the operation.
  private var schema: String {
    switch self {
    case .save(_, let schema, _): return schema
    case .other(let members):
      if case .text(let schema)? = members.first?.value { return schema }
      return ""
    }
  }

  /// Returns the result of this operation that a server has sent.
  fileprivate func result(
    _ sent: SentResult, isJSON: Bool, in catalog: Catalog, from server: ServerExecutor
  ) throws(DataError) -> BatchResult {
    switch (self, sent.verb) {
    case (_, "delete"): return .deleted(Deletion(sent.deleted))
    case (_, "check"): return .checked
    case (.save, _) where sent.record == nil: return .changed(sent.deleted.deleted)
    case (.other, "get") where isJSON: return .readJSON(sent.record ?? [])
    case (.save, _), (.other, _):
      let schema = try catalog.schema(schema)
      let records = try server.responses.rows(sent.record ?? [], of: schema).records(of: schema)
      guard let record = records.first else {
        throw server.responses.invalidResponse("a record is missing")
      }
      if case .save = self { return .saved(record) }
      return .read(record)
    }
  }
}

extension Batch.Operation {
  /// Appends the operation as a line of NDJSON.
  fileprivate func append(
    to output: inout [UInt8], in catalog: Catalog
  ) throws(DataError) {
    switch self {
    case .other(let members): JSONValue.object(members).write(to: &output)
    case .save(let draft, let name, let members):
      let schema = try catalog.schema(name)
      var record = DraftText([draft], for: schema)
      if let error = DataError(record.problems(of: draft)) { throw error }
      JSONValue.object([.init("save", .text(name))] + members).write(to: &output)
      // Remove the closing brace, because the record follows as the last member.
      output.removeLast()
      output += Array(",\"record\":".utf8)
      while record.read(into: &output, atMost: .max) > 0 {}
      // Remove the newline that follows each draft.
      output.removeLast()
      output.append(UInt8(ascii: "}"))
    }
    output.append(UInt8(ascii: "\n"))
  }
}

extension Draft {
  /// Returns the value of the field with the given name, or nil if it is not in the draft. The key
  /// in the draft can be the field name or the property name.
  fileprivate func value(ofField name: String) -> DraftValue? {
    entries.first { $0.name == name || Names.fieldName(ofProperty: $0.name) == name }?.value
  }
}

extension SaveMode {
  fileprivate var word: String {
    switch self {
    case .createOrChange: "save"
    case .create: "create"
    case .update: "update"
    case .replace: "replace"
    }
  }
}

/// Collects the results of a batch.
private struct ResultCollector: BatchListener {
  /// The numbers of the operations that `Batch.getJSON` has added. Their results are JSON objects
  /// instead of records.
  let jsonOperations: Set<Int>
  private(set) var results: [BatchResult] = []

  mutating func completed(
    _ number: Int, _ outcome: borrowing BatchOutcome
  ) throws(DataError) {
    switch outcome {
    case .saved(_, let changes, let row):
      var check = StoredValueCheck(of: changes.schema)
      results.append(
        .saved(try Record(changes.schema, changes.rows, row, checkedBy: &check)))
    case .changed(let count, _): results.append(.changed(count))
    case .deleted(let summary, _): results.append(.deleted(Deletion(summary)))
    case .checked: results.append(.checked)
    case .read(let rows, _, var writer) where jsonOperations.contains(number):
      var json: [UInt8] = []
      // The result is ignored, because the batch has already validated the values.
      _ = writer.writeObject(rows, 0, to: &json)
      results.append(.readJSON(json))
    case .read(let rows, let schema, _):
      var check = StoredValueCheck(of: schema)
      results.append(.read(try Record(schema, rows, 0, checkedBy: &check)))
    }
  }
}
