package import DataModel
package import DataStore

/// A store that keeps its records in memory. It is the simplest implementation of the store
/// protocol, and the model with which tests compare the engines.
package actor MemoryStore: TransactionalStore {
  package nonisolated let address = "memory:"
  package nonisolated var files: [String] { [] }
  var state = MemoryState()

  package init() {}

  package func snapshot() -> any StoreReader { currentSnapshot }

  private var currentSnapshot: MemorySnapshot { MemorySnapshot(state: state) }

  package func catalog() -> StoredCatalog { currentSnapshot.catalog() }

  package func storeID() -> String? { currentSnapshot.storeID() }

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

  package func find(
    _ ids: [String], inSchemaNamed name: String
  ) throws(DataError) -> (schema: Schema, found: FoundRecords)? {
    guard let schema = state.catalog[name] else { return nil }
    return (schema, try find(ids, in: schema, slots: Array(0..<schema.width)))
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

  package func passwordHash(for check: PasswordCheck) throws(DataError) -> String? {
    try state.checkIsCurrent(check.userSchema)
    try LogInThrottle(state.throttles[check.throttleKey], at: check.time).check()
    let user = state.tables[check.userSchema.name]?.records[Array(check.name.utf8)]
    return user.flatMap { user in
      check.userSchema.passwordSlot.flatMap { slot in
        user.row[0, slot].hasValue ? user.row.text(user.row[0, slot]) : nil
      }
    }
  }

  package func verify(_ check: PasswordCheck) async throws(DataError) {
    let hash = try passwordHash(for: check)
    let key = check.throttleKey
    state.throttles = state.throttles.filter { $0.value > check.time }
    guard let hash, hash == check.verifiedHash else {
      var throttle = LogInThrottle(state.throttles[key], at: check.time)
      throttle.countFailure()
      state.throttles[key] = throttle.expires
      throw .wrongLogIn
    }
    state.throttles[key] = nil
    let user = state.tables[check.userSchema.name]?.records[Array(check.name.utf8)]
    if let user, check.userSchema.isDisabled(in: user.row, 0) { throw .userDisabled(.forbidden) }
  }

  package func logIn(_ request: LogInRequest) async throws(DataError) {
    try await verify(request.check)
    state.sessions[request.tokenHash] = request.session
  }

  package func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) async throws(DataError) -> Session? {
    state.session(tokenHash, at: time)
  }

  package func sessions(
    of user: String, at time: Timestamp
  ) async throws(DataError) -> [[UInt8]: Session] {
    state.sessions.filter { $0.value.user.utf8.elementsEqual(user.utf8) && $0.value.expires > time }
  }

  package func endSessions(
    of user: String, named name: String?, at time: Timestamp
  ) async throws(DataError) -> Int {
    let ended = try await sessions(of: user, at: time).filter {
      name.map($0.value.isNamed) ?? true
    }
    for tokenHash in ended.keys { state.sessions[tokenHash] = nil }
    return ended.count
  }

  package func logOut(_ tokenHash: [UInt8]) async throws(DataError) {
    state.sessions[tokenHash] = nil
  }

  package func close() async {}
}
