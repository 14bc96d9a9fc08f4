internal import CSQLite
package import DataModel
package import DataStore
internal import Platform

/// A store in one SQLite file, which several processes may read and write at the same time.
package actor SQLiteStore: TransactionalStore {
  /// The purpose for which a store is opened.
  package enum Access: Hashable, Sendable {
    /// The store is only read: nothing is changed or created.
    case reading
    /// Records and schemas are read and written. If `creates` is true and the file does not exist,
    /// the first migration plan that is executed creates the file.
    case writing(creates: Bool)
  }

  /// The version of the SQLite library.
  package static var libraryVersion: String {
    unsafe String(cString: sqlite3_libversion())
  }

  /// Throws an error if the SQLite library is too old for the tables of a store, which are strict.
  ///
  /// - Parameter version: The version of the library as a number, such as `3_037_000` for 3.37.0.
  package static func checkLibrary(_ version: Int32) throws(DataError) {
    guard version < 3_037_000 else { return }
    throw DataError(
      .libraryMissing,
      "SQLite 3.\(version / 1_000 % 1_000).\(version % 1_000) is too old for stores in files",
      hint: "install SQLite 3.37 or newer")
  }

  package nonisolated let address: String
  package nonisolated var files: [String] { path.all }
  nonisolated let path: StorePath
  let access: Access
  let coding: SchemaCoding
  let executor: StoreExecutor
  /// How long a connection waits for SQLite's own locks, in seconds. Write requests have their own
  /// limit.
  let lockTimeout: Double
  /// A file descriptor that becomes readable when the program must stop, for example after a
  /// signal.
  let alarm: Int32?
  /// Called when a commit begins, and when it has succeeded or failed.
  let commitListener: CommitListener?
  /// The connection, or nil until the file exists and a call needs it. All calls use it, except
  /// lock-free reads and snapshots, which open their own connections.
  private(set) var opened: SharedConnection?
  /// The reader for short reads without locks. It is discarded when a read finds that the file has
  /// changed.
  private var lockFreeReader: LockFreeReader?
  /// The catalog that was read most recently. It may be used only if the store still has the same
  /// catalog version.
  var cachedCatalog: StoredCatalog?
  /// The snapshots that are not in use, whose connections stay open for later snapshots.
  private let readers: IdleReaders
  /// The folder of a temporary store; nil for other stores.
  private var temporaryFolder: TempFolder?

  private init(
    path: StorePath, access: Access, coding: SchemaCoding, executor: StoreExecutor,
    lockTimeout: Double, alarm: Int32?, commitListener: CommitListener?,
    opened: SharedConnection?, lockFreeReader: LockFreeReader? = nil, readers: IdleReaders,
    temporaryFolder: TempFolder? = nil
  ) {
    address = path.given
    self.path = path
    self.access = access
    self.coding = coding
    self.executor = executor
    self.lockTimeout = lockTimeout
    self.alarm = alarm
    self.commitListener = commitListener
    self.opened = opened
    self.lockFreeReader = lockFreeReader
    self.readers = readers
    self.temporaryFolder = temporaryFolder
  }

  /// Opens a store. Throws an error if the file is not a store, or if the file does not exist and
  /// `access` does not allow creating it.
  ///
  /// - Parameters:
  ///   - lockTimeout: The maximum time to wait, in seconds, while another program holds SQLite's
  ///     own locks. Each write request has its own limit. The default is 10 seconds.
  ///   - alarm: A file descriptor that becomes readable when the program must stop. A running
  ///     statement, or a wait for a lock, is then interrupted.
  ///   - idleReaders: The maximum number of connections that stay open for later snapshots. If it
  ///     is not 0, the caller must call `endIdleReads` at the end of each request that reads
  ///     snapshots.
  ///   - unfinishedCopies: Whether the store can be opened if it is an unfinished copy.
  package static func open(
    path: String, for access: Access, coding: SchemaCoding,
    executor: StoreExecutor = .serialQueue(), lockTimeout: Double? = nil, alarm: Int32? = nil,
    commitListener: CommitListener? = nil, idleReaders: Int = 0,
    unfinishedCopies: UnfinishedCopies = .rejected
  ) throws(DataError) -> SQLiteStore {
    var path = try StorePath(path)
    path.unfinishedCopies = unfinishedCopies
    let readers = IdleReaders(atMost: idleReaders)
    let lockTimeout = lockTimeout ?? Connection.lockTimeout
    if access == .writing(creates: true), try StoreFile.kind(of: path.name) == .absent {
      return SQLiteStore(
        path: path, access: access, coding: coding, executor: executor,
        lockTimeout: lockTimeout, alarm: alarm, commitListener: commitListener, opened: nil,
        readers: readers)
    }
    if access == .reading, let lockFreeReader = try LockFreeReader(path, alarm: alarm) {
      return SQLiteStore(
        path: path, access: access, coding: coding, executor: executor,
        lockTimeout: lockTimeout, alarm: alarm, commitListener: commitListener, opened: nil,
        lockFreeReader: lockFreeReader, readers: readers)
    }
    return SQLiteStore(
      path: path, access: access, coding: coding, executor: executor, lockTimeout: lockTimeout,
      alarm: alarm, commitListener: commitListener,
      opened: try connection(
        to: path, for: access, lockTimeout: lockTimeout, alarm, notifying: commitListener),
      readers: readers)
  }

  /// Opens a new store in a temporary folder that only the user can access. The folder is removed
  /// when the store is closed.
  ///
  /// - Parameter address: The address of the store, for messages.
  package static func openTemporary(
    shown address: String, coding: SchemaCoding, executor: StoreExecutor = .serialQueue(),
    lockTimeout: Double? = nil, alarm: Int32? = nil, commitListener: CommitListener? = nil,
    idleReaders: Int = 0, unfinishedCopies: UnfinishedCopies = .rejected
  ) throws(DataError) -> SQLiteStore {
    let folder: TempFolder
    do throws(SystemCallError) {
      folder = try TempFolder(prefix: "datactl-")
    } catch {
      let places = AnonymousTempFile.folders.joined(separator: " or ")
      throw DataError(
        .fileFailed, "\(address): cannot create a temporary folder in \(places): \(error.text)")
    }
    var path = StorePath(temporary: folder.path, given: address)
    path.unfinishedCopies = unfinishedCopies
    return SQLiteStore(
      path: path, access: .writing(creates: true),
      coding: coding, executor: executor, lockTimeout: lockTimeout ?? Connection.lockTimeout,
      alarm: alarm, commitListener: commitListener, opened: nil,
      readers: IdleReaders(atMost: idleReaders), temporaryFolder: folder)
  }

  private static func connection(
    to path: StorePath, for access: Access, lockTimeout: Double, _ alarm: Int32?,
    notifying commitListener: CommitListener?
  ) throws(DataError) -> SharedConnection {
    var connection = try Connection.opened(
      path, for: access.use, lockTimeout: lockTimeout, alarm: alarm)
    connection.commitListener = commitListener
    return SharedConnection(connection)
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  package func close() {
    opened = nil
    lockFreeReader = nil
    readers.removeAll()
    temporaryFolder = nil
  }

  /// Returns the connection. Opens it if needed, for example after another process has created the
  /// store.
  func connection() throws(DataError) -> SharedConnection {
    if let opened { return opened }
    let connection = try Self.connection(
      to: path, for: access, lockTimeout: lockTimeout, alarm, notifying: commitListener)
    opened = connection
    return connection
  }

  /// Calls a closure that reads one snapshot of the store, and returns the result of the closure.
  ///
  /// If possible, the closure is first called with a connection that reads the file without locks.
  /// If the file changes during this call, the result is discarded. In this case, or if the file
  /// cannot be read without locks, the closure is called with a connection in a read transaction.
  /// It can therefore be called twice.
  func readOnce<Result>(
    _ body: (borrowing Connection) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    if let lockFreeReader {
      let result = try lockFreeReader.readOnce { [coding] (connection) throws(DataError) in
        try connection.diagnosing(coding, body)
      }
      if let result { return result }
      self.lockFreeReader = nil
    }
    return try connection().value.reading { [coding] (connection) throws(DataError) in
      try connection.diagnosing(coding, body)
    }
  }

  /// Returns whether the store exists: whether it is already open, or there is a file at its path.
  func exists() throws(DataError) -> Bool {
    if opened != nil { return true }
    return try StoreFile.kind(of: path.name) != .absent
  }

  package func catalog() throws(DataError) -> StoredCatalog {
    guard try exists() || access != .writing(creates: true) else {
      return StoredCatalog(Catalog(), version: 0)
    }
    let stored = try readOnce { (connection) throws(DataError) in try connection.catalog(coding) }
    cachedCatalog = stored
    return stored
  }

  package func storeID() throws(DataError) -> String? {
    guard try exists() || access != .writing(creates: true) else { return nil }
    return try readOnce { (connection) throws(DataError) in try connection.storeID() }
  }

  package func copyMark() throws(DataError) -> CopyMark? {
    guard try exists() || access != .writing(creates: true) else { return nil }
    return try readOnce { (connection) throws(DataError) in try connection.copyMark() }
  }

  package func endCopy(run: String, wait: WriteWait) async throws(DataError) {
    try await write(wait: wait) { [coding] (connection) throws(DataError) in
      try connection.endCopy(coding, run: run)
    }
  }

  package func schema(named name: String) throws(DataError) -> Schema? {
    guard try exists() || access != .writing(creates: true) else { return nil }
    return try readOnce { (connection) throws(DataError) in
      try connection.schema(named: name, coding)
    }
  }
}

extension SQLiteStore.Access {
  var use: ConnectionUse {
    switch self {
    case .reading: .reading
    case .writing: .writing
    }
  }
}

/// A reference to a connection. The connection stays open as long as a reference exists, for
/// example in a suspended call.
final class SharedConnection {
  let value: Connection

  init(_ value: consuming Connection) {
    self.value = value
  }
}

extension SQLiteStore {
  package func snapshot() async throws(DataError) -> any StoreReader {
    guard readers.isUsed else { return try snapshot(endsTransaction: false) }
    while let reader = readers.take() {
      if try await reader.restart() { return LeasedSnapshot(reader, from: readers) }
    }
    return LeasedSnapshot(try snapshot(endsTransaction: false), from: readers)
  }

  package func endIdleReads() async {
    for reader in readers.endRequest() { await reader.end() }
  }

  /// Opens a snapshot on a connection of its own.
  func snapshot(endsTransaction: Bool) throws(DataError) -> SQLiteSnapshot {
    try SQLiteSnapshot(
      of: path, coding, previous: cachedCatalog, endsTransaction: endsTransaction, by: executor,
      lockTimeout: lockTimeout, alarm: alarm)
  }

  /// Copies a snapshot of the store to an empty file, and checks the copy. Returns the snapshot and
  /// a snapshot of the copy. Other processes can read and write the store meanwhile.
  ///
  /// - Parameters:
  ///   - file: The absolute path of the file, which no other process uses.
  ///   - name: The name of the file in error messages.
  ///   - monitor: A closure that is called between parts of the copy. It throws an error if the
  ///     copy must stop.
  package func backUp(
    to file: String, shown name: String, checking check: BackupCheck,
    monitor: @Sendable () throws(DataError) -> Void
  ) async throws(DataError) -> (original: any StoreReader, copy: any StoreReader) {
    let target = StorePath(unpublished: file, given: name)
    let original = try snapshot(endsTransaction: false)
    try await original.copyPages(to: target, monitor: monitor)
    do throws(DataError) {
      let copy = try SQLiteSnapshot(
        of: target, for: .unpublished, coding, previous: nil, endsTransaction: false, by: executor,
        lockTimeout: lockTimeout, alarm: alarm)
      try await copy.verify(check, of: path.given)
      return (original, copy)
    } catch {
      // The copy has the same pages as the store.
      throw error.code == .storeDamaged && error.problems[0].schema == nil
        ? .damaged(path.given) : error
    }
  }

  package func find(
    _ ids: [String], in schema: Schema, slots: [Int]
  ) throws(DataError) -> FoundRecords {
    try readOnce { (connection) throws(DataError) in
      try connection.find(ids, in: schema, slots: slots)
    }
  }

  package func find(
    _ ids: [String], inSchemaNamed name: String
  ) throws(DataError) -> (schema: Schema, found: FoundRecords)? {
    guard try exists() || access != .writing(creates: true) else { return nil }
    return try readOnce { [coding] (connection) throws(DataError) in
      guard let schema = try connection.schema(named: name, coding) else { return nil }
      let slots = Array(0..<schema.width)
      return (schema, try connection.find(ids, in: schema, slots: slots))
    }
  }

  package func records(_ query: Query) async throws(DataError) -> any RecordStream {
    try await snapshot(endsTransaction: true).records(query)
  }

  package func groups(_ query: GroupQuery) async throws(DataError) -> any RecordStream {
    try await snapshot(endsTransaction: true).groups(query)
  }

  package func count(_ query: Query) throws(DataError) -> Int {
    try read(query) { (connection, catalog) throws(DataError) in
      try connection.count(query, in: catalog)
    }
  }

  package func explain(_ query: Query) throws(DataError) -> Explanation {
    try read(query) { (connection, catalog) throws(DataError) in
      try connection.explain(query, in: catalog)
    }
  }

  /// Calls a closure in a read transaction, and passes it the catalog that the query needs.
  func read<Result>(
    _ query: Query, _ body: (borrowing Connection, Catalog) throws(DataError) -> Result
  ) throws(DataError) -> Result {
    try connection().value.reading { (connection) throws(DataError) in
      var schemas = try SchemaCache(on: connection, coding, previous: cachedCatalog)
      let catalog = try schemas.catalog(
        for: query.schema, validatedAgainst: query.versions,
        followsRelations: query.followsRelations, on: connection)
      cachedCatalog = schemas.loaded
      do throws(DataError) {
        return try body(connection, catalog)
      } catch {
        throw connection.diagnosed(error, coding, schemaIsCurrent: true)
      }
    }
  }
}
