import DataModel
import DataStore
import TestSupport
import Testing

/// A new store of an engine with schemas, and shorthands for its operations.
struct StoreFixture {
  static let noon: Timestamp = "2026-11-20T12:00:00Z"
  static let later: Timestamp = "2026-11-20T13:00:00Z"

  let location: StoreLocation
  let engine: Engine
  let store: any Store

  init(_ engine: Engine, _ schemas: [Schema] = []) async throws {
    self.engine = engine
    location = try StoreLocation()
    store = try await engine.open(location)
    if !schemas.isEmpty { try await apply(schemas, reading: .complete) }
  }

  private init(location: StoreLocation, engine: Engine, store: any Store) {
    self.location = location
    self.engine = engine
    self.store = store
  }

  /// Closes the store and opens it again.
  func reopened() async throws -> StoreFixture {
    await store.close()
    return StoreFixture(location: location, engine: engine, store: try await engine.open(location))
  }

  /// Returns the same store, bound by the access rules for a caller.
  func bound(for caller: Caller, rules: @escaping Scope.RuleParser) -> StoreFixture {
    StoreFixture(
      location: location, engine: engine,
      store: BoundStore(store, for: caller, now: { Self.noon }, rules: rules) { _ in })
  }

  /// Plans and applies changes to these schemas.
  func apply(
    _ schemas: [Schema], reading: SchemaPlan.Coverage = .partial, allowingLoss: Set<String> = [],
    end: WriteRequest.End = .commit
  ) async throws {
    try await apply(
      schemas.map { DeclaredSchema($0) }, reading: reading, allowingLoss: allowingLoss, end: end)
  }

  /// Plans and applies changes to these schemas, some of which have `was` names.
  func apply(
    _ schemas: [DeclaredSchema], reading: SchemaPlan.Coverage = .partial,
    allowingLoss: Set<String> = [], end: WriteRequest.End = .commit
  ) async throws {
    let plan = try SchemaPlan(from: try await store.catalog(), to: schemas, reading: reading)
    try await apply(plan, allowingLoss: allowingLoss, end: end)
  }

  /// Applies a plan.
  func apply(
    _ plan: SchemaPlan, allowingLoss: Set<String> = [], end: WriteRequest.End = .commit
  ) async throws {
    try await store.apply(
      PlanRequest(
        plan, consents: allowingLoss, stamp: Stamp(time: Self.noon, user: "ann"),
        program: "test 1", end: end))
  }

  /// The result of a save.
  struct Saved {
    var outcomes: [Outcome]
    var records: [Record]
    var problems: [Problem]
    var committedLines: [Int]
    var error: DataError?
  }

  /// Saves rows as lines 1, 2, …, in chunks of a size, and returns the result and any error.
  func trySave(
    _ name: String, _ rows: [Row], by policy: SavePolicy = SavePolicy(), user: String? = nil,
    at time: Timestamp = noon, chunkSize: Int = 100, end: WriteRequest.End = .commit,
    onInvalid: WriteRequest.OnInvalid = .refuseAll, commitEvery: Int? = nil,
    finalError: DataError? = nil, receipt: Receipt? = nil, output: [UInt8]? = nil
  ) async throws -> Saved {
    let stored = try await store.catalog()
    let schema = try stored.catalog.schema(name)
    var chunks: [RowChanges] = []
    for (index, row) in rows.enumerated() {
      if index % chunkSize == 0 { chunks.append(RowChanges(for: schema)) }
      let problems = try chunks[chunks.count - 1].take(row, line: index + 1)
      if let error = DataError(problems) { throw error }
    }
    var source = RecordingSource(chunks)
    source.policy = policy
    source.skipsInvalid = onInvalid == .skip
    source.finalError = finalError
    source.output = output
    var request = WriteRequest(
      to: [schema], versions: stored.versions(concerning: schema),
      stamp: Stamp(time: time, user: user), end: end, onInvalid: onInvalid,
      commitEvery: commitEvery)
    request.receipt = receipt
    var failure: DataError?
    do {
      try await store.write(request, from: &source)
    } catch {
      failure = error
    }
    return Saved(
      outcomes: source.outcomes, records: source.saved.map(Record.init), problems: source.problems,
      committedLines: source.committedLines, error: failure)
  }

  /// Saves rows and returns their outcomes. Throws if a row is rejected.
  @discardableResult
  func save(
    _ name: String, _ rows: Row..., by policy: SavePolicy = SavePolicy(), user: String? = nil,
    at time: Timestamp = noon
  ) async throws -> [Outcome] {
    let saved = try await trySave(name, rows, by: policy, user: user, at: time)
    if let error = saved.error { throw error }
    return saved.outcomes
  }

  /// Expects a save to be rejected without a change, and returns its problems.
  func rejection(
    of name: String, _ rows: Row..., by policy: SavePolicy = SavePolicy(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [Problem] {
    let before = try await everything()
    let saved = try await trySave(name, rows, by: policy, at: StoreFixture.later)
    #expect(saved.committedLines == [], sourceLocation: sourceLocation)
    #expect(try await everything() == before, sourceLocation: sourceLocation)
    return saved.error?.problems ?? []
  }

  /// Returns all records of a schema, in the order of their ids by default.
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

  /// Returns the ids of records, in order.
  func ids(
    _ name: String, where condition: Condition = .all, order: String..., limit: Int? = nil
  ) async throws -> [Value?] {
    let key = try await store.catalog().catalog.schema(name).key.name
    return try await all(
      name, where: condition, order: order.map(OrderTerm.init(text:)), limit: limit
    ).map { $0[key] }
  }

  /// Returns a record, or nil if there is none with the id.
  func record(_ name: String, _ id: String) async throws -> Record? {
    let schema = try await store.catalog().catalog.schema(name)
    let found = try await store.find([id], in: schema, slots: Array(0..<schema.width))
    return found.missing.isEmpty ? Record(found.rows, 0, of: schema) : nil
  }

  /// Returns the bytes of a file, or nil if the field has none.
  func content(_ name: String, _ id: String, _ field: String) async throws -> [UInt8]? {
    let schema = try await store.catalog().catalog.schema(name)
    let slot = try #require(schema.slot(named: field))
    guard let stream = try await store.content(of: slot, id: id, in: schema) else { return nil }
    var bytes: [UInt8] = []
    while let piece = try await stream.next() { bytes += piece }
    return bytes
  }

  /// Returns every record of every schema, to compare before and after.
  func everything() async throws -> [String: [Record]] {
    var everything: [String: [Record]] = [:]
    for schema in try await store.catalog().catalog.schemas {
      everything[schema.name] = try await all(schema.name)
    }
    return everything
  }

  @discardableResult
  func delete(
    _ name: String, _ selection: DeleteRequest.Selection,
    missing: DeleteRequest.Missing = .refused, revision: Int64? = nil, user: String? = nil,
    at time: Timestamp = noon, end: WriteRequest.End = .commit
  ) async throws -> DeleteSummary {
    let stored = try await store.catalog()
    let schema = try stored.catalog.schema(name)
    return try await store.delete(
      DeleteRequest(schema, selection, missing: missing, revision: revision),
      WriteRequest(
        to: [schema], versions: stored.versions(concerning: schema),
        stamp: Stamp(time: time, user: user), end: end))
  }

  /// Expects a deletion to be rejected without a change, and returns its problems.
  func rejectedDeletion(
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
  /// Creates a schema and adds a key field.
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

extension StoreFixture {
  /// Saves all records of a world: first their ids only, so that references find them.
  func save(_ sampleData: SampleData) async throws {
    let stored = try await store.catalog()
    for chunks in [sampleData.keyChunks, sampleData.chunks] {
      for schema in stored.catalog.schemas {
        var source = RecordingSource([try #require(chunks[schema.name])])
        try await store.write(
          WriteRequest(
            to: [schema], versions: stored.versions(concerning: schema), stamp: sampleData.stamp),
          from: &source)
      }
    }
  }

  /// Returns the ids of a query's records, in order.
  func ids(_ query: Query) async throws -> [String] { try await store.ids(query) }

  /// Returns the rows of a group query, keyed by column name.
  func groups(_ query: GroupQuery) async throws -> [Record] { try await store.groups(query) }
}

extension StoreReader {
  /// Returns the ids of a query's records, in order.
  func ids(_ query: Query) async throws -> [String] {
    let stream = try await records(query)
    var ids: [String] = []
    var rows = Rows(width: query.width)
    while let next = try await stream.next(reusing: rows) {
      ids += (0..<next.count).map { next.text(next[$0, query.schema.keySlot]) }
      rows = next
    }
    return ids
  }

  /// Returns the rows of a group query, keyed by column name.
  func groups(_ query: GroupQuery) async throws -> [Record] {
    let columns = try query.columns(in: try await catalog().catalog)
    let stream: any RecordStream = try await groups(query)
    var records: [Record] = []
    while let rows = try await stream.next(reusing: Rows(width: columns.count)) {
      for row in 0..<rows.count {
        var record = Record()
        for (index, column) in columns.enumerated() {
          record.values[column.name] = rows.value(rows[row, index], of: column.type)
        }
        records.append(record)
      }
    }
    return records
  }
}

extension Problem {
  /// Returns the problem for a unique value that the record with the given id has.
  func held(by id: String) -> Problem {
    var problem = self
    problem.holder = id
    return problem
  }
}
