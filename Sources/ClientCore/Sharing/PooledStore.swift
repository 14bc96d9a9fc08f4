package import DataModel
package import DataStore
import Synchronization

/// A store that any number of tasks read and write through one client.
///
/// Each snapshot, and each stream of records, has a connection of its own until it is released. Their
/// number is limited; further ones wait. Callers that keep one for as long as they like, such as the
/// reader of a list, must reserve it with `reserving`. Their share is smaller, so that the other calls,
/// which always end, do not wait for them.
package final class PooledStore: Store {
  /// The number of connections for snapshots and streams. The other calls of a store run one after
  /// another, on one more connection.
  private static let maxReads = 7
  /// How many of these connections callers may keep.
  private static let maxReservedReads = 4

  package let base: any Store
  private let isClosed = Atomic(false)
  private let reads = ResourceQueue(
    (0..<maxReads).map { _ in ReadPermit() }, limitedShare: maxReservedReads)

  package init(_ base: any Store) {
    self.base = base
  }

  /// Throws an error if the store has been closed, or if the current task is canceled.
  func check() throws(DataError) {
    if isClosed.load(ordering: .relaxed) { throw .clientIsClosed }
    if Task.isCancelled { throw .interrupted }
  }

  /// The store, unless a call must not begin.
  private var usable: any Store {
    get throws(DataError) {
      try check()
      return base
    }
  }

  package var address: String { base.address }
  package var files: [String] { base.files }

  /// Calls a closure whose snapshots and streams the caller may keep. Returns nil, and does not call
  /// it, if as many as possible are kept already.
  package func reserving<Result>(
    _ body: () async throws(DataError) -> Result
  ) async throws(DataError) -> Result? {
    guard let permit = reads.takeIdle(for: .limited) else { return nil }
    let lease = ReadLease(permit, of: reads, .limited, in: self)
    return try await ReadLease.$reserved.withValue(lease) {
      do throws(DataError) {
        return Swift.Result<Result, DataError>.success(try await body())
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Returns the right to read a snapshot. Waits until there is one, unless it was reserved.
  private func lease() async throws(DataError) -> ReadLease {
    if let reserved = ReadLease.reserved { return reserved }
    return ReadLease(try await reads.take(), of: reads, .unlimited, in: self)
  }

  package func snapshot() async throws(DataError) -> any StoreReader {
    let lease = try await lease()
    return PooledReader(snapshot: try await usable.snapshot(), lease: lease)
  }

  package func records(_ query: Query) async throws(DataError) -> any RecordStream {
    let lease = try await lease()
    return PooledRecords(stream: try await usable.records(query), lease: lease)
  }

  package func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream {
    let lease = try await lease()
    return PooledRecords(stream: try await usable.groups(query), lease: lease)
  }

  package func storeID() async throws(DataError) -> String? { try await usable.storeID() }

  package func catalog() async throws(DataError) -> StoredCatalog { try await usable.catalog() }

  package func schema(named name: String) async throws(DataError) -> Schema? {
    try await usable.schema(named: name)
  }

  package func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) async throws(DataError) -> FoundRecords {
    try await usable.find(ids, in: schema, slots: slots)
  }

  package func find(
    _ ids: [String], inSchemaNamed name: String
  ) async throws(DataError) -> (schema: Schema, found: FoundRecords)? {
    try await usable.find(ids, inSchemaNamed: name)
  }

  package func function(
    _ id: String
  ) async throws(DataError) -> (rows: Rows, stored: StoredCatalog)? {
    try await usable.function(id)
  }

  package func count(_ query: Query) async throws(DataError) -> Int {
    try await usable.count(query)
  }

  package func explain(_ query: Query) async throws(DataError) -> Explanation {
    try await usable.explain(query)
  }

  package func apply(_ request: PlanRequest) async throws(DataError) {
    try await usable.apply(request)
  }

  package func log() async throws(DataError) -> [AppliedPlan] { try await usable.log() }

  package func write<Source: OperationSource>(
    _ request: WriteRequest, from source: inout Source
  ) async throws(DataError) {
    try await usable.write(request, from: &source)
  }

  package func passwordHash(for check: PasswordCheck) async throws(DataError) -> String? {
    try await usable.passwordHash(for: check)
  }

  package func verify(_ check: PasswordCheck) async throws(DataError) {
    try await usable.verify(check)
  }

  package func logIn(_ request: LogInRequest) async throws(DataError) {
    try await usable.logIn(request)
  }

  package func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) async throws(DataError) -> Session? {
    try await usable.session(tokenHash, at: time)
  }

  package func sessions(
    of user: String, at time: Timestamp
  ) async throws(DataError) -> [[UInt8]: Session] {
    try await usable.sessions(of: user, at: time)
  }

  package func endSessions(
    of user: String, named name: String?, at time: Timestamp
  ) async throws(DataError) -> Int {
    try await usable.endSessions(of: user, named: name, at: time)
  }

  package func logOut(_ tokenHash: [UInt8]) async throws(DataError) {
    try await usable.logOut(tokenHash)
  }

  package var preferredChunkSize: Int? { get async { await base.preferredChunkSize } }

  package func copyMark() async throws(DataError) -> CopyMark? { try await usable.copyMark() }

  package func endCopy(run: String, wait: WriteWait) async throws(DataError) {
    try await usable.endCopy(run: run, wait: wait)
  }

  /// Closes the store. Later calls, and the streams that are still open, throw an error.
  package func close() async {
    isClosed.store(true, ordering: .relaxed)
    await base.close()
  }

  package func endIdleReads() async { await base.endIdleReads() }
}

/// A place among the connections for snapshots and streams of a store.
final class ReadPermit: Sendable {}

/// The right to read from a snapshot of a store. It ends when it is released, or earlier.
final class ReadLease: Sendable {
  /// The lease that the current task uses for its snapshots; nil if each needs one of its own.
  @TaskLocal static var reserved: ReadLease?

  private let permit: Mutex<ReadPermit?>
  private let queue: ResourceQueue<ReadPermit>
  private let share: ResourceShare
  private let store: PooledStore

  init(
    _ permit: ReadPermit, of queue: ResourceQueue<ReadPermit>, _ share: ResourceShare,
    in store: PooledStore
  ) {
    self.permit = Mutex(permit)
    self.queue = queue
    self.share = share
    self.store = store
  }

  /// Throws an error if the store has been closed, or if the current task is canceled.
  func check() throws(DataError) { try store.check() }

  deinit { end() }

  func end() {
    if let permit = permit.withLock({ $0.take() }) { queue.give(permit, from: share) }
  }
}

/// A snapshot of a pooled store.
private struct PooledReader: StoreReader {
  // The snapshot is declared, and therefore released, before the lease.
  let snapshot: any StoreReader
  let lease: ReadLease

  /// The snapshot, unless a call must not begin.
  private var reader: any StoreReader {
    get throws(DataError) {
      try lease.check()
      return snapshot
    }
  }

  func catalog() async throws(DataError) -> StoredCatalog { try await reader.catalog() }

  func storeID() async throws(DataError) -> String? { try await reader.storeID() }

  func prepare(toRead schemas: [Schema]) async throws(DataError) {
    try await reader.prepare(toRead: schemas)
  }

  func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) async throws(DataError) -> FoundRecords {
    try await reader.find(ids, in: schema, slots: slots)
  }

  func function(_ id: String) async throws(DataError) -> (rows: Rows, stored: StoredCatalog)? {
    try await reader.function(id)
  }

  func records(_ query: Query) async throws(DataError) -> any RecordStream {
    PooledRecords(stream: try await reader.records(query), lease: lease)
  }

  func count(_ query: Query) async throws(DataError) -> Int { try await reader.count(query) }

  func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream {
    PooledRecords(stream: try await reader.groups(query), lease: lease)
  }

  func content(
    of slot: Int, id: String, in schema: Schema
  ) async throws(DataError) -> (any ContentStream)? {
    guard let content = try await reader.content(of: slot, id: id, in: schema) else { return nil }
    return PooledContent(content: content, lease: lease)
  }

  func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) async throws(DataError) -> Session? {
    try await reader.session(tokenHash, at: time)
  }

  func explain(_ query: Query) async throws(DataError) -> Explanation {
    try await reader.explain(query)
  }
}

/// The rows of a query of a pooled store.
private struct PooledRecords: RecordStream {
  let stream: any RecordStream
  let lease: ReadLease

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    try lease.check()
    return try await stream.next(reusing: rows)
  }
}

/// The content of a file of a pooled store.
private struct PooledContent: ContentStream {
  let content: any ContentStream
  let lease: ReadLease

  func next() async throws(DataError) -> [UInt8]? {
    try lease.check()
    return try await content.next()
  }
}

extension DataError {
  /// The error for a call of a client that has been closed.
  static var clientIsClosed: DataError {
    DataError(.usage, "the client is closed", hint: "open the store again with Client.open")
  }
}
