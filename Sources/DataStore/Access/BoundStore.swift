package import DataModel

/// A store that applies the access rules to the requests of one caller. It adds a `Scope`, which
/// says what the caller may do, to each request. The query compiler and `WriteAccess`
/// enforce the scope.
package struct BoundStore: Store {
  private let store: any Store
  private let caller: Caller
  private let now: @Sendable () throws(DataError) -> Timestamp
  private let rules: Scope.RuleParser
  private let note: @Sendable (String) -> Void
  /// The receipt to store together with the changes of a write, so that the store recognizes a
  /// repetition of the same request; nil if no repetition has to be recognized.
  private var receipt: Receipt?
  /// The limit on the users that an anonymous caller creates, and the caller's address; nil if there
  /// is no limit.
  private var signUps: (limit: SignUpLimit, address: String)?

  /// Creates a store that applies the access rules of another store to the requests of a caller.
  ///
  /// - Parameters:
  ///   - now: Returns the current time, which is compared with the end of the caller's session.
  ///   - rules: Parses the conditions in access rules.
  ///   - note: Called with the id of the user each time the store has looked up the caller.
  package init(
    _ store: any Store, for caller: Caller,
    now: @escaping @Sendable () throws(DataError) -> Timestamp,
    rules: @escaping Scope.RuleParser, noting note: @escaping @Sendable (String) -> Void
  ) {
    self.store = store
    self.caller = caller
    self.now = now
    self.rules = rules
    self.note = note
  }

  /// Returns a copy of the store that saves the given receipt with each write.
  package func recording(_ receipt: Receipt) -> BoundStore {
    var copy = self
    copy.receipt = receipt
    return copy
  }

  /// Returns a copy of the store that limits how many users an anonymous caller creates.
  package func limiting(_ signUps: SignUpLimit, of address: String) -> BoundStore {
    var copy = self
    copy.signUps = (signUps, address)
    return copy
  }

  package var address: String { store.address }
  package var files: [String] { store.files }

  package func snapshot() async throws(DataError) -> any StoreReader {
    let snapshot = try await store.snapshot()
    guard let scope = try await scope(in: snapshot) else { return snapshot }
    return BoundReader(snapshot, scope)
  }

  /// Returns what the caller may currently read and change. Returns nil if the caller is an
  /// administrator, who may do everything.
  private func scope() async throws(DataError) -> Scope? {
    try await scope(in: store.snapshot())
  }

  private func scope(in snapshot: any StoreReader) async throws(DataError) -> Scope? {
    try await snapshot.scope(of: caller, at: now(), rules: rules, noting: note)
  }

  /// Whether the caller is an administrator, to whom no access rules apply.
  package var isAdministrator: Bool {
    get async throws(DataError) { try await scope() == nil }
  }

  /// Throws an error if the caller is not an administrator.
  ///
  /// - Parameter action: The action that the error message names, such as `change schemas`.
  package func checkIsAdministrator(_ action: String) async throws(DataError) {
    guard try await isAdministrator else { throw DataError(.administratorsOnly(action)) }
  }

  /// Throws an error unless the caller is an administrator, or one of the rules grants access.
  ///
  /// - Parameter action: The action that the error message names, such as `call this method`.
  package func check(_ rules: [AccessRule], _ action: String) async throws(DataError) {
    guard let scope = try await scope() else { return }
    if rules.isEmpty { throw DataError(.administratorsOnly(action)) }
    guard rules.contains(where: { Scope.grants($0, scope.user, scope.roles) == true }) else {
      throw DataError(.forbidden, "the access rules do not allow you to \(action)")
    }
  }

  package func endIdleReads() async { await store.endIdleReads() }

  package func storeID() async throws(DataError) -> String? { try await store.storeID() }

  package func catalog() async throws(DataError) -> StoredCatalog {
    try await snapshot().catalog()
  }

  package func schema(named name: String) async throws(DataError) -> Schema? {
    try await catalog().catalog[name]
  }

  package func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) async throws(DataError) -> FoundRecords {
    try await snapshot().find(ids, in: schema, slots: slots)
  }

  package func find(
    _ ids: [String], inSchemaNamed name: String
  ) async throws(DataError) -> (schema: Schema, found: FoundRecords)? {
    let snapshot = try await snapshot()
    guard let schema = try await snapshot.catalog().catalog[name] else { return nil }
    return (schema, try await snapshot.find(ids, in: schema, slots: Array(0..<schema.width)))
  }

  package func function(
    _ id: String
  ) async throws(DataError) -> (rows: Rows, stored: StoredCatalog)? {
    try await snapshot().function(id)
  }

  package func records(_ query: Query) async throws(DataError) -> any RecordStream {
    try await snapshot().records(query)
  }

  package func count(_ query: Query) async throws(DataError) -> Int {
    try await snapshot().count(query)
  }

  package func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream {
    try await snapshot().groups(query)
  }

  package func explain(_ query: Query) async throws(DataError) -> Explanation {
    try await snapshot().explain(query)
  }

  package func apply(_ request: PlanRequest) async throws(DataError) {
    try await checkIsAdministrator("change schemas")
    await store.endIdleReads()
    try await store.apply(request)
  }

  package func log() async throws(DataError) -> [AppliedPlan] {
    try await checkIsAdministrator("read the log")
    return try await store.log()
  }

  package func write<Source: OperationSource>(
    _ request: WriteRequest, from source: inout Source
  ) async throws(DataError) {
    var request = request
    switch request.end {
    case .commit: request.receipt = receipt
    case .rollBack: break
    }
    if let scope = try await scope() {
      request.caller = caller
      request.scope = scope
      if scope.user == nil { request.signUps = signUps }
      request.versions = SchemaVersions(catalog: scope.catalogVersion)
    }
    // An open read transaction that began before the write would prevent the checkpoint after the
    // write.
    await store.endIdleReads()
    try await store.write(request, from: &source)
  }

  package func passwordHash(for check: PasswordCheck) async throws(DataError) -> String? {
    try await store.passwordHash(for: check)
  }

  package func verify(_ check: PasswordCheck) async throws(DataError) {
    try await store.verify(check)
  }

  package func logIn(_ request: LogInRequest) async throws(DataError) {
    try await store.logIn(request)
  }

  package func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) async throws(DataError) -> Session? {
    try await store.session(tokenHash, at: time)
  }

  package func sessions(
    of user: String, at time: Timestamp
  ) async throws(DataError) -> [[UInt8]: Session] {
    try await checkIs(user, or: "list the sessions of other users")
    return try await store.sessions(of: user, at: time)
  }

  package func endSessions(
    of user: String, named name: String?, at time: Timestamp
  ) async throws(DataError) -> Int {
    try await checkIs(user, or: "end the sessions of other users")
    return try await store.endSessions(of: user, named: name, at: time)
  }

  /// Throws an error if the caller is neither the given user nor an administrator.
  ///
  /// - Parameter action: The action that the error message names, such as `end the sessions of
  ///   other users`.
  private func checkIs(_ user: String, or action: String) async throws(DataError) {
    guard let scope = try await scope() else { return }
    guard scope.user.map({ $0.utf8.elementsEqual(user.utf8) }) == true else {
      throw DataError(.administratorsOnly(action))
    }
  }

  package func logOut(_ tokenHash: [UInt8]) async throws(DataError) {
    try await store.logOut(tokenHash)
  }

  /// Does nothing, because the underlying store is shared with other clients.
  package func close() async {}
}

/// A snapshot that applies the access rules to the requests of one caller.
private struct BoundReader: StoreReader {
  private let reader: any StoreReader
  private let scope: Scope

  init(_ reader: any StoreReader, _ scope: Scope) {
    self.reader = reader
    self.scope = scope
  }

  func catalog() -> StoredCatalog {
    StoredCatalog(scope.catalog, version: scope.catalogVersion)
  }

  func storeID() async throws(DataError) -> String? { try await reader.storeID() }

  func prepare(toRead schemas: [Schema]) async throws(DataError) {
    try await reader.prepare(toRead: schemas)
  }

  func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) async throws(DataError) -> FoundRecords {
    guard scope.permission(to: .read, schema.name) == .all else {
      return try await find(ids, byAny: [schema.keySlot], in: schema, slots: slots)
    }
    // No rule restricts the records, so no query is needed.
    let hidden = try scope.catalog.schema(schema.name).hiddenSlots
    return try await reader.find(
      ids, in: scope.fullCatalog.schema(schema.name), slots: slots.filter { !hidden.contains($0) })
  }

  /// Returns the stored function with the given id. No access rule applies to the function itself.
  /// The rules apply to what its query reads: parsing the query throws an error if it names a
  /// schema or a field that is hidden from the caller.
  func function(_ id: String) async throws(DataError) -> (rows: Rows, stored: StoredCatalog)? {
    try await reader.function(id)
  }

  func records(_ query: Query) async throws(DataError) -> any RecordStream {
    try await reader.records(query.bound(to: scope))
  }

  func count(_ query: Query) async throws(DataError) -> Int {
    try await reader.count(query.bound(to: scope))
  }

  func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream {
    try await reader.groups(query.bound(to: scope))
  }

  func content(
    of slot: Int, id: String, in schema: Schema
  ) async throws(DataError) -> (any ContentStream)? {
    let known = try scope.catalog.schema(schema.name)
    guard !known.hiddenSlots.contains(slot),
      try await find([id], in: known, slots: [known.keySlot]).missing.isEmpty
    else { return nil }
    return try await reader.content(of: slot, id: id, in: schema)
  }

  func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) async throws(DataError) -> Session? {
    try await reader.session(tokenHash, at: time)
  }

  func explain(_ query: Query) async throws(DataError) -> Explanation {
    throw DataError(.administratorsOnly("see how a query is executed"))
  }
}
