import DataModel
import DataStore
import Synchronization

/// Snapshots that no request uses at the moment. Their connections stay open for later requests,
/// because opening a connection takes longer than reading a record.
final class IdleReaders: Sendable {
  private struct State {
    var readers: [SQLiteSnapshot] = []
    /// Whether a request is running. At the end of the request, `endIdleReads` ends the
    /// transactions of the idle snapshots.
    var isInRequest = false
  }

  private let limit: Int
  private let state = Mutex(State())

  init(atMost limit: Int) {
    self.limit = limit
  }

  /// Whether connections stay open for later requests.
  var isUsed: Bool { limit > 0 }

  /// Removes an idle snapshot from the list and returns it, or returns nil if there is none. Also
  /// marks a request as running, until `endRequest` is called.
  func take() -> SQLiteSnapshot? {
    state.withLock { state in
      state.isInRequest = true
      return state.readers.popLast()
    }
  }

  /// Adds a snapshot that is no longer in use to the list, or closes it if the list is full. Also
  /// closes the snapshot if its request has already ended, because nothing else would end its
  /// transaction.
  fileprivate func add(_ reader: SQLiteSnapshot) {
    state.withLock { state in
      if state.isInRequest, state.readers.count < limit { state.readers.append(reader) }
    }
  }

  /// Marks the end of a request, and returns the snapshots whose transactions must be ended.
  func endRequest() -> [SQLiteSnapshot] {
    state.withLock { state in
      state.isInRequest = false
      return state.readers
    }
  }

  func removeAll() { state.withLock { $0 = State() } }
}

/// A snapshot whose connection becomes idle when the snapshot, and the streams that read from it,
/// are no longer used.
final class LeasedSnapshot: StoreReader {
  private let reader: SQLiteSnapshot
  private let idle: IdleReaders

  init(_ reader: SQLiteSnapshot, from idle: IdleReaders) {
    self.reader = reader
    self.idle = idle
  }

  deinit { idle.add(reader) }

  func catalog() async throws(DataError) -> StoredCatalog { try await reader.catalog() }

  func storeID() async throws(DataError) -> String? { try await reader.storeID() }

  func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) async throws(DataError) -> FoundRecords {
    try await reader.find(ids, in: schema, slots: slots)
  }

  func records(_ query: Query) async throws(DataError) -> any RecordStream {
    LeasedRecords(snapshot: self, stream: try await reader.records(query))
  }

  func count(_ query: Query) async throws(DataError) -> Int { try await reader.count(query) }

  func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream {
    LeasedRecords(snapshot: self, stream: try await reader.groups(query))
  }

  func content(
    of slot: Int, id: String, in schema: Schema
  ) async throws(DataError) -> (any ContentStream)? {
    guard let stream = try await reader.content(of: slot, id: id, in: schema) else { return nil }
    return LeasedContent(snapshot: self, stream: stream)
  }

  func session(_ tokenHash: [UInt8], at time: Timestamp) async throws(DataError) -> Session? {
    try await reader.session(tokenHash, at: time)
  }

  func explain(_ query: Query) async throws(DataError) -> Explanation {
    try await reader.explain(query)
  }
}

private struct LeasedRecords: RecordStream {
  let snapshot: LeasedSnapshot
  let stream: any RecordStream

  func next(reusing rows: consuming Rows) async throws(DataError) -> Rows? {
    try await stream.next(reusing: rows)
  }
}

private struct LeasedContent: ContentStream {
  let snapshot: LeasedSnapshot
  let stream: any ContentStream

  func next() async throws(DataError) -> [UInt8]? { try await stream.next() }
}
