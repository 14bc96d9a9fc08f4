internal import Conditions
package import DataModel
internal import DataOutput
package import DataStore
internal import JSONText
internal import RecordText

/// The execution of a batch. It converts each operation to operations of the store, and passes the
/// results to a listener.
///
/// An operation is prepared when all operations before it have been executed, because it may refer
/// to their results. Consecutive saves to the same schema are passed to the store in one chunk.
package struct BatchRun<Listener: BatchListener>: OperationSource {
  /// The maximum number of records that are saved in one chunk.
  private static var maxRecords: Int { 1_000 }
  /// The maximum size in bytes of the records that are saved in one chunk. A text of this size is
  /// small enough for the record reader to return it in one chunk. A single record may be larger.
  private static var maxSize: Int { 192 << 10 }

  /// The listener that receives the results. The caller can read it after the batch.
  package private(set) var listener: Listener
  package var output: [UInt8]? { listener.output }
  private let plan: BatchPlan
  private let now: Timestamp
  private var ids: IDGenerator
  private let functions: FunctionCheck
  private var operations: BatchText.Operations
  /// The operation after the saves that were combined into a chunk. It has already been read, but
  /// does not belong to the chunk. It is executed next.
  private var nextOperation: BatchOperation?
  private var named: NamedRecords
  private var pending: Pending?
  /// The store operations that remain to be executed for the current operation of the batch, if it
  /// needs several.
  private var continuation: [WriteOperation] = []
  fileprivate var passwordLimit = PasswordLimit.one
  /// The passwords that were hashed before the transaction, by the lines of their operations.
  private var hashedPasswords: [Int: HashedPassword] = [:]
  private var problems: [Problem] = []

  /// The operation of the batch, or the saves in one chunk, whose result the store returns next.
  private enum Pending {
    case saves([BatchOperation])
    /// A save of a record with records inside it. For each chunk, `places` contains the numbers of
    /// the locations of its rows.
    case tree(BatchOperation, TreeLocations, places: [[Int]])
    /// The query for the records that a save with `where` changes. It is executed twice. The first
    /// time, `ids` is nil, and the records are found without locking them. The second time, `ids`
    /// contains their ids, and the records are locked and read again.
    case search(BatchOperation, Query, ids: [String]?)
    case changes(BatchOperation, remaining: Int, count: Int)
    case deletion(BatchOperation)
    case check(BatchOperation)
    /// A query that finds out why a check failed, for the error message.
    case failedCheck(BatchOperation)
    case reading(BatchOperation, FieldChoice)
    /// A query for related records, which are printed in place of their ids in the result of a
    /// `get` operation.
    case expanding(BatchOperation, FieldChoice, Rows, RelatedRecordsFetch)

    /// The operation that the store is executing, or nil if it is executing several saves.
    var operation: BatchOperation? {
      switch self {
      case .saves(let run): run.count == 1 ? run[0] : nil
      case .tree(let operation, _, _), .search(let operation, _, _), .changes(let operation, _, _),
        .deletion(let operation),
        .check(let operation), .failedCheck(let operation), .reading(let operation, _),
        .expanding(let operation, _, _, _):
        operation
      }
    }
  }

  package init(
    _ plan: BatchPlan, now: Timestamp, ids: IDGenerator, listener: Listener
  ) {
    self.plan = plan
    self.now = now
    self.ids = ids
    self.listener = listener
    functions = FunctionCheck(plan.stored.catalog)
    operations = plan.text.operations()
    named = NamedRecords(needing: plan.neededFields)
  }

  package var canRestart: Bool { true }

  package mutating func next() throws(DataError) -> WriteOperation? {
    if !continuation.isEmpty { return continuation.removeFirst() }
    guard let operation = try takeOperation() else { return nil }
    return try locatingErrors(operation) { (run) throws(DataError) in try run.begin(operation) }
  }

  private mutating func takeOperation() throws(DataError) -> BatchOperation? {
    if let operation = nextOperation.take() { return operation }
    return try operations.next()
  }

  private mutating func locatingErrors<Result>(
    _ operation: BatchOperation, _ body: (inout Self) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    try operation.locatingErrors(in: plan.text.file) { () throws(DataError) in try body(&self) }
  }

  private mutating func begin(
    _ operation: BatchOperation
  ) throws(DataError) -> WriteOperation {
    let schema = try plan.stored.catalog.schema(operation.schema)
    switch operation.verb {
    case .save where operation.condition == nil: return try saves(from: operation, of: schema)
    case .save:
      let query = try query(operation, of: schema, slots: [schema.keySlot])
      pending = .search(operation, query, ids: nil)
      return .read(query, locking: [])
    case .delete:
      pending = .deletion(operation)
      return .delete(try deletion(operation, of: schema))
    case .check:
      var query = try query(operation, of: schema, slots: [schema.keySlot])
      if let count = operation.count, count < .max { query.limit = count + 1 }
      pending = .check(operation)
      return .read(query, locking: try named.id(of: operation).map { [$0] } ?? [])
    case .get:
      let choice = try FieldChoice(
        operation.fields, of: schema, in: plan.stored.catalog,
        expanding: operation.expansion(of: schema, in: plan.stored.catalog),
        by: ConditionReader(plan.stored.catalog, now: now))
      var query = choice.selected(by: try query(operation, of: schema, slots: choice.slots))
      let neededSlots = operation.name.flatMap { plan.neededFields[$0] }?.values.map { $0 } ?? []
      query.slots = Set(choice.slots + neededSlots).sorted()
      pending = .reading(operation, choice)
      return .read(query, locking: [])
    }
  }

  package mutating func deleted(_ result: DeleteResult) throws(DataError) {
    guard case .deletion(let operation) = pending.take() else { return }
    let schema = try plan.stored.catalog.schema(operation.schema)
    try listener.completed(operation.number, .deleted(result.summary, of: schema))
  }

  package mutating func refused(_ problem: Problem) { problems.append(problem) }

  package mutating func finish() throws(DataError) {
    if problems.isEmpty { return }
    let numbers = try plan.text.operationNumbers(onLines: Set(problems.compactMap(\.line)))
    let located = problems.map { problem in
      var problem = problem
      problem.file = plan.text.file
      problem.operation = problem.line.flatMap { numbers[$0] }
      return problem
    }
    if let error = DataError(located.sorted { ($0.line ?? 0) < ($1.line ?? 0) }) { throw error }
  }

  package mutating func committed(throughLine line: Int) throws(DataError) {}

  /// Returns a copy of an error that the store has thrown. The line of the current operation is
  /// added to the problems that concern a schema and have no line.
  func located(_ error: DataError) -> DataError {
    guard let operation = pending?.operation else { return error }
    return error.modifyingProblems { problem in
      if problem.schema != nil, problem.line == nil {
        operation.locate(&problem, in: plan.text.file)
      }
    }
  }
}

/// Builds the queries and delete requests for the records that operations select.
extension BatchRun {
  /// Returns the query for the records that an operation selects with `id` and `where`.
  private func query(
    _ operation: BatchOperation, of schema: Schema, slots: [Int]
  ) throws(DataError) -> Query {
    var parameters: [String: ConditionParameters.Argument] = [:]
    for (name, value) in operation.parameters {
      switch value {
      case .value(let value): parameters[name] = .json(value)
      case .reference(let reference):
        parameters[name] = .json(try JSONValue(parsing: named.text(of: reference)))
      }
    }
    let input = QueryInput(
      schema.name, conditions: operation.condition.map { [$0] } ?? [], parameters: parameters)
    var condition: Condition
    do throws(DataError) {
      condition = try input.checked(in: plan.stored, now: now).condition
    } catch {
      throw located(error.problems, operation)
    }
    if let id = try named.id(of: operation) {
      condition = .every([schema.condition(forID: id), condition])
    }
    return Query(schema, where: condition, slots: slots)
  }

  private func deletion(
    _ operation: BatchOperation, of schema: Schema
  ) throws(DataError) -> DeleteRequest {
    let selection: DeleteRequest.Selection =
      if let id = try named.id(of: operation) {
        .ids([id])
      } else {
        .matching(try query(operation, of: schema, slots: []).condition)
      }
    return DeleteRequest(
      schema, selection, missing: operation.ignoresMissing ? .ignored : .refused,
      revision: operation.revision)
  }
}

/// Executes operations that save a single record, in contrast to all records that match a
/// condition.
extension BatchRun {
  /// Returns a store operation that saves the record of the operation `first`.
  ///
  /// Saving many records at once is faster. So if the next operations of the batch also save
  /// records of the same schema, with the same policy, the store operation saves all of their
  /// records in one chunk.
  private mutating func saves(
    from first: BatchOperation, of schema: Schema
  ) throws(DataError) -> WriteOperation {
    var text: [UInt8] = []
    var run = [first]
    try append(first, of: schema, to: &text)
    if first.isDeep, !schema.isBuiltIn { return try tree(in: text, first, of: schema) }
    while run.count < Self.maxRecords, let operation = try takeOperation() {
      var line: [UInt8] = []
      if operation.continues(first), !operation.needsFields(of: run) {
        try locatingErrors(operation) { (batch) throws(DataError) in
          try batch.append(operation, of: schema, to: &line)
        }
      }
      guard !line.isEmpty, text.count + line.count <= Self.maxSize else {
        nextOperation = operation
        break
      }
      text += line
      run.append(operation)
    }
    let changes = try changes(in: text, run, of: schema)
    pending = .saves(run)
    return .save(changes, first.policy)
  }

  /// Returns a store operation that saves the record of an operation together with the records
  /// inside it.
  private mutating func tree(
    in text: [UInt8], _ operation: BatchOperation, of schema: Schema
  ) throws(DataError) -> WriteOperation {
    var reader = TreeReader(
      BytesInMemory(text), for: schema, in: plan.stored.catalog, file: plan.text.file, ids: ids)
    var (chunks, lists, places): ([TreeChunk], [PartList], [[Int]]) = ([], [], [])
    var problems: [Problem] = []
    while var chunk = try reader.next() {
      problems += chunk.rejected.flatMap(\.problems)
      lists += chunk.lists
      guard chunk.changes.count > 0 else { continue }
      places.append(chunk.changes.lines)
      chunk.changes.setOrigins(
        lines: Array(repeating: operation.line, count: chunk.changes.count))
      try chunk.changes.countPasswords(within: &passwordLimit)
      try chunk.changes.hashPasswords(hashedPasswords)
      chunks.append(
        TreeChunk(
          chunk.changes, operation.policy.policy(of: chunk.role), isInside: chunk.role != .root,
          number: chunk.number))
    }
    if !problems.isEmpty { throw located(problems, operation) }
    ids = reader.ids
    pending = .tree(operation, reader.locations, places: places)
    return .saveTrees(chunks, lists)
  }

  package mutating func appliedTrees(
    _ chunks: consuming [TreeChunk], outcomes: [[Outcome]], problems: [Problem]
  ) throws(DataError) {
    guard case .tree(let operation, let locations, let places) = pending.take() else { return }
    var refused: [Problem] = []
    for (index, outcomes) in outcomes.enumerated() {
      for case (let row, .refused(let problems)) in outcomes.enumerated() {
        refused += problems.map { problem in
          var problem = problem
          problem.line = places[index][row]
          return locations.located(problem)
        }
      }
    }
    if !refused.isEmpty { throw located(refused, operation) }
    for (chunk, outcomes) in zip(chunks, outcomes) where !chunk.isInside {
      named.add(operation.name, chunk.changes.rows, 0, of: chunk.changes.schema)
      try listener.completed(operation.number, .saved(outcomes[0], chunk.changes, row: 0))
    }
  }

  /// Appends the record of a save operation as a line of NDJSON, with references replaced by their
  /// values. If the operation has a name, determines the id of its record now, so that later
  /// operations can refer to the record before it is saved.
  private mutating func append(
    _ operation: BatchOperation, of schema: Schema, to text: inout [UInt8]
  ) throws(DataError) {
    guard let record = operation.record else { return }
    let key = schema.key.name
    let own = record.texts.first { schema.slot(ofProperty: $0.key) == schema.keySlot }
    var inserted: (key: String, text: String)?
    if let id = try named.id(of: operation) {
      guard own == nil || own?.text?.utf8.elementsEqual(id.utf8) == true else {
        throw DataError(
          Problem(
            .invalid, "\"id\" is \(Excerpt.quoted(id)), but the record has a different \(key)",
            schema: schema.name, field: key))
      }
      if own == nil { inserted = (key, id) }
    } else if own == nil, operation.name != nil, !schema.requiresExplicitIDs {
      var id: [UInt8] = []
      ids.next(into: &id)
      inserted = (key, String(decoding: id, as: UTF8.self))
    }
    try record.append(inserting: inserted, to: &text) { placeholder throws(DataError) in
      guard schema.acceptsReference(inValueOf: placeholder.key) else { return nil }
      return self.named.text(of: placeholder.reference)
    }
    guard let name = operation.name, let id = inserted?.text ?? own?.text else { return }
    named.add(name, id: id)
  }

  /// Parses the records of consecutive save operations. Throws an error with the problems of the
  /// first invalid record.
  private mutating func changes(
    in text: [UInt8], _ run: [BatchOperation], of schema: Schema
  ) throws(DataError) -> RowChanges {
    var reader = RecordReader(
      BytesInMemory(text), for: schema, TextForm(.ndjson), file: plan.text.file, ids: ids)
    guard var changes = try reader.next(reusing: RowChanges(for: schema)) else {
      throw DataError(.failed, "the operation contains no record")
    }
    if let ids = reader.ids { self.ids = ids }
    if let rejected = reader.rejected.first {
      let operation = run[min(max(rejected.line, 1), run.count) - 1]
      throw located(rejected.problems, operation)
    }
    changes.setOrigins(lines: run.map(\.line))
    try changes.countPasswords(within: &passwordLimit)
    try changes.hashPasswords(hashedPasswords)
    return changes
  }

  /// Hashes the passwords of the operations that save one record. Call this before the store
  /// acquires its lock.
  fileprivate mutating func hashPasswords() async throws(DataError) {
    var (limit, operations) = (passwordLimit, plan.text.operations())
    var (lines, passwords): ([Int], [[UInt8]]) = ([], [])
    while let operation = try operations.next() {
      guard operation.condition == nil, let record = operation.record,
        let schema = plan.stored.catalog[operation.schema], let slot = schema.passwordSlot,
        let text = record.texts.first(where: { schema.slot(ofProperty: $0.key) == slot })?.text,
        limit.count()
      else { continue }
      lines.append(operation.line)
      passwords.append(Array(text.utf8))
    }
    guard !passwords.isEmpty else { return }
    let hashes = try await Passwords.hashes(of: passwords)
    for (line, (password, hash)) in zip(lines, zip(passwords, hashes)) {
      hashedPasswords[line] = HashedPassword(password: password, hash: hash)
    }
  }

  /// Returns an error with the problems of an operation.
  private func located(_ problems: [Problem], _ operation: BatchOperation) -> DataError {
    let error =
      DataError(problems)
      ?? DataError(.failed, "internal error: the record was rejected, but no reason was reported")
    return error.modifyingProblems { operation.locate(&$0, in: plan.text.file) }
  }

  package mutating func applied(
    _ chunk: consuming RowChanges, outcomes: [Outcome]
  ) throws(DataError) {
    let operations: [BatchOperation]
    switch pending.take() {
    case .saves(let run): operations = run
    case .changes(let operation, let remaining, let count):
      return try changed(outcomes, operation, remaining: remaining, count: count)
    default: return
    }
    for (row, operation) in operations.enumerated() {
      if case .refused(let problems) = outcomes[row] { throw located(problems, operation) }
    }
    if chunk.schema.isBuiltIn {
      let check = functions.check(chunk, outcomes)
      if let problem = check.problems.first {
        let row = chunk.lines.firstIndex { $0 == problem.line } ?? 0
        throw located(check.problems, operations[row])
      }
    }
    let schema = chunk.schema
    for (row, operation) in operations.enumerated() {
      named.add(operation.name, chunk.rows, row, of: schema)
      try listener.completed(operation.number, .saved(outcomes[row], chunk, row: row))
    }
  }
}

/// Executes operations that read records.
extension BatchRun {
  package mutating func read(_ chunks: [Rows]) throws(DataError) {
    guard let pending = pending.take() else { return }
    switch pending {
    case .search(let operation, let query, let ids):
      try locatingErrors(operation) { (run) throws(DataError) in
        try run.found(chunks, operation, query, locked: ids)
      }
    case .check(let operation):
      try locatingErrors(operation) { (run) throws(DataError) in
        try run.check(operation, count: chunks.reduce(0) { $0 + $1.count })
      }
    case .failedCheck(let operation):
      try locatingErrors(operation) { (run) throws(DataError) in
        throw try run.failure(operation, exists: chunks.contains { $0.count > 0 })
      }
    case .reading(let operation, let choice):
      try locatingErrors(operation) { (run) throws(DataError) in
        try run.found(chunks, operation, choice)
      }
    case .expanding(let operation, let choice, let rows, var fetch):
      try locatingErrors(operation) { (run) throws(DataError) in
        let schema = try run.plan.stored.catalog.schema(operation.schema)
        for chunk in chunks {
          guard fetch.add(chunk) else {
            let id = rows.text(rows[0, schema.keySlot])
            throw DataError(.tooLongWithRelatedRecords(id, of: schema))
          }
        }
        try run.expand(rows, of: schema, operation, choice, fetch)
      }
    case .saves, .tree, .changes, .deletion: return
    }
  }

  /// Handles the records that match the condition of a save. Another transaction may change the
  /// records after they were found. So the first call requests only that the records are locked and
  /// read again, and the second call requests the changes.
  private mutating func found(
    _ chunks: [Rows], _ operation: BatchOperation, _ query: Query, locked: [String]?
  ) throws(DataError) {
    let schema = query.schema
    let found = chunks.flatMap { rows in
      (0..<rows.count).map { rows.text(rows[$0, schema.keySlot]) }
    }
    guard let locked else {
      if found.isEmpty {
        return try listener.completed(operation.number, .changed(count: 0, of: schema))
      }
      pending = .search(operation, query, ids: found)
      return continuation.append(.read(query, locking: found))
    }
    // Compare the bytes of the ids. `String ==` would equate composed and decomposed letters.
    let isLocked = Set(locked.map(Value.text))
    let ids = found.filter { isLocked.contains(.text($0)) }
    guard !ids.isEmpty else {
      return try listener.completed(operation.number, .changed(count: 0, of: schema))
    }
    for start in stride(from: 0, to: ids.count, by: Self.maxRecords) {
      continuation.append(
        .save(
          try changes(
            to: ids[start..<min(start + Self.maxRecords, ids.count)], operation, of: schema),
          SavePolicy(mode: .update, revisions: operation.policy.revisions)))
    }
    pending = .changes(operation, remaining: continuation.count, count: ids.count)
  }

  /// Returns the changes of one operation to the records with the given ids.
  private mutating func changes(
    to ids: ArraySlice<String>, _ operation: BatchOperation, of schema: Schema
  ) throws(DataError) -> RowChanges {
    var text: [UInt8] = []
    for id in ids {
      try operation.record?.append(inserting: (schema.key.name, id), to: &text) {
        placeholder throws(DataError) in
        guard schema.acceptsReference(inValueOf: placeholder.key) else { return nil }
        return self.named.text(of: placeholder.reference)
      }
    }
    let run = Array(repeating: operation, count: ids.count)
    return try changes(in: text, run, of: schema)
  }

  private mutating func changed(
    _ outcomes: [Outcome], _ operation: BatchOperation, remaining: Int, count: Int
  ) throws(DataError) {
    for case .refused(let problems) in outcomes { throw located(problems, operation) }
    guard remaining == 1 else {
      pending = .changes(operation, remaining: remaining - 1, count: count)
      return
    }
    let schema = try plan.stored.catalog.schema(operation.schema)
    try listener.completed(operation.number, .changed(count: count, of: schema))
  }

  private mutating func check(
    _ operation: BatchOperation, count: Int
  ) throws(DataError) {
    let expected = operation.count ?? 1
    if count == expected { return try listener.completed(operation.number, .checked) }
    if operation.count != nil {
      let found = count > expected ? "more" : "\(count)"
      throw DataError(
        Problem(
          .checkFailed,
          "check failed: expected \(expected.counted("record"))\(operation.conditionText), found \(found)",
          schema: operation.schema))
    }
    guard let id = try named.id(of: operation), operation.condition != nil else {
      throw try failure(operation, exists: false)
    }
    let schema = try plan.stored.catalog.schema(operation.schema)
    pending = .failedCheck(operation)
    continuation.append(
      .read(
        Query(schema, where: schema.condition(forID: id), slots: [schema.keySlot]), locking: []))
  }

  private func failure(
    _ operation: BatchOperation, exists: Bool
  ) throws(DataError) -> DataError {
    DataError(
      Problem(
        .checkFailed,
        exists
          ? "check failed: the record does not meet the condition \(operation.condition ?? "")"
          : "check failed: there is no such record",
        schema: operation.schema, id: try named.id(of: operation)))
  }

  private mutating func found(
    _ chunks: [Rows], _ operation: BatchOperation, _ choice: FieldChoice
  ) throws(DataError) {
    let schema = try plan.stored.catalog.schema(operation.schema)
    guard let rows = chunks.first else {
      throw DataError(.recordNotFound(id: try named.id(of: operation) ?? "", of: schema))
    }
    var check = StoredValueCheck(choice.columns)
    if let problem = check.problem(in: rows, 0, of: schema) { throw DataError(problem) }
    named.add(operation.name, rows, 0, of: schema)
    let expansion = try operation.expansion(of: schema, in: plan.stored.catalog)
    try expand(
      rows, of: schema, operation, choice, RelatedRecordsFetch(expansion, of: rows, row: 0))
  }

  /// Requests the next query for the related records that a `get` operation prints. If all related
  /// records have been fetched, passes the result of the operation to the listener.
  private mutating func expand(
    _ rows: Rows, of schema: Schema, _ operation: BatchOperation, _ choice: FieldChoice,
    _ fetch: RelatedRecordsFetch
  ) throws(DataError) {
    var fetch = fetch
    if let lookup = fetch.next() {
      let keys = LookupKeys(lookup.ids, inAnyOf: [lookup.schema.keySlot], of: lookup.schema)
      var query = Query(lookup.schema, where: keys.condition, slots: lookup.slots)
      query.computed = lookup.computed
      pending = .expanding(operation, choice, rows, fetch)
      return continuation.append(.read(query, locking: []))
    }
    let related = fetch.records
    for (_, records) in related {
      if let damage = records.damage { throw damage }
    }
    if RelatedRanges.isTooLong(0, of: rows, with: related) {
      let id = rows.text(rows[0, schema.keySlot])
      throw DataError(.tooLongWithRelatedRecords(id, of: schema))
    }
    var writer = RecordWriter(choice.columns, format: .ndjson)
    for (slot, records) in related { writer.expand(slot, into: records) }
    try listener.completed(operation.number, .read(rows, of: schema, writer))
  }
}

extension BatchOperation {
  /// Returns the relations whose related records are printed in place of their ids.
  func expansion(of schema: Schema, in catalog: Catalog) throws(DataError) -> Expansion {
    guard let expansion else { return Expansion() }
    return try Expansion(expansion, of: schema, in: catalog)
  }

  fileprivate var policy: SavePolicy {
    SavePolicy(mode: mode, revisions: acceptsAnyRevision ? .ignored : .checked)
  }

  /// Returns whether this operation can save its record in the same chunk as the save operation
  /// `other`.
  fileprivate func continues(_ other: BatchOperation) -> Bool {
    verb == .save && condition == nil && schema == other.schema && policy == other.policy && !isDeep
  }

  /// Returns whether this operation refers to a field of a record that one of the given operations
  /// saves. The value of the field is known only after the record is saved. References to ids do
  /// not count, because ids are known earlier.
  fileprivate func needsFields(of operations: [BatchOperation]) -> Bool {
    let references = self.references + (record?.placeholders.map(\.reference) ?? [])
    let names = references.filter { $0.field != nil }.map(\.name)
    return !names.isEmpty && operations.contains { $0.name.map(names.contains) == true }
  }

  /// The condition of a check as part of an error message, such as ` with done`. Empty if the check
  /// has no condition.
  fileprivate var conditionText: String {
    condition.map { " with \(Excerpt.escaped($0))" } ?? ""
  }
}

extension Schema {
  /// Returns a condition that only the record with the given id matches.
  fileprivate func condition(forID id: String) -> Condition {
    .test(FieldPath(key.name), .compare(.equal, .text(id)))
  }
}

extension Client {
  /// Executes a batch in one transaction.
  package func run<Listener>(
    _ batch: inout BatchRun<Listener>, _ request: WriteRequest
  ) async throws(DataError) {
    batch.passwordLimit = try await passwordLimit(of: request)
    if request.schemas.contains(where: { $0.passwordSlot != nil }) {
      try await batch.hashPasswords()
    }
    do throws(DataError) {
      try await store.write(request, from: &batch)
    } catch {
      throw batch.located(error)
    }
  }
}
