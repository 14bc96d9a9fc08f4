package import DataModel

/// A store that keeps its records in memory: the reference implementation of the store protocol.
package actor MemoryStore: Store {
  package nonisolated let address = "memory:"
  package nonisolated var files: [String] { [] }
  private var state = MemoryState()

  package init() {}

  package func snapshot() -> any StoreReader { currentSnapshot }

  private var currentSnapshot: MemorySnapshot { MemorySnapshot(state: state) }

  package func catalog() -> StoredCatalog { currentSnapshot.catalog() }

  package func schema(named name: String) async throws(DataError) -> Schema? {
    state.catalog[name]
  }

  package func apply(_ request: PlanRequest) async throws(DataError) {
    var next = state
    try next.apply(request)
    if request.end == .commit { state = next }
  }

  package func log() async throws(DataError) -> [AppliedPlan] { state.log }

  package func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) throws(DataError) -> FoundRecords {
    try currentSnapshot.find(ids, in: schema, slots: slots)
  }

  package func records(_ query: Query) throws(DataError) -> any RecordStream {
    try currentSnapshot.records(query)
  }

  package func count(_ query: Query) throws(DataError) -> Int { try currentSnapshot.count(query) }

  package func groups(_ query: GroupQuery) throws(DataError) -> any RecordStream {
    try currentSnapshot.groups(query)
  }

  package func explain(_ query: Query) throws(DataError) -> Explanation {
    try currentSnapshot.explain(query)
  }

  package func save<Exchange: SaveExchange>(
    _ request: SaveRequest, through exchange: inout Exchange
  ) async throws(DataError) {
    var next = state
    guard request.catalogVersion == next.version else { throw .schemaChanged }
    if let plan = request.plan { try next.apply(plan) }
    try next.checkIsCurrent(request.schema)
    var save = MemorySave(request, over: next)
    while let chunk = try exchange.next() {
      try save.apply(chunk, through: &exchange)
      if save.isCommitDue {
        try save.check(through: &exchange)
        if save.isRejected { break }
        try commit(&save, through: &exchange)
      }
    }
    try save.check(through: &exchange)
    try exchange.finish()
    if let saveError = save.saveError { throw saveError }
    try commit(&save, through: &exchange)
  }

  private func commit<Exchange: SaveExchange>(
    _ save: inout MemorySave, through exchange: inout Exchange
  ) throws(DataError) {
    guard save.request.end == .commit else { return }
    state = save.state
    if let line = save.endPart() { try exchange.committed(throughLine: line) }
  }

  package func delete(_ request: DeleteRequest) async throws(DataError) -> DeleteSummary {
    try state.checkIsCurrent(request.schema, version: request.catalogVersion)
    var next = state
    let summary = try next.delete(request)
    if request.end == .commit { state = next }
    return summary
  }

  package func logIn(_ request: LogInRequest) async throws(DataError) {
    try state.checkIsCurrent(request.userSchema)
    let user = state.tables[request.userSchema.name]?.records[Array(request.name.utf8)]
    let hash = user.flatMap { user in
      request.userSchema.passwordSlot.flatMap { slot in
        user.row[0, slot].hasValue ? user.row.text(user.row[0, slot]) : nil
      }
    }
    guard try request.verify(hash, request.password), hash != nil else { throw .wrongLogIn }
    state.sessions[request.tokenHash] = Session(user: request.name, expires: request.expires)
  }

  package func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) async throws(DataError) -> Session? {
    state.sessions[tokenHash].flatMap { $0.expires > time ? $0 : nil }
  }

  package func logOut(_ tokenHash: [UInt8]) async throws(DataError) {
    state.sessions[tokenHash] = nil
  }

  package func close() async {}
}

/// A save in progress: the new state, and the references to check before it is committed.
struct MemorySave {
  let request: SaveRequest
  private(set) var state: MemoryState
  /// The problems for which the whole save is refused.
  private(set) var saveError: DataError?
  private var written: [MemoryState.Reference: Int] = [:]
  private var count = 0
  /// Whether the last chunk was empty, which means that the input stalls.
  private var isStalled = false
  private var lastLine: Int?

  init(_ request: SaveRequest, over state: MemoryState) {
    self.request = request
    self.state = state
  }

  var isRejected: Bool { saveError != nil }

  /// Whether the records so far are to be committed now.
  var isCommitDue: Bool { request.commitEvery.map { count >= $0 || isStalled } ?? false }

  /// Saves a chunk, and passes its outcomes to the exchange.
  mutating func apply<Exchange: SaveExchange>(
    _ chunk: RowChanges, through exchange: inout Exchange
  ) throws(DataError) {
    var chunk = chunk
    var outcomes: [Outcome] = []
    for row in 0..<chunk.count {
      let outcome = try state.save(row, of: &chunk, by: request, written: &written)
      if case .refused(let problems) = outcome, request.onInvalid == .refuseAll {
        for problem in problems { addProblem(problem) }
      }
      outcomes.append(outcome)
    }
    count += chunk.count
    isStalled = chunk.count == 0
    lastLine = chunk.lines.last ?? lastLine
    try exchange.applied(chunk, outcomes: outcomes)
  }

  /// Checks that every reference written since the last check has a target.
  mutating func check<Exchange: SaveExchange>(
    through exchange: inout Exchange
  ) throws(DataError) {
    for problem in state.dangling(among: written, of: request.schema) {
      addProblem(problem)
      exchange.refused(problem)
    }
    written = [:]
  }

  /// Starts the next part after a commit, and returns the line of the last committed record.
  mutating func endPart() -> Int? {
    defer {
      count = 0
      lastLine = nil
    }
    return lastLine
  }

  private mutating func addProblem(_ problem: Problem) {
    if saveError == nil { saveError = DataError(problem) } else { saveError?.add(problem) }
  }
}
