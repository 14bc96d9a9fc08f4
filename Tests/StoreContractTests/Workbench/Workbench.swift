import DataModel
import DataStore
import Testing

/// A fresh store of an engine with some schemas, and the calls that tests make of it, in short.
struct Workbench {
  static let noon: Timestamp = "2026-11-20T12:00:00Z"
  static let later: Timestamp = "2026-11-20T13:00:00Z"

  let place: Place
  let engine: Engine
  let store: any DataStore

  init(_ engine: Engine, _ schemas: [Schema] = []) async throws {
    self.engine = engine
    place = try Place()
    store = try await engine.open(place)
    if !schemas.isEmpty { try await apply(schemas, reading: .ofStore) }
  }

  private init(place: Place, engine: Engine, store: any DataStore) {
    self.place = place
    self.engine = engine
    self.store = store
  }

  /// Closes the store and opens it again.
  func reopened() async throws -> Workbench {
    await store.close()
    return Workbench(place: place, engine: engine, store: try await engine.open(place))
  }

  /// Leads the store to these schemas.
  func apply(
    _ schemas: [Schema], reading: SchemaPlan.Reading = .ofSchemas, allowingLoss: Set<String> = [],
    end: SaveRequest.End = .commit
  ) async throws {
    try await apply(
      schemas.map { DeclaredSchema($0) }, reading: reading, allowingLoss: allowingLoss, end: end)
  }

  /// Leads the store to schemas that were called otherwise before.
  func apply(
    _ schemas: [DeclaredSchema], reading: SchemaPlan.Reading = .ofSchemas,
    allowingLoss: Set<String> = [], end: SaveRequest.End = .commit
  ) async throws {
    let plan = try SchemaPlan(from: try await store.catalog(), to: schemas, reading: reading)
    try await carryOut(plan, allowingLoss: allowingLoss, end: end)
  }

  /// Carries out a plan.
  func carryOut(
    _ plan: SchemaPlan, allowingLoss: Set<String> = [], end: SaveRequest.End = .commit
  ) async throws {
    try await store.carryOut(
      PlanRequest(
        plan, consents: allowingLoss, stamp: Stamp(time: Self.noon, user: "ann"),
        program: "test 1", end: end))
  }

  /// What a save did.
  struct Saved {
    var outcomes: [Outcome]
    var records: [Record]
    var problems: [Problem]
    var committedLines: [Int]
    var error: DataError?
  }

  /// Saves rows, one a line, in batches of a size, and tells what happened.
  func trySave(
    _ name: String, _ rows: [Row], by policy: SavePolicy = SavePolicy(), user: String? = nil,
    at time: Timestamp = noon, batchSize: Int = 100, end: SaveRequest.End = .commit,
    onInvalid: SaveRequest.OnInvalid = .refuseAll, commitEvery: Int? = nil,
    lastWord: DataError? = nil
  ) async throws -> Saved {
    let stored = try await store.catalog()
    let schema = try stored.catalog.schema(name)
    var batches: [Changes] = []
    for (index, row) in rows.enumerated() {
      if index % batchSize == 0 { batches.append(Changes(for: schema)) }
      let problems = try batches[batches.count - 1].take(row, line: index + 1)
      if let error = DataError(problems) { throw error }
    }
    var exchange = Exchange(batches)
    exchange.skipsInvalid = onInvalid == .skip
    exchange.lastWord = lastWord
    let request = SaveRequest(
      schema: schema, catalogVersion: stored.version, policy: policy,
      stamp: Stamp(time: time, user: user), end: end, onInvalid: onInvalid,
      commitEvery: commitEvery)
    var failure: DataError?
    do {
      try await store.save(request, through: &exchange)
    } catch {
      failure = error
    }
    return Saved(
      outcomes: exchange.outcomes, records: exchange.saved, problems: exchange.problems,
      committedLines: exchange.committedLines, error: failure)
  }

  /// Saves rows and returns their outcomes; a refusal is an error.
  @discardableResult
  func save(
    _ name: String, _ rows: Row..., by policy: SavePolicy = SavePolicy(), user: String? = nil,
    at time: Timestamp = noon
  ) async throws -> [Outcome] {
    let saved = try await trySave(name, rows, by: policy, user: user, at: time)
    if let error = saved.error { throw error }
    return saved.outcomes
  }

  /// Saves rows that are to be refused, makes sure that nothing changed, and returns the problems.
  func refusal(
    of name: String, _ rows: Row..., by policy: SavePolicy = SavePolicy(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [Problem] {
    let before = try await everything()
    let saved = try await trySave(name, rows, by: policy, at: Workbench.later)
    #expect(saved.committedLines == [], sourceLocation: sourceLocation)
    #expect(try await everything() == before, sourceLocation: sourceLocation)
    return saved.error?.problems ?? []
  }

  /// All the records of a schema, in the order of their ids unless another is asked.
  func all(
    _ name: String, where condition: Condition = .all, order: [OrderTerm] = [], limit: Int? = nil
  ) async throws -> [Record] {
    let schema = try await store.catalog().catalog.schema(name)
    let stream = try await store.records(
      Query(schema, where: condition, order: order, limit: limit))
    var records: [Record] = []
    var rows = Rows(width: schema.width)
    while let next = try await stream.next(reusing: rows) {
      for row in 0..<next.count { records.append(Record(next, row, of: schema)) }
      rows = next
    }
    return records
  }

  /// The ids of records in an order.
  func ids(
    _ name: String, where condition: Condition = .all, order: String..., limit: Int? = nil
  ) async throws -> [Value?] {
    let key = try await store.catalog().catalog.schema(name).key.name
    return try await all(
      name, where: condition, order: order.map(OrderTerm.init(text:)), limit: limit
    ).map { $0[key] }
  }

  /// One record.
  func record(_ name: String, _ id: String) async throws -> Record? {
    let schema = try await store.catalog().catalog.schema(name)
    let found = try await store.find([id], in: schema, slots: Array(0..<schema.width))
    return found.missing.isEmpty ? Record(found.rows, 0, of: schema) : nil
  }

  /// The bytes of a file.
  func content(_ name: String, _ id: String, _ field: String) async throws -> [UInt8]? {
    let schema = try await store.catalog().catalog.schema(name)
    let slot = try #require(schema.slot(named: field))
    guard let stream = try await store.content(of: slot, id: id, in: schema) else { return nil }
    var bytes: [UInt8] = []
    while let piece = try await stream.next() { bytes += piece }
    return bytes
  }

  /// Every record of every schema: what must be the same after a refusal.
  func everything() async throws -> [String: [Record]] {
    var everything: [String: [Record]] = [:]
    for schema in try await store.catalog().catalog.schemas {
      everything[schema.name] = try await all(schema.name)
    }
    return everything
  }

  /// Deletes records.
  @discardableResult
  func delete(
    _ name: String, _ selection: DeleteRequest.Selection,
    missing: DeleteRequest.Missing = .refused, revision: Int64? = nil, user: String? = nil,
    at time: Timestamp = noon, end: SaveRequest.End = .commit
  ) async throws -> DeleteSummary {
    let stored = try await store.catalog()
    return try await store.delete(
      DeleteRequest(
        schema: try stored.catalog.schema(name), catalogVersion: stored.version,
        selection: selection, missing: missing, revision: revision,
        stamp: Stamp(time: time, user: user), end: end))
  }

  /// Deletes records that are to be refused, makes sure that nothing changed, and returns why.
  func refusedDeletion(
    _ name: String, _ selection: DeleteRequest.Selection, revision: Int64? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [Problem] {
    let before = try await everything()
    do {
      let summary = try await delete(name, selection, revision: revision)
      Issue.record("deleted: \(summary)", sourceLocation: sourceLocation)
      return []
    } catch let error as DataError {
      #expect(try await everything() == before, sourceLocation: sourceLocation)
      return error.problems
    }
  }
}

extension Schema {
  /// A schema as a test declares it: the key is added.
  static func test(
    _ name: String, _ fields: Field..., kind: Kind = .records, indexes: [[String]] = [],
    doc: String? = nil, properties: [(String, String)] = []
  ) throws -> Schema {
    var draft = SchemaDraft(name: name)
    draft.kind = kind
    draft.doc = doc
    let key = kind == .user ? "username" : name + "_id"
    draft.fields = ([Field(key, .id)] + fields).map { .init($0) }
    draft.indexes = indexes.map { .init($0.map(OrderTerm.init(text:))) }
    draft.properties = properties.map { .init($0.0, field: $0.1) }
    return try Schema(checking: draft)
  }
}
