import DataModel
import DataStore
import TestSupport
import Testing

@Suite("Store contract: random access rules for writes", .tags(.random))
struct RandomAccessWriteTests {
  private static let runs =
    Seeds.count(check: 2, test: 20, all: 150).map { (Engine.sqlite, $0) }
    + Seeds.count(check: 1, test: 10, all: 20).map { (Engine.memory, $0) }
    + Engine.servers.flatMap { server in
      Seeds.count(test: 2, all: 20).map { (server, $0) }
    }

  /// Random rules for each verb of each schema.
  private struct Rules {
    var conditions: [String: Condition] = [:]
    let scope: Scope

    /// Creates rules for schemas whose declared rules are `SCHEMA VERB`.
    init(_ data: inout SampleData, _ stored: StoredCatalog) throws {
      for schema in stored.catalog.schemas {
        for verb in RandomAccessWriteTests.verbs {
          conditions["\(schema.name) \(verb.rawValue)"] = data.rule(of: schema)
        }
      }
      scope = try Scope(
        user: "user-1", roles: [], catalog: stored.catalog, version: stored.version
      ) { [conditions] (text, _, _, _) in conditions[text] ?? .not(.all) }
    }

    func condition(_ verb: AccessVerb, _ schema: Schema) -> Condition {
      conditions["\(schema.name) \(verb.rawValue)"] ?? .not(.all)
    }

    /// Whether the rules could allow the verb for some record.
    func mayAllow(_ verb: AccessVerb, _ schema: Schema) -> Bool {
      scope.permission(to: verb, schema.name) != .none
    }
  }

  private static let verbs: [AccessVerb] = [.read, .create, .update, .delete]

  private func fixture(_ engine: Engine, _ data: SampleData) async throws -> StoreFixture {
    var schemas: [Schema] = []
    for schema in data.catalog.schemas {
      var draft = SchemaDraft(schema)
      for verb in Self.verbs {
        draft.access[verb] = [.condition("\(schema.name) \(verb.rawValue)")]
      }
      schemas.append(try Schema(checking: draft))
    }
    let fixture = try await StoreFixture(engine, schemas)
    try await fixture.save(data)
    return fixture
  }

  @Test(
    "executes exactly the writes that access rules allow, with the same changes as without rules",
    arguments: runs)
  func writes(engine: Engine, seed: Int) async throws {
    var data = try SampleData(seed: UInt64(seed))
    let fixture = try await fixture(engine, data)
    let unbound = try await self.fixture(.memory, data)
    let stored = try await fixture.store.catalog()
    var (saved, refused) = (0, 0)
    for _ in 0..<12 {
      let rules = try Rules(&data, stored)
      for _ in 0..<10 {
        let write = try data.write()
        guard rules.scope.catalog[write.schema.name] != nil else { continue }
        let expected = try await expectedCodes(write, rules, fixture, stored, data.stamp)
        let code = try await run(write, fixture, stored, data.stamp, rules.scope).code
        let text = "seed \(seed): \(write)"
        if let code {
          #expect(expected.contains(code), "\(text)")
          refused += 1
        } else {
          #expect(expected.isEmpty, "\(text)")
          #expect(try await run(write, unbound, stored, data.stamp).code == nil, "\(text)")
          saved += 1
        }
      }
      #expect(try await fixture.everything() == unbound.everything(), "seed \(seed)")
    }
    #expect(saved >= 5 && refused >= 5, "seed \(seed): \(saved) saved, \(refused) refused")
  }

  /// Returns the codes of which one must be the code of a bound write. They are empty if the write
  /// must succeed.
  private func expectedCodes(
    _ write: SampleWrite, _ rules: Rules, _ fixture: StoreFixture, _ stored: StoredCatalog,
    _ stamp: Stamp
  ) async throws -> Set<ErrorCode> {
    let schema = try stored.catalog.schema(write.schema.name)
    let isRecord = Condition.equals(field: schema.key.name, value: .text(write.id))
    func allows(_ verb: AccessVerb?) async throws -> Bool {
      let rule = verb.map { rules.condition($0, schema) } ?? .all
      return try await fixture.store.count(Query(schema, where: .every([isRecord, rule]))) > 0
    }
    let exists = try await allows(nil)
    let isReadable = try await allows(.read)
    switch write.kind {
    case .delete:
      guard rules.mayAllow(.delete, schema) else { return [.forbidden] }
      guard isReadable else { return [.notFound] }
      guard try await allows(.delete) else { return [.forbidden] }
      let result = try await run(write, fixture, stored, stamp, end: .rollBack)
      return result.code.map { [$0] } ?? []
    case .save(_, let mode):
      let verbs: [AccessVerb] =
        switch mode {
        case .create: [.create]
        case .update: [.update]
        case .createOrChange, .replace: [.create, .update]
        }
      guard verbs.contains(where: { rules.mayAllow($0, schema) }) else { return [.forbidden] }
      if exists, !isReadable { return mode == .update ? [.notFound] : [.exists] }
      if exists, mode == .create { return [.exists] }
      if exists, !(try await allows(.update)) { return [.forbidden] }
      if !exists, mode == .update { return [.notFound] }
      if !exists, !rules.mayAllow(.create, schema) { return [.forbidden] }
      return try await expectedCodes(
        ofSave: write, existing: exists, rules, fixture, stored, stamp)
    }
  }

  /// Returns the codes that depend on the record as it is after the save.
  private func expectedCodes(
    ofSave write: SampleWrite, existing exists: Bool, _ rules: Rules, _ fixture: StoreFixture,
    _ stored: StoredCatalog, _ stamp: Stamp
  ) async throws -> Set<ErrorCode> {
    let schema = try stored.catalog.schema(write.schema.name)
    let old = try await fixture.record(schema.name, write.id)
    let rule = rules.condition(exists ? .update : .create, schema)
    var targets: [(schema: Schema, id: String)] = []
    var result = try await run(
      write, fixture, stored, stamp, end: .rollBack, reading: [(schema, write.id, rule)])
    guard let record = result.records.first, result.code == nil else {
      return result.code.map { [$0, .forbidden, .danglingReference] } ?? []
    }
    if result.outcomes == [.same] { return [] }
    for field in schema.fields {
      guard let relation = field.type.relation else { continue }
      let target = try stored.catalog.schema(relation.target)
      let before = Set((old?[field.name] ?? .null).ids)
      for id in (record[field.name] ?? .null).ids where !before.contains(id) {
        if target.kind == .user, id == "user-1" { continue }
        targets.append((target, id))
      }
    }
    var codes: Set<ErrorCode> = result.counts == [1] ? [] : [.forbidden]
    if !targets.isEmpty {
      let reads = targets.map { ($0.schema, $0.id, rules.condition(.read, $0.schema)) }
      result = try await run(
        write, fixture, stored, stamp, end: .rollBack, reading: reads)
      if result.counts.contains(0) { codes.insert(.danglingReference) }
    }
    // The write itself must not make the target of a reference readable.
    for (target, id) in targets {
      func exists(matching rule: Condition) async throws -> Bool {
        let isTarget = Condition.equals(field: target.key.name, value: .text(id))
        return try await fixture.store.count(Query(target, where: .every([isTarget, rule]))) > 0
      }
      if try await exists(matching: .all),
        try await !exists(matching: rules.condition(.read, target))
      {
        codes.insert(.danglingReference)
      }
    }
    return codes
  }

  /// Runs a write, and then counts the records that satisfy conditions.
  private func run(
    _ write: SampleWrite, _ fixture: StoreFixture, _ stored: StoredCatalog, _ stamp: Stamp,
    _ scope: Scope? = nil, end: WriteRequest.End = .commit,
    reading conditions: [(schema: Schema, id: String, condition: Condition)] = []
  ) async throws -> WriteResult {
    let schema = try stored.catalog.schema(write.schema.name)
    var result = WriteResult()
    switch write.kind {
    case .save(let chunk, let mode): result.operations.append(.save(chunk, SavePolicy(mode: mode)))
    case .delete: result.operations.append(.delete(DeleteRequest(schema, .ids([write.id]))))
    }
    for (schema, id, condition) in conditions {
      let isRecord = Condition.equals(field: schema.key.name, value: .text(id))
      let query = Query(
        schema, where: .every([isRecord, condition]), slots: [schema.keySlot])
      result.operations.append(.read(query, locking: []))
    }
    let schemas = stored.catalog.schemas
    var request = WriteRequest(
      to: schemas, versions: stored.versions(concerning: schemas), stamp: stamp, end: end)
    request.scope = scope
    do throws(DataError) {
      try await fixture.store.write(request, from: &result)
    } catch {
      result.code = error.code
    }
    return result
  }
}

/// Supplies operations to a store, and records their results.
private struct WriteResult: OperationSource {
  var operations: [WriteOperation] = []
  var code: ErrorCode?
  private(set) var outcomes: [Outcome] = []
  /// The saved records.
  private(set) var records: [[String: Value]] = []
  /// The numbers of records that the queries selected.
  private(set) var counts: [Int] = []
  private var problems: [Problem] = []

  let canRestart = true

  mutating func next() -> WriteOperation? {
    operations.isEmpty ? nil : operations.removeFirst()
  }

  mutating func applied(_ chunk: consuming RowChanges, outcomes: [Outcome]) {
    self.outcomes += outcomes
    for (row, outcome) in outcomes.enumerated() {
      if case .refused(let found) = outcome {
        problems += found
      } else {
        records.append(chunk.rows.values(ofRow: row, in: chunk.schema))
      }
    }
  }

  mutating func read(_ chunks: [Rows]) { counts.append(chunks.reduce(0) { $0 + $1.count }) }

  mutating func refused(_ problem: Problem) { problems.append(problem) }

  mutating func finish() throws(DataError) {
    if let error = DataError(problems) { throw error }
  }

  mutating func committed(throughLine line: Int) {}
}

extension Value {
  /// The ids in the value of a relation.
  fileprivate var ids: [String] {
    switch self {
    case .text(let id): [id]
    case .list(let elements): elements.flatMap(\.ids)
    case .null, .integer, .number, .decimal, .boolean, .date, .datetime, .geopoint, .file, .json: []
    }
  }
}
