import DataModel
import DataStore
import Synchronization

/// A store that records the schemas of the reads that it receives, in order, and the lookups of
/// sessions.
final class ReadCounting: Store {
  private let store: any Store
  private let reads: ReadLog

  /// A reader that adds the names of the schemas to a log.
  private struct Reader: StoreReader {
    let reader: any StoreReader
    let reads: ReadLog

    func catalog() async throws(DataError) -> StoredCatalog { try await reader.catalog() }

    func storeID() async throws(DataError) -> String? { try await reader.storeID() }

    func prepare(toRead schemas: [Schema]) async throws(DataError) {
      try await reader.prepare(toRead: schemas)
    }

    func find(
      _ ids: [String], in schema: Schema, slots: [Int]
    ) async throws(DataError) -> FoundRecords {
      reads.add(schema.name)
      return try await reader.find(ids, in: schema, slots: slots)
    }

    func records(_ query: Query) async throws(DataError) -> any RecordStream {
      reads.add(query.schema.name)
      return try await reader.records(query)
    }

    func count(_ query: Query) async throws(DataError) -> Int { try await reader.count(query) }

    func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream {
      try await reader.groups(query)
    }

    func content(
      of slot: Int, id: String, in schema: Schema
    ) async throws(DataError) -> (any ContentStream)? {
      try await reader.content(of: slot, id: id, in: schema)
    }

    func session(
      _ tokenHash: [UInt8], at time: Timestamp
    ) async throws(DataError) -> Session? {
      reads.add("session")
      return try await reader.session(tokenHash, at: time)
    }

    func explain(_ query: Query) async throws(DataError) -> Explanation {
      try await reader.explain(query)
    }
  }

  private final class ReadLog: Sendable {
    private let names = Mutex<[String]>([])

    func add(_ name: String) { names.withLock { $0.append(name) } }

    func take() -> [String] {
      names.withLock { names in
        defer { names = [] }
        return names
      }
    }
  }

  init(_ store: any Store) {
    self.store = store
    reads = ReadLog()
  }

  /// Returns the names of the schemas that were read since the last call, one for each read, and
  /// `session` for each lookup of a session.
  func takeReads() -> [String] { reads.take() }

  private var reader: Reader { Reader(reader: store, reads: reads) }

  var address: String { store.address }
  var files: [String] { store.files }

  func snapshot() async throws(DataError) -> any StoreReader {
    Reader(reader: try await store.snapshot(), reads: reads)
  }

  func schema(named name: String) async throws(DataError) -> Schema? {
    try await store.schema(named: name)
  }

  func storeID() async throws(DataError) -> String? { try await store.storeID() }

  func catalog() async throws(DataError) -> StoredCatalog { try await store.catalog() }

  func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) async throws(DataError) -> FoundRecords {
    try await reader.find(ids, in: schema, slots: slots)
  }

  func find(
    _ ids: [String], inSchemaNamed name: String
  ) async throws(DataError) -> (schema: Schema, found: FoundRecords)? {
    let result = try await store.find(ids, inSchemaNamed: name)
    if let result { reads.add(result.schema.name) }
    return result
  }

  func records(_ query: Query) async throws(DataError) -> any RecordStream {
    try await reader.records(query)
  }

  func count(_ query: Query) async throws(DataError) -> Int { try await store.count(query) }

  func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream {
    try await store.groups(query)
  }

  func explain(_ query: Query) async throws(DataError) -> Explanation {
    try await store.explain(query)
  }

  func apply(_ request: PlanRequest) async throws(DataError) { try await store.apply(request) }

  func log() async throws(DataError) -> [AppliedPlan] { try await store.log() }

  func write<Source: OperationSource>(
    _ request: WriteRequest, from source: inout Source
  ) async throws(DataError) {
    try await store.write(request, from: &source)
  }

  func passwordHash(for check: PasswordCheck) async throws(DataError) -> String? {
    try await store.passwordHash(for: check)
  }

  func verify(_ check: PasswordCheck) async throws(DataError) { try await store.verify(check) }

  func logIn(_ request: LogInRequest) async throws(DataError) { try await store.logIn(request) }

  func session(
    _ tokenHash: [UInt8], at time: Timestamp
  ) async throws(DataError) -> Session? {
    reads.add("session")
    return try await store.session(tokenHash, at: time)
  }

  func sessions(
    of user: String, at time: Timestamp
  ) async throws(DataError) -> [[UInt8]: Session] {
    try await store.sessions(of: user, at: time)
  }

  func endSessions(
    of user: String, named name: String?, at time: Timestamp
  ) async throws(DataError) -> Int {
    try await store.endSessions(of: user, named: name, at: time)
  }

  func logOut(_ tokenHash: [UInt8]) async throws(DataError) { try await store.logOut(tokenHash) }

  func close() async { await store.close() }
}
